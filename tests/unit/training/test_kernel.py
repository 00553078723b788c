import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from implementations import IMPLEMENTATIONS, on_cpu
from support import native_loss, relative_error

import modadd.training.kernel
from modadd.networks.architectures import ACTIVATIONS, ARCHITECTURES
from modadd.networks.initialisation import INITIALISATIONS, all_pairs
from modadd.networks.recipes import RECIPES
from modadd.training.kernel import SeparableLoss
from modadd.training.products import stacked
from modadd.training.tables import Tables, Task

pytestmark = pytest.mark.usefixtures("arithmetic")


N = 31


BLOCK = 512  # pairs, of 48 neurons each: N² of them fill a block and more


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(modadd.training.kernel, "_BLOCK", 48 * BLOCK)


BY_TORCH = {  # written out apart from ACTIVATIONS
    "relu": torch.relu,
    "abs": torch.abs,
    "square": torch.square,
    "softplus": lambda u: torch.log1p(torch.exp(-u.abs())) + torch.relu(u),
    "gelu": lambda u: u * (1 + torch.erf(u / math.sqrt(2))) / 2,
}

PRECISIONS = [(torch.float64, 1e-12), (torch.float32, 1e-6)]


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
    chosen = [all_pairs(N)[rng.permutation(N * N)[: batches * m]].reshape(batches, m, 2) for _ in range(k)]
    return np.stack(chosen, axis=1)


def stacked_tables(architecture, networks, dtype):
    native = {name: torch.stack([network[name] for network in networks]).to(dtype) for name in networks[0]}
    return native, Tables(*ARCHITECTURES[architecture].effective(native, stacked))


def native_gradient(implementation, architecture, networks, batches, dtype, batch=0):
    """Losses and gradients in every native parameter, the way training takes them."""
    native, tables = stacked_tables(architecture, networks, dtype)
    activation = ARCHITECTURES[architecture].activation
    loss, gradient = implementation(batches, tables, activation=activation)(tables, batch)
    return loss, ARCHITECTURES[architecture].backward(native, gradient, stacked)


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


@pytest.mark.parametrize(("dtype", "tolerance"), PRECISIONS, ids=["float64", "float32"])
@pytest.mark.parametrize("rows", [N, 1, None], ids=["rows", "one row", "none"])
@IMPLEMENTATIONS
def test_table_gradients_are_those_of_autograd_on_the_separable_form(implementation, rows, dtype, tolerance):
    generator = torch.Generator().manual_seed(4)
    shapes = [(2, N, 9), (2, N, 9), (2, 9, N), rows and (2, rows, N), (2, N, N)]
    tables = Tables(*(s and torch.randn(s, dtype=dtype, generator=generator) for s in shapes))
    exact = [None if table is None else table.clone().double().requires_grad_() for table in tables]
    batches = shuffled(1, 2, 300)
    loss, gradient = implementation(batches, tables)(tables)
    for index in range(2):
        a, b = torch.from_numpy(batches[0, index]).T
        A, B, W, C, D = (None if table is None else table[index] for table in exact)
        logits = torch.relu(A[a] + B[b]) @ W + D[b]
        if C is not None:
            logits = logits + C[a if rows > 1 else 0 * a]
        expected_loss = torch.nn.functional.cross_entropy(logits, (a + b) % N)
        present = [table for table in exact if table is not None]
        expected = torch.autograd.grad(expected_loss, present)
        assert loss[index].item() == pytest.approx(expected_loss.item(), rel=tolerance)
        found = [slope for slope in gradient if slope is not None]
        for slope, right in zip(found, expected, strict=True):
            assert relative_error(slope[index], right[index]) <= tolerance
    assert (gradient.C is None) == (rows is None)


