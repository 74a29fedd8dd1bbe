"""Every row of a study can be played again, move by move, and shown."""

import base64
import json
import zlib
from pathlib import Path

import numpy as np
import pytest

import strandline
from strandline import cli
from strandline.engine import records
from strandline.lab import matches, replay, rows
from strandline.lab.plan import competent
from strandline.lab.study import Setting


@pytest.mark.parametrize("kind", ["random", "competent"])
def test_the_moves_of_a_row_lead_to_the_row(game: strandline.Game, kind: str) -> None:
    bots = ("random",) if kind == "random" else (competent(game), "random")
    setting = Setting(game.new(game.seats[-1]), bots, 4, 7)
    played = np.concatenate([piece.play() for piece in setting.pieces()])
    for number in (0, 3):
        texts = replay.moves(setting, number)
        again = np.zeros(1, rows.row_dtype(game))
        matches.note(setting.start, map(game.code, texts), records.view(again)[0])
        assert again.tobytes() == played[number : number + 1].tobytes()


def test_frames_are_the_boards(game: strandline.Game) -> None:
    start = game.new()
    setting = Setting(start, ("random",), 1, 1)
    texts = replay.moves(setting, 0)[:25]
    told = json.loads(zlib.decompress(base64.b64decode(replay.frames(start, texts))))
    tags: list[str] = []
    position = start
    for step, changes in enumerate(told):
        position = position.play(texts[step - 1]) if step else start
        for at, gone, *put in changes:
            tags[at : at + gone] = put
        assert "".join(tags) == "".join(replay.SPLIT.findall(position.svg()))
    assert len(told) == len(texts) + 1


def test_a_row_is_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    study = str(tmp_path / "study")
    arguments = ["lab", "up_the_river", "--players", "2,3", "--games", "40", "--skill", "none", "--out", study]
    assert cli.main(arguments) == 0
    capsys.readouterr()
    assert cli.main(["lab", "show", study, "39", "--setting", "3 players"]) == 0
    *told, where = capsys.readouterr().out.splitlines()
    moves = replay.moves(replay.setting_of(tmp_path / "study", "3 players"), 39)
    assert [line[:20].rstrip() for line in told] == moves
    assert where == f"On the board: {tmp_path / 'study' / 'game-39.html'}"
    assert cli.main(["lab", "show", study, "40"]) == 2
    assert "from 0 to 39, not 40" in capsys.readouterr().err
    assert cli.main(["lab", "show", study, "1", "--setting", "4 players"]) == 2
    assert "There are: 2 players; 3 players." in capsys.readouterr().err


def test_a_study_by_other_rules_is_not_shown(tmp_path: Path) -> None:
    setting = Setting(strandline.game("up_the_river").new(), ("random",), 4, 7, "2 players")
    told = replay.described(setting) | {"key": "of old"}
    (tmp_path / "study.json").write_text(json.dumps({"settings": [told]}))
    with pytest.raises(strandline.BadOptions, match="other rules"):
        replay.setting_of(tmp_path, None)
