"""Drawings of Study Q over its seeds: numbers of networks, for how many a claim holds, and which frequencies they have."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from jaxtyping import Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from modadd.plots.figures import COLOURS, MARKERS, panels, published_line

BARS = COLOURS[6]
ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1), "ncols": 4, "title_fontsize": 7, "handletextpad": 0.2}


def draw_numbers(
    rows: pd.DataFrame, mainline: pd.Series, printed: Mapping[str, Any], labels: Mapping[str, str], title: str
) -> Figure:
    """Histograms of numbers, by their `labels`; a triangle marks the mainline, dashed lines what is printed of it."""
    figure, axes = panels(len(labels), columns=3, height=1.6)
    for ax, (number, label) in zip(axes, labels.items(), strict=True):
        ax.hist(rows[number].dropna(), 16, color=BARS)
        for value in np.ravel(printed.get(number, [])).tolist():
            published_line(ax, value)
        _mark(ax, mainline[number])
        ax.set(xlabel=label)
        ax.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    figure.supylabel("networks", fontsize=8)
    figure.suptitle(title, fontsize=8)
    return figure


def _mark(ax: Axes, value: float | int) -> None:
    """The mainline, on the axis."""
    ax.plot(value, 0, "^", color=COLOURS[1], markeredgecolor="black", clip_on=False)


def draw_shares(table: pd.DataFrame, title: str) -> Figure:
    """A line for each claim: the share of networks for which it holds with its interval, and their number in words."""
    figure, (ax,) = panels(1, columns=1, height=0.8 + 0.18 * len(table))
    y = np.arange(len(table))
    ax.hlines(y, table.low, table.high, color=BARS, linewidth=4)
    ax.plot(table["share"], y, "o", color=COLOURS[0], markersize=4)
    for row, (holds, of) in enumerate(zip(table["holds"], table["of"], strict=True)):
        ax.text(1.04, row, f"{holds} of {of}", va="center", size=7)
    ax.hlines(y[:-1] + 0.5, 0, 1, color="0.9", linewidth=0.7, zorder=0)
    ax.set(xlim=(-0.02, 1.02), ylim=(len(table) - 0.5, -0.5), xlabel="share of networks for which the claim holds")
    ax.set_yticks(y, table.claim)
    ax.set_title(title)
    return figure


def draw_counts(summary: pd.DataFrame, used: Int[np.ndarray, "frequencies"], mainline: int) -> Figure:
    """How many key frequencies networks have, in how many each one is key, and how many claims the others break.

    summary: a line for each network. used: by frequency, the networks in which it is key. mainline: its key frequencies.
    """
    figure, axes = panels(3, columns=3, height=2.3)
    counts = np.unique(summary.key_frequencies).tolist()
    sns.histplot(summary, x="key_frequencies", discrete=True, shrink=0.8, color=BARS, alpha=1, ax=axes[0])
    _mark(axes[0], mainline)
    axes[0].set(
        xlabel="key frequencies", ylabel="networks", xticks=counts, title=f"{len(summary)} networks; ▲ the mainline"
    )
    axes[0].yaxis.set_major_locator(MaxNLocator(integer=True))
    axes[1].bar(np.arange(1, len(used) + 1), used, 0.8, color=BARS)
    axes[1].axhline(used.mean(), color=COLOURS[0], linestyle=":", label="all alike")
    axes[1].set(xlabel="frequency k", ylabel="networks in which it is key", ylim=(None, 1.25 * max(used.max(), 1)))
    axes[1].legend(loc="upper right")
    _draw_weakest(axes[2], summary, counts)
    return figure


def _draw_weakest(ax: Axes, summary: pd.DataFrame, counts: Sequence[int]) -> None:
    """Claims broken against the share of the weakest frequency, by the number of frequencies; upright, all of them equal."""
    palette, markers = (dict(zip(counts, cycle(marks), strict=False)) for marks in (COLOURS, MARKERS))
    looks = {"palette": palette, "markers": markers, "s": 18, "alpha": 0.8, "linewidth": 0, "legend": "full"}
    kinds = {"hue": "key_frequencies", "style": "key_frequencies"}
    sns.scatterplot(summary, x="weakest", y="broken", ax=ax, **kinds, **looks)
    for count, colour in palette.items():
        ax.axvline(1 / max(count, 1), color=colour, linewidth=0.7, zorder=0)
    ax.set(xlabel="smallest C_k over Σ C_k", ylabel="claims broken")
    ax.legend(title="key frequencies", **ABOVE)