@pytest.mark.parametrize(("dtype", "tolerance"), PRECISIONS, ids=["float64", "float32"])
@pytest.mark.parametrize("activation", ACTIVATIONS)
@IMPLEMENTATIONS
def test_gradient_of_every_activation_is_that_of_autograd_in_float64(implementation, activation, dtype, tolerance):
    batches = shuffled(2, 2, 300)
    _, tables = stacked_tables("pizza_transformer", drawn("pizza_transformer", 2.0, 2), dtype)
    loss, gradient = implementation(batches, tables, activation=activation)(tables, 1)
    exact = [table.detach().double().requires_grad_() for table in tables]
    for index in range(2):
        a, b = torch.from_numpy(batches[1, index]).T
        A, B, W, C, D = (table[index] for table in exact)
        logits = BY_TORCH[activation](A[a] + B[b]) @ W + C[a] + D[b]
        expected_loss = torch.nn.functional.cross_entropy(logits, (a + b) % N)
        assert loss[index].item() == pytest.approx(expected_loss.item(), rel=tolerance)
        for slope, right in zip(gradient, torch.autograd.grad(expected_loss, exact), strict=True):
            assert relative_error(slope[index], right[index]) <= tolerance


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_no_bit_of_a_network_depends_on_the_others_whatever_its_neurons_compute(activation):
    networks, batches = drawn("pizza_transformer", 0.8, 3), shuffled(1, 3, 301)
    _, together = stacked_tables("pizza_transformer", networks, torch.float32)
    _, alone = stacked_tables("pizza_transformer", networks[1:2], torch.float32)
    losses, slopes = on_cpu(batches, together, activation=activation)(together)
    loss, own = on_cpu(batches[:, 1:2], alone, activation=activation)(alone)
    assert torch.equal(losses[1:2], loss)
    assert all(torch.equal(of_all[1:2], of_one) for of_all, of_one in zip(slopes, own, strict=True))


@pytest.mark.parametrize("count", [1, BLOCK - 1, BLOCK, BLOCK + 1])
@IMPLEMENTATIONS
def test_loss_is_the_mean_over_the_pairs_whatever_the_last_block_holds(implementation, count):
    networks, batches = drawn("pizza_transformer", 0.8, 1), all_pairs(N)[:count].reshape(1, 1, count, 2)
    loss, _ = native_gradient(implementation, "pizza_transformer", networks, batches, torch.float64)
    assert loss.item() == pytest.approx(native_loss(networks[0], batches[0, 0], N)[0], rel=1e-12)


def test_a_pair_and_its_mirror_image_are_computed_once_where_both_numbers_are_embedded_alike():
    table = shuffled(1, 3, 700)
    for architecture, alike in (("two_layer_mlp", True), ("group_mlp", False)):
        _, tables = stacked_tables(architecture, drawn(architecture, 0.8, 3), torch.float32)
        loss = SeparableLoss(table, tables)
        found = np.zeros(3, int)
        for piece in loss._run.pieces:
            found[piece.networks] += piece.right.shape[1]
            assert len(piece.a) <= BLOCK and piece.begins == (found[piece.networks] == piece.right.shape[1]).all()
        distinct = [len({tuple(sorted(pair)) for pair in table[0, j].tolist()}) for j in range(3)]
        assert found.tolist() == (distinct if alike else [700] * 3)
        assert sum(piece.count.sum() for piece in loss._run.pieces) == 2100


def test_mirror_images_with_another_answer_are_two_pairs():
    _, tables = stacked_tables("two_layer_mlp", drawn("two_layer_mlp", 0.8, 1), torch.float32)
    subtraction = np.subtract.outer(np.arange(N), np.arange(N)) % N
    loss = SeparableLoss(all_pairs(N)[None, None], tables, task=Task(subtraction))
    assert sum(piece.right.size for piece in loss._run.pieces) == N * N
    a, b = torch.from_numpy(all_pairs(N)).T
    logits = torch.relu(tables.A[0, a] + tables.B[0, b]).double() @ tables.W[0].double()
    expected = torch.nn.functional.cross_entropy(logits, (a - b) % N).item()
    assert loss(tables)[0].item() == pytest.approx(expected, rel=1e-6)


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


@IMPLEMENTATIONS
def test_a_preactivation_that_is_not_a_number_gives_a_loss_that_is_none(implementation):
    zeros = torch.zeros
    tables = Tables(zeros(1, 7, 3), zeros(1, 7, 3), zeros(1, 3, 7), None, None)
    tables.A[0, 2, 1] = math.nan
    loss, _ = implementation(all_pairs(7)[None, None], tables)(tables)
    assert not math.isfinite(loss.item()), "training must notice that it diverged"
