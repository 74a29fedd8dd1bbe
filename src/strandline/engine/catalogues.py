"""What translators work with: the sentences of each folder, compared with the files of other languages."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import polib

from strandline.engine.errors import BadOptions
from strandline.engine.words import ENGLISH, ROOT, Message, languages

_JAVASCRIPT = re.compile(r'\bt\(\s*(?:("(?:[^"\\]|\\.)*")|\[\s*("(?:[^"\\]|\\.)*")\s*,\s*("(?:[^"\\]|\\.)*")\s*\])')
_HTML = re.compile(r'<\w+[^>]*\sdata-t(?:="")?[\s>][^>]*?>?([^<>]+)<|\sdata-t-label="([^"]*)"')
LESSONS = "lessons.toml"
PLURALS = "nplurals=2; plural=(n != 1);"
"""What a new file says of plurals; translators put their language's own formula there."""


@dataclass(frozen=True, order=True)
class Sentence:
    """A sentence in the code, and the file it is in."""

    text: str
    plural: str
    where: str

    @property
    def parameters(self) -> set[str]:
        """What is filled in."""
        return parameters(self.text) | parameters(self.plural)


def folders(root: Path = ROOT) -> list[Path]:
    """All folders that speak to people."""
    return sorted({file.parent for file in _sources(root) if any(_sentences(file))})


def sentences(folder: Path) -> dict[str, Sentence]:
    """The sentences of the files in a folder, by their English text."""
    found: dict[str, Sentence] = {}
    for file in sorted(folder.iterdir()):
        if file.is_file():
            for sentence in _sentences(file):
                found.setdefault(sentence.text, sentence)
    return found


def parameters(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def faults(root: Path = ROOT) -> list[str]:
    """What is wrong with the files of all languages, in a line each: missing, surplus or wrongly filled in."""
    found: list[str] = []
    for folder in folders(root):
        wanted = sentences(folder)
        for language in languages():
            if language != ENGLISH:
                found += _faults(folder / f"{language}.po", wanted)
    return found


def _faults(file: Path, wanted: dict[str, Sentence]) -> Iterator[str]:
    name = f"{file.parent.name}/{file.name}"
    if not file.exists():
        yield f"{name} is missing."
        return
    there = {entry.msgid: entry for entry in polib.pofile(str(file), encoding="utf-8") if not entry.obsolete}
    for text in wanted.keys() - there.keys():
        yield f"{name} lacks {text!r} ({wanted[text].where})."
    for text, entry in there.items():
        if text not in wanted:
            yield f"{name} has {text!r}, which is no longer used."
        elif (entry.msgid_plural or "") != wanted[text].plural:
            yield f"{name}: {text!r} has another plural in the code."
        elif "fuzzy" in entry.flags or not all(_written(entry)):
            yield f"{name}: {text!r} is not translated."
        else:
            for said in _written(entry):
                if not parameters(said) <= wanted[text].parameters or wanted[text].parameters - parameters(said) - {
                    "n"
                }:
                    yield f"{name}: {said!r} has other parameters than {text!r}."


def _written(entry: polib.POEntry) -> list[str]:
    return [str(form) for form in entry.msgstr_plural.values()] if entry.msgid_plural else [entry.msgstr]


def update(language: str, root: Path = ROOT) -> list[Path]:
    """Bring the files of a language up to date: new sentences are added, empty; those no longer used are removed."""
    if not re.fullmatch("[a-z]{2,3}", language) or language == ENGLISH:
        raise BadOptions(
            f"{language!r} cannot be a language to translate into: name one by two or three letters, such as de or fr."
        )
    written = []
    for folder in folders(root):
        file = folder / f"{language}.po"
        old = polib.pofile(str(file), encoding="utf-8") if file.exists() else polib.POFile()
        known = {entry.msgid: entry for entry in old}
        fresh = polib.POFile(wrapwidth=110)
        fresh.metadata = {
            "Language": language,
            "Content-Type": "text/plain; charset=UTF-8",
            "Content-Transfer-Encoding": "8bit",
            "Plural-Forms": old.metadata.get("Plural-Forms", PLURALS),
        }
        for sentence in sorted(sentences(folder).values(), key=lambda sentence: (sentence.where, sentence.text)):
            entry = known.get(sentence.text) or polib.POEntry(msgid=sentence.text)
            entry.comment, entry.msgid_plural, entry.obsolete = sentence.where, sentence.plural, False
            if sentence.plural and not entry.msgstr_plural:
                entry.msgstr_plural = {0: "", 1: ""}
            fresh.append(entry)
        fresh.save(str(file))
        written.append(file)
    return written


def _sources(root: Path) -> Iterator[Path]:
    for kind in ("*.py", "*.js", "*.html", LESSONS):
        yield from root.rglob(kind)


def _sentences(file: Path) -> Iterator[Sentence]:
    readers = {".py": _in_python, ".js": _in_javascript, ".html": _in_html, LESSONS: _in_lessons}
    kind = file.name if file.name == LESSONS else file.suffix
    if kind in readers:
        for text in readers[kind](file.read_text(encoding="utf-8")):
            one, many = text if isinstance(text, tuple) else (text, "")
            yield Sentence(one, many, file.name)


def _in_python(text: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            yield from _in_call(node)


def _in_call(call: ast.Call) -> Iterator[Message]:
    match call.func:
        case ast.Name("_" | "message") | ast.Attribute(ast.Name("words"), "message"):
            told = call.args[:1]
        case ast.Attribute(ast.Name("_"), "who"):
            told = call.args[1:3]
        case ast.Name("Facts"):
            told = call.args[:2]
        case ast.Name("Option"):
            told = [*call.args[3:4], *(word.value for word in call.keywords if word.arg in ("title", "labels"))]
        case _:
            return
    for argument in told:
        yield from _in_argument(argument)


def _in_argument(node: ast.expr) -> Iterator[Message]:
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.Tuple([ast.Constant(str(one)), ast.Constant(str(many))]):
            yield one, many
        case ast.IfExp(_, yes, no):
            yield from _in_argument(yes)
            yield from _in_argument(no)
        case ast.Dict(_, values):
            for value in values:
                yield from _in_argument(value)


def _in_javascript(text: str) -> Iterator[Message]:
    for alone, one, many in _JAVASCRIPT.findall(text):
        yield json.loads(alone) if alone else (json.loads(one), json.loads(many))


def _in_html(text: str) -> Iterator[Message]:
    for inside, label in _HTML.findall(text):
        yield " ".join((inside or label).split())


def _in_lessons(text: str) -> Iterator[Message]:
    """All texts of lessons, by their keys; `strandline lessons --check` says whether the rest of the file is right."""
    value = tomllib.loads(text)
    yield from value.get("coach", {}).values()
    for lesson in value.get("lesson", []):
        yield from (lesson["title"], lesson["about"])
        for step in lesson["step"]:
            yield from (step[key] for key in ("say", "task") if key in step)
            for answers in (step.get("right"), step.get("wrong")):
                yield from filter(None, answers.values() if isinstance(answers, dict) else ())
