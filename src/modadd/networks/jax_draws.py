"""Draws of jax's generator in NumPy: what a program in jax and flax begins with, without either of them.

Keys and bits are jax's. Floats are those of jax 0.10.2 on a CPU, to the last bit: its polynomials are written out here, and
every operation is one that IEEE 754 rounds, so no library decides a bit.
"""

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from jaxtyping import Float32, Int, UInt32

Singles = Float32[np.ndarray, "..."]
Words = UInt32[np.ndarray, "..."]

_WORD = 2**32
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = 0x1BD11BDA


def threefry2x32(key: tuple[int, int], first: Words, second: Words) -> tuple[Words, Words]:
    """The hashes of pairs of words by Threefry-2x32 with 20 rounds (Salmon et al. 2011, Random123)."""
    keys = (*key, key[0] ^ key[1] ^ _PARITY)
    first, second = first + np.uint32(keys[0]), second + np.uint32(keys[1])
    for group in range(5):
        for bits in _ROTATIONS[group % 2]:
            first = first + second
            second = (second << bits | second >> (32 - bits)) ^ first
        first = first + np.uint32(keys[(group + 1) % 3])
        second = second + np.uint32((keys[(group + 2) % 3] + group + 1) % _WORD)
    return first, second


@dataclass(frozen=True)
class Key:
    """A key of jax's generator, two words; that of a seed s, in [0, 2³²), is Key(0, s).

    partitionable: whether every word is drawn from its place alone, which is jax's default since 0.5; before, words were drawn
    in pairs, and the same key gave other ones.
    """

    high: int
    low: int
    partitionable: bool = True

    def _hashed(self, first: Words, second: Words) -> tuple[Words, Words]:
        return threefry2x32((self.high, self.low), first, second)

    def _words(self, count: int) -> Words:
        """Words drawn in pairs: the hashes of 0, 1, …, the first half of them paired with the second."""
        counts = np.arange(count + count % 2, dtype=np.uint32)
        counts[count:] = 0
        return np.concatenate(self._hashed(*np.split(counts, 2)))[:count]

    def _pairs(self, count: int) -> tuple[Words, Words]:
        """The hash of every place."""
        places = np.arange(count, dtype=np.uint64)
        return self._hashed((places >> 32).astype(np.uint32), places.astype(np.uint32))

    def folded(self, number: int) -> "Key":
        """The key that a number in [0, 2³²) folds into this one."""
        high, low = self._hashed(np.zeros(1, np.uint32), np.array([number], np.uint32))
        return replace(self, high=int(high[0]), low=int(low[0]))

    def split(self, count: int = 2) -> list["Key"]:
        """So many keys."""
        if self.partitionable:
            words = np.stack(self._pairs(count), axis=1)
        else:
            words = self._words(2 * count).reshape(count, 2)
        return [replace(self, high=high, low=low) for high, low in words.tolist()]

    def bits(self, *shape: int) -> Words:
        """Random words."""
        count = math.prod(shape)
        if self.partitionable:
            high, low = self._pairs(count)
            return (high ^ low).reshape(shape)
        return self._words(count).reshape(shape)

    def of_parameter(self, *path: str, draw: int = 1) -> "Key":
        """The key with which a module of flax draws one of its parameters: its `draw`-th, in the order in which it makes them.

        path: the names of the modules down to it. Their letters and the number of the draw are hashed by SHA-1, and the first
        four bytes of that are folded in.
        """
        name = "".join(path).encode() + draw.to_bytes((draw.bit_length() + 7) // 8, "big")
        return self.folded(int.from_bytes(hashlib.sha1(name, usedforsecurity=False).digest()[:4], "big"))


def uniform(key: Key, *shape: int, low: float = 0.0, high: float = 1.0) -> Singles:
    """Numbers between low and high, with 23 random bits each."""
    fractions = (key.bits(*shape) >> 9 | np.float32(1).view(np.uint32)).view(np.float32) - np.float32(1)
    least, most = np.float32(low), np.float32(high)
    return np.maximum(least, _fused(fractions, most - least, least))


def normal(key: Key, *shape: int) -> Singles:
    """N(0, 1)."""
    above = float(np.nextafter(np.float32(-1), np.float32(0)))
    return np.float32(math.sqrt(2)) * erf_inv(uniform(key, *shape, low=above))


def truncated_normal(key: Key, *shape: int, bound: float = 2.0) -> Singles:
    """N(0, 1) within ± bound."""
    root, inside = np.float32(math.sqrt(2)), np.nextafter(np.float32(bound), np.float32(0))
    most = math.erf(np.float32(bound) / root)
    return np.clip(root * erf_inv(uniform(key, *shape, low=-most, high=most)), -inside, inside)


def he_normal(key: Key, rows: int, columns: int) -> Float32[np.ndarray, "rows columns"]:
    """A truncated normal distribution of variance 2/rows, as jax.nn.initializers.he_normal draws a kernel."""
    of_truncated = np.float32(0.87962566103423978)  # the standard deviation of N(0, 1) within ± 2
    return truncated_normal(key, rows, columns) * (np.sqrt(np.float32(2 / rows)) / of_truncated)


def permutation(key: Key, count: int) -> Int[np.ndarray, "count"]:
    """0 … count − 1 in random order: sorted by random words, as often as words may collide."""
    order = np.arange(count)
    for _ in range(math.ceil(3 * math.log(max(1, count)) / math.log(_WORD - 1))):
        key, now = key.split()
        order = order[np.argsort(now.bits(count), kind="stable")]
    return order


def _fused(x: Singles, y: Singles | np.float32, z: Singles | np.float32) -> Singles:
    """x · y + z as a fused operation rounds it, but for rare ties: in float64 a product of two float32 is exact."""
    return (x.astype(np.float64) * y + z).astype(np.float32)


def _polynomial(x: Singles, coefficients: Iterable[Singles | np.float32]) -> Singles:
    """By Horner's scheme, the highest power first."""
    first, *others = coefficients
    return reduce(lambda value, c: _fused(value, x, c), others, np.broadcast_to(first, x.shape))


def _singles(*numbers: float) -> list[np.float32]:
    return [np.float32(number) for number in numbers]


# Giles 2012, "Approximating the erfinv function", in single precision: where −ln(1 − x²) is below 5, and elsewhere.
_CENTRE = _singles(
    *(2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503),
    *(-0.00417768164, 0.246640727, 1.50140941),
)
_TAIL = _singles(
    *(-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613),
    *(0.00943887047, 1.00167406, 2.83297682),
)


def erf_inv(x: Singles) -> Singles:
    """The inverse of the error function, within (−1, 1)."""
    w = -_log1p(-(x * x))
    central = w < 5
    shifted = np.where(central, w - np.float32(2.5), np.sqrt(w) - np.float32(3))
    return _polynomial(shifted, (np.where(central, *both) for both in zip(_CENTRE, _TAIL, strict=True))) * x


# Cephes, Moshier 1989: of log1p in double precision, and of log in single precision.
_OVER = _singles(
    *(4.5270000862445199635e-5, 4.9854102823193375972e-1, 6.5787325942061044847, 29.911919328553073277),
    *(60.949667980987787058, 57.112963590585538103, 20.039553499201281260),
)
_UNDER = _singles(
    *(1.0, 15.062909083469192043, 83.047565967967209469, 221.76239823732856465, 309.09872225312059775),
    *(216.42788614495947685, 60.118660497604843919),
)
_LOG = _singles(
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1),
    *(2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)


def _log1p(x: Singles) -> Singles:
    """log(1 + x) within (−1, 0]."""
    square = x * x
    ratio = _polynomial(x, _OVER) / _polynomial(x, _UNDER)
    small = x + (x * square * ratio - np.float32(0.5) * square)
    return np.where(np.abs(x) < np.float32(math.sqrt(2) - 1), small, _log(np.float32(1) + x))


def _log(x: Singles) -> Singles:
    """log x of positive numbers."""
    significand, exponent = np.frexp(x)
    low = significand < np.float32(math.sqrt(0.5))
    exponent = (exponent - low).astype(np.float32)
    y = significand - np.float32(1) + np.where(low, significand, np.float32(0))
    square = y * y
    cube = square * y
    series = _polynomial(cube, (_polynomial(y, _LOG[i : i + 3]) for i in (0, 3, 6)))
    rest = _fused(series, cube, exponent * np.float32(-2.12194440e-4))  # ln 2 in two parts
    return _fused(exponent, np.float32(0.693359375), y - np.float32(0.5) * square + rest)
