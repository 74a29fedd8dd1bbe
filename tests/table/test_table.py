"""The rules of the table: turns, numbers, undo, votes, stand-ins, rematch."""

import dataclasses
import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from server.helpers import (
    anchor,
    chain_of,
    come,
    make_setup,
    make_table,
    move,
    next_link,
    opened,
    play_out,
    record_of,
    roll,
    step,
    tap,
    verified,
)
from strandline.table import invitations
from strandline.table import table as tables
from strandline.table.record import BadRecord, Line, Record
from strandline.table.table import Entry, Kind, Refused, Step, Table, clean_name, hashed, named

ALL = frozenset(range(5))


def turn_of(table: Table) -> int:
    turn = table.record.position.turn
    assert isinstance(turn, int)
    return turn


def refused(code: str) -> Any:
    return pytest.raises(Refused, check=lambda error: error.code == code)


def first_move(table: Table) -> str:
    return table.record.position.moves()[0]


def test_a_person_taps_for_every_roll() -> None:
    table = Table(make_setup())
    table.fold(table.opening())
    come(table)
    assert table.number == 0 and table.turn == 0 and table.roll()
    with refused("turn"):
        table.move({0}, "sail 1", 0)
    assert [step.entry.kind for step in tap(table)] == [Kind.LINK, Kind.CHANCE]
    roll(table)
    assert [line.by for line in table.record.lines] == ["chance"]
    assert [step.entry.kind for step in table.move({0}, first_move(table), table.number)] == [Kind.MOVE]


def test_a_bot_rolls_at_once() -> None:
    table = make_table(kinds=("link", "bot:random"))
    assert [step.entry.kind for step in table.move({0}, first_move(table), table.number)] == [Kind.MOVE, Kind.CHANCE]


def test_bots_wait_for_a_person_to_come() -> None:
    """What is rolled before anybody has added a link, the server could have chosen."""
    table = Table(make_setup(kinds=("bot:random", "link")))
    assert table.opening() == [] and table.turn == "chance" and table.to_think() is None
    come(table)
    assert table.number == 1 and table.to_think() == (0, "random")
    alone = Table(make_setup(kinds=("bot:random", "bot:random")))
    assert len(alone.opening()) == 1


def test_bots_go_on_when_links_come_late() -> None:
    """Somebody has rolled before the page of another had added its link; bots do not wait for that."""
    table = Table(make_setup(kinds=("link", "bot:random", "link")))
    for seat in (0, 2):
        anchor(table, {seat}, chain_of(seat))
    table.fold(tap(table))
    table.fold(table.move({0}, first_move(table), table.number))
    assert table.number > 2 and table.record.ledger.key.epoch == 1


def test_a_row_of_rolls_goes_in_one_tap() -> None:
    table = Table(make_setup("undertow", ("link", "link")))
    come(table)
    for seat in (0, 1):
        assert table.turn == seat
        steps = tap(table)
        assert [step.entry.kind for step in steps] == [Kind.LINK] + [Kind.CHANCE] * 7
        table.fold(steps)
    assert isinstance(table.record.position.turn, int)


def test_whoever_taps_out_of_turn_is_refused() -> None:
    table = Table(make_setup())
    come(table)
    link = next_link(table, 1)
    for seats, number, code in (({1}, 0, "turn"), (set(), 0, "turn"), ({0}, 1, "stale")):
        with refused(code):
            table.tap(seats, number, link, 3)
    for wrong in (link, "0" * 64, None):
        with refused("link"):
            table.tap({0}, 0, wrong, 3)
    with refused("link"):
        table.tap({0}, 0, next_link(table, 0), 9)
    assert table.number == 0


def test_a_tap_that_comes_twice_counts_once() -> None:
    table = Table(make_setup())
    come(table)
    link = next_link(table, 0)
    table.fold(table.tap({0}, 0, link, 3))
    assert table.tap({0}, 0, link, 3) == []


def test_a_link_that_was_added_because_somebody_joined_is_no_tap() -> None:
    table = Table(make_setup())
    come(table)
    link = table.record.ledger.tips[1]
    with refused("stale"):
        table.tap({0}, 0, link, 3)


