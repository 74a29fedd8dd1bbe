"""What goes by the game's hints: guided players, who play as they say, and what networks are shown.

Compiled like the drivers. Guided players have seats inside a step, or say what they would do in the place of others. A
game whose hints pick no moves would be played at random.
"""

from strandline.engine.contract import apply, count, nth, to_move
from strandline.engine.draws import below, block, word
from strandline.engine.hints import forget, guided
from strandline.engine.spaces import insight, reward, step_of
from strandline.engine.vocabulary import CHANCE
from strandline.env.drivers import EMPTY, NOTHING, arrive, is_begun, slot_of

NO_LUCK = 1
"""Random bits of advice: of equals, the first."""


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


def advise(states, works, desks, slots, advice, low, high):
    """Write down what a guided player would do in each game from `low` to `high`: an action, or NOTHING if none fits.

    None fits where the game is over, or where the move that is begun is another.
    """
    for i in range(low, high):
        desk = desks[i]
        s, w = states[i], works[0]
        advice[i] = NOTHING
        if not desk.over:
            forget(w)
            n = count(s, w)
            code = nth(s, w, guided(s, w, n, NO_LUCK))
            if is_begun(code, desk):
                code = step_of(code, desk.done)
                at = slot_of(code, len(slots))
                while slots[at].code != code and slots[at].code != EMPTY:
                    at = (at + 1) & (len(slots) - 1)
                advice[i] = slots[at].action


def show_insight(states, works, desks, shown, low, high):
    """Write down what a network is shown of each game from `low` to `high` in the place of the seat that sees it."""
    for i in range(low, high):
        for j in range(shown.shape[1]):
            shown[i, j] = 0
        insight(states[i], works[0], desks[i].seat, shown[i])
