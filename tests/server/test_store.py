"""The store, on a real SQLite file and a real PostgreSQL."""

import queue
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

import strandline
from server.helpers import PATIENCE, make_setup, make_table
from strandline.server.commands import entries_of
from strandline.server.notice import Notice
from strandline.server.store import BadStore, Conflict, Store, is_in_use, is_outage
from strandline.table.record import Header
from strandline.table.table import Entry, Kind, Setup, Table


def names(*texts: str) -> list[Entry]:
    return [Entry(Kind.NAME, 0, text) for text in texts]


def test_what_is_written_is_read(store: Store) -> None:
    setup = make_setup("undertow", ("here", "bot:random", "link"), easy=True)
    first = entries_of(Table(setup).opening())
    store.create(setup, first).result()
    store.append(setup.header.table, len(first), [Entry(Kind.ANCHOR, 2, "a", "5eed"), *names("b")]).result()
    kept = store.load(setup.header.table)
    assert kept is not None and kept.setup == setup and not kept.archived
    assert kept.entries == [*first, Entry(Kind.ANCHOR, 2, "a", "5eed"), *names("b")]
    rest = store.load(setup.header.table, len(first) + 1)
    assert rest is not None and rest.entries == names("b")
    assert store.load("nowhere") is None


def test_a_file_is_its_owners_alone(tmp_path: Path) -> None:
    """It holds the dice of games that are not over."""
    store = Store(f"sqlite:///{tmp_path / 's.sqlite'}")
    store.create(make_setup(), []).result()
    assert all(file.stat().st_mode & 0o077 == 0 for file in tmp_path.glob("s.sqlite*"))
    store.close()


def test_tokens_are_hashed(store: Store) -> None:
    setup = make_setup(kinds=("here", "link"))
    store.create(setup, []).result()
    with store.engine.connect() as connection:
        for table in ("tables", "seats", "entries"):
            rows = str(connection.execute(sa.text(f"SELECT * FROM {table}")).fetchall())
            assert "maker" not in rows and "token-1" not in rows


def test_a_damaged_table_holds_up_nobody_else(store: Store) -> None:
    """Reading it fails half-way; whoever still has the error in hand keeps nothing of the store open."""
    bad = make_setup()
    good = replace(bad, header=replace(bad.header, table="g" * 16))
    for setup in (bad, good):
        store.create(setup, names("a", "b", "c")).result()
    with store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE entries SET kind = 'dance' WHERE table_id = :id"), {"id": bad.header.table})
    with store.engine.connect(), store.engine.connect():
        pass  # now there are two connections, which take turns
    kept = []
    for _ in range(2):
        with pytest.raises(ValueError, match="dance") as caught:
            store.load(bad.header.table)
        kept.append(caught)
    for number in range(3, 6):
        store.append(good.header.table, number, names("d")).result(PATIENCE)


def test_nobody_writes_twice_in_one_place(store: Store) -> None:
    setup = make_setup()
    store.create(setup, []).result()
    store.append(setup.header.table, 0, names("a", "b")).result()
    for after in (0, 1):
        with pytest.raises(Conflict):
            store.append(setup.header.table, after, names("c")).result()
    kept = store.load(setup.header.table)
    assert kept is not None and kept.entries == names("a", "b")


def test_a_conflict_in_a_batch_harms_nobody_else(store: Store) -> None:
    """Many writes that gather go into one transaction; those that cannot be done fail alone."""
    setup = make_setup()
    store.create(setup, names("a")).result()
    hold = threading.Event()
    store._submit(lambda _: hold.wait(10))
    futures = [store.append(setup.header.table, after, names(str(after))) for after in (1, 0, 2, 2, 3)]
    hold.set()
    assert [future.exception() is None for future in futures] == [True, False, True, False, True]
    kept = store.load(setup.header.table)
    assert kept is not None and [entry.text for entry in kept.entries] == ["a", "1", "2", "3"]


def test_two_stores_race(url: str) -> None:
    """Of two who write in the same place exactly one succeeds, a hundred times."""
    stores = [Store(url), Store(url)]
    setup = make_setup()
    stores[0].create(setup, []).result()
    winners = []
    for after in range(100):
        futures = [store.append(setup.header.table, after, names(f"{i}")) for i, store in enumerate(stores)]
        won = [i for i, future in enumerate(futures) if future.exception() is None]
        assert len(won) == 1
        winners += won
    kept = stores[0].load(setup.header.table)
    assert kept is not None and [int(entry.text) for entry in kept.entries] == winners
    for store in stores:
        store.close()


def test_a_rematch_is_made_with_its_entry_or_not_at_all(store: Store) -> None:
    old, new = make_setup(), make_setup()
    new = Setup(Header("n" * 16, new.header.game, new.header.options, new.header.kinds, ""), *_rest(new))
    store.create(old, names("a")).result()
    with pytest.raises(Conflict):
        store.rematch(old.header.table, 0, [Entry(Kind.REMATCH, 0, "n" * 16)], new, []).result()
    assert store.load("n" * 16) is None
    store.rematch(old.header.table, 1, [Entry(Kind.REMATCH, 0, "n" * 16)], new, []).result()
    assert store.load("n" * 16) is not None