def test_choosing_a_tile_is_the_tap_that_turns_it_up() -> None:
    table = make_table("sand_castles", ("link", "link"))
    seat = turn_of(table)
    link, epochs = next_link(table, seat), table.record.ledger.epochs
    steps = table.move({seat}, "flip", table.number, link, epochs)
    assert [step.entry.kind for step in steps[:3]] == [Kind.MOVE, Kind.LINK, Kind.CHANCE]
    table.fold(table.move({seat}, "flip", table.number))  # whoever sends no link taps afterwards
    due = table.roll()
    assert due and (due.seat, due.verb) == (seat, "flip")


def test_a_bot_that_takes_over_rolls_without_a_link() -> None:
    table = Table(make_setup())
    come(table)
    steps = table.leave({0}, 0, "random")
    assert [step.entry.kind for step in steps] == [Kind.AWAY, Kind.ANCHOR, Kind.CHANCE]
    table.fold(steps)
    assert table.record.ledger.awaited().keys() == {1} and table.record.ledger.chains.keys() == {0, 1}


def test_what_is_refused_changes_nothing() -> None:
    table = make_table()
    number, entries, move = table.number, table.entries, first_move(table)
    with refused("stale"):
        table.move({0}, move, number - 1)
    with refused("stale"):
        table.move({0}, move, number + 1)
    with refused("turn"):
        table.move({1}, move, number)
    with refused("turn"):
        table.move(frozenset(), move, number)
    for text in ("sail 9", "", "roll 3", "undo 0", "?"):
        with refused("illegal"):
            table.move({0}, text, number)
    with refused("turn"):
        table.bot_move(0, move, number)
    assert (table.number, table.entries) == (number, entries)


def test_nothing_is_played_after_the_end() -> None:
    table = play_out(make_table(round_limit=1), random.Random(1))
    assert table.record.over
    with refused("turn"):
        table.move({0, 1}, "sail 1", table.number)
    with refused("turn"):
        table.undo({0, 1}, table.number)
    assert table.undoable({0, 1}) is None


# Undo


def test_an_undo_that_crosses_chance_needs_everybody() -> None:
    table = make_table(kinds=("link", "link", "link"))
    before = table.record.position
    move(table, first_move(table))
    assert table.record.lines[-1].by == "chance"
    table.fold(table.undo({0}, table.number))
    (number,) = table.votes
    assert table.votes[number].open == {1, 2} and table.record.position != before
    with refused("state"):
        table.undo({0}, table.number)
    with refused("seat"):
        table.vote({1}, number, 2, True, "1")
    with refused("state"):
        table.vote({0}, number, 0, True, "1")
    table.fold(table.vote({1}, number, 1, True, "1"))
    table.fold(table.vote({2}, number, 2, True, "1"))
    assert table.record.position == before and not table.votes
    assert table.record.lines[-1].text == "undo 1" and table.record.dropped() == {2, 3}
    assert table.record.dropped(2) == {3} and not table.record.dropped(3) and table.record.latest_draw == 1


def test_one_no_ends_the_vote_and_so_does_a_move() -> None:
    table = make_table()
    move(table, first_move(table))
    table.fold(table.undo({0}, table.number))
    table.fold(table.vote({1}, next(iter(table.votes)), 1, False, "1"))
    assert not table.votes
    table.fold(table.undo({0}, table.number))
    table.fold(table.move({turn_of(table)}, first_move(table), table.number))
    assert not table.votes


def test_own_moves_are_taken_back_at_once() -> None:
    """Placing fish in Reef Route: no chance, and with bots no other person."""
    table = make_table("reef_route", ("link", "bot:random"))
    before = table.record.position
    table.fold(table.move({0}, first_move(table), table.number))
    step(table, random.Random(1))
    assert table.bot(1) and turn_of(table) == 0
    undo = table.undoable({0})
    assert undo is not None and undo.free
    table.fold(table.undo({0}, table.number))
    assert table.record.position == before
    with refused("state"):
        table.undo({0}, table.number)


