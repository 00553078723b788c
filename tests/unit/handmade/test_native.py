import numpy as np
import pytest
from support import refuses

from modadd.core.fourier import wrap
from modadd.core.neurons import neurons_of
from modadd.core.separable import Separable, accuracy
from modadd.handmade.build import PLAIN, Wave, angles, hand_coded
from modadd.handmade.native import (
    Listed,
    cut_to_planes,
    native,
    planes_of,
    read_off,
    relative_distances,
    with_doubles,
    without_gauge,
)
from modadd.networks.architectures import ARCHITECTURES, separable_of

N, KEYS, H = 11, (1, 3), 8
TABLES = ("A", "B", "W", "C", "D")


def even(wave=Wave(0.1, 0.05)):
    width = np.linspace(0.5, 1.5, 2 * H)
    return Listed(N, np.repeat(KEYS, H), width, np.tile(angles(H), 2), wave)


def as_network(parameters):
    return separable_of("pizza_transformer", parameters)


def random_frame(d):
    return np.linalg.qr(np.random.default_rng(0).standard_normal((d, d)))[0]


def test_equal_widths_and_even_angles_are_the_twin():
    listed, wave = even(), Wave(0.1, 0.05)
    twin = Listed(N, listed.frequency, np.ones(2 * H), listed.angle, wave).tables()
    expected = hand_coded(N, KEYS, H, wave)
    assert all(np.array_equal(getattr(twin, name), getattr(expected, name)) for name in TABLES)


@pytest.mark.parametrize("wave", [PLAIN, Wave(0.1, 0.05)])
@pytest.mark.parametrize("frame", [None, random_frame(24)])
def test_the_matrices_compute_the_tables(wave, frame):
    listed = even(wave)
    parameters = native(listed, 24, 2, frame)
    assert {name: value.shape for name, value in parameters.items()} == ARCHITECTURES["pizza_transformer"].shapes(
        N, {"d_model": 24, "n_heads": 2, "d_mlp": 2 * H}
    )
    assert {value.dtype for value in parameters.values()} == {np.dtype(np.float32)}
    found, expected = without_gauge(as_network(parameters)), without_gauge(listed.tables())
    for name in TABLES:
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), atol=1e-5, err_msg=name)
    assert accuracy(as_network(parameters).logits()) == 1


def test_too_few_dimensions_are_refused():
    with refuses("d_model: expected at least 20 for 4 planes, got 16"):
        native(even(), 16, 2)
    with refuses("n_heads: expected heads of at least 2 dimensions, got 1"):
        native(even(), 20, 20)


def test_numbers_are_counted_by_the_rule():
    # Four planes before and four after attention, two to answer: 20 vectors of 24 dimensions.
    assert even().numbers(24) == {
        "frequencies": 2,
        "groups, widths and angles of the neurons": 48,
        "s and c": 2,
        "planes": 20 * 24 - 210 - 10,
        "rotations and scales in V and O": 16,
    }
    assert even(PLAIN).numbers(24)["planes"] == 12 * 24 - 78 - 6


def test_the_list_is_read_off_again():
    listed = even()
    tables = listed.tables()
    found = read_off(tables, neurons_of(tables), np.ones(2 * H, bool))
    assert found.frequencies == list(KEYS)
    np.testing.assert_allclose(found.width, listed.width)
    np.testing.assert_allclose(wrap(found.angle - listed.angle), 0, atol=1e-12)
    np.testing.assert_allclose(found.wave, listed.wave)


def test_what_the_function_does_not_see_is_no_distance():
    rng, network = np.random.default_rng(1), hand_coded(N, KEYS, H, Wave(0.1, 0.05))
    constants, factor, answers = rng.standard_normal(2 * H), rng.uniform(0.5, 2, 2 * H), rng.standard_normal(2 * H)
    residual = rng.standard_normal(N)
    other = Separable(
        (network.A + constants) * factor,
        (network.B - constants) * factor,
        network.W / factor[:, None] + answers[:, None],
        network.C + residual,
        network.D - residual,
    )
    assert relative_distances(network, other) == pytest.approx(dict.fromkeys([*"ABW", "logits"], 0), abs=1e-7)


def test_distances_are_relative():
    network, fewer = hand_coded(N, KEYS, H), hand_coded(N, KEYS, H + 1)
    mirrored = Separable(network.A, network.B, -network.W, network.C, network.D)
    assert relative_distances(network, mirrored) == pytest.approx({"A": 0, "B": 0, "W": 2, "logits": 0}, abs=1e-7)
    found = relative_distances(network, fewer)
    assert np.isnan([found[name] for name in "ABW"]).all()
    assert 0 < found["logits"] < 0.2


def test_a_network_by_hand_lies_in_its_planes():
    parameters = native(even(), 24, 2, random_frame(24))
    kept, table = cut_to_planes(parameters, with_doubles(KEYS, N), KEYS)
    np.testing.assert_allclose(table.share, 1)
    assert dict(zip(table.matrix, table["at random"], strict=True)) == pytest.approx(
        # Frequencies 1, 2, 3, 5 and the constant of 11 functions; four planes of 24 dimensions, two in each head of 12.
        {"W_E": 9 / 11, "W_V": 8 / 24, "W_O": 4 / 12, "W_in": 16 / 24, "W_out": 4 / 24, "W_U": 4 / 11}
    )
    for name, value in parameters.items():
        np.testing.assert_allclose(kept[name], value, atol=1e-6, err_msg=name)


def test_what_is_not_read_is_cut_and_changes_nothing():
    rng, parameters = np.random.default_rng(2), native(even(), 24, 2)
    empty = np.arange(24) >= 8  # dimensions that W_E leaves empty
    parameters["W_V"] = parameters["W_V"] + np.where(empty, 0.1, 0)[:, None]
    parameters["W_O"] = parameters["W_O"] + np.where(np.arange(12) < 4, 0, 0.1)[:, None]
    parameters["W_in"] = parameters["W_in"] + np.float32(0.1) * np.r_[np.zeros(16), np.ones(8)][:, None]
    parameters["W_out"] = parameters["W_out"] + np.where(np.arange(24) < 20, 0, rng.standard_normal((2 * H, 24)))
    kept, table = cut_to_planes(parameters, with_doubles(KEYS, N), KEYS)
    assert (table.set_index("matrix").share[["W_V", "W_O", "W_in", "W_out"]] < 0.999).all()
    for name in TABLES:
        found, expected = getattr(as_network(kept), name), getattr(as_network(parameters), name)
        np.testing.assert_allclose(found, expected, atol=1e-6, err_msg=name)


def test_planes_of_a_network_by_hand():
    found = planes_of(native(even(), 24, 2), KEYS)
    assert found.frequency.tolist() == [1, 3]
    np.testing.assert_allclose(found[["W_E", "after attention", "W_U", "gain"]], 1, atol=1e-6)
    np.testing.assert_allclose(found[["kept", "other planes, W_E", "other planes, W_U"]], 0, atol=1e-6)
    assert np.isnan(planes_of(native(even(), 24, 2), [1])["other planes, W_E"]).all()


def test_a_neuron_of_width_0_has_no_plane():
    tables = even().tables()
    found = read_off(tables, neurons_of(tables), np.repeat([True, False], H))
    assert found.frequencies == [1]
    assert not found.tables().W[H:].any()


def test_doubles_wrap():
    assert with_doubles([1, 3, 5], 11) == [1, 2, 3, 5]
    assert with_doubles([4], 8) == [4]