def _rest(setup: Setup) -> tuple[bytes, tuple[str | None, ...], tuple[str, ...]]:
    return setup.seed, setup.tokens, setup.names


def test_untouched_tables_are_put_away_and_fetched_back(store: Store) -> None:
    setup = make_setup()
    first = make_table().record.number
    store.create(setup, names("a", "b")).result()
    assert store.put_away(time.time() - 60).result() == []
    assert store.put_away(time.time() + 60).result() == [setup.header.table]
    kept = store.load(setup.header.table)
    assert kept is not None and kept.archived and kept.setup == setup and kept.entries == names("a", "b")
    with pytest.raises(Conflict):
        store.append(setup.header.table, 2, names("c")).result()
    assert store.fetch_back(setup.header.table).result() and not store.fetch_back(setup.header.table).result()
    again = store.load(setup.header.table)
    assert again is not None and not again.archived and again.entries == names("a", "b") and first
    store.append(setup.header.table, 2, names("c")).result()


def test_presence(store: Store) -> None:
    setup = make_setup()
    store.create(setup, []).result()
    store.mark_present([(setup.header.table, 1)], 123.5).result()
    store.mark_present([], 7.0).result()
    found = store.present_until(setup.header.table)
    assert found[1] == 123.5 and abs(found[0] - time.time()) < 60


def test_what_was_put_away_is_forgotten_in_the_end(store: Store) -> None:
    setup = make_setup()
    store.create(setup, names("a")).result()
    store.put_away(time.time() + 60).result()
    store.forget(time.time() - 60).result()
    assert store.load(setup.header.table) is not None
    store.forget(time.time() + 60).result()
    assert store.load(setup.header.table) is None


def test_news_from_another_server(empty_postgres: str) -> None:
    here, there = Store(empty_postgres), Store(empty_postgres)
    heard: queue.Queue[tuple[str | None, str]] = queue.Queue()
    here.listen(lambda table, word: heard.put((table, word)))
    assert heard.get(timeout=PATIENCE) == (None, "")  # from now on nothing is missed
    setup = make_setup()
    there.create(setup, []).result()
    here.append(setup.header.table, 0, names("own")).result()
    there.append(setup.header.table, 1, names("news")).result()
    assert heard.get(timeout=PATIENCE) == (setup.header.table, "")
    there.tell(setup.header.table, "two words").result()
    assert heard.get(timeout=PATIENCE) == (setup.header.table, "two words")
    here.close()
    there.close()
    assert heard.empty()


