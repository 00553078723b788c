import math
from statistics import NormalDist

import numpy as np
import pytest
import torch
from support import NATIVE_LOGITS

from modadd.networks.architectures import ACTIVATIONS, ARCHITECTURES, separable_of
from modadd.networks.initialisation import all_pairs

SIZES = {"d_model": 8, "n_heads": 2, "d_mlp": 16}


def test_a_network_of_squares_has_no_separable_form():
    with pytest.raises(ValueError, match="^square_mlp: the separable form needs ReLU"):
        separable_of("square_mlp", random_parameters("square_mlp"))


def test_activations_are_the_same_for_numpy_and_torch():
    u = np.array([-2.0, -0.0, 0.5, 3.0])
    expected = {"relu": [0, 0, 0.5, 3], "abs": [2, 0, 0.5, 3], "square": [4, 0, 0.25, 9]}
    expected["softplus"] = [math.log1p(math.exp(x)) for x in u]
    expected["gelu"] = [x * NormalDist().cdf(x) for x in u]
    assert expected.keys() == ACTIVATIONS.keys()
    for name, activate in ACTIVATIONS.items():
        np.testing.assert_allclose(activate(u), expected[name], rtol=1e-14)
        np.testing.assert_allclose(activate(torch.from_numpy(u)).numpy(), expected[name], rtol=1e-14)


def random_parameters(name, seed=0):
    """Parameters of n = 7 without structure, biases not zero."""
    rng = np.random.default_rng(seed)
    return {key: rng.normal(size=shape) for key, shape in ARCHITECTURES[name].shapes(7, SIZES).items()}


def as_torch(parameters):
    return {name: torch.from_numpy(value) for name, value in parameters.items()}


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_separable_form_is_the_network_written_out(name):
    p = random_parameters(name)
    A, B, W, C, D = ARCHITECTURES[name].effective(p)
    logits = ACTIVATIONS[ARCHITECTURES[name].activation](A[:, None] + B[None]) @ W
    logits += 0 if C is None else C[:, None]
    logits += 0 if D is None else D[None]
    native = NATIVE_LOGITS[name](as_torch(p), torch.from_numpy(all_pairs(7)))
    np.testing.assert_allclose(logits.reshape(49, 7), native.numpy(), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("product", [np.matmul, torch.matmul])
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_an_ensemble_has_the_tables_of_its_members(name, product):
    effective, members = ARCHITECTURES[name].effective, [random_parameters(name, seed) for seed in range(3)]
    stack = {key: np.stack([p[key] for p in members]) for key in members[0]}
    tables = effective(as_torch(stack) if product is torch.matmul else stack, product)
    for index, p in enumerate(members):
        for table, expected in zip(tables, effective(p), strict=True):
            assert (table is None) == (expected is None)
            if expected is not None:
                np.testing.assert_allclose(np.asarray(table[index]), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_slopes_of_the_parameters_are_those_of_autograd(name):
    members = [random_parameters(name, seed) for seed in range(3)]
    p = {key: torch.from_numpy(np.stack([own[key] for own in members])).requires_grad_() for key in members[0]}
    tables = [table for table in ARCHITECTURES[name].effective(p) if table is not None]
    generator = torch.Generator().manual_seed(0)
    drawn = iter([torch.randn(table.shape, generator=generator, dtype=table.dtype) for table in tables])
    slopes = tuple(None if table is None else next(drawn) for table in ARCHITECTURES[name].effective(p))
    torch.autograd.backward(tables, [slope for slope in slopes if slope is not None])
    with torch.no_grad():
        found = ARCHITECTURES[name].backward(p, slopes)
    assert found.keys() == p.keys()
    for key, value in p.items():
        torch.testing.assert_close(
            found[key], value.grad, rtol=1e-12, atol=1e-12, msg=lambda text, key=key: f"{key}: {text}"
        )


def test_one_embedding_serves_both_numbers_and_two_may_differ():
    one, two = (ARCHITECTURES[f"flax_{number}_embedding_mlp"] for number in ("one", "two"))
    p = random_parameters("flax_one_embedding_mlp")
    twice = {"E_a": p["W_E"], "E_b": p["W_E"]} | {name: value for name, value in p.items() if name != "W_E"}
    assert list(twice) == list(two.shapes(7, SIZES))
    for shared, own in zip(one.effective(p), two.effective(twice), strict=True):
        assert (shared is None and own is None) or np.array_equal(shared, own)


@pytest.mark.parametrize(
    ("name", "C", "D"),
    [
        ("pizza_transformer", (7, 7), (7, 7)),
        ("two_layer_mlp", None, None),
        ("embedding_mlp", None, (1, 7)),
        ("group_mlp", None, None),
        ("twice_factored_mlp", None, None),
        ("flax_one_hot_mlp", None, (1, 7)),
        ("flax_one_embedding_mlp", None, (1, 7)),
    ],
)
def test_tables_that_an_architecture_has_not_are_none(name, C, D):
    bypass = ARCHITECTURES[name].effective(random_parameters(name))[3:]
    assert tuple(None if table is None else table.shape for table in bypass) == (C, D)
