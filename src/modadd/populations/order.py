"""In which order the parts of the mechanism come about, over the watched runs of each study."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool

from modadd.core.statistics import Share, mean_of, share
from modadd.populations.events import ASKED, EVENTS, events_of, for_good

NAMES = [*EVENTS, "greatest_norm"]  # of what `events_of` says when it came about
SHARPENED = 5  # times smaller that the quadrature error becomes
Runs = Mapping[str, pd.DataFrame]  # rows of the snapshots of runs, or a line for each run, by study


class Order(NamedTuple):
    """One thing comes about before another, or `by` it, which is no later; or by so many `times` its updates."""

    first: str
    second: str
    by: bool = False
    times: float = 1.0

    def kept(self, events: pd.DataFrame) -> Bool[np.ndarray, "runs"]:
        """Which runs keep it; a run that never reaches either does not."""
        first, limit = events[self.first].to_numpy(), self.times * events[self.second].to_numpy()
        return first <= limit if self.by else first < limit


ORDERS = {
    "memorised_before_generalised": Order("memorised", "generalised"),
    "norm_before_frequencies": Order("greatest_norm", "frequencies"),
    "mechanism_by_generalised": Order("mechanism", "generalised", by=True),
    "phase_law_by_generalised": Order("phase_law", "generalised", by=True),
    "phase_law_by_twice_generalised": Order("phase_law", "generalised", by=True, times=2),
    "generalised_before_frequencies": Order("generalised", "frequencies"),
}
CLAIMED = ("memorised_before_generalised", "mechanism_by_generalised", "phase_law_by_twice_generalised")
LAST = ("generalised_before_frequencies", "norm_before_frequencies")


def events_by_run(rows: pd.DataFrame) -> pd.DataFrame:
    """What `events_of` says of each run, by its seed."""
    return pd.DataFrame({seed: events_of(run) for seed, run in rows.groupby("seed")}).T


def when_each(events: pd.DataFrame) -> pd.DataFrame:
    """A line for each of NAMES: how many runs reach it, the median of the updates, and the interval of their mean.

    In the median a run that never reaches it comes after all others; if it falls on such a run, there is none. The mean is that of
    logarithms, over the runs that reach it; of fewer than two there is no interval.
    """
    lines = []
    for name in NAMES:
        when = events[name].dropna()
        low, high = np.nan, np.nan
        if len(when) > 1:
            mean = mean_of(np.log10(when.clip(lower=1).to_numpy()))
            low, high = 10**mean.low, 10**mean.high
        median = events[name].fillna(np.inf).median()
        lines.append((name, len(events), median if np.isfinite(median) else np.nan, len(when), low, high))
    columns = [
        "what has come about",
        "runs",
        "median updates",
        "runs that reach it",
        "their mean, low",
        "their mean, high",
    ]
    return pd.DataFrame(lines, columns=columns)


def shares_in_order(events: pd.DataFrame) -> dict[str, Share]:
    """By name, the share of the runs that keep each of the ORDERS."""
    return {name: share(order.kept(events)) for name, order in ORDERS.items()}


def updates_enough(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each thing ASKED: in how many runs it holds at the end, and after which update in the last of these."""
    lines = []
    for name, holds in ASKED.items():
        when = [for_good(run, holds) for _, run in rows.groupby("seed")]
        lines.append((name.replace("_", " "), len(when), int(np.isfinite(when).sum()), np.nanmax(when)))
    columns = ["what is asked", "runs", "runs in which it holds at the end", "from update, the last run"]
    return pd.DataFrame(lines, columns=columns)


def sharpening(run: pd.DataFrame) -> float:
    """The quadrature error when every answer is first right, over that at the end; NaN if it never is."""
    right = run[run.accuracy == 1]
    return right.quadrature_error.iloc[0] / run.quadrature_error.iloc[-1] if len(right) else np.nan


def excluded(run: pd.DataFrame) -> float:
    """The loss on the training pairs at the end, without the key frequencies, over that of guessing."""
    return run.excluded_loss.iloc[-1] / np.log(run.modulus.iloc[0])


def values_of_orders(rows: Runs, shown: Runs) -> dict[str, Any]:
    """What is recorded of the watched runs of each study, and of the one run of each that is shown."""
    events = {study: events_by_run(runs) for study, runs in rows.items()}
    shares = {study: shares_in_order(found) for study, found in events.items()}
    values: dict[str, Any] = {name: [shares[study][name] for study in rows] for name in CLAIMED}
    values["settles_last"] = [shares[study][name] for name in LAST for study in rows]
    for study, runs in rows.items():
        each = [run for _, run in runs.groupby("seed")]
        values[f"{study}_sharpens"] = share([bool(sharpening(run) >= SHARPENED) for run in each])
        values[f"{study}_nothing_left"] = share([bool(excluded(run) >= 1) for run in each])
        values[f"{study}_runs"] = len(events[study])
    for study, run in shown.items():
        values |= {f"{study}_{name}": updates for name, updates in events_of(run).items()}
        values[f"{study}_first_quadrature_error"] = run.quadrature_error.bfill().iloc[0]
        values[f"{study}_last_quadrature_error"] = run.quadrature_error.iloc[-1]
    return values
