"""When things come about in training: the rows of snapshots that runs have, and events in them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import Share, share
from modadd.populations.tables import recipe_columns, rows_of_networks
from modadd.quadrature.torus import LAWFUL


def read_stages(files: Sequence[Path | str]) -> pd.DataFrame:
    """Rows of the runs of several files that follow the recipe of the first; of runs in two files, the earlier's count."""
    return _first_of_each(_following(files, "seed"))


def read_longest(files: Sequence[Path | str]) -> pd.DataFrame:
    """The same of the longest runs that follow the recipe of the first file, however many updates that has itself.

    What becomes of a run is asked of these; a build may stop its own earlier.
    """
    alike = _following(files, "seed", "steps")
    return _first_of_each(alike[alike.steps == alike.steps.max()])


def _following(files: Sequence[Path | str], *but: str) -> pd.DataFrame:
    """Rows of all files that follow the recipe of the first, whatever they have in some columns, with their file's index."""
    tables = [rows_of_networks(file) for file in files]
    recipe = tables[0][recipe_columns(tables[0])].drop(columns=list(but)).iloc[0]
    every = pd.concat([table.assign(file=index) for index, table in enumerate(tables)], ignore_index=True)
    return every[(every[recipe.index] == recipe).all(axis=1)]


def _first_of_each(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of each seed in the first file that has it."""
    first = rows.groupby("seed").file.transform("min")
    return rows[rows.file == first].drop(columns="file").sort_values(["seed", "updates"], ignore_index=True)


# When something has come about for good: it holds at a snapshot and at all that follow.
EVENTS: Mapping[str, Any] = {
    "memorised": lambda rows: rows.train_loss <= 0.01 * np.log(rows.modulus),
    "generalised": lambda rows: rows.accuracy >= 0.99,
    "frequencies": lambda rows: rows.has_final_frequencies,
    "mechanism": lambda rows: rows.restricted_loss <= 0.01 * np.log(rows.modulus),
    "phase_law": lambda rows: rows.mismatch <= LAWFUL,
}


# What claims ask of a network shown, as far as the rows of snapshots tell it.
ASKED: Mapping[str, Any] = {
    "every_answer_right": lambda rows: rows.accuracy == 1,
    "held_out_loss_half_of_guessing": lambda rows: rows.held_out_loss < np.log(rows.modulus) / 2,
    "phase_law": EVENTS["phase_law"],
}


def events_of(run: pd.DataFrame) -> dict[str, float]:
    """Updates after which each of the EVENTS holds for good in one run, NaN if never; and those of the greatest norm."""
    found = {name: for_good(run, holds) for name, holds in EVENTS.items()}
    return found | {"greatest_norm": float(run.updates.iloc[run.weight_norm.argmax()])}


def first_below(losses: pd.Series, level: float) -> float:
    """Updates, the index of the losses, after which they first lie below a level; NaN if they never do."""
    below = losses.index[losses < level]
    return float(below[0]) if len(below) else float("nan")


def delay(run: pd.DataFrame) -> float:
    """How many times as many updates the held-out loss of a run takes as its training loss to fall to half of guessing."""
    losses, half = run.set_index("updates"), np.log(run.modulus.iloc[0]) / 2
    return first_below(losses.held_out_loss, half) / first_below(losses.train_loss, half)


def share_delayed(rows: pd.DataFrame, times: int | float) -> Share:
    """The share of runs with a `delay` of at least so many times; a run in which a loss never falls so far has none."""
    return share([delay(run) >= times for _, run in rows.groupby("seed")])


def growth_of_ball(run: pd.DataFrame) -> float:
    """The last ball of the tables of a run over its first (`radius` above 0); NaN if it has no two of them."""
    radii = run.radius[run.radius > 0]
    return float(radii.iloc[-1] / radii.iloc[0]) if len(radii) > 1 else float("nan")


def share_growing(rows: pd.DataFrame, times: int | float) -> Share:
    """The share, of the runs that have a `growth_of_ball`, of those in which it is at least so many times."""
    grown = np.array([growth_of_ball(run) for _, run in rows.groupby("seed")])
    return share(grown[np.isfinite(grown)] >= times)


def pizza_when_first_right(rows: pd.DataFrame) -> Share:
    """The share of runs in whose first snapshot with every answer right pizza terms explain at least as much as clock terms.

    Of the full logits; a run that is never right is left out.
    """
    first = rows[rows.accuracy == 1].sort_values("updates", kind="stable").drop_duplicates("seed")
    return share((first.r2_pizza >= first.r2_clock).to_numpy())


def for_good(run: pd.DataFrame, asked: Callable[[pd.DataFrame], pd.Series]) -> float:
    """Updates after which something holds at a snapshot of a run and at all later ones; NaN if not at the last."""
    holds = asked(run).to_numpy()
    since = len(holds) - np.cumprod(holds[::-1]).sum()
    return float(run.updates.iloc[since]) if since < len(holds) else float("nan")
