"""What [C] shows of a pizza's strongest clusters, of networks with known answers."""

from dataclasses import replace

import numpy as np
import pytest
from support import perfect_network

from modadd.core.fourier import angular_frequency
from modadd.core.separable import accuracy
from modadd.crt.cosets import step
from modadd.crt.strongest_clusters import (
    MOST_CLUSTERS,
    best_alone,
    best_without,
    largest_lag,
    one_step_away,
    pizza_shares,
    strongest_clusters,
)

N = 13


@pytest.fixture(scope="module")
def network():
    """Four clusters of evenly spaced phases, of which the last is the weakest."""
    return perfect_network(N, (2, 3, 5, 6), m=8)


def test_strongest_clusters_are_three_of_pure_neurons_whose_waves_peak_at_the_sum(network):
    found = strongest_clusters(network)
    assert len(found) == MOST_CLUSTERS and set(found.frequency) <= {2, 3, 5, 6}
    assert pizza_shares(network) == pytest.approx([1] * MOST_CLUSTERS)
    assert found.d.tolist() == [step(f, N) for f in found.frequency]
    assert largest_lag(network) < 0.1, "the sum of eight neurons is close to its integral"
    assert largest_lag(replace(network, W=np.roll(network.W, 1, axis=1))) > 1, "every wave peaks one answer late"


def test_a_cosine_is_strong_one_step_away_and_not_at_the_next_residue(network):
    rows = strongest_clusters(network)
    for row, away in zip(rows.itertuples(), one_step_away(network), strict=True):
        turn = angular_frequency(row.frequency, N)
        assert away == pytest.approx(np.cos(turn * row.d), abs=0.01), "the mean of both sides: cos x cos y over cos x"
    assert (one_step_away(network) > rows["a ± 1"]).all()


def test_a_cluster_that_is_the_whole_network_is_right_alone_as_often_as_that():
    whole = perfect_network(N, (1,), m=3)
    assert 0 < best_alone(whole) == accuracy(whole.logits()) < 1


def test_without_its_only_cluster_a_network_answers_nothing():
    assert best_without(perfect_network(N, (1,), m=3)) == 0


def test_a_network_may_answer_all_inputs_without_its_least_needed_cluster(network):
    rows = strongest_clusters(network)
    assert best_without(network) == rows["without"].max() == 1
