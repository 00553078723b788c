"""Work on vectors by address, against NumPy."""

import numpy as np
import pytest
from numba import njit

from modadd.training import vectors
from modadd.training.turning import turn

pytestmark = pytest.mark.usefixtures("arithmetic")


@njit(error_model="numpy")
def each(x, y, out, blocks):
    """plus, times, gains, relu, fill; the largest of x + y and the sum of exp(x + y − largest), written over x."""
    at, other, to, below = x.ctypes.data, y.ctypes.data, out.ctypes.data, out.strides[0]
    factor = np.float32(0.3)
    vectors.vector_plus(to, at, other, factor, blocks)
    vectors.vector_times(to + below, at, at, factor, blocks)
    vectors.vector_gains(to + 2 * below, at, other, factor, blocks)
    vectors.vector_relu(to + 3 * below, at, other, factor, blocks)
    vectors.vector_fill(to + 4 * below, factor, blocks)
    top = vectors.vector_top(at, other, blocks)
    return top, vectors.vector_exp(at, top, blocks)


@njit(error_model="numpy")
def masked(back, active, first, second, blocks):
    vectors.vectors_gain_masked(back.ctypes.data, active.ctypes.data, first.ctypes.data, second.ctypes.data, blocks)


@pytest.mark.parametrize("blocks", [1, 2, 3, 7])
def test_vectors_are_what_their_names_say(blocks):
    x, y = np.random.default_rng(blocks).normal(size=(2, 32 * blocks)).astype(np.float32)
    before, out = x.copy(), np.zeros((5, 32 * blocks), np.float32)
    top, total = each(x, y, out, blocks)
    factor = np.float32(0.3)
    expected = [before + y, before * factor, before + y * factor, np.maximum(before + y, 0), np.full_like(y, factor)]
    np.testing.assert_array_equal(out, expected)
    assert top == (before + y).max()
    np.testing.assert_allclose(x, np.exp(before + y - top), rtol=2e-7)
    assert total == pytest.approx(x.astype(float).sum(), rel=1e-6)


def test_a_sum_folds_the_vector_onto_its_first_block_and_this_in_halves():
    x = np.random.default_rng(0).normal(size=96).astype(np.float32)
    _, total = each(x, np.zeros_like(x), np.zeros((5, 96), np.float32), 3)
    folded = x[:32] + x[32:64] + x[64:]  # of the weights that were written there
    while len(folded) > 1:
        folded = folded[: len(folded) // 2] + folded[len(folded) // 2 :]
    assert total == folded[0]


def test_a_neuron_that_is_not_a_number_stays_so():
    x = np.full(32, np.nan, np.float32)
    out = np.zeros((5, 32), np.float32)
    each(x, np.zeros(32, np.float32), out, 1)
    assert np.isnan(out[3]).all()


def test_slopes_reach_only_what_active_neurons_read():
    rng = np.random.default_rng(0)
    back, active, first, second = rng.normal(size=(4, 64)).astype(np.float32)
    gained = np.where(active > 0, back, 0)
    expected = first + gained, second + gained
    masked(back, active, first, second, 2)
    np.testing.assert_array_equal((first, second), expected)


@pytest.mark.parametrize(("p", "q"), [(16, 16), (48, 112), (5, 3), (17, 100)])
def test_a_table_is_turned(p, q):
    high, wide = p + -p % 16, q + -q % 16
    x = np.zeros((high, wide + 16), np.float32)
    x[:p, :q] = np.random.default_rng(0).normal(size=(p, q))
    out = np.full((wide, high + 32), np.nan, np.float32)
    turn(x.ctypes.data, x.strides[0], out.ctypes.data, out.strides[0], p, q)
    np.testing.assert_array_equal(out[:q, :p], x[:p, :q].T)
