"""Languages over HTTP: requests are answered in the language that their browser asks for."""

import functools
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import polib
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from strandline.engine.words import ENGLISH, ROOT, Reader, accepted, languages, reading

WEB = ROOT / "web"


class Spoken:
    """Around the application: whatever it says is said in the language of the request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with spoken_to(Headers(scope=scope)):
            await self._app(scope, receive, send)


def spoken_to(headers: Headers) -> AbstractContextManager[None]:
    """Whatever is said is said in the language of the request with these headers."""
    return reading(Reader(accepted(headers.get("accept-language", ""))))


@functools.cache
def catalogue(language: str) -> dict[str, Any]:
    """The sentences of the pages in a language."""
    return {"language": language, "languages": list(languages()), "sentences": sentences(WEB, language)}


def sentences(folder: Path, language: str) -> dict[str, Any]:
    """The sentences of a folder of scripts, by their English text; plural sentences have their forms in a list."""
    file = folder / f"{language}.po"
    entries = polib.pofile(str(file), encoding="utf-8") if language != ENGLISH and file.exists() else []
    return {
        entry.msgid: [form for _, form in sorted(entry.msgstr_plural.items())] if entry.msgid_plural else entry.msgstr
        for entry in entries
    }
