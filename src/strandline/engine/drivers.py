"""What can be done with any game: written once, bound to each game's rules, at every speed.

Interpreted or compiled, one record of the game is played on in place. Nothing here is run as it stands.
"""

from strandline.engine.contract import apply, count, nth, rounds, score, to_move, winners
from strandline.engine.draws import below, block, stream, word
from strandline.engine.vocabulary import CHANCE

FOREVER = 2**62


def playout(s, w, key, k, limit):
    """Play random moves from draw `k` on, to the end or until draw `limit`. Returns (next draw, decisions made).

    Chance and seats have a branch each: in it compilers know what is asked of the rules, and leave out the rest.
    """
    decisions = 0
    bits = block(key, k >> 1)
    while k < limit:
        if k & 1 == 0:
            bits = block(key, k >> 1)
        if to_move(s) == CHANCE:
            n = count(s, w)
            if n == 0:
                break
            apply(s, w, nth(s, w, below(word(bits, k), n)))
        else:
            n = count(s, w)
            if n == 0:
                break
            decisions += 1
            apply(s, w, nth(s, w, below(word(bits, k), n)))
        k += 1
    return k, decisions


def listing(states, works, codes):
    """Fill in the moves of `states[0]`, or chance's tickets, as many as `codes` has room for. Returns their number."""
    n = count(states[0], works[0])
    for i in range(min(n, len(codes))):
        codes[i] = nth(states[0], works[0], i)
    return n


def simulate(start, states, works, seed, number, rows):
    """Play a game from `start[0]` for each of `rows`, the streams counted from `number`, and fill the rows in."""
    s = states[0]
    w = works[0]
    for i in range(len(rows)):
        states[0] = start[0]
        steps, decisions = playout(s, w, stream(seed, number + i), 0, FOREVER)
        fill(s, rows[i], steps, decisions)


def fill(s, row, steps, decisions):
    """Write the result of the finished game `s` into its row."""
    row.steps = steps
    row.decisions = decisions
    row.rounds = rounds(s)
    row.winners = winners(s)
    for seat in range(s.players):
        row.scores[seat] = score(s, seat)


def trace(states, works, seed, number):
    """Play stream `number` from `states[0]`, one record for each position. Returns the number of steps."""
    key = stream(seed, number)
    for i in range(1, len(states)):
        states[i] = states[i - 1]
        after, _ = playout(states[i], works[0], key, i - 1, i)
        if after < i:
            return i - 1
    return len(states) - 1


def perft(states, works, at, depth):
    """The number of different rows of `depth` moves and outcomes from `states[0]`; a row may end early with the game.

    Each level has its own state, scratch space and place `at` in its list, so that nothing is recursive.
    """
    total = 0
    level = 0
    at[0] = 0
    while level >= 0:
        n = count(states[level], works[level])
        i = at[level]
        if level == depth or n == 0:
            total += 1
            level -= 1
        elif i == n:
            level -= 1
        else:
            at[level] = i + 1
            code = nth(states[level], works[level], i)
            if i == 0 or nth(states[level], works[level], i - 1) != code:
                states[level + 1] = states[level]
                level += 1
                apply(states[level], works[level], code)
                at[level] = 0
    return total
