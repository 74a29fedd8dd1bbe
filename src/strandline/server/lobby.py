"""What a lobby shows of the games: facts, options, a picture, the guide and the rules."""

import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt

import strandline
from strandline import guides
from strandline.bots import network
from strandline.drawing.excerpt import without_repetition
from strandline.engine import speeds
from strandline.engine.vocabulary import Option
from strandline.engine.words import Words, cached_for_reader
from strandline.lessons import script
from strandline.server import pages
from strandline.table import levels, perspective


@cached_for_reader()
def games() -> dict[str, Any]:
    """All that the lobby needs to know."""
    return {
        "games": [_game(strandline.game(name)) for name in strandline.games()],
        "levels": [
            {"name": level.name, "description": level.description}
            for level in levels.levels()
            if level.name != levels.SEARCH
        ],
        "level": levels.DEFAULT,
    }


def _game(game: strandline.Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.told_title,
        "tagline": game.words(game.facts.tagline),
        "seats": list(game.seats),
        "minutes": game.facts.minutes,
        "secrets": game.has_secrets,
        "looks": [perspective.look_of(look) for look in game.board.looks()],
        "board": f"/api/games/{game.name}/board.svg",
        "scene": _scene(picture(game.name)),
        "guide": f"/api/games/{game.name}/guide",
        "rules": f"/api/games/{game.name}/rules",
        "lessons": f"/learn/{game.name}" if script.of(game).lessons else None,
        "champion": list(network.champions(game)),
        "warning": speeds.warning(game),
        "options": [_option(game.words, option) for option in game.options.values()],
    }


def _scene(board: str) -> list[float]:
    """The picture's size: left, top, width, height."""
    found = re.search(r'viewBox="0 0 (\S+) (\S+)"', board)
    assert found is not None
    return [0, 0, float(found[1]), float(found[2])]


def _option(words: Words, option: Option) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": option.name,
        "default": option.default,
        "help": words(option.help),
        "title": words(option.title) if option.title else option.name,
        "labels": {str(value): words(label) for value, label in option.labels.items()},
    }
    if isinstance(option.default, bool):
        return {**found, "kind": "flag"}
    if isinstance(option.values, range):
        return {**found, "kind": "number", "low": option.values[0], "high": option.values[-1]}
    return {**found, "kind": "choice", "values": list(option.values)}


@cached_for_reader()
def picture(name: str) -> str:
    """The small picture of a game."""
    return strandline.game(name).thumbnail


@cached_for_reader()
def guide(name: str) -> str:
    """How to play, as HTML, with its pictures."""
    game = strandline.game(name)
    return _html(game.guide, [picture.svg for picture in guides.pictures(game)])


@cached_for_reader()
def rules(name: str) -> str:
    """The rule page, as HTML."""
    return _html(pages.rules(strandline.game(name)))


def _html(text: str, pictures: Sequence[str] = ()) -> str:
    """Markdown as an HTML fragment. The page has a heading of its own, so these begin one level lower."""
    drawn = iter(without_repetition(pictures))
    tokens = (reader := MarkdownIt("commonmark", {"html": False}).enable("table")).parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
        elif token.type == "fence" and token.info == "board":
            token.type, token.content = "html_block", f"<figure>{next(drawn)}</figure>\n"
    return str(reader.renderer.render(tokens, reader.options, {}))
