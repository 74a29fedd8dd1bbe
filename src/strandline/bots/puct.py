"""The search of the champion, a driver for every game that has networks: PUCT, with a network in the place of playouts.

A network sees what the seat that decides sees. It says how likely each move is to be the best, which is where the
search looks first, and what share of the win each seat expects, which is what a position counts for. Nodes, edges and
chance are those of `bots.search`.

All of it is whole numbers, so that every speed gives the same bits. A network has two layers of `WIDTH` units, each the
larger of 0 and a weighted sum. Its weights lie in rows, a row for each feature, for each unit of the first layer, for
each action and for each seat, the observing one first.
"""

import math

from strandline.bots.search import DEPTH, node_of, ticket
from strandline.engine.contract import apply, count, nth, to_move
from strandline.engine.draws import draw, stream
from strandline.engine.spaces import insight, reward, step_of, steps
from strandline.engine.vocabulary import CHANCE, OVER, NumPyType, table

WIDTH = 256
"""The units of a layer."""
FIRST, SECOND, LAST = 14, 11, 12
"""Binary places of the weights of the first layer, the second, and of actions and seats."""
PLACES = 8
"""Binary places of a unit."""
MOST = 8191
"""A unit is never more."""
CURIOSITY = 1.0
"""How much a move is worth that the network likes and nobody has tried, in shares of the win."""
CAUTION = 0.05
"""A move that nobody has tried is taken for this much worse than the position."""
SURE = 1 << 20
"""How likely a move is if it is sure."""
FINE = 32
LEAST = 320
LIKELY = table(round(SURE * math.exp(-i / FINE)) for i in range(LEAST + 1))
"""The powers of e, by 32nds: how likely a move is beside the one that the network likes best."""


def guided_search(
    root, states, words, works, tree, nodes, edges, slots, path, seen, minds, rows, biases, codes, seed, number,
    simulations,
):  # fmt: skip
    """Run this many simulations from `root[0]`, the streams counted from `number`, and add what they show to the tree.

    `states` and `works` hold one scratch record each, and `words` is the memory of the state as 32-bit numbers. `seen`
    has room for what a seat sees, and `minds` for one mind.
    """
    states[0] = root[0]
    s = states[0]
    w = works[0]
    mind = minds[0]
    tree[0].root = node_of(s, words, tree, nodes, slots)
    for i in range(simulations):
        states[0] = root[0]
        key = stream(seed, number + i)
        length = descend(s, w, words, tree, nodes, edges, slots, path, seed, key)
        who = to_move(s)
        k = length
        while who == CHANCE:  # there was no room for the position that comes of it
            apply(s, w, nth(s, w, draw(key, k, count(s, w))))
            who = to_move(s)
            k += 1
        if who != OVER:
            think(s, w, who, seen, mind, rows, biases)
            node = path[length - 1]
            if k == length and nodes[node].size == 0 and nodes[node].who == who:
                expand(s, w, tree, nodes, edges, node, mind, rows, biases, codes, len(seen))
        back_up(s, who, nodes, path, length, mind, rows, biases, len(seen) + WIDTH + len(codes))


def descend(s, w, words, tree, nodes, edges, slots, path, seed, key):
    """Play on from the root to a decision without edges, or to the end. Returns how many nodes are on the path."""
    node = tree[0].root
    path[0] = node
    length = 1
    chances = 0
    while length < DEPTH:
        who = nodes[node].who
        if who == OVER:
            break
        if who == CHANCE:
            chances += 1
            n = count(s, w)
            apply(s, w, nth(s, w, ticket(seed, chances, key, length, nodes[node].visits, n)))
            node = node_of(s, words, tree, nodes, slots)
        else:
            if nodes[node].size == 0:
                break
            edge = best_edge(nodes, edges, node, who)
            apply(s, w, edges[edge].code)
            if edges[edge].child == 0:
                edges[edge].child = node_of(s, words, tree, nodes, slots)
            node = edges[edge].child
        if node == 0:
            break
        path[length] = node
        length += 1
    return length


