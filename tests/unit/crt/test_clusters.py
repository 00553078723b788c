import numpy as np
import pytest
from simple_networks import grid_network, random_network, silent_network, simple_network

import modadd.crt.cluster_measures
import modadd.crt.simple_neuron_measures
from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable
from modadd.crt.clusters import clusters_of, lines_beside, lines_in_band, strongest
from modadd.crt.simple_neuron_measures import share_contaminated_by_clusters
from modadd.networks.registry import measured, measures_in

PLANES = ("cluster_plane_a", "cluster_plane_b")  # of embeddings


def cluster_measures(network):
    """All that tables alone decide."""
    return measured(
        network,
        [
            name
            for name in measures_in(modadd.crt.simple_neuron_measures, modadd.crt.cluster_measures)
            if name not in PLANES
        ],
    )


def test_clusters_are_the_alive_neurons_of_each_frequency_in_order():
    network = simple_network(13, [3, 1, 3, 2], [0, 1, 2, 3], [0, 0, 0, 0], r=np.array([1.0, 1.0, 1.0, 0.09]))
    found = clusters_of(three_dfts(network))
    assert {f: members.tolist() for f, members in found.items()} == {1: [1], 3: [0, 2]}


def test_strongest_clusters_are_chosen_by_weight_and_listed_by_frequency():
    network = simple_network(13, [1, 2, 2, 5], [0] * 4, [0] * 4, alpha=np.array([3.0, 1.0, 1.0, 2.5]))
    dfts = three_dfts(network)
    assert list(strongest(dfts, clusters_of(dfts), 2)) == [1, 5]
    assert strongest(dfts, clusters_of(dfts), 1)[1].tolist() == [0]
    assert list(strongest(dfts, clusters_of(dfts), 9)) == [1, 2, 5] and strongest(dfts, {}, 3) == {}


@pytest.fixture(scope="module")
def of_grid():
    return cluster_measures(grid_network(12, [1, 3, 5]))


def test_measures_of_a_network_of_all_simple_neurons(of_grid):
    assert of_grid["clusters"] == 3 and of_grid["cluster_frequencies"] == [1, 3, 5]
    assert of_grid["cluster_orders"] == [1, 3, 1] and of_grid["cluster_sizes"] == [144] * 3
    np.testing.assert_allclose(of_grid["cluster_weights"], 1 / 3)
    assert of_grid["cluster_fine_tuning"] == [0.0] * 3 and of_grid["fine_tuning_clusters"] == 0
    np.testing.assert_allclose(of_grid["cluster_phase_spread"][0], 2)
    assert of_grid["cluster_rank_zero"][0] == of_grid["cluster_rank_zero"][2] == 1.0
    assert of_grid["cluster_rank_median"][0] == 0
    assert of_grid["cluster_rank_median"][1] <= 2, (
        "of its coset, at most the two other residues rank above the right one"
    )
    assert sum(of_grid["rank_counts"]) == 3 * 144 and len(of_grid["rank_counts"]) == 12
    assert of_grid["alive"] == 432 and of_grid["share_simple"] == of_grid["share_simple_of_alive"] == 1
    assert of_grid["share_strictly_simple_of_alive"] == 1 and np.isnan(of_grid["share_second_line_doubled"])
    assert of_grid["share_dead"] == of_grid["share_idle"] == of_grid["share_fine_tuning"] == 0
    for name in ("r_squared_preactivation", "r_squared_W", "r_squared_W_two_lines"):
        assert of_grid[name] == pytest.approx(1)
    assert of_grid["second_line_of_W"] == pytest.approx(0, abs=1e-12)
    assert of_grid["accuracy_of_fits"] == of_grid["accuracy_of_whole_fits"] == 1


def test_fine_tuning_neurons_are_found_in_their_cluster():
    network = simple_network(31, [2] * 4 + [5] * 4, range(8), range(8))
    x = 2 * np.pi * np.arange(31)[:, None] / 31
    A = network.A.copy()
    A[:, 4:] += 0.5 * 1.5 * np.cos(7 * x)  # |DFT| 0.75 · 31/2 = 11.6
    found = cluster_measures(Separable(A, network.B, network.W, network.C, network.D))
    assert found["cluster_fine_tuning"] == [0.0, 1.0] and found["fine_tuning_clusters"] == 1
    assert found["share_fine_tuning"] == found["share_fine_tuning_working"] == 0.5
    assert found["fine_tuning_frequencies"] == [2, 5, 7], (
        "a simple line of magnitude 1.5 · 31/2 = 23 lies in the band too"
    )
    assert found["working_fine_tuning_frequencies"] == [5, 7]


@pytest.mark.parametrize(("n", "h"), [(3, 1), (3, 5), (4, 6), (6, 9), (12, 4)])
def test_any_network_has_all_measures(n, h, of_grid):
    found = cluster_measures(random_network(n, h))
    assert list(found) == list(of_grid)
    assert len(found["cluster_sizes"]) == found["clusters"] and sum(found["cluster_sizes"]) == found["alive"]
    assert sum(found["rank_counts"]) == found["clusters"] * n * n
    shares = [found[f"share_{kind}"] for kind in ("dead", "simple", "fine_tuning", "other")]
    assert sum(shares) == pytest.approx(1)


def test_a_network_that_does_nothing_has_measures_too(of_grid):
    found = cluster_measures(silent_network())
    assert list(found) == list(of_grid)
    assert found["clusters"] == 0 and found["cluster_frequencies"] == [] and found["share_dead"] == 1
    assert sum(found["rank_counts"]) == 0
    undefined = ("r_squared_W", "share_near_zero", "share_with_several_lines", "share_spike_of_simple")
    assert np.isnan([found[name] for name in undefined]).all()


