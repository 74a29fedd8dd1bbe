"""Vectorized environments on a GPU: one game a thread. Bound like the other drivers, by `binding.cuda`.

What is seen must be zero before `show`: clearing all of it at once is faster than each thread clearing its own.
"""

from numba import cuda

from strandline.engine.contract import WORK, count, nth
from strandline.engine.spaces import observe, observe_step, reward, step_of
from strandline.env.drivers import EMPTY, ILLEGAL, NEXT_STEP, SAME_STEP, advance, deal, is_begun, slot_of, take


def reset(start, states, desks):
    """Begin a new game at the desk of this thread if one is due."""
    works = cuda.local.array(1, WORK, alignment=16)  # records hold fields of up to 8 bytes
    i = cuda.grid(1)
    if i < len(desks) and desks[i].due:
        desks[i].due = 0
        renew(start, states, works[0], desks[i], i)


def step(start, states, desks, codes, actions, masks, rewards, over, mode):
    """Play the action of this thread's game; see `drivers.act` and `drivers.settle`."""
    works = cuda.local.array(1, WORK, alignment=16)
    i = cuda.grid(1)
    if i < len(desks):
        desk = desks[i]
        seats = len(rewards) // len(desks)
        size = len(masks) // len(desks)
        action = actions[i]
        for seat in range(seats):
            rewards[i * seats + seat] = 0.0
        desk.fresh = 0
        if desk.over:
            if mode == NEXT_STEP:
                desk.episode += 1
                renew(start, states, works[0], desk, i)
        elif 0 <= action < len(codes) and masks[i * size + action]:
            if take(states[i], works[0], desk, codes[action]):
                advance(states[i], works[0], desk)
                if desk.over:
                    for seat in range(seats):
                        rewards[i * seats + seat] = reward(states[i], seat)
        else:
            desk.over = 1
            rewards[i * seats + desk.seat] = ILLEGAL
        over[i] = desk.over
        if desk.over and mode == SAME_STEP:
            desk.episode += 1
            renew(start, states, works[0], desk, i)


def renew(start, states, w, desk, i):
    """Begin game `i` with the desk's episode, or with the next one in which somebody who learns ever decides."""
    states[i] = start[0]
    deal(states[i], w, desk)
    while desk.over:
        desk.episode += 1
        states[i] = start[0]
        deal(states[i], w, desk)


def show(states, desks, slots, seen, masks, lists):
    """Write down what is seen of this thread's game and what is legal; see `drivers.show`."""
    works = cuda.local.array(1, WORK, alignment=16)
    i = cuda.grid(1)
    if i < len(desks):
        desk = desks[i]
        size = len(masks) // len(desks)
        room = len(lists) // len(desks)
        width = len(seen) // len(desks)
        row = seen[i * width : (i + 1) * width]
        observe(states[i], desk.seat, row)
        for j in range(desk.done):
            observe_step(desk.taken[j], row)
        if desk.listed > room:
            for action in range(size):
                masks[i * size + action] = 0
        else:
            for j in range(desk.listed):
                masks[i * size + lists[i * room + j]] = 0
        found = 0
        if desk.over:
            masks[i * size] = 1
            lists[i * room] = 0
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
                    if action != EMPTY and masks[i * size + action] == 0:
                        masks[i * size + action] = 1
                        if found < room:
                            lists[i * room + found] = action
                        found += 1
        desk.listed = found
