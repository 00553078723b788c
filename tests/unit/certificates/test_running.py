"""What float32 arithmetic takes off a lead: the bound against sums in many orders, and the theorem that it leaves out."""

from dataclasses import replace

import numpy as np
import pytest

import modadd.certificates.formal
from modadd.certificates.formal import FORMS, statement_of
from modadd.certificates.running import rounding_of
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network

N, D, H = 7, 6, 9
SHAPES = {
    "two_layer_mlp": {"W_E": (N, D), "W_in": (D, H), "W_U": (H, N)},
    "embedding_mlp": {
        **{"E_a": (N, D), "E_b": (N, D), "W_in": (2 * D, H), "b_in": (H,), "W_out": (H, N), "b_out": (N,)}
    },
    "pizza_transformer": {
        **{"W_E": (N, D), "W_pos": (2, D), "W_V": (2, D, 3), "W_O": (2, 3, D), "W_in": (D, H), "b_in": (H,)},
        **{"W_out": (H, D), "b_out": (D,), "W_U": (D, N)},
    },
}


def drawn(architecture, seed):
    """A network with random parameters."""
    rng = np.random.default_rng(seed)
    parameters = {name: rng.normal(size=shape).astype(np.float32) for name, shape in SHAPES[architecture].items()}
    heads = 2 if architecture == "pizza_transformer" else 0
    sizes = {"modulus": N, "d_model": D, "n_heads": heads, "d_mlp": H, "train_pairs": N * N, "batch_size": 0}
    return Network(replace(RECIPES[architecture], **sizes), 0, parameters, {"accuracy": 1.0})


def summed(terms, rng):
    """A sum in float32 in a random order: two of what is left are added until one is left."""
    left = list(terms)
    while len(left) > 1:
        first, second = (left.pop(rng.integers(len(left))) for _ in range(2))
        left.append(np.float32(first + second))
    return left[0]


def through(x, Y, rng, beside=None):
    """A layer in float32: its products and what stands beside them, each sum in an order of its own."""
    more = np.zeros((0, Y.shape[1]), np.float32) if beside is None else np.atleast_2d(beside)
    terms = np.vstack([more, (x[:, None] * Y).astype(np.float32)])
    return np.array([summed(column, rng) for column in terms.T], np.float32)


def two_layer(p, a, b, rng):
    return through(np.maximum(through(p["W_E"][a] + p["W_E"][b], p["W_in"], rng), 0), p["W_U"], rng)


def embedding(p, a, b, rng):
    hidden = through(np.concatenate([p["E_a"][a], p["E_b"][b]]), p["W_in"], rng, p["b_in"])
    return through(np.maximum(hidden, 0), p["W_out"], rng, p["b_out"])


def pizza(p, a, b, rng):
    at_a, at_b = p["W_E"][a] + p["W_pos"][0], p["W_E"][b] + p["W_pos"][1]
    W_V = np.moveaxis(p["W_V"], 0, 1).reshape(D, -1)
    mixed = through(at_a, W_V, rng) / np.float32(2) + through(at_b, W_V, rng) / np.float32(2)
    residual = through(mixed, p["W_O"].reshape(-1, D), rng, at_b)
    hidden = np.maximum(through(residual, p["W_in"], rng, p["b_in"]), 0)
    return through(through(hidden, p["W_out"], rng, np.stack([residual, p["b_out"]])), p["W_U"], rng)


FORWARD = {"two_layer_mlp": two_layer, "embedding_mlp": embedding, "pizza_transformer": pizza}


@pytest.mark.parametrize("architecture", FORMS)
def test_no_order_of_the_sums_is_further_from_the_exact_logits_than_the_bound(architecture):
    rng, errors = np.random.default_rng(1), []
    for seed in range(3):
        network = drawn(architecture, seed)
        exact, bound = network.separable().logits(), rounding_of(architecture, network.parameters) / 2
        for _ in range(20):
            a, b = rng.integers(N, size=2)
            off = np.abs(FORWARD[architecture](network.parameters, a, b, rng) - exact[a, b]).max()
            errors.append(off / bound)
    assert 1e-4 < max(errors) <= 1, "a bound far above every error would be one of other sums"


@pytest.mark.parametrize("architecture", FORMS)
def test_a_network_whose_margin_has_no_room_for_rounding_has_no_theorem_about_it(architecture, monkeypatch):
    monkeypatch.setattr(modadd.certificates.formal, "margins", lambda logits: np.full((N, N), 1.0))
    monkeypatch.setattr(modadd.certificates.formal, "_allowance", lambda network: 0.5)
    for rounding, runs in ((0.4, True), (0.6, False)):
        monkeypatch.setattr(modadd.certificates.formal, "rounding_of", lambda *_, rounding=rounding: rounding)
        statement = statement_of(drawn(architecture, 0))
        assert ("the_running_network_adds" in statement) == ("error_of" in statement) == runs
        assert "the_trained_network_adds" in statement