def test_sqlite_flushes_every_commit(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    store.close()


def test_one_server_claims_a_sqlite_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    first, second = Store(url), Store(url)
    first.claim()
    with pytest.raises(BadStore, match=r"in use by another server.*PostgreSQL"):
        second.claim()
    first.close()
    second.claim()
    second.close()


def test_a_file_with_two_names_is_one_store(tmp_path: Path) -> None:
    """Two servers on it would hear nothing of each other."""
    file, link = tmp_path / "tables.sqlite", tmp_path / "link.sqlite"
    link.symlink_to(file)
    first, second = Store(f"sqlite:///{file}"), Store(f"sqlite:///{link}")
    first.claim()
    with pytest.raises(BadStore, match="in use by another server"):
        second.claim()
    assert is_in_use(f"sqlite:///{link}")
    for store in (first, second):
        store.close()
    (tmp_path / "other.sqlite").hardlink_to(file)
    third = Store(f"sqlite:///{file}")
    with pytest.raises(BadStore, match="another name"):
        third.claim()
    third.close()


def test_a_file_that_was_moved_away_is_not_made_anew(tmp_path: Path) -> None:
    """An empty one in its place would take over what is written ahead, and empty that."""
    place, elsewhere = tmp_path / "tables.sqlite", tmp_path / "moved.sqlite"
    store = Store(f"sqlite:///{place}")
    setup = make_setup()
    store.create(setup, names("a")).result()
    with store.engine.connect():  # it still has the file, and is given to nobody any more
        place.rename(elsewhere)
        with pytest.raises(sa.exc.OperationalError, match="is not the file any more"):
            store.load("0")
        assert is_outage(store.create(make_setup("undertow"), []).exception() or AssertionError())
    store.engine.dispose()
    with pytest.raises(sa.exc.OperationalError):
        store.load(setup.header.table)
    assert not place.exists()
    elsewhere.rename(place)
    kept = store.load(setup.header.table)
    assert kept is not None and kept.entries == names("a")
    store.append(setup.header.table, 1, names("b")).result()
    store.close()


def test_several_servers_share_a_postgres(empty_postgres: str) -> None:
    stores = [Store(empty_postgres), Store(empty_postgres)]
    for store in stores:
        store.claim()
        store.close()


@pytest.mark.parametrize(
    "url",
    ["mysql://here", "nonsense", "sqlite:////no/such/folder/file", "postgresql://nobody@127.0.0.1:1/none"],
)
def test_a_store_that_cannot_be_opened_says_why(url: str) -> None:
    with pytest.raises(BadStore, match=r"store") as error:
        Store(url)
    assert isinstance(error.value, strandline.BadOptions) and "\n" not in str(error.value)


def test_a_code_stands_for_one_table_and_not_for_ever(store: Store) -> None:
    for table in ("a", "b"):
        store.create(replace(setup := make_setup(), header=replace(setup.header, table=table)), []).result()
    assert store.code_of("a", 50.0, "KELP-7", 100.0).result() == "KELP-7"
    assert store.code_of("a", 50.0, "REEF-8", 100.0).result() == "KELP-7"
    assert store.code_of("a", 101.0, "REEF-8", 200.0).result() == "REEF-8"
    with pytest.raises(Conflict):
        store.code_of("b", 50.0, "KELP-7", 100.0).result()
    assert [store.table_of_code(code, 99.0) for code in ("KELP-7", "REEF-8", "SAND-9")] == ["a", "a", None]
    store.forget_codes(100.0).result()
    assert [store.table_of_code(code, 99.0) for code in ("KELP-7", "REEF-8")] == [None, "a"]


def test_a_device_stops_its_own_notices(store: Store) -> None:
    setup = make_setup()
    table = setup.header.table
    store.create(setup, []).result()
    ids = ("one 1", "one 2", "two 1", "two 2")
    asked = [Notice(id_, table, 0, id_.split()[0], "webhook", "x", "y", "en") for id_ in ids]
    assert all(store.add_notices([notice], 4).result() for notice in asked)
    assert not store.add_notices([replace(asked[0], id="one 3")], 4).result()
    assert store.add_notices([asked[0]], 4 + 1).result()
    store.forget_notices("elsewhere", "one").result()
    store.forget_notices(table, "one", "two 1").result()
    store.forget_notices(table, "two", "two 1").result()
    assert {notice.id for notice in store.notices(table, 0, 1)} == {"one 1", "one 2", "two 2"}
    store.forget_notices(table, "one").result()
    assert [notice.id for notice in store.notices(table, 0, 1)] == ["two 2"]


def test_an_entry_keeps_its_time_or_gets_that_of_its_writing(store: Store) -> None:
    setup = make_setup()
    store.create(setup, [Entry(Kind.NAME, 0, "Ada", made=5.0), Entry(Kind.NAME, 1, "Ben")]).result()
    kept = store.load(setup.header.table)
    assert kept is not None
    noted, written = (entry.made for entry in kept.entries)
    assert noted == 5.0 and abs(written - time.time()) < 3600


def test_tables_are_due_when_their_time_is_up(store: Store) -> None:
    setup = make_setup()
    table = setup.header.table
    store.create(setup, []).result()
    store.set_due(table, 5.0).result()
    assert table not in store.due(4.9) and table in store.due(5.0)
    store.set_due(table, None).result()
    assert table not in store.due(5.0)


def test_a_code_holds_until_its_time_is_up(store: Store) -> None:
    store.code_of("its table", 5.0, "TIDE-5", 5.0).result()
    assert store.table_of_code("TIDE-5", 4.9) == "its table" and store.table_of_code("TIDE-5", 5.0) is None


def test_whoever_has_seen_their_turn_needs_no_notice(store: Store) -> None:
    here, elsewhere = "a table", "another"
    asked = [Notice(table, table, 0, "one", "webhook", "x", "y", "en") for table in (here, elsewhere)]
    assert all(store.add_notices([notice], 4).result() for notice in asked)
    store.mark_told(here, 0, 3).result()
    assert store.notices(here, 0, 3) == [] and store.notices(elsewhere, 0, 3) == [asked[1]]
    assert store.notices(here, 0, 4) == [asked[0]]


def test_a_notice_on_a_screen_is_withdrawn_once(store: Store) -> None:
    table = make_setup("up_the_river").header.table
    asked = [Notice(f"{table} {seat}", table, seat, "one", "push", "…", "/", "en") for seat in (0, 1)]
    store.add_notices(asked, 4).result()
    assert all(store.claim_notice(notice, 1).result() for notice in asked)
    assert not store.claim_notice(asked[0], 1).result()
    assert store.take_shown("elsewhere", [0, 1]).result() == []
    assert [notice.id for notice in store.take_shown(table, [1]).result()] == [f"{table} 1"]
    assert store.take_shown(table, [1]).result() == []
    assert store.is_shown(f"{table} 0") and not store.is_shown(f"{table} 1")


def test_the_first_secret_of_a_name_stays(store: Store) -> None:
    assert store.secret("a key", "first").result() == "first"
    assert store.secret("a key", "second").result() == "first"
    assert store.secret("another", "second").result() == "second"


def test_steps_of_lessons_are_counted(store: Store) -> None:
    for step in (1, 2, 1):
        store.count_step("nim", "first", step, "reached").result()
    assert sorted(store.lesson_counts()) == [("nim", "first", 1, "reached", 2), ("nim", "first", 2, "reached", 1)]