def test_another_persons_move_is_not_taken_back_without_asking() -> None:
    table = make_table("reef_route", ("link", "link"))
    table.fold(table.move({0}, first_move(table), table.number))
    table.fold(table.move({1}, first_move(table), table.number))
    undo = table.undoable({0})
    assert undo is not None and not undo.free
    own = table.undoable({1})
    assert own is not None and own.free


def test_undo_after_undo_goes_further_back() -> None:
    table = make_table("reef_route", ("link", "bot:random"))
    start = table.record.position
    for _ in range(2):
        table.fold(table.move({0}, first_move(table), table.number))
        step(table, random.Random(1))
    for _ in range(2):
        table.fold(table.undo({0}, table.number))
    assert table.record.position == start
    assert list(table.record.path()) == [0]


def test_nothing_is_rolled_anew_after_an_undo() -> None:
    table = make_table(kinds=("link", "bot:random"), round_limit=3)
    rng = random.Random(3)
    rolls = []
    for _ in range(8):
        move(table, rng.choice(table.record.position.moves()))
        rolls.append(table.record.lines[-1].text)
        table.fold(table.undo({0}, table.number))  # alone with bots: everybody agrees
    assert len(set(rolls)) == 1
    assert verified(record_of(play_out(table, rng))) == "passed"


def test_what_is_drawn_again_takes_no_link() -> None:
    table = make_table(kinds=("link", "link"))
    before = table.record.position
    move(table, first_move(table))
    rolled = [line.text for line in table.record.lines if line.by == "chance"]
    notes = len(table.record.notes)
    table.fold(table.undo({0}, table.number))
    table.fold(table.vote({1}, next(iter(table.votes)), 1, True, "1"))
    assert table.record.position == before
    table.fold(table.move({0}, first_move(table), table.number))
    while table.roll():
        table.fold(table.tap({0, 1}, table.number, None, 0))
    assert [line.text for line in table.record.lines if line.by == "chance"][-len(rolled) + 1 :] == rolled[1:]
    assert len(table.record.notes) == notes


def test_a_revealed_secret_is_not_taken_back_without_asking() -> None:
    table = make_table("sand_castles", ("link", "link", "link"))
    move(table, "seagull")
    assert [table.record.lines[-i].text.split()[0] for i in (1, 2, 3)] == ["peek"] * 3
    places = [move for move in table.record.position.moves() if move.startswith("take peeked")]
    table.fold(table.move({0}, places[0], table.number))
    assert table.record.reveals(table.number - (table.record.lines[-1].by == "chance"))
    undo = table.undoable({0})
    assert undo is not None and not undo.free


def test_a_bot_in_a_persons_place_agrees_to_nothing() -> None:
    """Whoever loses the connection does not come back to a game that was rewound meanwhile."""
    table = make_table(kinds=("link", "link"))
    rng = random.Random(1)
    for _ in range(6):
        step(table, rng)
    table.fold(table.takeover({1}, 0, {1}, "random"))
    while turn_of(table) == 0:
        step(table, rng)
    number = table.number
    table.fold(table.undo({1}, number))
    ((vote, asked),) = table.votes.items()
    assert table.number == number and asked.open == {0}
    table.fold(table.come_back({0}, 0))
    table.fold(table.vote({0}, vote, 0, False, "1"))
    assert table.number == number and not table.votes


def test_whoever_takes_the_seat_of_a_lost_device_cannot_rewind_the_game() -> None:
    """Nobody else need agree that a device is let go, and the seat goes to whoever is invited: perhaps to the asker."""
    table = make_table()
    move(table, first_move(table))
    settled = table.number
    table.fold(table.undo({0}, table.number))
    assert table.votes
    table.fold(invitations.let_go(table, {0}, 1, {0}))
    assert not table.votes and table.undoable({0, 1}) is None
    table.fold(invitations.invite(table, {0}, 1, "invitation"))
    table.fold(invitations.claim(table, "invitation", hashed("token-0")))
    with refused("state"):
        table.undo({0, 1}, table.number)
    turn = turn_of(table)
    table.fold(table.move({turn}, first_move(table), table.number))
    undo = table.undoable({turn})
    assert undo is not None and undo.line == settled + 1  # what comes after it can be taken back as ever


