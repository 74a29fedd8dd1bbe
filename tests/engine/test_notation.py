"""Codes as text and back."""

import pytest

from strandline.engine.notation import Notation
from strandline.engine.vocabulary import Option, pack, table

MOVES = Notation(
    {0: "roll {1-6}", 1: "swim {colour} {1-4} {way}", 2: "stop"}, colour=("red", "blue"), way=("in", "out")
)


def test_text_and_code_are_inverse() -> None:
    for code, text in ((pack(0, 6), "roll 6"), (pack(1, 1, 3, 0), "swim blue 3 in"), (pack(2), "stop")):
        assert MOVES.write(code) == text
        assert MOVES.read(text) == code
        assert MOVES.read(f"  {text.replace(' ', '  ')} ") == code


@pytest.mark.parametrize(
    "text", ["", "roll", "roll 7", "roll 06", "roll 6 6", "swim 1 3 in", "swim blue 3", "stop it", "²"]
)
def test_what_is_no_move(text: str) -> None:
    assert MOVES.read(text) is None


def test_options_know_their_values() -> None:
    flag = Option("easy", (False, True), False, "easier")
    assert flag.allows(True) and not flag.allows(1)
    number = Option("turns", range(4, 11), 10, "turns")
    assert number.allows(4) and not number.allows(True) and not number.allows(4.0)
    word = Option("surge", ("pool", "each"), "pool", "how")
    assert (word.encode("each"), word.decode(1)) == (1, "each")


def test_tables_have_rows_of_one_length() -> None:
    assert table([[1, 2], (3, 4)])[1][0] == 3
    with pytest.raises(ValueError):
        table([[1, 2], [3]])