def test_a_second_line_of_W_is_seen_with_its_place():
    network, x = simple_network(31, [2] * 3, range(3), range(3)), 2 * np.pi * np.arange(31) / 31
    W = network.W.copy()
    W[:2] += 0.2 * np.cos(4 * x)
    W[2] += 0.2 * np.cos(7 * x)
    found = cluster_measures(Separable(network.A, network.B, W, network.C, network.D))
    assert found["share_simple"] == 1 and found["share_strictly_simple_of_alive"] == 0
    assert found["share_second_line_doubled"] == pytest.approx(2 / 3)


def test_idle_neurons_have_no_say_in_the_phases_of_their_cluster():
    alpha = np.array([0.5] * 4 + [0.001] * 9)
    s_A = np.array([0, 8, 0, 8] + [3] * 9)
    s_B = np.array([0, 0, 8, 8] + [3] * 9)
    network = simple_network(16, [1] * 13, s_A, s_B, alpha=alpha)
    kept = cluster_measures(network)
    assert kept["share_idle"] == pytest.approx(9 / 13)
    assert kept["cluster_phase_spread"] == pytest.approx([2])


def test_phases_of_half_of_an_even_modulus_have_no_spread():
    network = simple_network(16, [8] * 4 + [1] * 4, [0, 8, 0, 8] * 2, [0, 0, 8, 8] * 2)
    found = cluster_measures(network)
    assert found["cluster_frequencies"] == [1, 8] and found["cluster_phase_spread"][0] == pytest.approx(2)
    assert np.isnan(found["cluster_phase_spread"][1])


def test_second_lines_are_pairs_of_a_working_neurons_frequency_and_another_in_the_band():
    network, x = simple_network(31, [2] * 4 + [5] * 4, range(8), range(8)), 2 * np.pi * np.arange(31)[:, None] / 31
    strong = dict(A=3 * network.A, B=3 * network.B)  # |DFT| 1.5·3·31/2 = 70, above the band
    strong["A"][:, 4:6] += np.cos(7 * x) + np.cos(3 * x)  # 15.5
    strong["B"][:, 6:] += np.cos(7 * x) + 0.1 * np.cos(4 * x)  # 15.5 and 1.6, below it
    found = cluster_measures(Separable(**strong, W=network.W, C=network.C, D=network.D))
    assert found["cluster_frequencies"] == [2, 5]
    assert list(zip(found["second_lines_of"], found["second_lines_at"], strict=True)) == [(5, 3), (5, 7)]


def test_lines_away_from_a_neurons_own_are_counted_network_by_network():
    network, x = simple_network(31, [2] * 4, range(4), range(4)), 2 * np.pi * np.arange(31)[:, None] / 31
    tables = {name: 3 * getattr(network, name) for name in "AB"}
    tables["A"][:, :1] += 0.2 * np.cos(7 * x)  # |DFT| 0.2·31/2 = 3.1
    tables["A"][:, 1:2] += 0.3 * np.cos(7 * x)  # 4.7
    tables["B"][:, 3:] += 1.7 * (np.cos(7 * x) + np.cos(5 * x) + np.cos(3 * x))  # 26, so that it is fine-tuning
    lines = cluster_measures(Separable(**tables, W=network.W, C=network.C, D=network.D))
    assert lines["share_near_zero"] == pytest.approx(2 / 3) and lines["share_with_several_lines"] == 1


def test_spikes_are_lines_above_60_of_working_simple_neurons():
    r = np.array([61.0, 59.0, 100.0, 100.0]) / 15.5  # |DFT| over n/2
    network = simple_network(31, [2, 2, 5, 5], range(4), range(4), r=r, alpha=np.array([1.0, 1.0, 1.0, 1e-4]))
    assert cluster_measures(network)["share_spike_of_simple"] == pytest.approx(2 / 3), "the last one is idle"


def test_lines_in_band_are_those_of_the_chosen_neurons_on_either_side():
    n, x = 13, 2 * np.pi * np.arange(13) / 13
    height = 2 / n  # a cosine of this amplitude has a DFT line of magnitude 1
    A = height * np.stack([8 * np.cos(x) + 31 * np.cos(2 * x), 9 * np.cos(3 * x), 0 * x], axis=1)
    B = height * np.stack([7 * np.cos(4 * x), 0 * x, 29 * np.cos(5 * x)], axis=1)
    network = Separable(A + 2, B - 2, np.zeros((3, n)), np.zeros((n, n)), np.zeros((n, n)))
    assert lines_in_band(network, np.array([True, True, True])) == [1, 3, 5]
    assert lines_in_band(network, np.array([True, False, False])) == [1]
    assert lines_in_band(network, np.array([False, False, False])) == []


def test_lines_beside_the_own_one_stand_at_another_cluster_or_not():
    n = 91  # lines of a cosine are half as large as n times its amplitude
    network = simple_network(n, [3, 7], [0, 0], [0, 0])
    for f, amplitude in ((7, 0.1), (20, 0.1), (30, 0.01)):
        network.A[:, 0] += amplitude * np.cos(2 * np.pi * f * np.arange(n) / n)
    dfts, every = three_dfts(network), np.ones(2, dtype=bool)
    assert lines_beside(network, dfts, every).tolist() == [7, 20], "the line at 30 is near 0"
    assert lines_beside(network, dfts, ~every).size == 0
    assert share_contaminated_by_clusters(network) == 0.5, "only at 7 there is a cluster"


def test_a_network_of_pure_waves_has_no_line_that_could_be_contamination(of_grid):
    assert np.isnan(of_grid["share_contaminated_by_clusters"])
