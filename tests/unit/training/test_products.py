import pytest
import torch
from support import relative_error

from modadd.core.processor import OPENBLAS
from modadd.training import products
from modadd.training.products import stacked, times, with_room

pytestmark = pytest.mark.usefixtures("arithmetic")


@pytest.fixture
def by_openblas(monkeypatch):
    """Whatever this processor would choose. MKL gets no room: its bits may depend on where rows begin."""
    monkeypatch.setattr(products, "PRODUCT_LIBRARY", OPENBLAS)


# p, q, r of the products of training: below LARGE, above it, and just around it; odd sizes too
SHAPES = [
    (1, 1, 1),
    (13, 10, 19),
    (91, 128, 91),
    (130, 33, 59),
    (128, 128, 127),
    (128, 128, 128),
    (131, 129, 127),
    (512, 512, 59),
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


@pytest.mark.usefixtures("by_openblas")
@pytest.mark.parametrize(("p", "q", "r"), SHAPES)
def test_room_beside_a_product_changes_no_bit_of_it(p, q, r):
    x, y = factors(3, p, q, r, transposed=False)
    found = with_room(torch.full((3, p, r + 5), torch.nan), x, y)
    assert found.shape == (3, p, r + 5)
    assert torch.equal(found[..., :r], stacked(x, y))


@pytest.mark.usefixtures("by_openblas")
@pytest.mark.parametrize(("p", "q", "r"), SHAPES)
def test_gaps_between_the_columns_of_a_factor_change_no_bit(p, q, r):
    x, y = factors(3, p, q, r, transposed=True)
    gaps = torch.full((3, q, p + 5), torch.nan)
    gaps[..., :p] = x.mT
    assert torch.equal(stacked(gaps[..., :p].mT, y), stacked(x, y))


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


@pytest.mark.parametrize(("p", "q", "r"), [(13, 10, 19), (128, 256, 128)])
def test_gradient_of_times_is_that_of_autograd(p, q, r):
    x, y = (factor.requires_grad_() for factor in factors(2, p, q, r, transposed=False))
    slope = torch.randn(2, p, r, generator=torch.Generator().manual_seed(1))
    found = torch.autograd.grad(times(x, y), (x, y), slope)
    for one, other in zip(found, torch.autograd.grad(x @ y, (x, y), slope), strict=True):
        assert relative_error(one, other) <= 1e-6
