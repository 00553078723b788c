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


def scored(seed, final, neurons, **scores):
    """The lines of one network with three frequencies: every predictor says 0 of each, but for the scores given."""
    table = pd.DataFrame({"frequency": [1, 2, 3], "seed": seed, "final": final, "neurons": neurons})
    return table.assign(**(dict.fromkeys([l.REGRESSION, *l.PREDICTORS], 0.0) | scores))


def test_the_regression_is_fitted_to_one_half_and_judges_the_other():
    seen = scored(4, [True, False, False], [5.0, 0, 0], drive=[1.0, -1, 0])
    unseen = scored(9, [False, True, False], [0.0, 5, 0], drive=[1.0, -1, 0])
    found, fitted = l.by_regression(pd.concat([unseen, seen], ignore_index=True))
    assert found.seed.unique().tolist() == [9]
    assert fitted[1 + l.PREDICTORS.index("drive")] > 0, "of the network with the lowest seed"
    assert found[l.REGRESSION].rank().tolist() == [3, 1, 2]


def test_scores_are_means_over_the_held_out_networks_that_have_final_frequencies():
    """Of two networks the first has one final frequency of three, the second two; a third has none, and tells nothing."""
    first = scored(1, [True, False, False], [5.0, 0, 0], **{l.REGRESSION: [2.0, 1, 0], "winners by phase": [0.0, 1, 2]})
    second = scored(3, [True, True, False], [9.0, 5, 0], **{l.REGRESSION: [3.0, 2, 1], "winners by phase": [2.0, 0, 1]})
    none = scored(5, [False] * 3, [0.0] * 3)
    table = l.scores_table({"C": pd.concat([first, second, none]), "Q": first}, np.random.default_rng(0))
    assert table.score[:9].tolist() == [l.REGRESSION, *l.PREDICTORS]
    lines = table[table.population == "C"].set_index("score")
    assert lines["held out"].unique().tolist() == [3]
    assert lines.precision[[l.REGRESSION, "winners by phase", "drive"]].tolist() == pytest.approx([1, 0.25, 0.5])
    assert lines["above chance"][[l.REGRESSION, "winners by phase", "drive"]].tolist() == pytest.approx([0.5, -0.25, 0])
    assert lines.chance.tolist() == pytest.approx([0.5] * 9)
    assert lines["rank"][l.REGRESSION] == pytest.approx((np.sqrt(3) / 2 + 1) / 2), "3, 2, 1 against 5, 0, 0 and 9, 5, 0"
    assert (lines["precision, low"]["winners by phase"], lines["precision, high"]["winners by phase"]) == (0, 0.5)
    assert table[table.population == "Q"]["precision, low"].isna().all(), "one network has no interval"


def test_bins_are_calibrated_if_their_interval_reaches_what_is_said():
    said, low, high = [0.1, 0.2, 0.3, 0.4, np.nan], [0.1, 0.0, 0.4, 0.1, np.nan], [0.3, 0.2, 0.5, 0.3, np.nan]
    bins = pd.DataFrame({"said": said, "low": low, "high": high, "lines": [1, 1, 1, 1, 0]})
    assert l.share_calibrated(bins) == 0.5


def test_answers_have_a_number_for_each_population():
    names = [l.REGRESSION, "winners by phase", "winners by both", "drive"]
    columns = ["precision", "chance", "above chance, low", "above chance", "rank, low", "rank"]
    lines = [
        {
            "population": population,
            "score": score,
            **{column: 100.0 * p + 10 * s + c for c, column in enumerate(columns)},
        }
        for p, population in enumerate(("C", "Q"))
        for s, score in enumerate(names)
    ]
    bins = pd.DataFrame({"said": [0.5], "low": [0.4], "high": [0.6], "lines": [3]})
    assert l.answers(pd.DataFrame(lines), bins) == {
        "precision": [0, 100],
        "chance": [1, 101],
        "above_chance": [2, 102],
        "phase_precision": [10, 110],
        "phase_above_chance": [12, 112],
        "both_above_chance": [22, 122],
        "rank_low": [4, 104],
        "calibrated_bins": 1.0,
    }
