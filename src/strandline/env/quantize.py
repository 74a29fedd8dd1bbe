"""A network that `env.training` has saved, in the whole numbers that bots play with.

    python -m strandline.env.quantize FILE.npz

writes network.N.bin into the folder of the game, or champion.N.bin where there is a champion.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from strandline.bots import network
from strandline.bots.puct import FIRST, LAST, MOST, PLACES, SECOND, WIDTH
from strandline.engine.discovery import game as find
from strandline.engine.game import Game
from strandline.env.spaces import space

Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]


def quantized(game: Game, players: int, arrays: dict[str, Any]) -> bytes:
    """The bytes of the file, from the arrays of a network with two layers of the same width, at most `WIDTH`."""
    here, width = space(game, players), len(arrays["weights_1"])
    sight = here.insight
    if sight.dtype != np.int8 or arrays["weights_1"].shape != (width, width) or width > WIDTH or "weights_3" in arrays:
        raise ValueError(f"Bots play with observations of 8 bits and two layers of {WIDTH} units or fewer.")
    if (size := len(arrays["weights_0"])) != sight.size:
        raise ValueError(f"The networks of {game.title} see {sight.size} numbers, not {size}: train this one anew.")
    order = np.argsort(here.codes)
    first = arrays["weights_0"] / arrays["scale"][:, None]
    second = arrays["weights_1"]
    last = np.concatenate([arrays["weights_2"].T[order], arrays["value_weights"].T])
    reach = np.maximum(np.abs(sight.low.astype(float)), sight.high)
    biases = np.concatenate(
        [
            _fixed(arrays["biases_0"], FIRST),
            _fixed(arrays["biases_1"], SECOND + PLACES),
            _fixed(np.concatenate([arrays["biases_2"][order], arrays["value_biases"]]), LAST + PLACES),
        ]
    )
    largest = max(
        (np.abs(first) * reach[:, None]).sum(0).max() * 2**FIRST,
        np.abs(second).sum(0).max() * 2**SECOND * MOST,
        np.abs(last).sum(1).max() * 2**LAST * MOST,
    )
    rows = np.concatenate([_fixed(first, FIRST), _fixed(second, SECOND), _fixed(last, LAST)])
    if np.abs(rows).max() >= 2**15 or largest + np.abs(biases).max() >= 2**31:
        raise ValueError("The weights are too large: they need more than 16 bits, or their sums more than 32.")
    return network.digest(game, players) + rows.astype(np.int16).tobytes() + biases.tobytes()


def _fixed(numbers: Floats, places: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.round(numbers * 2.0**places).astype(np.int32)


def main() -> None:
    """Write the file of each network that is named."""
    for name in sys.argv[1:]:
        with np.load(name) as arrays:
            game, players = find(str(arrays["game"])), int(arrays["players"])
            target: Path = network.file(game, players)
            target.write_bytes(quantized(game, players, dict(arrays)))
        print(f"{target.name} of {game.title}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
