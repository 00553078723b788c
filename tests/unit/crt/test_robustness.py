from dataclasses import replace

import numpy as np
import pytest
from simple_networks import grid_network, initial, random_network
from support import WITH_RELU

from modadd.core.losses import mean_loss
from modadd.core.separable import accuracy
from modadd.crt.contributions import ablation, contribution, loss_and_accuracy, neuron_axes, noise, shift_error
from modadd.networks.architectures import ARCHITECTURES


def test_removing_neurons_is_taking_their_columns_away():
    network, members = random_network(7, 8), np.array([1, 4, 6])
    found = ablation(network, members, removed=[0, 2, 3], draws=4, rng=np.random.default_rng(5))
    assert found.removed.tolist() == [0, 2, 3] * 4 and found.draw.tolist() == sorted([0, 1, 2, 3] * 3)
    orders = np.random.default_rng(5)
    for _, rows in found.groupby("draw"):
        order = orders.permutation(members)
        for row in rows.itertuples():
            kept = np.setdiff1d(np.arange(8), order[: row.removed])
            logits = contribution(network, kept) + network.residual()
            assert row.loss == pytest.approx(mean_loss(logits)) and row.accuracy == accuracy(logits)


@pytest.mark.parametrize(
    ("architecture", "axes"),
    [
        ("pizza_transformer", {"W_in": 1, "b_in": 0, "W_out": 0}),
        ("two_layer_mlp", {"W_in": 1, "W_U": 0}),
        ("embedding_mlp", {"W_in": 1, "b_in": 0, "W_out": 0}),
    ],
)
def test_weights_of_neurons_are_found_even_where_all_sizes_are_equal(small, architecture, axes):
    recipe = replace(small[architecture], d_mlp=13, d_model=13, n_heads=min(1, small[architecture].n_heads))
    assert neuron_axes(initial(recipe)) == axes
    assert set(ARCHITECTURES) == set(small), "every architecture is tested"


@pytest.mark.parametrize("architecture", WITH_RELU)
def test_noise_is_on_every_native_weight_of_the_cluster_and_on_no_other(small, architecture):
    network, members, sigma = initial(small[architecture]), np.array([2, 3, 11]), 0.4
    found = noise(network, members, [0.0, sigma], draws=2, rng=np.random.default_rng(7))
    rng, axes = np.random.default_rng(7), neuron_axes(network)
    for draw in range(2):
        noisy = {name: value.astype(np.float64) for name, value in network.parameters.items()}
        for name, axis in axes.items():
            own = np.moveaxis(noisy[name], axis, 0)  # a view, so that the change lands in the parameters
            z = np.moveaxis(rng.standard_normal(network.parameters[name].take(members, axis).shape), axis, 0)
            own[members] *= np.exp(sigma * z)
        expected = loss_and_accuracy(replace(network, parameters=noisy).separable().logits())
        clean, jittered = found[found.draw == draw].to_dict("records")
        assert clean["sigma"] == 0 and clean["loss"] == pytest.approx(mean_loss(network.separable().logits()))
        assert jittered["sigma"] == sigma and jittered["loss"] == pytest.approx(expected["loss"])
        assert jittered["accuracy"] == expected["accuracy"] and jittered["loss"] != clean["loss"]


@pytest.mark.parametrize("shift", [1, 12])
def test_what_depends_on_the_distance_from_the_right_answer_moves_with_the_inputs(shift):
    network = grid_network(13, [1, 5])
    assert shift_error(contribution(network, np.arange(network.width)), shift) == pytest.approx(0, abs=1e-12)


def test_shift_error_of_noise_and_of_nothing():
    values = np.random.default_rng(0).standard_normal((31, 31, 31))
    assert shift_error(values, 2) == pytest.approx(np.sqrt(2), abs=0.02)
    assert shift_error(np.ones((5, 5, 5)), 2) == 0, "a constant over the answers is no answer"


def test_a_pizza_moves_too_and_what_looks_at_one_input_does_not():
    a, b, c = np.ogrid[:13, :13, :13]
    wave = lambda x: np.cos(2 * np.pi * x / 13)
    assert shift_error(wave(a - b) * wave(c - a - b), 2) == pytest.approx(0, abs=1e-12)
    assert shift_error(wave(c - a) + 0.0 * b, 2) == pytest.approx(2 * np.sin(2 * np.pi / 13))
