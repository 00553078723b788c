"""What is read from networks of changed recipes: how far numbers move, and which networks have what [C] prints of Fig. 3.

Rows are those of `recipe_changes.with_changes`; regimes are BATCH and FULL there.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from modadd.core.statistics import Estimate, distance_from_zero, mean_of, ratio_of, smaller_over_larger
from modadd.crt.embedding_weights import LEFT_OUT, share_beyond
from modadd.populations.recipe_changes import (
    BATCH,
    FULL,
    UNCHANGED,
    after_equal_updates,
    largest_shift,
    regimes_apart,
    shift,
    stopped_first,
)

NUMBERS = ("clusters", "share_simple_of_alive", "share_dead", "share_fine_tuning")  # by which recipes are compared
WEIGHTS = ("embedding_outside_one", "embedding_largest", "near_zero")  # of the embeddings
OUTSIDE, NEAR_ZERO = "outside in batches", "millions near 0 in batches"  # what [C] prints of Fig. 3
LARGEST, OUTSIDE_FULL = "largest in batches", "outside in full batch"
KINDS = {  # of changes, by the key of the recipe that they begin with
    "initialisation": "init_scale",
    "penalty": "weight_decay",
    "order": "reshuffled",
    "updates": "steps",
    "batches": "batch_size",
    "beta2": "beta2",
    "penalised": "decayed",
}


def by_size(words: pd.Series) -> pd.Series:
    """A key that sorts changes by the size of their numbers: `steps 400` before `steps 3000`."""
    return words.map(lambda word: re.sub(r"\d+", lambda number: number[0].zfill(9), word))


def of_updates_alone(rows: pd.DataFrame) -> pd.DataFrame:
    """The networks of which nothing but the number of updates is changed, with the share of weights near_zero."""
    rows = rows[rows.changed.str.fullmatch(r"(steps \d+)?")]
    return rows.assign(near_zero=[1 - share_beyond(counts, LEFT_OUT) for counts in rows.embedding_counts])


def weights_by_updates(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each regime, number of updates and one of WEIGHTS: its mean over networks, with its interval."""
    lines = []
    for (regime, updates), alike in rows.groupby(["regime", "steps"]):
        for name in WEIGHTS:
            line = {"regime": regime, "updates": updates, "number": name, "networks": len(alike)}
            lines.append(line | vars(mean_of(alike[name].to_numpy(float))))
    return pd.DataFrame(lines)


def numbers_of_fig_3(rows: pd.DataFrame, millions: float) -> pd.DataFrame:
    """What networks that answer every input right have of the printed numbers, by regime and updates.

    millions: of weights in the networks of the figure. value, low, high: means with intervals, but LARGEST of all networks.
    """
    lines = []
    for (regime, updates), alike in rows[rows.passes].groupby(["regime", "steps"]):
        outside = mean_of(alike.embedding_outside_one.to_numpy(float))
        found = {OUTSIDE_FULL: outside}
        if regime == BATCH:
            near_zero = mean_of(millions * alike.near_zero.to_numpy(float))
            largest = Estimate.without_interval(alike.embedding_largest.max(), len(alike))
            found = {OUTSIDE: outside, NEAR_ZERO: near_zero, LARGEST: largest}
        lines += [{"regime": regime, "updates": updates, "number": name, **vars(one)} for name, one in found.items()]
    return pd.DataFrame(lines, columns=["regime", "updates", "number", "value", "low", "high", "of"])


def agreeing_with_print(
    table: pd.DataFrame, printed: Mapping[str, str], in_interval: Callable[[dict[str, float], str], bool]
) -> pd.DataFrame:
    """`numbers_of_fig_3` with a column agrees: whether each number is as it is printed, by its name.

    Print says that OUTSIDE_FULL is less, which the whole interval has to be, and that LARGEST is more. in_interval says of
    any other number and its interval whether it is the printed one, with its digits.
    """
    agrees = []
    for line in table.itertuples():
        limit = printed[line.number]
        if line.number == OUTSIDE_FULL:
            agrees.append(line.high < float(limit))
        elif line.number == LARGEST:
            agrees.append(line.value > float(limit))
        else:
            agrees.append(in_interval({"value": line.value, "low": line.low, "high": line.high, "of": line.of}, limit))
    return table.assign(agrees=agrees)


def acceptance_table(rows: pd.DataFrame, table: pd.DataFrame, accuracies: Sequence[float]) -> pd.DataFrame:
    """NUMBERS over the networks at or above each accuracy, for the recipes of which some networks do not pass.

    table: that of `recipe_changes.numbers_by_change`.
    """
    lines = []
    for recipe in table[table.passing < table.networks].itertuples():
        alike = rows[(rows.regime == recipe.regime) & (rows.changed == recipe.changed)]
        for accuracy in accuracies:
            let_in = alike[alike.accuracy >= accuracy]
            line = {"regime": recipe.regime, "changed": recipe.changed, "accuracy from": accuracy}
            lines.append(line | {"networks": len(let_in)} | {number: let_in[number].mean() for number in NUMBERS})
    return pd.DataFrame(lines, columns=["regime", "changed", "accuracy from", "networks", *NUMBERS])