@pytest.mark.parametrize("answer", [Kind.YES, Kind.NO])
def test_an_older_table_may_have_an_answer_to_a_vote_that_is_over(answer: Kind) -> None:
    """A vote on an undo went on there when a device was let go."""
    table = Table(make_setup(kinds=("link",) * 3))
    entries: list[Entry] = []
    fold = table.fold

    def noted(steps: Iterable[Step]) -> None:
        steps = list(steps)
        entries.extend(each.entry for each in steps)
        fold(steps)

    table.fold = noted  # type: ignore[method-assign]
    opened(table)
    move(table, first_move(table))
    noted(table.undo({0}, table.number))
    (vote,) = table.votes
    released = [Entry(Kind.RELEASE, 1, device) for device in table.devices.of(1)]
    again = Table(table.setup)
    again.replay([*entries, *released, Entry(answer, 2, str(vote))])
    assert not again.votes and again.number == table.number


def test_disconnecting_a_device_of_ones_own_settles_nothing() -> None:
    table = make_table("reef_route", ("link", "bot:random"))
    table.fold(table.move({0}, first_move(table), table.number))
    table.fold(invitations.invite(table, {0}, 0, "invitation"))
    table.fold(invitations.claim(table, "invitation", hashed("other")))
    table.fold(invitations.let_go_others(table, {0}, 0, hashed("other")))
    assert table.undoable({0}) is not None


def test_a_move_of_a_stand_in_is_not_taken_back_without_asking() -> None:
    table = make_table("reef_route", ("link", "link"))
    table.fold(table.move({0}, first_move(table), table.number))
    table.fold(table.leave({1}, 1, "random"))
    step(table, random.Random(1))
    undo = table.undoable({0})
    assert undo is not None and not undo.free


def test_a_table_without_undo() -> None:
    table = Table(dataclasses.replace(make_setup("reef_route", ("link", "bot:random")), undo=False))
    table.fold(table.opening())
    table.fold(table.move({0}, first_move(table), table.number))
    assert table.undoable({0}) is None
    with refused("state"):
        table.undo({0}, table.number)


def test_a_record_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_UNDOS", 3)
    monkeypatch.setattr(tables, "MOST_REMARKS", 4)
    table = make_table("reef_route", ("link", "bot:random", "link"))
    for _ in range(3):
        table.fold(table.move({0}, first_move(table), table.number))
        table.fold(table.undo({0}, table.number))
    table.fold(table.move({0}, first_move(table), table.number))
    with refused("state"):
        table.undo({0}, table.number)
    for name in "Ada", "Bea", "Cleo":
        table.fold(table.rename({0}, 0, name))
    table.fold(table.leave({0}, 0, "random"))
    with refused("state"):
        table.rename({0}, 0, "Dora")
    table.fold(table.come_back({0}, 0))  # whoever left can always come back


def test_a_vote_does_not_wait_for_those_who_are_gone() -> None:
    table = make_table(kinds=("link", "link", "link"))
    table.fold(table.takeover({1}, 0, {1, 2}, "1"))
    with refused("state"):
        table.takeover({1}, 0, {1, 2}, "1")
    table.fold(table.takeover({1}, 0, {1}, "1"))
    assert table.bot(0) == "1" and not table.votes


# Stand-ins


def test_an_absent_person_is_taken_over_by_vote_and_comes_back() -> None:
    table = make_table(kinds=("link", "link", "link"))
    with refused("state"):
        table.takeover({1}, 0, {0, 1, 2}, "1")
    with refused("seat"):
        table.takeover({0}, 0, {1, 2}, "1")
    with refused("seat"):
        table.takeover({1}, 7, {1, 2}, "1")
    with refused("seat"):
        table.takeover(frozenset(), 0, {1, 2}, "1")
    table.fold(table.takeover({1}, 0, {1, 2}, "1"))
    table.fold(table.vote({2}, next(iter(table.votes)), 2, True, "1"))
    assert table.bot(0) == "1" and table.to_think() == (0, "1")
    with refused("turn"):
        table.move({0}, first_move(table), table.number)
    with refused("state"):
        table.takeover({1}, 0, {1, 2}, "1")
    step(table, random.Random(1))
    assert next(table.record.lines[n - 1] for n in table.record.path() if table.record.lines[n - 1].by == 0).bot
    table.fold(table.come_back({0}, 0))
    assert table.bot(0) is None
    with refused("state"):
        table.come_back({0}, 0)


