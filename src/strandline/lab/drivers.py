"""Play games for a study: bound to each game's rules and metrics, at every speed. Fills in the rows of `rows.py`.

The draws are those of the engine's own drivers: game `number` of a seed is the same game here and there.
"""

from strandline.engine.contract import apply, count, nth, rounds, score, to_move, winners
from strandline.engine.draws import below, block, stream, word
from strandline.engine.hints import forget, guided
from strandline.engine.metrics import progress, watch
from strandline.engine.vocabulary import table, verb

GUIDED = 1
"""The policy of a player who moves at sight, as the game's hints say; 0 is random play."""
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
        code = nth(s, w, chosen(s, w, n, number, policies, word(bits, k)))
        states[1] = states[0]
        apply(s, w, code)
        note(states[1], s, code, n, row)
        k += 1
        n = count(s, w)
    conclude(s, row)


def chosen(s, w, n, number, policies, bits):
    """Which of `n` moves or outcomes comes next in game `number`."""
    seat = to_move(s)
    if seat >= 0 and policies[(number + seat) % len(policies)] == GUIDED:
        return guided(s, w, n, bits)
    return below(bits, n)


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


def look_again(start, states, works, seed, number, policies, seats, lengths, leads, kinds):
    """Play games again, one for each of `seats`, and look at more than a row holds.

    `leads` gets how far each game's seat was ahead of all others, or behind the best of them, at moments spread evenly
    over its rounds, of which `lengths` has the number. `kinds` counts for each verb, over all games: decisions with a
    choice that offered such a move, those in which it was made, and those that offered nothing else.
    """
    s = states[0]
    w = works[0]
    for i in range(len(seats)):
        states[0] = start[0]
        key = stream(seed, number + i)
        forget(w)
        k = 0
        reached = 0
        n = count(s, w)
        while n > 0:
            code = nth(s, w, chosen(s, w, n, number + i, policies, word(block(key, k >> 1), k)))
            if to_move(s) >= 0 and n > 1:
                count_kinds(s, w, n, verb(code), kinds)
            apply(s, w, code)
            reached = follow(s, seats[i], reached, lengths[i], leads[i])
            k += 1
            n = count(s, w)
        end(s, seats[i], reached, leads[i])


def count_kinds(s, w, n, made, kinds):
    """Count the kinds of moves on offer, and the one that is made."""
    last = -1
    different = 0
    seen = 0
    for i in range(n):
        what = verb(nth(s, w, i))
        if seen >> what & 1 == 0:
            seen |= 1 << what
            kinds[what][0] += 1
            different += 1
            last = what
    kinds[made][1] += 1
    if different == 1:
        kinds[last][2] += 1


def follow(s, seat, reached, length, leads):
    """Note the seat's lead for all moments up to now, but for the last. Returns the first that is still to come."""
    last = len(leads) - 1
    while reached < last and rounds(s) * last >= reached * max(length, 1):
        leads[reached] = lead(s, seat)
        reached += 1
    return reached


def end(s, seat, reached, leads):
    """Note the seat's lead for all moments that are left."""
    for moment in range(reached, len(leads)):
        leads[moment] = lead(s, seat)


def lead(s, seat):
    """How far the seat is ahead of all others, or behind the best of them."""
    best = 0
    for step in range(1, s.players):
        other = progress(s, (seat + step) % s.players)
        if step == 1 or other > best:
            best = other
    return progress(s, seat) - best
