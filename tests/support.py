"""Random settings and positions for tests, and names of drawings in boards."""

import random
import re
from collections.abc import Iterator
from typing import Any

import strandline
from strandline.engine.reasons import of_shape


def random_setting(game: strandline.Game, rng: random.Random) -> dict[str, Any]:
    """A number of players and a value for each option that go together."""
    while True:
        setting: dict[str, Any] = {"players": rng.choice(game.seats)}
        for name, option in game.options.items():
            few = list(option.values) if len(option.values) < 20 else [*option.values[:6], option.values[-1]]
            setting[name] = rng.choice([*few, option.default])
        try:
            game.new(**setting)
        except strandline.BadOptions:
            continue
        return setting


def starts(game: strandline.Game) -> list[strandline.Position]:
    """A first position for each number of players, with the usual options, and some with others."""
    rng = random.Random(5)
    settings = [random_setting(game, rng) for _ in range(4)]
    return [*(game.new(players=players) for players in game.seats), *(game.new(**setting) for setting in settings)]


def random_positions(game: strandline.Game, rng: random.Random, steps: int) -> Iterator[strandline.Position]:
    """`steps` positions of random games with random settings."""
    position = game.new(**random_setting(game, rng))
    for _ in range(steps):
        yield position
        moves = position.moves()
        position = position.play(rng.choice(moves)) if moves else game.new(**random_setting(game, rng))


def listed(position: strandline.Position) -> list[int]:
    """The codes of all moves or tickets, by the rules as they stand."""
    record, work, rules = position._record, position.game.work(), position.game.rules
    return [rules.nth(record, work, i) for i in range(rules.count(record, work))]


def own_name(href: str) -> str:
    """What a board calls a drawing that it uses, without the marks of its game and its box."""
    return re.sub(r"^#[a-z]+-[0-9a-f]{8}-", "", href)


def reasons(game: strandline.Game, seed: int, positions: int) -> Iterator[tuple[dict[str, Any], str, str]]:
    """What random positions say about their shapes: the position as JSON, the shape and the sentence."""
    rng = random.Random(seed)
    for position in random_positions(game, rng, positions):
        if not isinstance(position.turn, int):
            continue
        drawn = re.sub(r"<defs>.*?</defs>", "", position.svg(position.turn), flags=re.DOTALL)
        shapes = re.findall(r' id="([^"]+)"', drawn)
        path = position.game.board.clicks(position.view(position.turn), rng.choice(position.moves()))
        for shape in rng.sample(shapes, min(20, len(shapes))):
            reason = of_shape(position, shape, path[: rng.randrange(len(path))], None)
            if reason is not None:
                yield position.to_json(), shape, reason.sentence
