"""Which frequencies the initial weights favour, and how well these predict the final ones.

A table has one line for each network and frequency 1 … ⌊n/2⌋: what the initial weights hold there, and what came of it.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from modadd.core.fourier import spectrum, wrap
from modadd.core.statistics import CONFIDENCE, Estimate, share
from modadd.networks.architectures import ARCHITECTURES, tables_of
from modadd.networks.recipes import RECIPES, Recipe
from modadd.networks.starts import drawn

RIDGE = 1.0  # on the coefficients of standardised predictors, as if one more line spoke for 0
STEPS = 100  # of Newton's method, at most
RESAMPLES = 2000
FINAL = {
    "pizza_transformer": ("frequencies", "neurons"),
    "two_layer_mlp": ("frequencies", "neurons"),
    "embedding_mlp": ("cluster_frequencies", "cluster_sizes"),
}


def recipe_of_row(row: pd.Series) -> Recipe:
    """The recipe that a row of a population was trained by."""
    known = RECIPES[row.architecture].as_dict()
    return Recipe(**{key: type(value)(row.get(key, value)) for key, value in known.items()})


def predictors(recipe: Recipe, seed: int) -> pd.DataFrame:
    """What the initial weights of a network hold at each frequency, in units of their tables.

    Powers are sums of squared amplitudes over neurons or embedding dimensions. drive: Σ_i (α_a + α_b)/2 · β cos(ψ − φ_a
    − φ_b). Winners count the neurons for which a frequency has the largest (α_a + α_b)/2 · β, the smallest |ψ − φ_a −
    φ_b|, or the largest product of the amplitudes and that cosine.
    """
    parameters = {name: value.numpy() for name, value in drawn(recipe, seed).items()}
    tables = tables_of(recipe.architecture, parameters)
    A, B, W = (spectrum(table)[1:] for table in (tables.A, tables.B, tables.W.T))
    embedded = [spectrum(parameters[name].astype(float))[1:] for name in ARCHITECTURES[recipe.architecture].embeddings]
    mismatch = wrap(np.angle(W) - np.angle(A) - np.angle(B))
    size = (np.abs(A) + np.abs(B)) / 2 * np.abs(W)
    inward, outward = (sum((np.abs(table) ** 2).sum(axis=1) for table in of) for of in ((A, B), (W,)))
    return pd.DataFrame(
        {
            "frequency": np.arange(1, len(A) + 1),
            "power of A and B": inward,
            "power of W": outward,
            "product of the powers": inward * outward,
            "power of the embeddings": sum((np.abs(table) ** 2).sum(axis=1) for table in embedded),
            "winners by amplitude": _winners(size),
            "winners by phase": _winners(-np.abs(mismatch)),
            "winners by both": _winners(size * np.cos(mismatch)),
            "drive": (size * np.cos(mismatch)).sum(axis=1),
        }
    )


PREDICTORS = (
    *("power of A and B", "power of W", "product of the powers", "power of the embeddings"),
    *("winners by amplitude", "winners by phase", "winners by both", "drive"),
)


def _winners(score: Float[np.ndarray, "frequencies h"]) -> Int[np.ndarray, "frequencies"]:
    return np.bincount(score.argmax(axis=0), minlength=len(score))


def standardised(values: Float[np.ndarray, "frequencies"]) -> Float[np.ndarray, "frequencies"]:
    """Less their mean, over their standard deviation; 0 where all are equal."""
    off = values - values.mean()
    return off / (off.std() or 1.0)


def lottery(rows: pd.DataFrame) -> pd.DataFrame:
    """The table of these networks: seed, frequency, PREDICTORS standardised within the network, final, neurons.

    Final frequencies are key frequencies, or those of clusters; neurons is 0 at all others.
    """
    names = FINAL[rows.architecture.iloc[0]]
    tables = []
    for _, row in rows.iterrows():
        held = predictors(recipe_of_row(row), int(row.seed))
        count = pd.Series(row[names[1]], index=np.asarray(row[names[0]], int), dtype=float)
        of_frequency = {
            "frequency": held.frequency,
            **{name: standardised(held[name].to_numpy(float)) for name in PREDICTORS},
            "seed": int(row.seed),
            "final": held.frequency.isin(count.index),
            "neurons": held.frequency.map(count).fillna(0.0),
        }
        tables.append(pd.DataFrame(of_frequency))
    return pd.concat(tables, ignore_index=True)


def halves(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The lines of the networks of even rank by seed (0, 2, …), to fit on, and of the others, held out."""
    rank = table.seed.rank(method="dense").astype(int) - 1
    return table[rank % 2 == 0], table[rank % 2 == 1]


def logistic(X: Float[np.ndarray, "lines p"], y: Bool[np.ndarray, "lines"]) -> Float[np.ndarray, "p_and_1"]:
    """Intercept and coefficients of a logistic regression with RIDGE, by Newton's method."""
    design = np.column_stack([np.ones(len(X)), X])
    penalty = np.diag([0.01, *[RIDGE] * X.shape[1]])  # none to speak of on the intercept
    at = np.zeros(design.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-design @ at))
        gradient = design.T @ (p - y) + penalty @ at
        step = np.linalg.solve((design * (p * (1 - p))[:, None]).T @ design + penalty, gradient)
        at = at - step
        if np.abs(step).max() < 1e-9:
            break
    return at


def probability(X: Float[np.ndarray, "lines p"], at: Float[np.ndarray, "p_and_1"]) -> Float[np.ndarray, "lines"]:
    """The probability that a logistic regression gives each line."""
    return 1 / (1 + np.exp(-at[0] - X @ at[1:]))


