"""Words: person, plural, languages, and files for translators."""

from pathlib import Path

import polib
import pytest

from strandline.engine import catalogues, words
from strandline.engine.words import Reader, Words, reading

ANN = Reader("en", frozenset({0}), ("Ann", "Ben"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that says three things, in English and German."""
    (tmp_path / "said.py").write_text(
        '_ = Words(__file__)\n_("Good tide, {name}.", name=1)\n_(("{n} card", "{n} cards"), n=1)\n'
        '_.who(0, "You win.", "{name} wins.")\n'
    )
    catalogues.update("de", tmp_path)
    file = polib.pofile(str(tmp_path / "de.po"))
    german = {"Good tide, {name}.": "Gute Flut, {name}.", "You win.": "Du gewinnst.", "{name} wins.": "{name} gewinnt."}
    for entry in file:
        entry.msgstr = german.get(entry.msgid, "")
        if entry.msgid_plural:
            entry.msgstr_plural = {0: "eine Karte", 1: "{n} Karten"}
    file.save()
    return tmp_path


def test_a_sentence_is_for_one_reader(folder: Path) -> None:
    _ = Words(str(folder / "said.py"))
    with reading(ANN):
        assert _.who(0, "You win.", "{name} wins.") == "You win."
        assert _.who(1, "You win.", "{name} wins.") == "Ben wins."
        assert _(("{n} card", "{n} cards"), n=1) == "1 card"
    with reading(Reader("de", frozenset({1}), ("Ann", "Ben"))):
        assert _.who(0, "You win.", "{name} wins.") == "Ann gewinnt."
        assert _(("{n} card", "{n} cards"), n=1) == "eine Karte"
        assert _(("{n} card", "{n} cards"), n=3) == "3 Karten"
    assert words.reader() == Reader()


def test_seats_without_names_have_numbers() -> None:
    assert words.seat_names([0, 1, 2]) == "Seat 0, Seat 1 and Seat 2"
    with reading(Reader("de")):
        assert words.seat_names([0, 1]) == "Platz 0 und Platz 1"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("fr,en;q=0.8,de;q=0.9", "de"),
        ("en-GB", "en"),
        ("xx", "en"),
        ("", "en"),
        ("de;q=x", "de"),
    ],
)
def test_the_language_follows_the_browser(header: str, language: str) -> None:
    assert words.accepted(header) == language


def test_all_languages_are_complete() -> None:
    """Nothing is missing, surplus or wrongly filled in; `strandline words --update de` shows what to mend."""
    assert catalogues.faults() == []


def test_files_of_translators_are_checked(folder: Path) -> None:
    assert catalogues.faults(folder) == []
    file = polib.pofile(str(folder / "de.po"))
    changed, gone = file.find("You win."), file.find("{name} wins.")
    assert changed and gone
    changed.msgstr = "Du, {nobody}, gewinnst."
    file.remove(gone)
    file.append(polib.POEntry(msgid="Ahoy.", msgstr="Ahoi."))
    file.save()
    found = "\n".join(catalogues.faults(folder))
    assert (
        "has other parameters" in found
        and "lacks '{name} wins.'" in found
        and "'Ahoy.', which is no longer used" in found
    )
