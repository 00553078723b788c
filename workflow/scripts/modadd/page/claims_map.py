"""The map of a study: networks across, claims down, dark where a claim does not hold."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from modadd.page.figures import COLOURS, PAGE

PIXELS = 800  # columns of the map, at most
NAMED = 60  # networks up to which each is named: more names cannot be read, and the figure's data has them


def broken_by(holds: pd.DataFrame) -> pd.Series:
    """How many claims each network breaks, as far as they can be judged on it."""
    return holds.eq(False).fillna(False).sum(axis=1).astype(int)


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
    broken = broken_by(holds)
    order = np.lexsort([np.arange(len(holds)), above, broken])
    some = [claim for claim in holds if holds[claim].eq(False).fillna(False).any()] or list(holds)
    shade = holds[some].astype("Float64").to_numpy(dtype=float, na_value=np.nan)
    dark = np.where(np.isnan(shade), 0.35, 1 - shade)[order].T  # in between: not judged
    size, heights = (PAGE, 1.4 + 0.17 * max(len(some), 4)), (1, max(len(some) / 3, 1.5))
    figure, (top, ax) = plt.subplots(2, 1, figsize=size, sharex=True, height_ratios=heights, layout="constrained")
    top.stairs(above.to_numpy()[order], np.arange(len(order) + 1) - 0.5, fill=True, color=COLOURS[3])
    top.set(ylabel=above.name)
    columns = np.array_split(dark, min(len(order), PIXELS), axis=1)  # each a few networks, where there are many
    extent = (-0.5, len(order) - 0.5, len(some) - 0.5, -0.5)
    shades = np.stack([column.mean(axis=1) for column in columns], axis=1)
    ax.imshow(shades, cmap="Greys", vmin=0, vmax=1.4, aspect="auto", interpolation="nearest", extent=extent)
    ax.set_yticks(range(len(some)), [labels[claim] for claim in some], size=6)
    ax.hlines(np.arange(len(some) - 1) + 0.5, -0.5, len(order) - 0.5, color="white", linewidth=1)
    named = names.to_numpy()[order] if names is not None and len(order) <= NAMED else []
    ax.set_xticks(range(len(named)), named, rotation=90, size=5)
    what = names.name if len(named) else "network"
    ax.set(xlabel=f"{what}, by the number of claims that it breaks")
    place = np.flatnonzero(np.isin(order, marked))
    style = {"color": COLOURS[1], "markeredgecolor": "black", "markersize": 5, "clip_on": False}
    if place.size:  # an empty line that is not clipped would take all room
        top.plot(place, above.to_numpy()[order][place] * 1.1, "v", **style)
    figure.suptitle(f"{title}; dark: the claim does not hold", fontsize=8)
    return figure
