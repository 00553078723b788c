"""The map of a study: networks across, claims down, dark where a claim does not hold."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from modadd.plots.figures import COLOURS, PAGE
from paper.page.sentences import brief, first_sentence

PIXELS = 800  # columns of the map, at most
NAMED = 36  # networks up to which each is named: more names cannot be read, and the figure's data has them
LETTERS = 7  # points
CLAUSE = 20  # letters before a colon that say something: "The paper prints: " does not
LINE, LINES = 58, 2  # letters of a line, and lines, of the words of a claim
UNJUDGED = 0.35  # the shade between white, where a claim holds, and 1
MARK = {
    "color": COLOURS[1],
    "marker": "v",
    "markeredgecolor": "black",
    "markersize": 5,
    "linestyle": "none",
    "clip_on": False,
}


def in_words(claim: Mapping[str, Any]) -> str:
    """The label of a row: what a claim says, without how it is measured, and no more of it than LINES lines hold."""
    said = first_sentence(brief(claim["statement"]))
    before = said.partition(": ")[0]
    return textwrap.fill(said if len(before) < CLAUSE else before, LINE, max_lines=LINES, placeholder=" …")


def broken_by(holds: pd.DataFrame) -> pd.Series:
    """How many claims each network breaks, as far as they can be judged on it."""
    return _fails(holds).sum(axis=1).astype(int)


def _fails(holds: pd.DataFrame) -> pd.DataFrame:
    return holds.eq(False).fillna(False)


def draw_claims_map(
    holds: pd.DataFrame,
    labels: Mapping[str, str],
    above: pd.Series,
    title: str,
    names: pd.Series | None = None,
    marked: Sequence[int] = (),
) -> Figure:
    """The figure; networks are sorted by the number of claims that they break, then by what stands `above` them.

    holds: a line for each network, a column for each claim: true, false or missing. labels: words for each claim. above:
    a number for each network, drawn over its column; its name is the label of that axis. names: what a network is called.
    marked: places of networks, in the lines of `holds`, that get a triangle. Claims that hold for every network are left
    out, unless all do.
    """
    places = np.arange(len(holds))
    order = np.lexsort([places, above, broken_by(holds)])
    fails = _fails(holds).any()
    drawn = holds.iloc[order, fails.to_numpy() | ~fails.any()]
    count = drawn.shape[1]
    figure, (top, ax) = plt.subplots(
        2,
        1,
        figsize=(PAGE, 1.4 + 0.27 * max(count, 4)),
        height_ratios=(1, max(count / 2, 1.5)),
        sharex=True,
        layout="constrained",
    )
    _draw_above(top, above.iloc[order], np.isin(order, marked))
    _draw_shades(ax, drawn, labels)
    if names is None or len(order) > NAMED:
        names = pd.Series([], name="network")
    named = names.to_numpy()[order[: len(names)]]
    ax.set_xticks(range(len(named)), named, rotation=90, size=LETTERS)
    ax.set_xlabel(f"{names.name}, by the number of claims that it breaks")
    figure.suptitle(f"{title}; dark: the claim does not hold", fontsize=8)
    return figure


def _draw_above(ax: Axes, above: pd.Series, marked: Bool[np.ndarray, "networks"]) -> None:
    """A bar for each network, and a triangle over those that are marked."""
    heights = above.to_numpy()
    edges = np.arange(len(heights) + 1) - 0.5
    ax.stairs(heights, edges, fill=True, color=COLOURS[3])
    ax.set_ylabel(above.name)
    if marked.any():  # an empty line that is not clipped would take all room
        ax.plot(np.flatnonzero(marked), heights[marked] * 1.1, **MARK)


def _draw_shades(ax: Axes, holds: pd.DataFrame, labels: Mapping[str, str]) -> None:
    """A row for each claim, with its words."""
    networks, claims = holds.shape
    left, right = -0.5, networks - 0.5
    ax.imshow(
        _shades(holds),
        cmap="Greys",
        vmin=0,
        vmax=1.4,
        aspect="auto",
        interpolation="nearest",
        extent=(left, right, claims - 0.5, -0.5),
    )
    words = [labels[claim] for claim in holds]
    ax.set_yticks(range(claims), words, size=LETTERS)
    between = np.arange(claims - 1) + 0.5
    ax.hlines(
        between,
        left,
        right,
        color="white",
        linewidth=1,
    )


def _shades(holds: pd.DataFrame) -> Float[np.ndarray, "claims columns"]:
    """White 0, dark 1; each column is the mean of a few networks, where there are many."""
    light = holds.astype("Float64").to_numpy(dtype=float, na_value=1 - UNJUDGED)
    columns = np.array_split(1 - light, min(len(light), PIXELS))
    return np.stack([column.mean(axis=0) for column in columns], axis=1)