def precision(score: Float[np.ndarray, "frequencies"], final: Bool[np.ndarray, "frequencies"]) -> float:
    """Share of final ones among the K frequencies of highest score, K the number of final ones; NaN if K is 0.

    Of equal scores as many as are needed count at their mean, which is what a draw among them gives.
    """
    K = int(final.sum())
    if K == 0:
        return float("nan")
    last = np.sort(score)[-K]
    above, equal = score > last, score == last
    return float((final[above].sum() + (K - above.sum()) * final[equal].mean()) / K)


def rank_correlation(score: Float[np.ndarray, "frequencies"], neurons: Float[np.ndarray, "frequencies"]) -> float:
    """Spearman's; NaN where either is constant."""
    ranks = [pd.Series(values).rank().to_numpy() for values in (score, neurons)]
    return float(np.corrcoef(ranks)[0, 1]) if min(map(np.ptp, ranks)) > 0 else float("nan")


def by_network(table: pd.DataFrame, scores: Sequence[str]) -> pd.DataFrame:
    """One line for each network and score: precision, that of chance (K/⌊n/2⌋), rank correlation with the neurons."""
    rows = []
    for seed, own in table.groupby("seed"):
        final, neurons = own.final.to_numpy(bool), own.neurons.to_numpy(float)
        for name in scores:
            score = own[name].to_numpy(float)
            found = precision(score, final), float(final.mean()), rank_correlation(score, neurons)
            rows.append((int(seed), name, *found))
    return pd.DataFrame(rows, columns=["seed", "score", "precision", "chance", "rank correlation"])


def resampled_mean(values: Sequence[float] | pd.Series, rng: np.random.Generator) -> Estimate:
    """The mean over networks and its interval, from RESAMPLES draws of as many. NaN are left out.

    Of a single value there is no interval.
    """
    known = np.asarray(values, float)[np.isfinite(np.asarray(values, float))]
    if len(known) < 2:
        return Estimate.without_interval(*known, of=len(known))  # of one value, or of none
    means = known[rng.integers(len(known), size=(RESAMPLES, len(known)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Estimate(float(known.mean()), float(low), float(high), len(known))


REGRESSION = "all, by regression"  # the score that the regression on all PREDICTORS gives


def by_regression(table: pd.DataFrame) -> tuple[pd.DataFrame, Float[np.ndarray, "p_and_1"]]:
    """The held-out half of a table with the score REGRESSION, and the coefficients, which are fitted to the other half."""
    names = list(PREDICTORS)
    seen, unseen = halves(table)
    fitted = logistic(seen[names].to_numpy(), seen.final.to_numpy())
    return unseen.assign(**{REGRESSION: probability(unseen[names].to_numpy(), fitted)}), fitted


def scores_table(held_out: Mapping[str, pd.DataFrame], rng: np.random.Generator) -> pd.DataFrame:
    """A line for each population and score, REGRESSION first: means over its held-out networks, with their intervals.

    precision; above chance: precision less that of chance, network by network; rank: the rank correlation. chance is that
    of the networks that have a precision.
    """
    found = []
    for name, unseen in held_out.items():
        for score, rows in by_network(unseen, [REGRESSION, *PREDICTORS]).groupby("score", sort=False):
            row = {"population": name, "score": score, "held out": unseen.seed.nunique()}
            measured = {"precision": rows.precision, "above chance": rows.precision - rows.chance}
            for measure, numbers in (measured | {"rank": rows["rank correlation"]}).items():
                mean = resampled_mean(numbers, rng)
                row |= {measure: mean.value, f"{measure}, low": mean.low, f"{measure}, high": mean.high}
            found.append(row)
    table = pd.DataFrame(found)
    return table.assign(chance=table.precision - table["above chance"])


BINS = 10  # of the lines, by what is said of them


def calibration(said: Float[np.ndarray, "lines"], final: Bool[np.ndarray, "lines"]) -> pd.DataFrame:
    """Lines in BINS of equal size by what is said of them: mean said, share of final ones with its interval (Wilson)."""
    rows = []
    for own in np.array_split(np.argsort(said, kind="stable"), BINS):
        found = share(final[own])
        rows.append((float(said[own].mean()) if len(own) else np.nan, found.share, found.low, found.high, len(own)))
    return pd.DataFrame(rows, columns=["said", "seen", "low", "high", "lines"])


def share_calibrated(bins: pd.DataFrame) -> float:
    """The share of the bins of `calibration` whose interval contains what is said of them; bins without lines do not count."""
    filled = bins[bins.lines > 0]
    return ((filled.low <= filled.said) & (filled.said <= filled.high)).mean()


def answers(scores: pd.DataFrame, bins: pd.DataFrame) -> dict[str, list[float] | float]:
    """What claims ask of `scores_table` and of the bins of all populations; lists have a number for each population.

    above_chance is the lower end of its interval, and rank_low that of the rank correlation.
    """
    of_all = scores[scores.score == REGRESSION]
    phase = scores[scores.score == "winners by phase"]
    both = scores[scores.score == "winners by both"]
    return {
        "precision": of_all.precision.tolist(),
        "chance": of_all.chance.tolist(),
        "above_chance": of_all["above chance, low"].tolist(),
        "phase_precision": phase.precision.tolist(),
        "phase_above_chance": phase["above chance, low"].tolist(),
        "both_above_chance": both["above chance, low"].tolist(),
        "rank_low": of_all["rank, low"].tolist(),
        "calibrated_bins": share_calibrated(bins),
    }