def best_edge(nodes, edges, node, seat):
    """The move with the best sum of its value and of how much the network likes it for the few visits that it had."""
    visits = nodes[node].visits
    untried = nodes[node].value[seat] / max(visits, 1) - CAUTION
    scale = CURIOSITY * math.sqrt(visits) / SURE
    best = -1
    highest = 0.0
    for i in range(nodes[node].size):
        edge = nodes[node].first + i
        child = edges[edge].child
        n = nodes[child].visits
        bound = untried
        if child > 0 and n > 0:
            bound = nodes[child].value[seat] / n
        bound += scale * edges[edge].liked / (n + 1)
        if best < 0 or bound > highest:
            best = edge
            highest = bound
    return best


def think(s, w, seat, seen, mind, rows, biases):
    """Let the mind's units be what comes of all that it is shown in the seat's place."""
    for i in range(len(seen)):
        seen[i] = 0
    insight(s, w, seat, seen)
    for j in range(WIDTH):
        mind.sums[j] = biases[j]
    for i in range(len(seen)):
        if seen[i] != 0:
            add(mind, rows[i], seen[i])
    for j in range(WIDTH):
        mind.units[j] = min(max(mind.sums[j] >> FIRST - PLACES, 0), MOST)
    for j in range(WIDTH):
        mind.sums[j] = biases[WIDTH + j]
    for i in range(WIDTH):
        if mind.units[i] != 0:
            add(mind, rows[len(seen) + i], mind.units[i])
    for j in range(WIDTH):
        mind.units[j] = min(max(mind.sums[j] >> SECOND, 0), MOST)


def add(mind, row, number):
    """Add the row this many times."""
    for j in range(WIDTH):
        mind.sums[j] += number * row.weights[j]


def said(mind, row, bias):
    """What the mind says to an action or a seat."""
    total = 0
    for j in range(WIDTH):
        total += mind.units[j] * row.weights[j]
    return total + bias


int32 = NumPyType("int32")


def add_compiled(mind, row, number):
    """`add` where ints have 64 bits: half of them are enough (`env.quantize` sees to that), and take half the time."""
    times = int32(number)
    for j in range(WIDTH):
        mind.sums[j] = int32(mind.sums[j] + int32(times * row.weights[j]))


def said_compiled(mind, row, bias):
    """`said`, likewise."""
    total = int32(0)
    for j in range(WIDTH):
        total = int32(total + int32(mind.units[j] * row.weights[j]))
    return total + bias


add.compiled = add_compiled
said.compiled = said_compiled


def expand(s, w, tree, nodes, edges, node, mind, rows, biases, codes, features):
    """Write the legal moves down as edges, liked as the mind likes them, if there is room."""
    n = count(s, w)
    first = tree[0].edges
    if first + n > len(edges):
        return
    top = -(1 << 62)
    for i in range(n):
        code = nth(s, w, i)
        liked = 0
        for step in range(steps(code)):
            action = action_of(step_of(code, step), codes)
            row = features + WIDTH + action
            liked += said(mind, rows[row], biases[2 * WIDTH + action])
        edges[first + i].code = code
        edges[first + i].child = 0
        edges[first + i].liked = liked >> LAST + PLACES - 12  # 12 binary places are enough, and fit
        top = max(top, edges[first + i].liked)
    total = 0
    for i in range(n):
        less = (top - edges[first + i].liked) * FINE >> 12
        edges[first + i].liked = LIKELY[min(less, LEAST)]
        total += edges[first + i].liked
    for i in range(n):
        edges[first + i].liked = edges[first + i].liked * SURE // total
    nodes[node].first = first
    nodes[node].size = n
    tree[0].edges = first + n


def action_of(code, codes):
    """The place of the code among all codes, which are in order."""
    low = 0
    high = len(codes) - 1
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


def back_up(s, who, nodes, path, length, mind, rows, biases, first):
    """Add the share of the win that each seat has got, or can expect as the mind says, to every node on the path."""
    for i in range(length):
        nodes[path[i]].visits += 1
    others = max(s.players - 1, 1)  # a seat alone plays against the game
    for seat in range(s.players):
        got = 0.0
        if who == OVER:
            got = reward(s, seat)
        else:
            row = first + (seat - who + s.players) % s.players
            bias = biases[len(biases) - s.players + row - first]
            got = said(mind, rows[row], bias) / (1 << LAST + PLACES)
            got = min(max(got, -1.0), 1.0)
        value = (got * others + 1.0) / (others + 1)
        for i in range(length):
            nodes[path[i]].value[seat] += value
            nodes[path[i]].square[seat] += value * value
