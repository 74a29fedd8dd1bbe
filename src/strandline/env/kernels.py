"""Vectorized environments on a GPU: one game a thread. Bound like the other drivers, by `binding.cuda`.

What is seen must be zero before `show`: clearing all of it at once is faster than each thread clearing its own. Numbers
of the same kind lie side by side in memory, game after game: so the threads of a warp, which write them at the same
time, write them together.
"""

from numba import cuda

from strandline.engine.contract import WORK, count, nth
from strandline.engine.spaces import observe, observe_step, reward, step_of
from strandline.env.drivers import (
    EMPTY,
    ILLEGAL,
    NEXT_STEP,
    NOTHING,
    SAME_STEP,
    begin,
    complete,
    is_begun,
    play_on,
    prepare,
    slot_of,
)


def reset(start, states, desks):
    """Begin a new game at the desk of this thread if one is due."""
    works = cuda.local.array(1, WORK, alignment=16)  # records hold fields of up to 8 bytes
    i = cuda.grid(1)
    if i < len(desks) and desks[i].due:
        desks[i].due = 0
        begin(start, states, works[0], desks[i], i)


def step(start, states, desks, codes, actions, masks, rewards, over, mode):
    """Play the action of this thread's game; see `drivers.act` and `drivers.settle`."""
    works = cuda.local.array(1, WORK, alignment=16)
    i = cuda.grid(1)
    if i < len(desks):
        desk = desks[i]
        number = len(desks)
        seats = len(rewards) // number
        action = actions[i]
        for seat in range(seats):
            rewards[seat * number + i] = 0.0
        desk.fresh = 0
        code = NOTHING
        renewed = desk.over
        ended = 0
        if renewed:
            ended = mode != NEXT_STEP
        elif 0 <= action < len(codes) and masks[action * number + i]:
            code = complete(states[i], works[0], desk, codes[action])
        else:
            desk.over = 1
            ended = 1
            rewards[desk.seat * number + i] = ILLEGAL
        # A move and the beginning of a new game share this loop, so that the rules are compiled once.
        while code != NOTHING or (desk.over and (mode == SAME_STEP or (renewed and mode == NEXT_STEP))):
            if code == NOTHING:
                renewed = 1
                desk.episode += 1
                states[i] = start[0]
                prepare(states[i], desk)
            play_on(states[i], works[0], desk, code)
            code = NOTHING
            if desk.over and not renewed:
                ended = 1
                for seat in range(seats):
                    rewards[seat * number + i] = reward(states[i], seat)
        over[i] = ended


def show(states, desks, slots, seen, masks, lists):
    """Write down what is seen of this thread's game and what is legal; see `drivers.show`."""
    works = cuda.local.array(1, WORK, alignment=16)
    i = cuda.grid(1)
    if i < len(desks):
        desk = desks[i]
        number = len(desks)
        room = len(lists) // number
        row = seen[i::number]
        observe(states[i], desk.seat, row)
        for j in range(desk.done):
            observe_step(desk.taken[j], row)
        if desk.listed > room:
            for action in range(len(masks) // number):
                masks[action * number + i] = 0
        else:
            for j in range(desk.listed):
                masks[lists[j * number + i] * number + i] = 0
        found = 0
        if desk.over:
            masks[i] = 1
            lists[i] = 0
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
                    if action != EMPTY and masks[action * number + i] == 0:
                        masks[action * number + i] = 1
                        if found < room:
                            lists[found * number + i] = action
                        found += 1
        desk.listed = found
