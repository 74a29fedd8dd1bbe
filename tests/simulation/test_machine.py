"""Whatever people do over HTTP and WebSockets, in whatever order: nothing breaks, and what must hold holds.

The invariants are those of the simulation; here nothing goes wrong by itself, and Hypothesis looks for what does.
"""

import json
import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import strandline
from conversation import fits
from simulation.stage import Guest, Stage
from strandline.table.emotes import EMOTES
from support import random_setting
from table.test_messages import said

KINDS = ["here", "here", "link", "link", "bot:random", "bot:1"]
CLOCKS = [None, None, 10, 3600]
PLACE = st.integers(0, 10**6)
"""Stands for whatever there is."""
MOST_TABLES, MOST_GUESTS = 4, 8


class Evening(RuleBasedStateMachine):
    """People who make tables, come, play, take back, vote, leave and ask for all there is to see."""

    def __init__(self) -> None:
        super().__init__()
        self.stage = Stage()
        self._numbers: dict[str, int] = {}

    def teardown(self) -> None:
        self.stage.close()

    def _table(self, place: int) -> str:
        return self.stage.tables[place % len(self.stage.tables)]

    def _guest(self, place: int) -> Guest:
        return self.stage.guests[place % len(self.stage.guests)]

    def _key(self, table: str, place: int) -> str | None:
        """Some device's key there, or none."""
        keys = [None, *self.stage.keys[table]]
        return keys[-1 - place % len(keys)]

    # Tables and those who come

    @initialize(seed=PLACE, options=st.tuples(*[st.booleans()] * 5))
    def begin(self, seed: int, options: tuple[bool, ...]) -> None:
        """There is a table, and everybody who was invited is there."""
        self.make_a_table(seed, None, options, wrong=1)
        for table, invitation in self.stage.invitations:
            self.stage.claim(table, {"invitation": invitation.removeprefix("invite=")})
        for table, keys in self.stage.keys.items():
            for key in keys:
                self.stage.enter(table, key, pieces=True, story=True)
        self.stage.pass_time(1)

    @precondition(lambda self: len(self.stage.tables) < MOST_TABLES)
    @rule(seed=PLACE, clock=st.sampled_from(CLOCKS), flags=st.tuples(*[st.booleans()] * 5), wrong=st.integers(0, 9))
    def make_a_table(self, seed: int, clock: int | None, flags: tuple[bool, ...], wrong: int) -> None:
        rng = random.Random(seed)
        game = strandline.game(rng.choice(strandline.games()))
        options = random_setting(game, rng)
        undo, hints, quiet, is_open, takeover = flags
        # for a view alone does not say which moves are legal, so bots that think stay out of games with secrets
        kinds = [rng.choice(KINDS[: -1 if game.has_secrets else None]) for _ in range(options.pop("players"))]
        if all(kind.startswith("bot") for kind in kinds):
            kinds[0] = "here"
        body = {"game": game.name, "seats": kinds, "options": options, "undo": undo, "hints": hints, "quiet": quiet}
        body |= {"open": is_open, "clock": clock, "takeover_after": 60 if takeover else None}
        if wrong:
            assert self.stage.make(body), body
            return
        spoil: dict[str, Any] = {"game": "chess", "seats": ["link"] * 16, "options": {"self": 1}, "clock": 1, "more": 1}
        name = rng.choice(sorted(spoil))
        assert not self.stage.make({**body, name: spoil[name]})

    @precondition(lambda self: self.stage.invitations)
    @rule(place=PLACE, again=st.booleans(), name=st.sampled_from([None, None, "Ada", " "]))
    def claim_a_seat(self, place: int, again: bool, name: str | None) -> None:
        table, invitation = self.stage.invitations[place % len(self.stage.invitations)]
        how = {"invitation": invitation.removeprefix("invite=")}
        self.stage.ask("POST", f"/api/tables/{table}/invitation", how)
        if self.stage.claim(table, {**how, "name": name}) and again:
            assert not self.stage.claim(table, how), "An invitation was used twice."

    @precondition(lambda self: self.stage.tables)
    @rule(place=PLACE, seat=st.sampled_from([None, 0, 1, 9]), code=st.booleans())
    def sit_down(self, place: int, seat: int | None, code: bool) -> None:
        """Without an invitation: by a code, or at an open table."""
        table = self._table(place)
        how: dict[str, Any] = {"seat": seat}
        if code and self.stage.codes:
            table, word = self.stage.codes[place % len(self.stage.codes)]
            self.stage.ask("POST", "/api/codes", {"code": word.lower().replace("-", " ")})
            how |= {"code": word}
        self.stage.claim(table, how)

    @precondition(lambda self: self.stage.tables and len(self.stage.guests) < MOST_GUESTS)
    @rule(place=PLACE, key=PLACE, flags=st.tuples(*[st.booleans()] * 3), language=st.sampled_from(["", "de", "xx"]))
    def come(self, place: int, key: int, flags: tuple[bool, bool, bool], language: str) -> None:
        table = self._table(place)
        pieces, story, wide = flags
        token = self._key(table, key)
        self.stage.enter(table, token, pieces=pieces, story=story, wide=wide, language=language)
        self.stage.pass_time(1)

    @precondition(lambda self: self.stage.guests)
    @rule(place=PLACE, noticed=st.sampled_from([None, True, False]))
    def go(self, place: int, noticed: bool | None) -> None:
        self._guest(place).part_with(noticed)
        self.stage.pass_time(1)

    @rule(seconds=st.sampled_from([1, 15, 61, 700, 4000]))
    def wait(self, seconds: int) -> None:
        """For clocks, and for those who are away."""
        self.stage.pass_time(seconds)

    # At the table

    @precondition(lambda self: self.stage.guests)
    @rule(place=PLACE, willing=st.booleans(), twice=st.booleans())
    def play(self, place: int, willing: bool, twice: bool) -> None:
        guest = self._guest(place)
        message = guest.duty(willing)
        for _ in range(1 + twice if message else 0):
            guest.say(dict(message or {}))
        self.stage.pass_time(1)

    @precondition(lambda self: self.stage.guests)
    @rule(rounds=st.integers(10, 60))
    def play_on(self, rounds: int) -> None:
        """Everybody who is there does what the table waits for."""
        for _ in range(rounds):
            messages = [(guest, guest.duty(willing=True)) for guest in self.stage.guests]
            if not any(message for _, message in messages):
                break
            for guest, message in messages:
                if message:
                    guest.say(message)
            self.stage.pass_time(1)

    @precondition(lambda self: self.stage.guests)
    @rule(place=PLACE, seat=st.integers(0, 4), data=st.data())
    def do_something_else(self, place: int, seat: int, data: st.DataObject) -> None:
        guest = self._guest(place)
        number = guest.state.get("number", 0)
        wishes: list[dict[str, Any] | None] = [
            guest.whim(),
            {"type": "undo", "number": number},
            {"type": "leave", "seat": seat},
            {"type": "return", "seat": seat},
            {"type": "takeover", "seat": seat},
            {"type": "invite", "seat": seat},
            {"type": "withdraw", "seat": seat},
            {"type": "release", "seat": seat},
            {"type": "code"},
            {"type": "emote", "seat": seat, "emote": EMOTES[place % len(EMOTES)]},
            {"type": "look", "visible": bool(place % 2)},
            {"type": "hint", "number": number},
            {"type": "ways", "shape": "boat-0-1", "number": number},
            {"type": "why", "shape": "boat-0-1", "chosen": ["boat-0-1"]},
            {"type": "name", "seat": seat, "name": "Ben"},
            {"type": "rematch"},
            *(
                {"type": "vote", "vote": vote["vote"], "seat": seat, "yes": True}
                for vote in guest.state.get("votes", [])
            ),
        ]
        wish = data.draw(st.sampled_from(wishes))
        if wish is not None:
            guest.say(wish)
            self.stage.pass_time(1)

    @precondition(lambda self: self.stage.guests)
    @rule(place=PLACE, message=said())
    def say_anything(self, place: int, message: dict[str, Any]) -> None:
        """Right or nearly right: it is answered, once."""
        guest = self._guest(place)
        said = {name: value for name, value in message.items() if name != "id"}  # it is given another
        if fits(said):
            guest.say(said)
        else:
            guest.say_nonsense(said)
        self.stage.pass_time(1)

    # What there is to see

    @precondition(lambda self: self.stage.tables)
    @rule(
        place=PLACE,
        key=PLACE,
        number=st.integers(0, 40),
        what=st.sampled_from(["", "/positions", "/record", "/review", "/review/progress", "/board.svg", "/moving.svg"]),
    )
    def look(self, place: int, key: int, number: int, what: str) -> None:
        table = self._table(place)
        known = self.stage.witness.table(table).table
        path = f"/api/tables/{table}{what}" + (f"/{number}" if what == "/positions" else "")
        if what == "/review" and known.number > 30:
            return  # it would take seconds
        status, raw = self.stage.ask("GET", path, token=self._key(table, key))
        early = what in ("/review", "/moving.svg") and not known.record.over
        expected = 409 if early else 404 if what == "/positions" and number > known.number else 200
        assert status == expected or (status == 401 and not self._holds(table, key)), (path, status, raw[:300])
        if status == 200 and not what:
            assert json.loads(raw)["number"] == known.number

    def _holds(self, table: str, place: int) -> bool:
        key = self._key(table, place)
        return key is None or bool(self.stage.witness.table(table).table.seats_of(key))

    @rule(place=PLACE, what=st.sampled_from(["open", "key", "status", "codes", "nowhere", "page"]))
    def look_around(self, place: int, what: str) -> None:
        match what:
            case "status":
                asked = [{"id": table, "token": self._key(table, place)} for table in self.stage.tables]
                assert self.stage.ask("POST", "/api/tables/status", {"tables": asked})[0] == 200
            case "codes":
                self.stage.ask("POST", "/api/codes", {"code": "KELP-7"})
            case "nowhere":
                assert self.stage.ask("GET", "/api/tables/nowhere")[0] == 404
            case "page":
                assert self.stage.ask("GET", f"/table/{self._table(place)}")[0] == 200
            case _:
                assert self.stage.ask("GET", f"/api/{what}")[0] == 200

    @invariant()
    def numbers_only_grow(self) -> None:
        for table in self.stage.tables:
            number = self.stage.witness.table(table).number
            assert number >= self._numbers.get(table, 0)
            self._numbers[table] = number


def test_whatever_people_do() -> None:
    run_state_machine_as_test(Evening, settings=settings(max_examples=10, stateful_step_count=40))


@pytest.mark.slow
def test_whatever_people_do_for_long() -> None:
    run_state_machine_as_test(Evening, settings=settings(max_examples=150, stateful_step_count=80))
