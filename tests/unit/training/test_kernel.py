import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import TypeCheckError
from support import native_loss, relative_error

import modadd.training.kernel
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.initialisation import INITIALISATIONS, pairs
from modadd.networks.recipes import RECIPES
from modadd.training import loops
from modadd.training.kernel import SeparableLoss, Tables, _Batched
from modadd.training.products import LARGE, stacked, times

pytestmark = pytest.mark.usefixtures("arithmetic")

N = 31
BLOCK = 512  # fewer pairs than training takes at once: N² of them fill a block and more


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(modadd.training.kernel, "BLOCK", BLOCK)


PRECISIONS = [(torch.float64, 1e-12), (torch.float32, 1e-6)]


def on_cpu(batches, tables, slopes=True):
    loss = SeparableLoss(batches, tables, slopes)

    def call(tables, batch=0):
        loss.choose(batch)
        return loss(tables)

    return call


def batched(batches, tables, slopes=True):
    """The implementation for a GPU, here on tensors of the CPU."""
    gradient = Tables(*(None if table is None else torch.zeros_like(table) for table in tables))
    run = _Batched(batches.shape[2], gradient, slopes)
    run.take(batches[..., 0], batches[..., 1])

    def call(tables, batch=0):
        run.choose(batch)
        return run(tables.detached()), gradient

    return call


IMPLEMENTATIONS = pytest.mark.parametrize("implementation", [on_cpu, batched])


def drawn(architecture, scale, k):
    """Random native parameters of k networks, with biases that are not zero."""
    recipe = replace(
        RECIPES[architecture], modulus=N, train_pairs=N, d_model=32, d_mlp=48, init_scale=scale, batch_size=0
    )
    generator = torch.Generator().manual_seed(1)
    networks = [INITIALISATIONS[architecture](recipe, seed) for seed in range(k)]
    return [
        network
        | {name: torch.randn(network[name].shape, generator=generator) for name in network if name.startswith("b_")}
        for network in networks
    ]


def shuffled(batches, k, m):
    """`batches` disjoint batches of m pairs for each of k networks."""
    rng = np.random.default_rng(0)
    chosen = [pairs(N)[rng.permutation(N * N)[: batches * m]].reshape(batches, m, 2) for _ in range(k)]
    return np.stack(chosen, axis=1)


def stacked_tables(architecture, networks, dtype):
    native = {
        name: torch.stack([network[name] for network in networks]).to(dtype).requires_grad_() for name in networks[0]
    }
    return native, Tables(*ARCHITECTURES[architecture].effective(native, times))


def native_gradient(implementation, architecture, networks, batches, dtype, batch=0):
    """Losses and gradients in every native parameter, the way training takes them."""
    native, tables = stacked_tables(architecture, networks, dtype)
    loss, gradient = implementation(batches, tables)(tables, batch)
    attached = [(table, slope) for table, slope in zip(tables, gradient, strict=True) if table is not None]
    torch.autograd.backward(*zip(*attached, strict=True))
    return loss, {name: value.grad for name, value in native.items()}


