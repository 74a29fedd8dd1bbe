"""Boards one after another as one picture that moves: what stays is drawn once, what changes is shown in its time."""

from __future__ import annotations

import difflib
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

SVG = "http://www.w3.org/2000/svg"
FRAME_S = 0.7
END_S = 4.0
"""How long each board is shown, and the last one."""
REFERENCE = re.compile(r"#([\w-]+)")


def moving(boards: Sequence[str], title: str) -> str:
    """The boards, which all have the same frame, as one SVG image that plays without end."""
    ET.register_namespace("", SVG)
    roots = [ET.fromstring(board) for board in boards]
    last = roots[-1]
    picture = ET.Element(
        f"{{{SVG}}}svg", {name: last.attrib[name] for name in ("class", "viewBox") if name in last.attrib}
    )
    picture.set("role", "img")
    ET.SubElement(picture, f"{{{SVG}}}title").text = title
    heads = [[child for child in root if _name(child) in ("style", "defs")] for root in roots]
    scenes = [[child for child in root if _name(child) not in ("style", "defs", "title", "desc")] for root in roots]
    for child, _ in _merged([[ET.tostring(each, "unicode") for each in head] for head in heads]):
        picture.append(ET.fromstring(child))
    frame = ET.SubElement(picture, f"{{{SVG}}}g", scenes[-1][0].attrib if len(scenes[-1]) == 1 else {})
    pieces = _merged([[ET.tostring(each, "unicode") for each in _opened(scene)] for scene in scenes])
    wanted = {name for text, _ in pieces for name in REFERENCE.findall(text)}
    for text, shown in pieces:
        piece = ET.fromstring(text)
        for part in piece.iter():
            if part.attrib.get("id") not in wanted:
                part.attrib.pop("id", None)
        frame.append(piece if len(shown) == len(boards) else _timed(piece, shown, len(boards)))
    return ET.tostring(picture, "unicode")


def _name(element: ET.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _opened(scene: list[ET.Element]) -> list[ET.Element]:
    """What a scene consists of: boards have one group around everything."""
    return list(scene[0]) if len(scene) == 1 and _name(scene[0]) == "g" else scene


def _merged(frames: Sequence[Sequence[str]]) -> list[tuple[str, set[int]]]:
    """All pieces of all frames, each before and behind what it is before and behind in its frames, with these."""
    merged: list[tuple[str, set[int]]] = []
    for number, frame in enumerate(frames):
        before, merged = merged, []
        known = [text for text, _ in before]
        matcher = difflib.SequenceMatcher(None, known, frame, autojunk=False)
        for how, start, end, first, behind in matcher.get_opcodes():
            if how == "equal":
                merged += [(text, shown | {number}) for text, shown in before[start:end]]
            else:
                merged += before[start:end]
                merged += [(text, {number}) for text in frame[first:behind]]
    return merged


def _timed(piece: ET.Element, shown: set[int], frames: int) -> ET.Element:
    """A piece that is there in some frames only."""
    length = FRAME_S * (frames - 1) + END_S
    changes = [number for number in range(frames) if number == 0 or (number in shown) != (number - 1 in shown)]
    box = ET.Element(f"{{{SVG}}}g", {"display": "inline" if frames - 1 in shown else "none"})
    times = ";".join(f"{FRAME_S * number / length:.5g}" for number in changes)
    values = ";".join("inline" if number in shown else "none" for number in changes)
    how = {"attributeName": "display", "calcMode": "discrete", "repeatCount": "indefinite", "dur": f"{length:.4g}s"}
    ET.SubElement(box, f"{{{SVG}}}animate", {**how, "keyTimes": times, "values": values})
    box.append(piece)
    return box
