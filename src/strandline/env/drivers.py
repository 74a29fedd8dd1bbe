"""Many games at once for learning programs: written once, bound to each game's rules like the other drivers.

On the CPU these are always compiled, over NumPy arrays; `env/kernels.py` runs the same functions on a GPU.

A game has a record in `states` and a desk in `desks`, on which lies what else must be known of it. Chance, and seats
that nobody learns for, draw from the stream of the game's seed and episode, as playouts do. A step plays an action in
each game and writes down what the next seat sees, which actions it has and what it got.

A move is one action, or several where the game's `spaces.py` takes it apart: then the desk keeps the steps taken.
"""

from strandline.engine.contract import apply, count, nth, to_move
from strandline.engine.draws import draw, stream
from strandline.engine.drivers import FOREVER
from strandline.engine.spaces import is_move, observe, observe_step, reward, step_of, steps
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
NOTHING = -1
"""As the code of a move: none is made."""
NEXT_STEP = 0
"""A game that is over begins anew in the next step, in place of an action."""
SAME_STEP = 1
"""A game that is over begins anew in the same step."""
DISABLED = 2
"""A game that is over stays so until it is reset."""
MOST_STEPS = 4
"""No move has more steps than one more than this."""


def slot_of(code, size):
    """Where to look for a code first among that many slots, a power of two."""
    return (code * SPREAD >> 16) & (size - 1)


def reset(start, states, works, desks, low, high):
    """Begin a new game at each desk from `low` to `high` where one is due."""
    for i in range(low, high):
        if desks[i].due:
            desks[i].due = 0
            begin(start, states, works[0], desks[i], i)


def step(
    start, states, works, desks, codes, slots, actions, seen, finals, masks, lists, rewards, over, mode, low, high
):
    """Play the action of each game from `low` to `high`, see to those that are over, and show them all."""
    act(start, states, works, desks, codes, actions, masks, rewards, mode, low, high)
    settle(start, states, works, desks, finals, over, mode, low, high)
    return show(states, works, desks, slots, seen, masks, lists, low, high)


# What handles arrays is a loop over games: an array that is handed on for each of them would take longer than a step.


def act(start, states, works, desks, codes, actions, masks, rewards, mode, low, high):
    """Play the action of each game from `low` to `high`; in one that is over a new game may begin instead."""
    for i in range(low, high):
        desk = desks[i]
        action = actions[i]
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
        desk.fresh = 0
        if desk.over:
            if mode == NEXT_STEP:
                desk.episode += 1
                begin(start, states, works[0], desk, i)
        elif 0 <= action < len(codes) and masks[i, action]:
            code = complete(states[i], works[0], desk, codes[action])
            if code != NOTHING:
                play_on(states[i], works[0], desk, code)
                if desk.over:
                    for seat in range(rewards.shape[1]):
                        rewards[i, seat] = reward(states[i], seat)
        else:
            desk.over = 1
            rewards[i, desk.seat] = ILLEGAL


def move(states, works, desks, chosen, rewards, low, high):
    """Make the moves that others have chosen, by code, and all that chance does after them."""
    for i in range(low, high):
        if chosen[i] != NOTHING:
            desk = desks[i]
            desk.draws += 1  # so that the next choice has another seed
            play_on(states[i], works[0], desk, chosen[i])
            if desk.over:
                for seat in range(rewards.shape[1]):
                    rewards[i, seat] = reward(states[i], seat)


def settle(start, states, works, desks, finals, over, mode, low, high):
    """Write down which games are over; of those that begin anew at once, also the last that was seen."""
    for i in range(low, high):
        desk = desks[i]
        over[i] = desk.over
        if desk.over and mode == SAME_STEP:
            look(states[i], desk.seat, finals[i])
            desk.episode += 1
            begin(start, states, works[0], desk, i)


