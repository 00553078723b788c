from fractions import Fraction

import numpy as np
import pytest
import torch
from numba import cfunc, types
from support import relative_error

from modadd.training import tiles
from modadd.training.tiles import DEPTH, LANES, MOST, VECTORS, WIDTH, multiply, tiles_of

pytestmark = pytest.mark.usefixtures("arithmetic")

# p, q, r of the products of training, and around the sizes of tiles; odd sizes too
SHAPES = [
    (1, 1, 1),
    (13, 10, 19),
    (MOST, 5, WIDTH),
    (MOST + 1, DEPTH + 1, WIDTH + 1),
    (91, 128, 91),
    (130, 33, 59),
    (59, 1100, 512),
    (5 * MOST - 1, 59, 3 * WIDTH - 1),
]


def padded(x, columns):
    """The same numbers with zeros behind every row, up to a multiple of so many columns."""
    return np.pad(x, [(0, 0), (0, -x.shape[1] % columns)])


def product(x, y, out=None, by=multiply):
    """x @ y, or what goes on from `out`; x may have any steps."""
    (p, q), r = x.shape, y.shape[1]
    wide = padded(np.ascontiguousarray(y), 2 * WIDTH)
    found = np.zeros((p, wide.shape[1]), np.float32) if out is None else padded(out, 2 * WIDTH)
    steps = x.ctypes.data, *x.strides, wide.ctypes.data, wide.strides[0], found.ctypes.data, found.strides[0]
    by.ctypes(*steps, p, q, r, out is not None)
    return found[:, :r]


def factors(p, q, r):
    rng = np.random.default_rng(0)
    return rng.normal(size=(p, q)).astype(np.float32), rng.normal(size=(q, r)).astype(np.float32)


@pytest.mark.parametrize(("p", "q", "r"), SHAPES)
def test_it_is_the_product(p, q, r):
    x, y = factors(p, q, r)
    error = relative_error(torch.from_numpy(product(x, y)), torch.from_numpy(x.astype(float) @ y.astype(float)))
    assert error <= 1e-6


def rounded(value):
    """The float32 nearest to a fraction; of two, the even one."""
    down = np.float32(float(value))
    near = [down, np.nextafter(down, np.float32(np.inf)), np.nextafter(down, np.float32(-np.inf))]
    return min(near, key=lambda x: (abs(Fraction(float(x)) - value), int(np.float32(x).view(np.uint32)) & 1))


def test_every_element_is_one_chain_of_fused_multiply_adds_in_order():
    x, y = factors(7, 23, 18)
    found = product(x, y)
    for i, j in np.ndindex(*found.shape):
        chain = np.float32(0)
        for k in range(x.shape[1]):
            chain = rounded(Fraction(float(x[i, k])) * Fraction(float(y[k, j])) + Fraction(float(chain)))
        assert found[i, j] == chain


@pytest.mark.parametrize(("p", "q", "r"), SHAPES)
def test_neither_steps_nor_gaps_change_a_bit(p, q, r):
    x, y = factors(p, q, r)
    expected = product(x, y)
    gaps = np.full((q, p + 5), np.nan, np.float32)
    gaps[:, :p] = x.T
    np.testing.assert_array_equal(product(gaps[:, :p].T, y), expected)
    np.testing.assert_array_equal(product(x, y[:, : r // 2 + 1]), expected[:, : r // 2 + 1])
    np.testing.assert_array_equal(product(x[p // 2 :], y), expected[p // 2 :])


@pytest.mark.parametrize(("rows", "vectors", "lanes"), [(1, 1, 4), (4, 3, LANES), (13, 2, 16), (6, 2, 8), (3, 1, 32)])
def test_other_tiles_give_the_same_bits(rows, vectors, lanes, monkeypatch):
    """Those of 16 lanes are of processors with AVX-512; elsewhere LLVM cuts their vectors in two."""
    changed = {"tile": tiles_of(rows, vectors, lanes), "MOST": rows, "WIDTH": vectors * lanes, "DEPTH": 100}
    for name, value in changed.items():
        monkeypatch.setattr(tiles, name, value)
    other = cfunc(types.void(*[types.intp] * 10, types.boolean), error_model="numpy")(multiply._pyfunc)
    for p, q, r in ((13, 10, 19), (91, 128, 91), (59, 1100, 64)):
        x, y = factors(p, q, r + -r % (vectors * lanes))
        np.testing.assert_array_equal(product(x, y, by=other), product(x, y))
    assert (VECTORS, MOST) in ((2, 13), (2, 6))


@pytest.mark.parametrize(("p", "q", "r"), SHAPES)
def test_chains_that_go_on_are_those_of_both_parts_at_once(p, q, r):
    x, y = factors(p, q, r)
    half = q // 2
    begun = product(x[:, :half], y[:half])
    np.testing.assert_array_equal(product(x[:, half:], y[half:], begun), product(x, y))


def test_no_term_is_a_sum_of_nothing():
    assert not product(np.ones((3, 0), np.float32), np.ones((0, 2), np.float32)).any()
