"""Play games for a study: bound to each game's rules and metrics, at every speed. Fills in the rows of `rows.py`.

The draws are those of the engine's own drivers: game `number` of a seed is the same game here and there.
"""

from strandline.engine.contract import apply, count, nth, rounds, score, to_move, winners
from strandline.engine.draws import below, block, stream, word
from strandline.engine.hints import forget, pick
from strandline.engine.metrics import progress, watch
from strandline.engine.vocabulary import table

GUIDED = 1
"""The policy of a player who makes the moves that the game's hints prefer in a playout; 0 is random play."""
MENU = table((1, 2, 3, 4, 6, 9, 15))
"""Decisions are counted by their number of choices: up to each of these, and more than the last."""
MENUS = 8


def play(start, states, works, seed, number, policies, rows):
    """Play a game from `start[0]` for each of `rows`, the streams counted from `number`. `states` has room for two.

    In game `i` the policy of seat `k` is number `i + k` of `policies`, counted round and round.
    """
    for i in range(len(rows)):
        states[0] = start[0]
        play_one(states, works[0], stream(seed, number + i), number + i, policies, rows[i])


def play_one(states, w, key, number, policies, row):
    """Play the game `states[0]` to its end; `states[1]` is the position before each move."""
    forget(w)
    s = states[0]
    k = 0
    bits = block(key, 0)
    n = count(s, w)
    while n > 0:
        if k & 1 == 0:
            bits = block(key, k >> 1)
        seat = to_move(s)
        if seat >= 0 and policies[(number + seat) % len(policies)] == GUIDED:
            i = pick(s, w, n, word(bits, k))
        else:
            i = below(word(bits, k), n)
        code = nth(s, w, i)
        states[1] = states[0]
        apply(s, w, code)
        note(states[1], s, code, n, row)
        k += 1
        n = count(s, w)
    conclude(s, row)


def note(before, after, code, n, row):
    """Write down a move or an outcome, one of `n`, in the row."""
    row.steps += 1
    if to_move(before) >= 0:
        row.decisions += 1
        row.choices += n
        row.most = max(row.most, n)
        menu = 0
        while menu < MENUS - 1 and n > MENU[menu]:
            menu += 1
        row.menu[menu] += 1
    watch(before, after, code, row.tally)
    if rounds(after) != rounds(before):
        compare(after, rounds(before), row)


def compare(s, past, row):
    """Who leads after that many rounds, alone (else it stays as it was), and who does not lead."""
    best = progress(s, 0)
    for seat in range(1, s.players):
        best = max(best, progress(s, seat))
    leaders = 0
    first = 0
    for seat in range(s.players):
        if progress(s, seat) == best:
            leaders += 1
            first = seat
        else:
            row.behind[seat] = past
    if leaders == 1 and row.leader != first + 1:
        if row.leader > 0:
            row.lead_changes += 1
        row.leader = first + 1


def conclude(s, row):
    """Write down how the game ended, and after which round the winners were never behind again."""
    row.rounds = rounds(s)
    row.winners = winners(s)
    compare(s, row.rounds, row)
    for seat in range(s.players):
        row.scores[seat] = score(s, seat)
        if row.winners >> seat & 1:
            row.known = max(row.known, row.behind[seat])
