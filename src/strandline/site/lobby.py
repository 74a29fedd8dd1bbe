"""The games as the lobby shows them, written when the site is built: they are there before any script is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

Say = Callable[[str], str]
"""A sentence of the pages in the reader's language."""
LOADING = '<li class="loading" data-t>Setting up the tables …</li>'
"""What the page shows until its script has brought the games."""


def with_games(page: str, offers: Mapping[str, Any], say: Callable[[str], Say], file: Callable[[str, str], str]) -> str:
    """The lobby's page with the games in it, in English and, kept out of sight, in the other languages.

    `offers` is what there is to play in each language; `file(path, language)` is where an answer is written down.
    """

    def cards(language: str) -> str:
        found = (_card(game, say(language), lambda path: file(path, language)) for game in offers[language]["games"])
        return "\n".join(found)

    others = [f'<template lang="{one}">{cards(one)}</template>' for one in offers if one != "en"]
    assert LOADING in page
    page = page.replace(LOADING, cards("en"))
    return page.replace("</body>", "\n".join([*others, '<script src="static/first.js"></script>', "</body>"]))


def _card(game: Mapping[str, Any], say: Say, file: Callable[[str], str]) -> str:
    """A game as `lobby.js` draws it for somebody who does not know it; its buttons are links as yet."""
    seats, scene = game["seats"], game["scene"]
    players = f"{min(seats)}–{max(seats)}" if len(seats) > 1 else str(seats[0])
    view = ",".join(f"{number:g}" for number in scene)
    links = [("Play", "plain", f"new/?game={game['name']}"), ("How to play", "plain", file(game["guide"]))]
    if game["lessons"]:
        links.insert(0, ("Learn", "main", f"learn/?{game['name']}"))
    row = "".join(
        f'<a class="button {looks}" href="{escape(to)}" aria-label="{escape(said)}">{escape(say(word))}</a>'
        for word, looks, to in links
        for said in [say(f"{word} {{title}}").replace("{title}", game["title"])]
    )
    return (
        f'<li class="card" data-game="{game["name"]}"><div class="picture"><img alt="" class="board-picture"'
        f' width="{scene[2]:g}" height="{scene[3]:g}" src="{file(game["board"])}#svgView(viewBox({view}))"></div>'
        f'<div class="card-words"><h3>{escape(game["title"])}</h3><p>{escape(game["tagline"])}</p><p class="facts">'
        f'<span class="fact people">{escape(say("{range} players").replace("{range}", players))}</span>'
        f'<span class="fact clock">{escape(say("{n} minutes").replace("{n}", str(game["minutes"])))}</span></p>'
        f'<div class="row">{row}</div></div></li>'
    )
