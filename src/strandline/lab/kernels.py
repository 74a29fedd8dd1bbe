"""Play games for a study on a GPU: one game a thread. Bound like the other drivers, by `binding.cuda`."""

from numba import cuda

from strandline.engine.contract import STATE
from strandline.engine.draws import stream
from strandline.engine.hints import WORK
from strandline.lab.drivers import play_one


def play(start, seed, number, policies, rows):
    """Play the game of this thread from `start[0]` and fill its row in."""
    states = cuda.local.array(2, STATE, alignment=16)  # records hold fields of up to 8 bytes
    works = cuda.local.array(1, WORK, alignment=16)
    i = cuda.grid(1)
    if i < len(rows):
        states[0] = start[0]
        play_one(states, works[0], stream(seed, number + i), number + i, policies, rows[i])