def test_who_is_alone_decides_alone() -> None:
    table = make_table()
    table.fold(table.takeover({1}, 0, {1}, "random"))
    assert table.bot(0) == "random"


def test_the_time_is_up() -> None:
    table = make_table()
    with refused("state"):
        table.overdue(1, "1")
    table.fold(table.overdue(0, "1"))
    assert table.to_think() == (0, "1")


def test_leaving() -> None:
    table = make_table(kinds=("here", "here"))
    table.fold(table.leave({0, 1}, 1, "2"))
    assert table.persons() == {0}
    with refused("state"):
        table.leave({0, 1}, 1, "2")
    with refused("seat"):
        table.leave({1}, 0, "2")


# Rematch, names, tokens


def test_a_rematch_turns_the_seats() -> None:
    table = make_table(kinds=("here", "link", "bot:random"), round_limit=1)
    with refused("state"):
        table.offer_rematch({0}, "new")
    table.fold(table.rename({0}, 0, "Ada"))
    play_out(table, random.Random(1))
    with refused("seat"):
        table.offer_rematch(frozenset(), "new")
    setup, steps = table.offer_rematch({1}, "new")
    table.fold(steps)
    assert table.rematch == "new" and setup.header.kinds == ("bot:random", "here", "link")
    assert setup.names == ("", "Ada", "") and setup.header.options == table.setup.header.options
    assert Table(setup).names_for("de") == ("Bot 0", "Ada", "Platz 2")
    assert setup.seed != table.setup.seed and Table(setup).seats_of("token-1") == {2}
    with refused("state"):
        table.offer_rematch({0}, "newer")


def test_a_device_that_was_let_go_does_not_come_back_by_a_rematch() -> None:
    """The maker's first device is lost, and their other one plays on."""
    table = make_table(kinds=("link", "bot:random"), round_limit=1)
    table.fold(invitations.invite(table, {0}, 0, "invitation"))
    table.fold(invitations.claim(table, "invitation", hashed("other")))
    table.fold(invitations.let_go_others(table, {0}, 0, hashed("other")))
    play_out(table, random.Random(1))
    setup, _ = table.offer_rematch({0}, "new")
    again = Table(setup)
    again.fold(invitations.seated_again(table, setup))
    assert again.seats_of("token-0") == set() and again.seats_of("other") == {1}


def test_tokens_stand_for_seats() -> None:
    table = make_table(kinds=("here", "link", "here", "bot:random"))
    assert table.seats_of("maker") == {0, 2} and table.seats_of("token-1") == {1}
    assert table.seats_of("token-3") == table.seats_of("") == table.seats_of("None") == frozenset()


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\n",
        "x" * 25,
        "\u3164",
        "\u2800 \uffa0",
        "\u200b\u2066",
        "\u034f\ufe0f\U000e0101",
        "\u17b4",
        "\u0301 \u0307",
    ],
)
def test_bad_names(name: str) -> None:
    with refused("malformed"):
        clean_name(name)


def test_names_are_one_line() -> None:
    assert clean_name(" A\nda\u202e  B ") == "A da B"
    assert clean_name("A" + "\u0301" * 20 + "da") == "A" + "\u0301" * 3 + "da"
    assert clean_name("ที่") == "ที่" and clean_name("שָּׁ") == "שָּׁ" and clean_name("Zoë Ø.") == "Zoë Ø."
    assert clean_name("A\u200bd\ufe0fa\U000e0100") == "Ada"


