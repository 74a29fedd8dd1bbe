"""Every game has a small picture for lists: without words, small, and whole in itself."""

import re
import xml.etree.ElementTree as ET

import strandline

SVG = "{http://www.w3.org/2000/svg}"


def test_a_small_picture_stands_for_itself(game: strandline.Game) -> None:
    svg = game.thumbnail
    root = ET.fromstring(svg)
    names = [shape.attrib["id"] for shape in root.iter() if "id" in shape.attrib]
    assert len(set(names)) == len(names) and len(svg.encode()) < 60_000
    assert set(re.findall(r'(?:href="|url\()#([\w-]+)', svg)) <= set(names)
    assert (root.findtext(f"{SVG}title") or "").startswith(game.title)


def test_a_composed_picture_has_numbers_but_no_words(game: strandline.Game) -> None:
    if (game.folder / "thumbnail.py").exists():
        written = ["".join(text.itertext()) for text in ET.fromstring(game.thumbnail).iter(f"{SVG}text")]
        assert all(re.fullmatch(r"\d?", text) for text in written), written
