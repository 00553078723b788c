from fractions import Fraction
from types import FunctionType

import numpy as np
import pytest
import torch
from numba import njit
from support import relative_error

from modadd.training.products import stacked, store
from modadd.training.tiles import DEPTH, HEIGHT, LANES, ROWS, VECTORS, WIDTH, product_at, row_copy_of, tile_of

pytestmark = pytest.mark.usefixtures("arithmetic")

# p, q, r of the products of training, and around the sizes of tiles; odd sizes too
SHAPES = [
    (1, 1, 1),
    (13, 10, 19),
    (ROWS, 5, WIDTH),
    (ROWS + 1, DEPTH + 1, WIDTH + 1),
    (91, 128, 91),
    (130, 33, 59),
    (59, 1100, 512),
    (2 * HEIGHT + 1, 59, 3 * WIDTH - 1),
]


def factors(k, p, q, r, transposed, dtype=torch.float32):
    generator = torch.Generator().manual_seed(0)
    x, y = (torch.randn(shape, dtype=dtype, generator=generator) for shape in ((k, p, q), (k, q, r)))
    return (x.mT.contiguous().mT, y.mT.contiguous().mT) if transposed else (x, y)


@pytest.mark.parametrize("transposed", [False, True], ids=["plain", "transposed"])
@pytest.mark.parametrize(("p", "q", "r"), SHAPES)
def test_stacked_product_is_the_product(p, q, r, transposed):
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.float64, 1e-14)):
        x, y = factors(3, p, q, r, transposed, dtype)
        found = stacked(x, y)
        assert found.dtype == dtype and found.shape == (3, p, r)
        assert relative_error(found, x.double() @ y.double()) <= tolerance


def rounded(value):
    """The float32 nearest to a fraction; of two, the even one."""
    down = np.float32(float(value))
    near = [down, np.nextafter(down, np.float32(np.inf)), np.nextafter(down, np.float32(-np.inf))]
    return min(near, key=lambda x: (abs(Fraction(float(x)) - value), int(np.float32(x).view(np.uint32)) & 1))


def test_every_element_is_one_chain_of_fused_multiply_adds_in_order():
    x, y = factors(1, 7, 23, 18, transposed=False)
    found = stacked(x, y)[0].numpy()
    for i, j in np.ndindex(*found.shape):
        chain = np.float32(0)
        for k in range(x.shape[2]):
            term = Fraction(float(x[0, i, k])) * Fraction(float(y[0, k, j]))
            chain = rounded(term + Fraction(float(chain)))
        assert found[i, j] == chain


@pytest.mark.parametrize(("p", "q", "r"), SHAPES)
def test_neither_tiles_nor_strides_nor_gaps_change_a_bit(p, q, r):
    x, y = (factor[0] for factor in factors(1, p, q, r, transposed=False))
    expected = stacked(x, y)
    gaps = torch.full((q, p + 5), torch.nan)
    gaps[:, :p] = x.mT
    for one, other in ((gaps[:, :p].mT, y), (x, y.mT.contiguous().mT), (x.mT.contiguous().mT, y.mT.contiguous().mT)):
        assert torch.equal(stacked(one, other), expected)
    room = torch.full((p, r + 3), torch.nan)
    store(room[:, :r], x, y)
    assert torch.equal(room[:, :r], expected) and room[:, r:].isnan().all()


@pytest.mark.parametrize(
    ("rows", "vectors", "lanes", "depth"), [(1, 1, 4, 7), (4, 3, LANES, 64), (3, 1, 2 * LANES, 512)]
)
def test_other_tiles_give_the_same_bits(rows, vectors, lanes, depth):
    assert (rows, vectors, lanes, depth) != (ROWS, VECTORS, LANES, DEPTH)
    sizes = {"ROWS": rows, "WIDTH": vectors * lanes, "DEPTH": depth, "HEIGHT": 2 * rows}
    parts = {"_tile": tile_of(rows, vectors, lanes), "_copy_row": row_copy_of(vectors, lanes)}
    plain = product_at.py_func
    other = njit(FunctionType(plain.__code__, plain.__globals__ | sizes | parts), error_model="numpy")
    for p, q, r in ((13, 10, 19), (91, 128, 91), (59, 1100, 64)):
        x, y = (factor[0] for factor in factors(1, p, q, r, transposed=False))
        found = torch.empty(p, r)
        steps = (4 * step for table in (x, y, found) for step in table.stride())
        other(x.data_ptr(), y.data_ptr(), found.data_ptr(), p, q, r, *steps, False)
        assert torch.equal(found, stacked(x, y))


@pytest.mark.parametrize(("p", "q", "r"), SHAPES)
def test_chains_that_go_on_are_those_of_both_parts_at_once(p, q, r):
    x, y = (factor[0] for factor in factors(1, p, q, r, transposed=False))
    found, half = torch.empty(p, r), q // 2
    store(found, x[:, :half], y[:half])
    store(found, x[:, half:], y[half:], onto=True)
    assert torch.equal(found, stacked(x, y))


def test_no_term_is_a_sum_of_nothing():
    assert torch.equal(stacked(torch.ones(3, 0), torch.ones(0, 2)), torch.zeros(3, 2))


def fresh(x):
    """A copy in the same order of storage at an address of its own, as a network alone would have it."""
    return x.clone() if x.stride(-1) == 1 else x.mT.clone(memory_format=torch.contiguous_format).mT


@pytest.mark.parametrize("transposed", [(False, False), (False, True), (True, False)], ids=["plain", "y.mT", "x.mT"])
@pytest.mark.parametrize(("p", "q", "r"), [*SHAPES, (10, 5, 10), (13, 19, 10), (19, 13, 10), (16, 16, 16)])
def test_bits_of_a_stacked_product_do_not_depend_on_the_size_of_the_stack(p, q, r, transposed):
    x, y = (factors(16, p, q, r, flag)[which] for which, flag in enumerate(transposed))
    alone = torch.cat([stacked(fresh(x[i : i + 1]), fresh(y[i : i + 1])) for i in range(16)])
    for k in (2, 3, 4, 16):
        assert torch.equal(stacked(x[:k], y[:k]), alone[:k]), f"a stack of {k} has other bits than its members"


@pytest.mark.parametrize(("heads", "d_model", "d_head"), [(2, 10, 5), (3, 12, 4), (4, 128, 32)])
def test_bits_of_the_products_of_heads_do_not_depend_on_the_size_of_the_stack(heads, d_model, d_head):
    generator = torch.Generator().manual_seed(0)
    slope = torch.randn(4, 1, d_model, d_model, generator=generator)
    # As training holds W_O: rows of a padded storage, so that the heads of an ensemble are not evenly spaced.
    W_O = torch.randn(4, heads * d_head * d_model + 16, generator=generator)[:, :-16].view(4, heads, d_head, d_model)
    slopes = slope.expand(4, heads, d_model, d_model)  # the gradient of a sum over the heads
    for product in (lambda i: stacked(slopes[i], W_O[i].mT), lambda i: stacked(W_O[i], slopes[i])):
        ensemble = product(slice(None))
        for i in range(4):
            assert torch.equal(product(slice(i, i + 1))[0], ensemble[i])