LOOKS_LIKE_IDA = [
    *(f"Id{mark}a" for mark in "\u034f\u17b5\u180b\u180f\u200d\u2060\ufe00\ufe0f\U000e0100\U000e01ef\u0323\u0307"),
    *("i\u0307da", "Í\u0301da", "İda", "Idа\u0308", "Idå", "ǀda", "∣dⲁ", "Ⲓdа", "Ⅰｄａ", "ldα\u0301"),
]


@pytest.mark.parametrize("name", LOOKS_LIKE_IDA)
def test_names_that_look_like_another(name: str) -> None:
    with refused("malformed"):
        named(("link", "link"), ("Ida", name))


def test_what_seats_without_a_name_are_called_is_for_nobody_to_take() -> None:
    """Also where the table has no such seat."""
    table = make_table()
    for name in ("Seat 1", "Seat 7", "Platz 7", "Bot 3"):
        for taking in (lambda: table.rename({0}, 0, name), lambda: named(("link", "link"), ("Ida", name))):  # noqa: B023
            with pytest.raises(Refused, match="That name is reserved"):
                taking()


def test_names_that_do_not_look_alike() -> None:
    """In other scripts marks are letters of their own."""
    for pair in (("Ida", "Ida L."), ("שָ", "שִ"), ("กี", "กิ"), ("Иван", "Ирина"), ("Ida", "Idø"), ("か", "が")):
        assert named(("link", "link"), pair) == pair


# Records


def test_positions_are_derived_by_replay() -> None:
    table = make_table("sand_castles", ("link", "link", "link"))
    positions = [table.setup.header.start()]
    for line in table.record.lines:
        positions.append(positions[-1].play(line.text))
    rng = random.Random(2)
    for _ in range(60):
        before = table.number
        step(table, rng)
        for line in table.record.lines[before:]:
            positions.append(positions[-1].play(line.text))
    assert [table.record.at(number) for number in range(table.number + 1)] == positions


def test_a_record_refuses_what_cannot_follow() -> None:
    record = Record(make_table().setup.header)
    for line in (Line(0, "sail 1"), Line("chance", "roll 9"), Line(0, "undo 5")):
        with pytest.raises(ValueError, match=r"cannot|not possible"):
            record.append(line)
    assert record.number == 0
    record.append(Line("chance", "roll 3"))
    record.append(Line(0, "sail 1"))
    record.append(Line(0, "undo 1"))
    with pytest.raises(BadRecord):
        record.append(Line(0, "undo 2"))


# A machine that does anything at any time


