"""The search, a driver for every game: UCT over positions, with chance nodes and any number of seats.

A node is a position, found again by the hash of its bytes, however it was come to: what two orders of the same steps
lead to is searched once, and the nodes of the last move serve the next. A node holds a value for each seat, and who
decides there looks at its own. A decision has an edge for each legal move. Chance has none: an outcome is drawn and
carried out, and the position that it leads to is looked up, so that 216 outcomes cost no more than six.
"""

import math

from strandline.engine.contract import apply, count, nth, to_move
from strandline.engine.draws import M31, SPREAD, STIR, below, block, draw, stirred, stream, word
from strandline.engine.hints import evaluate, pick, stop_playout, worth
from strandline.engine.vocabulary import CHANCE, OVER

DEPTH = 200
"""The longest way into the tree; a playout begins there at the latest."""
EXPLORATION = 1.0
"""How much uncertainty is worth, in standard deviations of what playouts from a position come to."""
ASKED = 4
"""How often the hints are asked which move they would make; moves that they like are tried first."""
FEW_OUTCOMES = 12
"""So many tickets of a bag are drawn from the beginning; the more visits, the more are."""
GOLDEN = 0x4F1BBCDC
"""Multiples of the golden section spread evenly, however many there are: 31 bits of it."""
M32 = 0xFFFFFFFF
LN2 = 0.6931471805599453


def search(root, states, words, works, tree, nodes, edges, slots, path, seed, number, simulations):
    """Run `simulations` playouts from `root[0]`, the streams counted from `number`, and add what they show to the tree.

    `states` and `works` hold one scratch record each, and `words` is the memory of the state as 32-bit numbers.
    """
    states[0] = root[0]
    s = states[0]
    w = works[0]
    tree[0].root = node_of(s, words, tree, nodes, slots)
    for i in range(simulations):
        states[0] = root[0]
        key = stream(seed, number + i)
        length = descend(s, w, words, tree, nodes, edges, slots, path, seed, key)
        if to_move(s) != OVER:
            playout(s, w, key, DEPTH + ASKED)
        back_up(s, w, nodes, path, length)


def descend(s, w, words, tree, nodes, edges, slots, path, seed, key):
    """Play on from the root to a position not yet visited, or to the end. Returns how many nodes are on the path.

    Where the hints say before a chance event that this is enough, the path ends, and a playout goes on from there as
    long as they wish: positions beyond would be visited too seldom to be told apart.
    """
    node = tree[0].root
    path[0] = node
    length = 1
    chances = 0
    while nodes[node].visits > 0 and length < DEPTH:
        who = nodes[node].who
        if who == OVER:
            break
        if who == CHANCE:
            if length > 1 and stop_playout(s, w, 0):
                break
            chances += 1
            n = count(s, w)
            apply(s, w, nth(s, w, ticket(seed, chances, key, length, nodes[node].visits, n)))
            node = node_of(s, words, tree, nodes, slots)
        else:
            if nodes[node].size == 0 and not expand(s, w, tree, nodes, edges, node, key):
                break
            edge = best_edge(nodes, edges, node, who, draw(key, length, M31))
            apply(s, w, edges[edge].code)
            if edges[edge].child == 0:
                edges[edge].child = node_of(s, words, tree, nodes, slots)
            node = edges[edge].child
        if node == 0:
            break
        path[length] = node
        length += 1
    return length


def ticket(seed, chances, key, k, visits, n):
    """The ticket that chance draws: one of a few at first, and of more the more often the position is visited.

    They are spread evenly over the bag. Positions that are as many chance events away from the root have the same ones,
    so that moves are compared under the same luck.
    """
    spread = FEW_OUTCOMES + int(math.sqrt(visits) * 2)
    shift = draw((seed ^ STIR, seed), chances, M31)
    j = draw(key, k, spread)
    return below((shift + j * GOLDEN) & M31, n)


def best_edge(nodes, edges, node, seat, bits):
    """The move with the highest upper bound of its value; one that nobody has tried counts as average, tried once."""
    visits = nodes[node].visits
    mean = nodes[node].value[seat] / visits
    variance = nodes[node].square[seat] / visits - mean * mean
    scale = EXPLORATION * math.sqrt(logarithm(visits + 1) * (max(variance, 0.0) + 0.1 / visits))
    size = nodes[node].size
    start = below(bits, size)
    best = -1
    highest = 0.0
    for i in range(size):
        edge = nodes[node].first + (start + i) % size
        child = edges[edge].child
        n = nodes[child].visits
        bound = mean + scale
        if child > 0 and n > 0:
            bound = nodes[child].value[seat] / n + scale / math.sqrt(n)
        bound += scale * edges[edge].liked / (n + 1)
        if best < 0 or bound > highest:
            best = edge
            highest = bound
    return best


def logarithm(n):
    """The natural logarithm of a whole number from 1 on, the same bits everywhere: libraries differ in the last one."""
    power = 0
    rest = n
    while rest >= 256:
        rest >>= 8
        power += 8
    while rest >= 2:
        rest >>= 1
        power += 1
    mantissa = n / (1 << power)
    if mantissa > 1.5:
        mantissa *= 0.5
        power += 1
    z = (mantissa - 1.0) / (mantissa + 1.0)
    zz = z * z
    total = 0.0
    for k in range(23, 0, -2):
        total = total * zz + 1.0 / k
    return power * LN2 + 2.0 * z * total


def expand(s, w, tree, nodes, edges, node, key):
    """Write the legal moves down as edges, those liked that playouts would make. Returns whether there was room."""
    n = count(s, w)
    first = tree[0].edges
    if first + n > len(edges):
        return False
    for i in range(n):
        edges[first + i].code = nth(s, w, i)
        edges[first + i].child = 0
        edges[first + i].liked = 0
    for i in range(ASKED):
        edges[first + pick(s, w, n, draw(key, DEPTH + i, M31))].liked += 1
    nodes[node].first = first
    nodes[node].size = n
    tree[0].edges = first + n
    return True


def node_of(s, words, tree, nodes, slots):
    """The node of the position, a new one if need be; 0 if there is no room for it."""
    number = fingerprint(words)
    at = number % len(slots)
    while slots[at] > 0:
        if nodes[slots[at]].number == number:
            return slots[at]
        at = (at + 1) % len(slots)
    node = tree[0].nodes + 1
    if node >= len(nodes):
        return 0
    tree[0].nodes = node
    slots[at] = node
    nodes[node].number = number
    nodes[node].who = to_move(s)
    return node


def fingerprint(words):
    """63 bits that stand for the bytes of a position."""
    number = SPREAD
    for i in range(len(words)):
        number = stirred(number, words[i] & M32)
    return number


def playout(s, w, key, first):
    """Play on as the hints say, to the end or until that is enough, with the draws from `first` on, which is even."""
    k = first
    bits = 0
    n = count(s, w)
    while n > 0 and not stop_playout(s, w, k - first + 1):
        if k & 1 == 0:
            bits = block(key, k >> 1)
        i = below(word(bits, k), n) if to_move(s) == CHANCE else pick(s, w, n, word(bits, k))
        apply(s, w, nth(s, w, i))
        k += 1
        n = count(s, w)


def back_up(s, w, nodes, path, length):
    """Add what the position came to, for each seat, to every node on the path."""
    over = to_move(s) == OVER
    for i in range(length):
        nodes[path[i]].visits += 1
    for seat in range(s.players):
        value = (worth(s, seat) if over else evaluate(s, w, seat)) / 1000
        for i in range(length):
            nodes[path[i]].value[seat] += value
            nodes[path[i]].square[seat] += value * value
