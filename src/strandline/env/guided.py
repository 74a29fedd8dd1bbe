"""Seats that play as the game's hints say, inside a step: compiled like the drivers, for games whose hints pick moves.

A game without hints of its own would be played at random.
"""

from strandline.engine.contract import apply, count, nth, to_move
from strandline.engine.draws import below, block, word
from strandline.engine.hints import forget, guided
from strandline.engine.spaces import reward
from strandline.engine.vocabulary import CHANCE
from strandline.env.drivers import arrive


def catch_up(states, works, desks, rewards, low, high):
    """Play on in each game from `low` to `high` until its learner decides, or to the end."""
    for i in range(low, high):
        desk = desks[i]
        if not desk.over and desk.seat != desk.own:
            play_on(states[i], works[0], desk)
            if desk.over:
                for seat in range(rewards.shape[1]):
                    rewards[i, seat] = reward(states[i], seat)


def play_on(s, w, desk):
    """Play on in one game; what hints remember of another game does not count."""
    key = desk.key[0], desk.key[1]
    who = to_move(s)
    while who == CHANCE or (who >= 0 and who != desk.own):
        bits = word(block(key, desk.draws >> 1), desk.draws)
        if who >= 0:
            forget(w)
            n = count(s, w)
            chosen = guided(s, w, n, bits)
        else:
            n = count(s, w)
            chosen = below(bits, n)
        apply(s, w, nth(s, w, chosen))
        desk.draws += 1
        who = to_move(s)
    arrive(desk, who)
