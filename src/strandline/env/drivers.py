"""Many games at once for learning programs: written once, bound to each game's rules like the other drivers.

These are always compiled; the arrays are NumPy's.

A game has a record in `states` and a desk in `desks`, on which lies what else must be known of it. Chance, and seats
that nobody learns for, draw from the stream of the game's seed and episode, as playouts do. A step plays an action in
each game and writes down what the next seat sees, which actions it has and what it got.
"""

from strandline.engine.contract import apply, count, nth, to_move
from strandline.engine.draws import draw, stream
from strandline.engine.drivers import FOREVER
from strandline.engine.spaces import observe, reward
from strandline.engine.vocabulary import CHANCE, OVER

EMPTY = -1
"""The code in a slot that is not in use."""
SPREAD = 0x9E3779B1
"""What codes are multiplied with to spread them over the slots."""
ANY = -1
"""As the place of a learner: a seat that is drawn anew for each game."""
EVERY = -2
"""As the place of a learner: every seat, one after the other as they decide."""
ILLEGAL = -1.0
"""What an action that is not legal gives; it ends the game."""
MANY = -1
"""As the number of actions on a list: too many for it."""


def slot_of(code, size):
    """Where to look for a code first among so many slots, a power of two."""
    return (code * SPREAD >> 16) & (size - 1)


def reset(start, states, works, desks, slots, seen, masks, lists, low, high):
    """Begin a new game at each desk from `low` to `high` where one is due."""
    for i in range(low, high):
        if desks[i].due:
            desks[i].due = 0
            begin(start, states, works[0], desks[i], i)
    show(states, works, desks, slots, seen, masks, lists, low, high)


def step(start, states, works, desks, codes, slots, actions, seen, masks, lists, rewards, low, high):
    """Play the action of each game from `low` to `high`; a game that is over begins anew instead."""
    for i in range(low, high):
        desk = desks[i]
        action = actions[i]
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
        if desk.over:
            desk.episode += 1
            begin(start, states, works[0], desk, i)
        elif 0 <= action < len(codes) and masks[i, action]:
            apply(states[i], works[0], codes[action])
            advance(states[i], works[0], desk)
            if desk.over:
                for seat in range(rewards.shape[1]):
                    rewards[i, seat] = reward(states[i], seat)
        else:
            desk.over = 1
            rewards[i, desk.seat] = ILLEGAL
    show(states, works, desks, slots, seen, masks, lists, low, high)


def begin(start, states, w, desk, i):
    """Begin game `i` with the desk's episode, or with the next one in which somebody who learns ever decides."""
    states[i] = start[0]
    deal(states[i], w, desk)
    while desk.over:
        desk.episode += 1
        states[i] = start[0]
        deal(states[i], w, desk)


def deal(s, w, desk):
    """Begin the desk's episode with the first position, which `s` is already."""
    key = stream(desk.seed, desk.episode)
    desk.key[0] = key[0]
    desk.key[1] = key[1]
    desk.draws = 0
    desk.seat = desk.learner
    if desk.learner == ANY:
        desk.seat = draw(key, FOREVER, s.players)
    elif desk.learner == EVERY:
        desk.seat = 0
    advance(s, w, desk)


def advance(s, w, desk):
    """Play on by chance until somebody who learns decides, or to the end."""
    key = desk.key[0], desk.key[1]
    who = to_move(s)
    while who == CHANCE or (who >= 0 and who != desk.seat and desk.learner != EVERY):
        n = count(s, w)
        apply(s, w, nth(s, w, draw(key, desk.draws, n)))
        desk.draws += 1
        who = to_move(s)
    desk.over = who == OVER
    if who >= 0:
        desk.seat = who


def show(states, works, desks, slots, seen, masks, lists, low, high):
    """Write down what each desk's seat sees and which actions it has; when the game is over none counts, and all are 1.

    The list of a mask's actions tells which entries are to be cleared next time.
    """
    for i in range(low, high):
        desk = desks[i]
        look(states[i], desk.seat, seen[i])
        if desk.listed == MANY:
            for action in range(masks.shape[1]):
                masks[i, action] = 0
        else:
            for j in range(desk.listed):
                masks[i, lists[i, j]] = 0
        n = count(states[i], works[0])
        for j in range(n):
            code = nth(states[i], works[0], j)
            at = slot_of(code, len(slots))
            while slots[at].code != code and slots[at].code != EMPTY:
                at = (at + 1) & (len(slots) - 1)
            action = slots[at].action
            if action != EMPTY:
                masks[i, action] = 1
                if j < lists.shape[1]:
                    lists[i, j] = action
        desk.listed = n if n <= lists.shape[1] else MANY
        if desk.over:
            desk.listed = MANY
            for action in range(masks.shape[1]):
                masks[i, action] = 1


def look(s, seat, out):
    """Write down what the seat sees."""
    for i in range(len(out)):
        out[i] = 0
    observe(s, seat, out)


def look_at(states, seat, out):
    """Write down what the seat sees of the one game."""
    look(states[0], seat, out)
