"""The matrices by hand beside a network, on networks that are written by hand themselves and on random ones."""

from dataclasses import replace

import numpy as np
import pytest

from modadd.handmade.build import Wave, angles
from modadd.handmade.native import Listed, native
from modadd.handmade.native_measures import by_hand_over_trained, smallest_share_in_planes
from modadd.networks.initialisation import pizza_transformer
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network

KEY, EACH = (1, 3, 4), 24  # no frequency is the double of another one
RECIPE = replace(RECIPES["pizza_transformer"], modulus=13, d_mlp=len(KEY) * EACH, train_pairs=135)


def of_parameters(parameters) -> Network:
    tables = {name: np.asarray(value) for name, value in parameters.items()}
    return Network(RECIPE, 0, tables, {"accuracy": 1.0})


@pytest.fixture
def written():
    """A network in matrices by hand, with a second harmonic."""
    frequency, angle = np.repeat(KEY, EACH), np.tile(angles(EACH), len(KEY))
    listed = Listed(13, frequency, np.ones(len(frequency)), angle, Wave(0.3, 0.1))
    return native(listed, RECIPE.d_model, RECIPE.n_heads)


def test_a_network_by_hand_is_as_clear_as_itself_and_lies_in_its_planes(written):
    network = of_parameters(written)
    assert by_hand_over_trained(network) == pytest.approx(1, rel=1e-3)
    assert smallest_share_in_planes(network) == pytest.approx(1, abs=1e-6)


def test_weights_beside_the_planes_are_counted(written):
    beside = written["W_in"] + np.random.default_rng(0).normal(size=written["W_in"].shape).astype(np.float32)
    assert smallest_share_in_planes(of_parameters(written | {"W_in": beside})) < 0.6


def test_a_network_without_key_frequencies_has_no_numbers(written):
    nothing = of_parameters(written | {"W_U": 0 * written["W_U"]})
    assert np.isnan(by_hand_over_trained(nothing)) and np.isnan(smallest_share_in_planes(nothing))


def test_an_untrained_network_lies_nowhere():
    assert smallest_share_in_planes(of_parameters(pizza_transformer(RECIPE, 0))) < 0.9
