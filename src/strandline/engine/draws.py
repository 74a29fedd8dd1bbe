"""Random numbers by counting: draw k of a stream is a pure function of (key, k), the same bits at every speed.

A key is two numbers of 63 bits, and no number here is larger, so that Python's unbounded ints and the 64-bit ints of
compiled code agree. A block of random bits serves two draws.
"""

from strandline.engine.vocabulary import NumPyType

M63 = 0x7FFFFFFFFFFFFFFF
M31 = 0x7FFFFFFF
WEYL = 0x1E3779B97F4A7C15
SPREAD = 0x369DEA0F31A53F85
STIR = 0x5851F42D4C957F2D


def times(a, b):
    """The low 63 bits of a product."""
    return a * b & M63


int64, uint64 = NumPyType("int64"), NumPyType("uint64")


def times_compiled(a, b):
    """`times` where ints have 64 bits: compilers may assume that signed products never overflow; unsigned wrap."""
    return int64((uint64(a) * uint64(b)) & uint64(M63))


times.compiled = times_compiled


def mix(x):
    """A bijection on 63 bits in which every bit of `x` touches every bit of the result."""
    x = times(x ^ (x >> 32), SPREAD)
    x = times(x ^ (x >> 29), STIR)
    return x ^ (x >> 32)


def stirred(number, more):
    """A number of 63 bits with another one mixed in: for telling long sequences of numbers apart."""
    number = times(number ^ more, STIR)
    return number ^ number >> 29


def stream(seed, number):
    """The key of stream `number` (a game, a simulation …) under `seed`; both from 0 to 2**63 - 1."""
    a = mix(mix(seed ^ STIR) ^ times(number, WEYL))
    return a, mix(a ^ mix(number ^ SPREAD))


def block(key, j):
    """Block `j` of the stream: 63 bits."""
    x = times(j, WEYL) ^ key[0]
    x = times(x ^ (x >> 32), SPREAD) ^ key[1]
    x = times(x ^ (x >> 29), STIR)
    return x ^ (x >> 32)


def word(bits, k):
    """The 31 bits that draw `k` takes from its block: the upper half on even draws, the lower on odd ones."""
    if k & 1:
        return bits & M31
    return bits >> 32


def below(w, n):
    """A number from 0 to n - 1 from a word of 31 bits."""
    return (w * n) >> 31


def draw(key, k, n):
    """Draw `k` of the stream: a number from 0 to n - 1."""
    return below(word(block(key, k >> 1), k), n)
