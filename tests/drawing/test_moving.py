"""Boards as one picture that moves."""

import random
import xml.etree.ElementTree as ET

import strandline
from strandline.drawing import moving

BOARD = (
    '<svg xmlns="http://www.w3.org/2000/svg" class="b" viewBox="0 0 9 9"><title>t</title><desc>d</desc>'
    '<defs><g id="x"/></defs><g>{}</g></svg>'
)


def visible(picture: ET.Element, frame: int, frames: int) -> list[str]:
    """What is there while one frame is shown, as its serialised pieces."""
    length = moving.FRAME_S * (frames - 1) + moving.END_S
    now = (frame + 0.5) * moving.FRAME_S / length
    found = []
    scene = next(child for child in picture if child.tag.endswith("}g"))
    for piece in scene:
        timing = piece.find(f"{{{moving.SVG}}}animate")
        if timing is None:
            found.append(piece)
            continue
        times = [float(time) for time in timing.attrib["keyTimes"].split(";")]
        value = [value for time, value in zip(times, timing.attrib["values"].split(";"), strict=True) if time <= now][
            -1
        ]
        if value == "inline":
            found.append(piece[1])
    return [ET.tostring(each, "unicode").replace(' id="a"', "") for each in found]


def test_each_frame_shows_its_own_pieces_in_their_order() -> None:
    frames = ["<a/><b/>", "<a/><c/><b/>", "<c/><b/><d/>", "<a/><b/>"]
    picture = ET.fromstring(moving.moving([BOARD.format(frame) for frame in frames], "A game"))
    for number, frame in enumerate(frames):
        told = [ET.fromstring(piece).tag.rpartition("}")[2] for piece in visible(picture, number, len(frames))]
        assert told == [part.strip("</>") for part in frame.split("><")]
    assert len(picture.findall(f".//{{{moving.SVG}}}b")) == 1, "What stays is drawn once."


def test_every_game_moves(game: strandline.Game) -> None:
    rng, position, boards = random.Random(7), game.new(), []
    for _ in range(12):
        boards.append(position.svg())
        if position.turn is None:
            break
        position = position.play(rng.choice(position.moves()))
    text = moving.moving(boards, game.title)
    picture = ET.fromstring(text)
    assert len(text) < 0.5 * sum(map(len, boards))
    for number, board in enumerate(boards):
        scene = next(child for child in ET.fromstring(board) if child.tag.endswith("}g"))
        assert len(visible(picture, number, len(boards))) == len(scene)
