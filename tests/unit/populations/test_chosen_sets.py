import numpy as np
import pandas as pd
import pytest

from modadd.core.growth import LAWS
from modadd.populations.chosen_sets import (
    KEY_SET,
    doubling_and_tripling,
    of_multiple,
    pairs_by_multiple,
    sets_of_frequencies,
    shares_beside_strong,
)
from modadd.populations.number_of_frequencies import SPARSE, counts_by_prime, growth_of_frequencies, on_primes

N = 11


def doubled_sets(networks):
    """Networks that have f and 2f, and nothing else."""
    sets = [sorted({f, min(2 * f, N - 2 * f)}) for f in np.tile(np.arange(1, 6), networks)]
    weights = [[0.0, *(0.4 if f in chosen else 0.0 for f in range(1, 6))] for chosen in sets]
    return pd.DataFrame({"key_set": sets, "characters": sets, "spectral_weights": weights})


def test_sets_that_double_are_seen_to_double():
    rows = doubled_sets(20)
    members = sets_of_frequencies(rows, N, 0.05)
    tables = {name: pairs_by_multiple(chosen, N, 10, 0, name) for name, chosen in members.items()}
    found = doubling_and_tripling(tables, 0.05, len(rows))
    assert found["doubled"]["value"] > 1.5 and found["doubled"]["low"] > 1 and found["doubled"]["of"] == 100
    assert of_multiple(tables[KEY_SET], 3).count == 0 and found["smallest_q"] < 0.01


def test_beside_a_strong_frequency_stands_its_double():
    weights = np.stack(doubled_sets(1).spectral_weights.tolist())[:, 1:]
    table = shares_beside_strong(weights, 0.05, N).set_index("multiple")
    assert table.value[2] == pytest.approx(0.2) and table.value[3] == 0


def test_growth_in_proportion_to_p_is_not_sparse():
    p = np.repeat([11, 23, 31, 47, 59, 71], 4)
    noise = np.random.default_rng(0).normal(size=len(p)) / 20
    rows = pd.DataFrame({"modulus": p, "spectral_count": p / 3 + noise, "train_loss": 1.0})
    counts = counts_by_prime(rows, rows)
    found = growth_of_frequencies(counts, rows)
    assert set(SPARSE) < set(LAWS) and found["evidence_of_sparse_laws"] < 0.01
    assert (found["primes"], found["largest_prime"]) == (6, 71)
    assert (counts.low < counts["N, mean"]).all() and (counts["N, mean"] < counts.high).all()
    assert counts["of (p − 1)/2"].iloc[0] == pytest.approx(counts["N, mean"].iloc[0] / 5)


def test_two_primes_tell_no_law():
    rows = pd.DataFrame({"modulus": [11, 13], "spectral_count": [3, 4], "train_loss": 1.0})
    assert growth_of_frequencies(counts_by_prime(rows, rows), rows)["evidence_of_sparse_laws"] is None


def test_what_is_recorded_of_a_larger_threshold_is_of_that():
    rows = doubled_sets(20)
    members = sets_of_frequencies(rows, N, 0.05)
    tables = {name: pairs_by_multiple(chosen, N, 10, 0, name) for name, chosen in members.items()}
    found = doubling_and_tripling(tables, 0.05, len(rows))
    assert found["doubled_of_larger"]["value"] == of_multiple(tables["K_0.05"], 2).ratio > 1.5


def test_primes_are_those_of_networks_that_add_with_four_neurons_for_each_residue():
    lines = [
        (11, 44, "addition"),
        (25, 100, "addition"),
        (25, 100, "5x5"),
        (13, 44, "addition"),
        (11, 44, "subtraction"),
    ]
    population = pd.DataFrame(lines, columns=["modulus", "d_mlp", "operation"], index=[5, 6, 7, 8, 9])
    assert on_primes(population).index.tolist() == [5]
