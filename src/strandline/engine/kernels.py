"""Mass random play on a GPU: one game a thread. Bound like the other drivers, by `binding.cuda`."""

from numba import cuda

from strandline.engine.contract import STATE, WORK, apply, count, nth, to_move
from strandline.engine.draws import below, block, stream, word
from strandline.engine.drivers import fill


def simulate(start, seed, number, rows):
    """Play the game of this thread from `start[0]` and fill its row in."""
    states = cuda.local.array(1, STATE, alignment=16)  # records hold fields of up to 8 bytes
    works = cuda.local.array(1, WORK, alignment=16)
    i = cuda.grid(1)
    if i < len(rows):
        states[0] = start[0]
        steps, decisions = play(states[0], works[0], stream(seed, number + i))
        fill(states[0], rows[i], steps, decisions)


def play(s, w, key):
    """The moves of `drivers.playout`, with the rules once for chance and seats: threads go the same way together, and
    the kernel is smaller by a fifth or more. Returns (steps, decisions)."""
    steps = 0
    decisions = 0
    bits = block(key, 0)
    n = count(s, w)
    while n > 0:
        if steps & 1 == 0:
            bits = block(key, steps >> 1)
        decisions += to_move(s) >= 0
        apply(s, w, nth(s, w, below(word(bits, steps), n)))
        steps += 1
        n = count(s, w)
    return steps, decisions
