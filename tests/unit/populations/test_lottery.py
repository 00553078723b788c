"""Predictors of initial weights, and measures of predictions, on tables of which the answer is known."""

import numpy as np
import pandas as pd
import pytest

from modadd.networks.recipes import RECIPES
from modadd.populations import lottery as l


def small(architecture):
    sizes = {"modulus": 7, "d_model": 8, "d_mlp": 16, "train_pairs": 20, "batch_size": 0}
    recipe = RECIPES[architecture].as_dict() | sizes
    return pd.Series(recipe | {"seed": 3, "n_heads": min(recipe["n_heads"], 2)})


@pytest.mark.parametrize("architecture", ["pizza_transformer", "embedding_mlp"])
def test_every_neuron_has_one_winner_and_powers_are_those_of_the_tables(architecture):
    from modadd.networks.architectures import separable_of
    from modadd.networks.starts import drawn

    recipe = l.recipe_of_row(small(architecture))
    table = l.predictors(recipe, 3)
    assert table.frequency.tolist() == [1, 2, 3]
    for name in ("winners by amplitude", "winners by phase", "winners by both"):
        assert table[name].sum() == recipe.d_mlp
    network = separable_of(architecture, {name: value.numpy() for name, value in drawn(recipe, 3).items()})
    variance = (network.W - network.W.mean(axis=1, keepdims=True)) ** 2
    assert table["power of W"].sum() == pytest.approx(variance.sum() * 7 / 2), "Parseval, each of ±k once"


def test_a_table_has_final_frequencies_and_their_neurons():
    row = small("embedding_mlp")
    row["cluster_frequencies"], row["cluster_sizes"] = [1, 3], [4, 9]
    table = l.lottery(pd.DataFrame([row, row.replace({"seed": 3})]).reset_index(drop=True).assign(seed=[3, 5]))
    assert table[table.seed == 3].final.tolist() == [True, False, True]
    assert table[table.seed == 5].neurons.tolist() == [4, 0, 9]
    assert table.groupby("seed")["drive"].mean().abs().max() < 1e-12
    seen, unseen = l.halves(table)
    assert (seen.seed.unique().tolist(), unseen.seed.unique().tolist()) == ([3], [5]), "by rank, not by seed"
    table["score"] = np.where(table.final & (table.seed == 3), 2.0, 1.0)
    found = l.by_network(table, ["score"])
    assert found.precision.tolist() == [1, pytest.approx(2 / 3)] and found.chance.tolist() == pytest.approx([2 / 3] * 2)


def test_what_is_equal_is_standardised_to_nothing():
    assert (l.standardised(np.array([2.0, 2.0])) == 0).all()
    assert l.standardised(np.array([1.0, 3.0])).tolist() == [-1, 1]


def test_a_logistic_regression_finds_the_law_that_drew_its_lines():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20_000, 2))
    y = rng.random(20_000) < 1 / (1 + np.exp(2 - 1.5 * X[:, 0]))
    np.testing.assert_allclose(l.logistic(X, y), [-2, 1.5, 0], atol=0.1)
    assert l.probability(X, l.logistic(X, y)).mean() == pytest.approx(y.mean(), abs=1e-4)


@pytest.mark.parametrize("y", [np.zeros(6, bool), np.ones(6, bool)])
def test_a_regression_of_lines_of_one_kind_ends(y):
    assert np.isfinite(l.logistic(np.arange(12.0).reshape(6, 2), y)).all()


def test_precision_counts_final_ones_among_the_first():
    final = np.array([True, False, True, False, False])
    assert l.precision(np.array([9.0, 1, 8, 2, 3]), final) == 1
    assert l.precision(np.array([9.0, 8, 1, 2, 3]), final) == 0.5
    assert l.precision(np.zeros(5), final) == pytest.approx(2 / 5), "equal scores are as good as chance"
    assert np.isnan(l.precision(np.zeros(5), np.zeros(5, bool)))


@pytest.mark.parametrize("seed", range(2))
def test_precision_of_ties_is_the_mean_over_their_orders(seed):
    rng = np.random.default_rng(seed)
    score, final = rng.integers(0, 3, 8).astype(float), rng.random(8) < 0.4
    if final.any():
        drawn = [l.precision(score + 1e-6 * rng.random(8), final) for _ in range(2000)]
        assert l.precision(score, final) == pytest.approx(np.mean(drawn), abs=0.05)


def test_rank_correlation_is_one_for_any_rising_law_and_unknown_for_a_constant():
    score = np.array([0.1, 3.0, 0.2, 9.0])
    assert l.rank_correlation(score, score**3) == pytest.approx(1)
    assert np.isnan(l.rank_correlation(score, np.zeros(4)))


def test_the_interval_of_a_mean_is_that_of_its_standard_error():
    rng = np.random.default_rng(0)
    values = rng.standard_normal(400)
    found = l.resampled_mean([*values, np.nan], rng)
    error = 1.96 * values.std() / 20
    assert (found.value, found.of) == (pytest.approx(values.mean()), 400)
    assert (found.value - found.low, found.high - found.value) == pytest.approx((error, error), rel=0.1)
    assert np.isnan(l.resampled_mean([1.0], rng).low) and np.isnan(l.resampled_mean([], rng).value)


def test_calibrated_probabilities_lie_in_their_intervals():
    rng = np.random.default_rng(0)
    said = rng.random(5000)
    bins = l.calibration(said, rng.random(5000) < said)
    assert bins.lines.tolist() == [500] * 10
    assert ((bins.low <= bins.said) & (bins.said <= bins.high)).sum() >= 8
    assert not l.calibration(said, rng.random(5000) < said**3)[4:6].pipe(lambda of: of.high >= of.said).any()
    assert l.calibration(said[:3], said[:3] > 2).lines.tolist() == [1] * 3 + [0] * 7
