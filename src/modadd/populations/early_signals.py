"""Is there a level of violated symmetry that tells networks that answer everything from those that do not (arXiv 2603.01968)?

data/early_signals/predictions.yaml says what was predicted, in these numbers, before any snapshot was measured by it.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from modadd.core.statistics import Estimate, mean_of
from modadd.populations.events import EVENTS, for_good

SIGNALS = {  # columns of snapshots that are tried as signals, in words; small values are expected of solved snapshots
    "associativity_violation": "associativity violation",
    "commutativity_violation": "commutativity violation",
    "held_out_loss": "held-out loss",
    "train_loss": "training loss",
}
FEWEST_RUNS = 8  # of odd seed, of which anything is judged


def memorised_snapshots(rows: pd.DataFrame) -> pd.DataFrame:
    """The snapshots of each run from when its training loss stays low, with `solved`: whether all inputs are answered right."""
    since = {seed: for_good(run, EVENTS["memorised"]) for seed, run in rows.groupby("seed")}
    return rows[rows.updates >= rows.seed.map(since)].assign(solved=lambda own: own.accuracy == 1)


def told_right(values: Float[np.ndarray, "k"], solved: Bool[np.ndarray, "k"], level: float) -> float:
    """Share of snapshots told right by `solved if below the level`, solved and unsolved ones weighing equally.

    NaN if all are solved, or none, and of no level.
    """
    if solved.all() or not solved.any() or math.isnan(level):
        return math.nan
    below = values < level
    return float(below[solved].mean() + (~below)[~solved].mean()) / 2


def best_level(values: Float[np.ndarray, "k"], solved: Bool[np.ndarray, "k"]) -> float:
    """The level between two measured values that tells most right, the lowest of several; NaN if all are solved, or none."""
    if solved.all() or not solved.any():
        return math.nan
    order = np.argsort(values, kind="stable")
    sorted_values, good = values[order], solved[order]
    # Of the level above the first i values: solved ones below it, and unsolved ones above it.
    told = np.cumsum(good) / good.sum() + (1 - np.cumsum(~good) / (~good).sum())
    told[:-1][np.diff(sorted_values) == 0] = -1  # between two equal values there is no level
    best = int(told[:-1].argmax())
    return float(sorted_values[best : best + 2].mean())


def told_by_run(snapshots: pd.DataFrame, signal: str) -> tuple[float, pd.Series]:
    """The level of a signal by the runs of even seeds, and the share that it tells right in each run of odd seed with both kinds.

    The shares are by seed.
    """
    measured = snapshots[np.isfinite(snapshots[signal])]
    even = measured[measured.seed % 2 == 0]
    level = best_level(even[signal].to_numpy(), even.solved.to_numpy())
    told = {
        seed: told_right(run[signal].to_numpy(), run.solved.to_numpy(), level)
        for seed, run in measured[measured.seed % 2 == 1].groupby("seed")
    }
    return level, pd.Series(told, dtype=float).dropna()


def table_of_signals(snapshots: pd.DataFrame) -> pd.DataFrame:
    """A line for each of SIGNALS: its level, the runs of odd seed that tell, and the mean share told right with its 95 % interval."""
    lines = []
    for signal, words in SIGNALS.items():
        level, told = told_by_run(snapshots, signal)
        mean = mean_of(told.to_numpy())
        lines.append(
            {
                "signal": words,
                "level": level,
                "runs": len(told),
                "told_right": mean.value,
                "low": mean.low,
                "high": mean.high,
            }
        )
    return pd.DataFrame(lines)


def answers(rows: pd.DataFrame) -> dict[str, Any]:
    """What the prediction is judged by, and the same of each other signal; rows of snapshots. NaN with fewer than FEWEST_RUNS.

    more_than_train_loss, more_than_held_out_loss: how much more the associativity violation tells right, run by run.
    """
    snapshots = memorised_snapshots(rows)
    told = {signal.removesuffix("_violation"): told_by_run(snapshots, signal)[1] for signal in SIGNALS}
    judged = {
        f"told_by_{signal}": mean_of(shares.to_numpy()) if len(shares) >= FEWEST_RUNS else Estimate.without_interval()
        for signal, shares in told.items()
    }
    for rival in ("train_loss", "held_out_loss"):
        more = (told["associativity"] - told[rival]).dropna()  # of runs in which both tell
        judged[f"more_than_{rival}"] = (
            mean_of(more.to_numpy(), signed=True) if len(more) >= FEWEST_RUNS else Estimate.without_interval()
        )
    return judged