def regimes_table(updates: int, by_seed: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Each number of `after_equal_updates`: its mean in both regimes, how far they are apart, and their ratio."""
    lines = []
    for number, difference in regimes_apart(by_seed).items():
        both = by_seed[number]
        line = {"number": number, **both.mean(), **vars(difference)}
        lines.append(line | {"ratio": _ratio(both).value, "updates": updates})
    return pd.DataFrame(lines)


def _ratio(both: pd.DataFrame) -> Estimate:
    return smaller_over_larger(both[BATCH].to_numpy(float), both[FULL].to_numpy(float))


def largest_shifts(passing: pd.DataFrame) -> dict[str, Estimate]:
    """How far the mean number of clusters moves at most, by each of KINDS."""
    return {kind: largest_shift(passing, "clusters", key) for kind, key in KINDS.items()}


def compared_regimes(by_seed: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Both regimes after equally many updates: distance of clusters, ratios of shares and of weights, and all means."""
    ratios = {f"regimes_{number}": _ratio(by_seed[number]) for number in NUMBERS[1:]}
    weights = {}
    for name, number in {"outside_one_ratio": "embedding_outside_one", "near_zero_ratio": "near_zero"}.items():
        weights[name] = ratio_of(*by_seed[number][[BATCH, FULL]].to_numpy(float).T)
    means = {number: both.mean().to_dict() for number, both in by_seed.items()}
    apart = distance_from_zero(regimes_apart(by_seed)["clusters"])
    return ratios | weights | {"regimes_clusters": apart, "regime_means": means}


def agreement_with_fig_3(table: pd.DataFrame) -> dict[str, Any]:
    """How many of the printed numbers one number of updates gives, and each number after all of them, in words.

    table: `numbers_of_fig_3` with a column agrees.
    """
    together = table[table.regime == BATCH].groupby("updates").agrees.sum()
    of_full = table[table.number == OUTSIDE_FULL].agrees.any()
    words = {}
    for word, name in dict(outside=OUTSIDE, near_zero=NEAR_ZERO, largest=LARGEST, outside_full=OUTSIDE_FULL).items():
        lines = table[table.number == name].itertuples()
        words[word] = ", ".join(f"{line.value:.3g} after {line.updates:,}" for line in lines) or "none"
    return {"most_of_fig_3": int(together.max() if len(together) else 0) + int(of_full), "by_updates": words}


def settled_clusters(passing: pd.DataFrame, updates: Sequence[int], ln_n: float) -> dict[str, Any]:
    """The mean number of clusters in full batch after each of these updates, and how far it is from ln n as printed."""
    of_full = passing[passing.regime == FULL]
    means = [mean_of(of_full.clusters[of_full.steps == steps].to_numpy(float)) for steps in updates]
    apart = [Estimate(mean.value - ln_n, mean.low - ln_n, mean.high - ln_n, mean.of) for mean in means]
    return {"clusters_settled_full": means, "clusters_from_ln_n_full": [distance_from_zero(one) for one in apart]}


def fine_tuning_by_penalty(passing: pd.DataFrame, penalty: float) -> dict[str, Estimate]:
    """The share of networks in batches with a working fine-tuning neuron, by the recipe and by half of its penalty."""
    of_batches = passing[passing.regime == BATCH]
    changes = {"printed": UNCHANGED, "half": f"weight_decay {penalty / 2:g}"}
    shares = {}
    for word, change in changes.items():
        neurons = of_batches.share_fine_tuning_working[of_batches.changed == change]
        shares[word] = mean_of((neurons > 0).to_numpy(float))
    return shares


def answers(
    rows: pd.DataFrame, recipes: Mapping[str, pd.Series], fig_3: pd.DataFrame, settled: Sequence[int], ln_n: float
) -> dict[str, Any]:
    """What is recorded of changed recipes; `recipes` are rows of both regimes' own, `fig_3` is judged.

    settled: updates of the full batch from which the number of clusters moves no more. ln_n: as [C] prints it.
    """
    passing, of_updates = rows[rows.passes], of_updates_alone(rows)
    in_batches = of_updates[of_updates.regime == BATCH]
    slow = passing[(passing.regime == BATCH) & (passing.learning_rate < recipes[BATCH].learning_rate)]
    as_long = in_batches[in_batches.passes & (in_batches.steps == slow.steps.max())]
    rates = {"published": as_long, "lower": slow}
    moved = largest_shifts(passing)
    stopped = [shift(passing, "clusters", *recipe) for recipe in stopped_first(passing, recipes)]
    _, by_seed = after_equal_updates(of_updates[of_updates.passes], [*NUMBERS, *WEIGHTS])
    return {
        "dead_by_rate": {name: mean_of(alike.share_dead.to_numpy(float)) for name, alike in rates.items()},
        "small_changes_clusters": [moved[kind] for kind in ("initialisation", "penalty", "order")],
        "stopped_early_clusters": min(stopped, key=lambda found: abs(found.value), default=mean_of([])),
        "largest_batch": in_batches.embedding_largest.max(),
        "runs_with_fine_tuning": fine_tuning_by_penalty(passing, recipes[BATCH].weight_decay),
        **compared_regimes(by_seed),
        **agreement_with_fig_3(fig_3),
        **settled_clusters(of_updates[of_updates.passes], settled, ln_n),
    }