def show(states, works, desks, slots, seen, masks, lists, low, high):
    """Write down what each desk's seat sees and which actions it has. Returns the largest number of legal actions.

    A mask and its list hold the same actions; the list tells which entries of the mask are to be cleared next time.
    When a game is over no action counts, and action 0 alone is marked.
    """
    most = 0
    for i in range(low, high):
        desk = desks[i]
        look(states[i], desk.seat, seen[i])
        for j in range(desk.done):
            observe_step(desk.taken[j], seen[i])
        if desk.listed > lists.shape[1]:
            for action in range(masks.shape[1]):
                masks[i, action] = 0
        else:
            for j in range(desk.listed):
                masks[i, lists[i, j]] = 0
        found = 0
        if desk.over:
            masks[i, 0] = 1
            lists[i, 0] = 0
            found = 1
        else:
            n = count(states[i], works[0])
            for j in range(n):
                code = nth(states[i], works[0], j)
                if is_begun(code, desk):
                    code = step_of(code, desk.done)
                    at = slot_of(code, len(slots))
                    while slots[at].code != code and slots[at].code != EMPTY:
                        at = (at + 1) & (len(slots) - 1)
                    action = slots[at].action
                    if action != EMPTY and masks[i, action] == 0:
                        masks[i, action] = 1
                        if found < lists.shape[1]:
                            lists[i, found] = action
                        found += 1
        desk.listed = found
        most = max(most, found)
    return most


def complete(s, w, desk, code):
    """The move that the step completes, or NOTHING: then the desk keeps the step."""
    if desk.done == 0 and is_move(code):
        return code
    n = count(s, w)
    for j in range(n):
        whole = nth(s, w, j)
        if steps(whole) == desk.done + 1 and step_of(whole, desk.done) == code and is_begun(whole, desk):
            desk.done = 0
            return whole
    desk.taken[desk.done] = code
    desk.done += 1
    return NOTHING


def is_begun(code, desk):
    """Whether the steps taken are the first ones of the move."""
    if steps(code) <= desk.done:
        return False
    for i in range(desk.done):
        if step_of(code, i) != desk.taken[i]:
            return False
    return True


def begin(start, states, w, desk, i):
    """Begin game `i` with the desk's episode, or with the next one in which somebody who learns ever decides."""
    desk.over = 1
    while desk.over:
        states[i] = start[0]
        prepare(states[i], desk)
        play_on(states[i], w, desk, NOTHING)
        desk.episode += desk.over


def prepare(s, desk):
    """Make the desk ready for its episode, which begins with the position."""
    key = stream(desk.seed, desk.episode)
    desk.key[0] = key[0]
    desk.key[1] = key[1]
    desk.draws = 0
    desk.done = 0
    desk.fresh = 1
    desk.own = desk.learner
    if desk.learner == ANY:
        desk.own = draw(key, FOREVER, s.players)
    desk.seat = max(desk.own, 0)


def play_on(s, w, desk, code):
    """Make the move, if there is one, and all that chance and those who are played at random here do after it.

    The rules have one place in this loop, not two: what is compiled is half as long, which GPUs thank for.
    """
    key = desk.key[0], desk.key[1]
    while True:
        if code == NOTHING:
            who = to_move(s)
            if who != CHANCE and (who < 0 or not desk.alone or who == desk.own):
                arrive(desk, who)
                return
            n = count(s, w)
            code = nth(s, w, draw(key, desk.draws, n))
            desk.draws += 1
        apply(s, w, code)
        code = NOTHING


def arrive(desk, who):
    """`who` decides now, or the game is over."""
    desk.over = who == OVER
    if who >= 0:
        desk.seat = who
    elif desk.own >= 0:
        desk.seat = desk.own


def look(s, seat, out):
    """Write down what the seat sees."""
    for i in range(len(out)):
        out[i] = 0
    observe(s, seat, out)


def look_at(states, desks, seat, out):
    """Write down what the seat sees of the one game, steps of an unfinished move included if they are its own."""
    look(states[0], seat, out)
    if seat == desks[0].seat:
        for i in range(desks[0].done):
            observe_step(desks[0].taken[i], out)