class TableMachine(RuleBasedStateMachine):
    """Three persons do what they like, in and out of turn. A second table, loaded from the entries, is always equal."""

    seats = st.sampled_from([frozenset({0}), frozenset({1}), frozenset({2}), frozenset(), frozenset({0, 2})])
    seat = st.integers(-1, 4)

    def __init__(self) -> None:
        super().__init__()
        self.table = Table(make_setup("sand_castles", ("link", "link", "link"), max_rounds=2))
        self.log: list[Entry] = []
        fold = self.table.fold

        def logged(steps: Any) -> None:
            self.log += [step.entry for step in steps]
            fold(steps)

        self.table.fold = logged  # type: ignore[method-assign]
        opened(self.table)

    def attempt(self, command: Any) -> bool:
        before = (self.table.number, self.table.entries, self.table.record.sum)
        try:
            steps = command()
        except Refused as error:
            assert str(error).endswith(".") and error.code
            assert before == (self.table.number, self.table.entries, self.table.record.sum)
            return False
        self.table.fold(steps)
        return True

    @rule(seats=seats, pick=st.integers(0, 99), late=st.sampled_from([0, 0, 0, -1, 1]))
    def move(self, seats: frozenset[int], pick: int, late: int) -> None:
        position = self.table.record.position
        moves = position.moves()
        turn = position.turn
        text = moves[pick % len(moves)] if moves else "flip"
        done = self.attempt(lambda: self.table.move(seats, text, self.table.number + late))
        if done:
            assert late == 0 and turn in seats

    @rule(seats=seats, late=st.sampled_from([0, 0, 0, -1, 1]), right=st.booleans())
    def tap(self, seats: frozenset[int], late: int, right: bool) -> None:
        link = next_link(self.table, min(seats)) if seats and right else "0" * 64
        due, epochs = self.table.roll(), self.table.record.ledger.epochs
        if self.attempt(lambda: self.table.tap(seats, self.table.number + late, link, epochs)):
            assert due and due.seat in seats and late == 0

    @precondition(lambda self: self.table.roll())
    @rule()
    def right_tap(self) -> None:
        assert self.attempt(lambda: tap(self.table))

    @rule(pick=st.integers(0, 99))
    def right_move(self, pick: int) -> None:
        turn = self.table.record.position.turn
        moves = self.table.record.position.moves()
        if isinstance(turn, int) and turn not in self.table.stand_ins:
            assert self.attempt(lambda: self.table.move({turn}, moves[pick % len(moves)], self.table.number))

    @precondition(lambda self: self.table.to_think())
    @rule(pick=st.integers(0, 99))
    def bot(self, pick: int) -> None:
        moves = self.table.record.position.moves()
        seat, _ = self.table.to_think() or (0, "")
        assert self.attempt(lambda: self.table.bot_move(seat, moves[pick % len(moves)], self.table.number))

    @rule(seats=seats, late=st.sampled_from([0, 0, 1]))
    def undo(self, seats: frozenset[int], late: int) -> None:
        undo = self.table.undoable(seats)
        number = self.table.number
        crossed = [self.table.record.lines[n - 1] for n in self.table.record.path() if undo and n > undo.to and n]
        others = self.table.all_persons() - seats
        done = self.attempt(lambda: self.table.undo(seats, number + late))
        if done and self.table.number > number and others:  # done at once, though others are there
            assert all(line.by in seats for line in crossed)
            assert "chance" not in [line.by for line in crossed]

    @rule(seats=seats, seat=seat, present=st.sets(st.integers(0, 2)))
    def takeover(self, seats: frozenset[int], seat: int, present: set[int]) -> None:
        self.attempt(lambda: self.table.takeover(seats, seat, present, "random"))

    @rule(seats=seats, seat=seat, yes=st.booleans(), data=st.data())
    def vote(self, seats: frozenset[int], seat: int, yes: bool, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from([*self.table.votes, 0]))
        self.attempt(lambda: self.table.vote(seats, number, seat, yes, "random"))

    @rule(seats=seats, seat=seat)
    def leave(self, seats: frozenset[int], seat: int) -> None:
        self.attempt(lambda: self.table.leave(seats, seat, "random"))

    @rule(seats=seats, seat=seat)
    def come_back(self, seats: frozenset[int], seat: int) -> None:
        self.attempt(lambda: self.table.come_back(seats, seat))

    @invariant()
    def chance_waits_for_persons_alone(self) -> None:
        due = self.table.roll()
        assert self.table.record.position.turn != "chance" or (due and due.seat in self.table.persons())

    @invariant()
    def what_is_noted_is_so(self) -> None:
        record, due = self.table.record, self.table.roll()
        assert self.table.turn == (due.seat if due else record.position.turn)
        assert record.over == (record.position.turn is None)
        draws = [number for number in record.path() if number and record.lines[number - 1].by == "chance"]
        assert record.latest_draw == max(draws, default=0)

    @invariant()
    def votes_are_open(self) -> None:
        for vote in self.table.votes.values():
            assert vote.open and vote.open.isdisjoint(vote.yes) and vote.open <= self.table.all_persons()

    def teardown(self) -> None:
        again = Table(self.table.setup)
        again.replay(self.log)
        assert again.record.sum == self.table.record.sum and again.record.position == self.table.record.position
        assert (again.votes, again.stand_ins, again.entries) == (
            self.table.votes,
            self.table.stand_ins,
            self.table.entries,
        )
        assert [again.record.at(n) for n in range(again.number + 1)][-1] == self.table.record.position
        assert verified(record_of(again)) == ("passed" if again.record.over else "open")


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