@pytest.mark.parametrize(
    ("batches", "k", "m"), [(1, 2, BLOCK + 257), (3, 7, 100)], ids=["blocks in a batch", "networks in a block"]
)
@pytest.mark.parametrize(("dtype", "tolerance"), PRECISIONS, ids=["float64", "float32"])
@pytest.mark.parametrize("scale", [0.8, 2.0], ids=["unsure", "confident"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@IMPLEMENTATIONS
def test_losses_and_native_gradients_are_those_of_autograd_through_the_network_written_out(
    implementation, architecture, scale, dtype, tolerance, batches, k, m
):
    networks, table = drawn(architecture, scale, k), shuffled(batches, k, m)
    for batch in {0, batches - 1}:
        loss, gradient = native_gradient(implementation, architecture, networks, table, dtype, batch)
        assert loss.dtype == torch.float64
        for index, network in enumerate(networks):
            expected_loss, expected = native_loss(network, table[batch, index], N, architecture)
            assert loss[index].item() == pytest.approx(expected_loss, rel=tolerance)
            for name in expected:
                error = relative_error(gradient[name][index], expected[name])
                assert error <= tolerance, f"network {index}: gradient of {name} in {dtype} is off by {error:.1e}"


@pytest.mark.parametrize("rows", [N, 1, None], ids=["rows", "one row", "none"])
@IMPLEMENTATIONS
def test_table_gradients_are_those_of_autograd_on_the_separable_form(implementation, rows):
    generator = torch.Generator().manual_seed(4)
    shapes = [(2, N, 9), (2, N, 9), (2, 9, N), rows and (2, rows, N), (2, N, N)]
    tables = Tables(*(s and torch.randn(s, dtype=torch.float64, generator=generator).requires_grad_() for s in shapes))
    batches = shuffled(1, 2, 300)
    loss, gradient = implementation(batches, tables)(tables)
    for index in range(2):
        a, b = torch.from_numpy(batches[0, index]).T
        A, B, W, C, D = (None if table is None else table[index] for table in tables)
        logits = torch.relu(A[a] + B[b]) @ W + D[b]
        if C is not None:
            logits = logits + C[a if rows > 1 else 0 * a]
        expected_loss = torch.nn.functional.cross_entropy(logits, (a + b) % N)
        present = [table for table in tables if table is not None]
        expected = torch.autograd.grad(expected_loss, present)
        assert loss[index].item() == pytest.approx(expected_loss.item(), rel=1e-12)
        found = [slope for slope in gradient if slope is not None]
        for slope, right in zip(found, expected, strict=True):
            assert relative_error(slope[index], right[index]) <= 1e-12
    assert (gradient.C is None) == (rows is None)


@pytest.mark.parametrize("count", [1, BLOCK - 1, BLOCK, BLOCK + 1])
@IMPLEMENTATIONS
def test_loss_is_the_mean_over_the_pairs_whatever_the_last_block_holds(implementation, count):
    networks, batches = drawn("pizza_transformer", 0.8, 1), pairs(N)[:count].reshape(1, 1, count, 2)
    loss, _ = native_gradient(implementation, "pizza_transformer", networks, batches, torch.float64)
    assert loss.item() == pytest.approx(native_loss(networks[0], batches[0, 0], N)[0], rel=1e-12)


def test_order_of_the_pairs_does_not_change_a_bit():
    networks, batches = drawn("pizza_transformer", 0.8, 2), shuffled(1, 2, 700)
    loss, gradient = native_gradient(on_cpu, "pizza_transformer", networks, batches, torch.float32)
    again, other = native_gradient(on_cpu, "pizza_transformer", networks, batches[:, :, ::-1].copy(), torch.float32)
    assert torch.equal(again, loss)
    assert all(torch.equal(other[name], gradient[name]) for name in gradient)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@IMPLEMENTATIONS
def test_tables_given_are_not_changed_and_a_second_call_gives_equal_bits(implementation, architecture):
    _, tables = stacked_tables(architecture, drawn(architecture, 0.8, 3), torch.float32)
    before = [None if table is None else table.detach().clone() for table in tables]
    loss = implementation(shuffled(2, 3, 100), tables)
    first, gradient = loss(tables, 1)
    slopes = [None if slope is None else slope.clone() for slope in gradient]
    loss(tables, 0)
    second, gradient = loss(tables, 1)
    assert torch.equal(second, first)
    for table, copy, slope, right in zip(tables, before, gradient, slopes, strict=True):
        assert table is copy is slope is None or (torch.equal(table, copy) and torch.equal(slope, right))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@IMPLEMENTATIONS
def test_the_loss_alone_has_the_bits_it_has_beside_its_gradient(implementation, architecture):
    _, tables = stacked_tables(architecture, drawn(architecture, 0.8, 3), torch.float32)
    both, alone = (implementation(shuffled(2, 3, 100), tables, slopes) for slopes in (True, False))
    loss, gradient = alone(tables, 1)
    assert torch.equal(loss, both(tables, 1)[0])
    assert all(slope is None or not slope.any() for slope in gradient), "no slope was asked for"


def through_loops(logits, right):
    """Slopes and summed loss of rows of logits, by the loops themselves."""
    n, right = logits.shape[1], right.numpy().reshape(1, -1)
    z = np.pad(logits.numpy(), [(0, 0), (0, -n % loops.LANES)], constant_values=np.nan)  # what is there must not matter
    own, loss, nothing, nowhere = np.zeros(len(z)), np.zeros(1), np.zeros((0, 0), z.dtype), np.zeros(0, np.int64)
    loops.add_residual(z, n, nothing, nothing, nowhere, nowhere, right[0], own)
    z = torch.from_numpy(z).exp_()
    loops.softmax_gradient(z.numpy(), n, right, own, 1, loss)
    return z[:, :n], loss.item()


def through(implementation):
    """The same by a whole kernel: each row is a network with one pair, all of whose logits are an output bias."""

    def run(logits, right):
        (k, n), zeros = logits.shape, torch.zeros
        like = {"dtype": logits.dtype}
        tables = Tables(zeros(k, n, 1, **like), zeros(k, n, 1, **like), zeros(k, 1, n, **like), None, logits[:, None])
        batches = torch.stack([0 * right, right], dim=1)[None, :, None].numpy()
        loss, gradient = implementation(batches, tables)(tables)
        return gradient.D[:, 0], loss.sum().item()

    return run


TAILS = pytest.mark.parametrize(
    "tail", [through_loops, through(on_cpu), through(batched)], ids=["loops", "on_cpu", "batched"]
)
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


@pytest.mark.parametrize("n", [5, 37])
@pytest.mark.parametrize("ahead", [20.0, 60.0, 80.0])
@DTYPES
@TAILS
def test_a_sure_and_right_network_still_has_loss_and_gradient(tail, ahead, dtype, n):
    logits = torch.zeros(1, n, dtype=dtype)
    logits[0, 2] = ahead
    slope, loss = tail(logits, torch.tensor([2]))
    weight = math.exp(-ahead)
    others = (n - 1) * weight
    assert loss == pytest.approx(math.log1p(others), rel=1e-6), "1 + tail rounds to 1: use log1p of the ratio"
    assert slope[0, 0].item() == pytest.approx(weight / (1 + others), rel=1e-6)
    assert slope[0, 2].item() == pytest.approx(-others / (1 + others), rel=1e-6), "softmax − 1 rounds to 0"


@DTYPES
@TAILS
def test_gradient_of_the_right_class_is_minus_the_sum_of_the_others(tail, dtype):
    logits = 30 * torch.randn(20, 7, dtype=dtype, generator=torch.Generator().manual_seed(0))
    right = torch.arange(20) % 7
    slope, _ = tail(logits, right)
    own = slope.gather(1, right[:, None])[:, 0]
    others = slope.scatter(1, right[:, None], 0.0).sum(1)
    torch.testing.assert_close(own, -others, rtol=1e-6, atol=0.0)


@TAILS
def test_a_confident_mistake_does_not_overflow(tail):
    slope, loss = tail(torch.tensor([[0.0, 1000.0, 800.0]]), torch.tensor([2]))
    assert loss == pytest.approx(200.0, rel=1e-12), "the right logit lies 200 below the top: 200 nats"
    assert slope.tolist() == [[0.0, 1.0, -1.0]]


@DTYPES
@TAILS
def test_a_very_confident_mistake_has_a_finite_loss(tail, dtype):
    slope, loss = tail(torch.tensor([[0.0, 2000.0, 500.0]], dtype=dtype), torch.tensor([2]))
    assert loss == pytest.approx(1500.0, rel=1e-12), "a finite loss must not read as divergence"
    assert slope.tolist() == [[0.0, 1.0, -1.0]]


@TAILS
def test_a_constant_added_to_all_logits_changes_nothing(tail):
    logits = torch.randn(4, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    right = torch.tensor([0, 1, 2, 5])
    slope, loss = tail(logits, right)
    shifted_slope, shifted_loss = tail(logits + 1e4, right)
    assert shifted_loss == pytest.approx(loss, rel=1e-9)
    torch.testing.assert_close(shifted_slope, slope, rtol=1e-9, atol=1e-12)


@TAILS
def test_logits_that_are_not_numbers_give_a_loss_that_is_none(tail):
    for n, position in ((3, 1), (37, 0), (37, 20), (37, 36)):
        logits = torch.randn(1, n, generator=torch.Generator().manual_seed(n))
        logits[0, position] = math.nan
        assert not math.isfinite(tail(logits, torch.tensor([2]))[1]), "training must notice that it diverged"


@IMPLEMENTATIONS
def test_a_preactivation_that_is_not_a_number_gives_a_loss_that_is_none(implementation):
    zeros = torch.zeros
    tables = Tables(zeros(1, 7, 3), zeros(1, 7, 3), zeros(1, 3, 7), None, None)
    tables.A[0, 2, 1] = math.nan
    loss, _ = implementation(pairs(7)[None, None], tables)(tables)
    assert not math.isfinite(loss.item()), "training must notice that it diverged"


@IMPLEMENTATIONS
def test_loss_of_equal_logits_is_log_n(implementation):
    zeros = torch.zeros
    tables = Tables(zeros(2, 7, 3), zeros(2, 7, 3), zeros(2, 3, 7), zeros(2, 7, 7), None)
    loss, _ = implementation(np.broadcast_to(pairs(7), (1, 2, 49, 2)), tables)(tables)
    assert loss.tolist() == pytest.approx([np.log(7)] * 2, rel=1e-6)


def test_pairs_without_an_axis_of_networks_are_refused_by_the_shape_check():
    zeros = torch.zeros
    tables = Tables(zeros(1, 7, 3), zeros(1, 7, 3), zeros(1, 3, 7), None, None)
    with pytest.raises(TypeCheckError):
        SeparableLoss(pairs(7)[None], tables)


@given(multiple=st.integers(1, 20), seed=st.integers(0, 99))
def test_sum_and_maximum_of_a_row_of_any_padded_length(multiple, seed):
    z = np.random.default_rng(seed).normal(size=multiple * loops.LANES) - 2
    folded = np.empty(len(z) // 2)
    assert loops._row_sum(z, folded) == pytest.approx(z.sum(), rel=1e-12, abs=1e-12 * np.abs(z).sum())
    assert loops._row_max(z, folded) == z.max()


# p, q, r of the products of training: below LARGE, above it, and just around it; odd sizes too
SHAPES = [
    (1, 1, 1),
    (13, 10, 19),
    (91, 128, 91),
    (130, 33, 59),
    (128, 256, 127),
    (128, 256, 128),
    (131, 257, 127),
    (512, 512, 59),
]


def factors(k, p, q, r, transposed, dtype=torch.float32):
    generator = torch.Generator().manual_seed(0)
    x, y = (torch.randn(shape, dtype=dtype, generator=generator) for shape in ((k, p, q), (k, q, r)))
    return (x.mT.contiguous().mT, y.mT.contiguous().mT) if transposed else (x, y)


def test_products_are_tested_on_both_sides_of_the_switch():
    assert {p * q * r >= LARGE for p, q, r in SHAPES} == {True, False}


@pytest.mark.parametrize("transposed", [False, True], ids=["plain", "transposed"])
@pytest.mark.parametrize(("p", "q", "r"), SHAPES)
def test_stacked_product_is_the_product(p, q, r, transposed):
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.float64, 1e-14)):
        x, y = factors(3, p, q, r, transposed, dtype)
        found = stacked(x, y)
        assert found.dtype == dtype and found.shape == (3, p, r)
        assert relative_error(found, x.double() @ y.double()) <= tolerance


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
