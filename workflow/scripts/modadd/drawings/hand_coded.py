"""The pictures of the networks built by hand: what is measured of them comes as tables, and goes out as figures."""

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from modadd.handmade.build import Wave
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels


def draw_second_harmonics(parts: pd.DataFrame, read: Wave) -> Figure:
    """Left, z of every neuron's A, B and W; right, its s and c, with the wave read off the network."""
    figure, (left, right) = panels(2, height=2.6)
    style = {"linestyle": "none", "alpha": 0.5, "markeredgewidth": 0}
    for ax in (left, right):
        ax.set_prop_cycle(color=COLOURS, marker=MARKERS)
    left.plot(parts.filter(like="Re"), parts.filter(like="Im"), markersize=2.5, label=list("ABW"), **style)
    left.axhline(0, color="0.6", linewidth=0.6, zorder=0)
    left.set_aspect("equal", adjustable="datalim")
    left.set(xlabel="Re z", ylabel="Im z", title="second harmonic of every neuron")
    left.locator_params(axis="x", nbins=5)  # its labels are long
    left.legend(loc="upper right", markerscale=1.3)
    for k, own in parts.groupby("frequency"):
        right.plot(own.s, own.c, markersize=3, label=f"k = {k}", **style)
    right.plot(*read, "+", color="black", markersize=9, markeredgewidth=1.5, label="read off")
    right.set(xlabel="second harmonic s of A + B", ylabel="constant c of A + B")
    right.set_title("harmonic and constant go together")
    right.legend(loc="upper left", markerscale=1.3)
    return figure


def draw_by_difference(responses: pd.DataFrame, by_difference: pd.DataFrame) -> Figure:
    """The response of one frequency, and a panel for each group of networks: the smallest margin against |a − b|."""
    titles = by_difference.columns.unique(0)
    shown = {"one frequency, many neurons": responses} | {title: by_difference[title] for title in titles}
    figure, axes = panels(len(shown), columns=3, height=2.6)
    for ax, (title, part) in zip(axes, shown.items(), strict=True):
        _draw_columns(ax, part)
        ax.axhline(0, color="0.6", linewidth=0.6, zorder=0)
        ax.set(title=title, xlabel="|a − b| mod n", ylabel="smallest margin/scale")
        ax.set_ylim(min(0, np.min(part)) - 0.01, 1.45 * np.max(part))
        ax.legend(loc="upper right")
    axes[0].set(xlabel="w_k(a − b)/π", ylabel="response m(d)/scale")
    return figure


def draw_amplitudes(by_amplitude: pd.DataFrame, trained: Mapping[float, float]) -> Figure:
    """Relative margin and accuracy against s, a line for each number of neurons; stars: the trained network."""
    figure, axes = panels(2, height=2.5)
    for ax, column in zip(axes, ("relative margin", "accuracy"), strict=True):
        _draw_columns(ax, by_amplitude.pivot(index="s", columns="neurons per frequency", values=column))
        ax.set(xlabel="amplitude s of the second harmonic", ylabel=column)
    style = {"color": "black", "markersize": 8, "clip_on": False, "label": "trained"}
    axes[0].plot(list(trained), list(trained.values()), "*", **style)
    axes[0].axhline(0, color="0.6", linewidth=0.6, zorder=0)
    axes[0].set_ylim(-0.08, 0.08)
    legend = {"title": "neurons per\nfrequency", "title_fontsize": 7, "loc": "outside right upper"}
    figure.legend(*axes[0].get_legend_handles_labels(), **legend)
    return figure


def _draw_columns(ax: Axes, table: pd.DataFrame) -> None:
    ax.set_prop_cycle(color=COLOURS, linestyle=DASHES)
    ax.plot(table.index, table, label=list(table))


def draw_cells(cells: pd.DataFrame) -> Figure:
    """A panel for each kind: the relative margin for m frequencies of h_k neurons, or the accuracy if that is not 1."""
    figure, axes = panels(cells.kind.nunique(), columns=1, height=1.9, sharex=True)
    top, words = cells["relative margin"].max(), {"size": 6, "ha": "center", "va": "center"}
    map_of_margins = mpl.colormaps[mpl.rcParams["image.cmap"]].with_extremes(bad="0.9")
    for ax, (kind, own) in zip(axes, cells.groupby("kind", sort=False), strict=True):
        margins, accuracy = (own.pivot(index="m", columns="h_k", values=of) for of in ("relative margin", "accuracy"))
        shown = margins.where(accuracy == 1)
        image = ax.imshow(shown, cmap=map_of_margins, vmin=0, vmax=top, aspect="auto", origin="lower")
        for (row, column), margin in np.ndenumerate(margins):
            share = accuracy.iloc[row, column]
            text = f"{margin:.2g}" if share == 1 else f"{100 * share:.0f} %"
            ax.text(column, row, text, color="white" if share == 1 and margin <= top / 2 else "black", **words)
        ax.set(ylabel="frequencies m", title=f"{kind}: best relative margin; grey: share of the inputs that are right")
        ax.set_yticks(range(len(margins)), margins.index)
    axes[-1].set_xticks(range(margins.shape[1]), margins.columns)
    axes[-1].set_xlabel("neurons per frequency h_k")
    figure.colorbar(image, ax=axes, label="relative margin").minorticks_off()
    return figure


def draw_place(cells: pd.DataFrame, trained: tuple[int, float], sets: pd.DataFrame, ranks: pd.DataFrame) -> Figure:
    """Left, the cells of accuracy 1 and the trained network (neurons, relative margin); right, all sets and its own."""
    figure, (left, right) = panels(2, height=2.8)
    for (kind, m), line in cells[cells.accuracy == 1].groupby(["kind", "m"]):
        label, dashes = (f"m = {m}", DASHES[0]) if kind == "with harmonic" else (None, DASHES[1])
        style = {"color": COLOURS[m - 1], "marker": MARKERS[m - 1], "markersize": 3, "linestyle": dashes}
        left.plot(line.neurons, line["relative margin"], label=label, **style)
    left.plot(*trained, "*", color="black", markersize=9, label="trained")
    left.axhline(trained[1], color="0.6", linestyle=":", linewidth=0.8, zorder=0)
    left.set(xscale="log", xlabel="neurons in all", ylabel="relative margin")
    left.set_title("solid: with harmonic; dashed: without")
    left.legend(loc="upper left", ncols=2, columnspacing=1)
    left.set_ylim(top=1.4 * cells["relative margin"].max())
    left.set_xticks([5, 10, 30, 100, 300, 1000], [5, 10, 30, 100, 300, 1000])
    left.minorticks_off()
    bins = np.linspace(sets.min(axis=None), sets.max(axis=None) + 1e-9, 41)
    for (kind, margins), colour, dashes in zip(sets.items(), (COLOURS[2], COLOURS[0]), DASHES, strict=False):
        label, style = f"{kind}: rank {ranks['rank'][kind]} of {len(sets)}", {"color": colour, "linestyle": dashes}
        right.hist(margins, bins, histtype="step", label=label, **style)
        right.axvline(ranks.own[kind], 0, 0.75, linewidth=0.8, **style)
    right.set(xlabel="relative margin, many neurons", ylabel="sets of frequencies")
    right.set_title(f"lines: {ranks.index.name}")
    right.set_ylim(top=1.3 * right.get_ylim()[1])
    right.legend(loc="upper right")
    return figure


def draw_one_frequency(turns: pd.DataFrame, needed: pd.DataFrame) -> Figure:
    """Left, the widest turn against the number of neurons, with its laws; right, the fewest neurons against n."""
    figure, (left, right) = panels(2, height=2.6)
    worst, h = turns.groupby(["parity", "h"]).turn.max(), turns.h.unique()
    for parity, colour, marker in zip(("odd", "even"), COLOURS, MARKERS, strict=False):
        left.plot(worst[parity], marker, color=colour, markersize=3, label=f"{parity} h")
    left.plot(h, 3.0 / h**3, color=COLOURS[0], linestyle=DASHES[1], label="3/h³")
    left.plot(h, 24.0 / h**3, color=COLOURS[1], linestyle=DASHES[2], label="3/(h/2)³")
    for n in (turns.n.min(), turns.n.max()):
        left.axhline(np.pi / n, color="0.5", linewidth=0.7, zorder=0)
        left.text(1.01, np.pi / n, f"π/{n}", transform=left.get_yaxis_transform(), size=7, va="center")
    left.set(xscale="log", yscale="log", xlabel="neurons h of the one frequency", ylabel="widest turn (rad)")
    left.set_xticks([3, 5, 10, 20, 30], [3, 5, 10, 20, 30])
    right.plot(needed.n, needed.neurons, "o", color=COLOURS[0], markersize=4, label="fewest neurons, all right")
    right.plot(needed.n, needed.formula, color=COLOURS[1], linestyle=DASHES[1], label="(3n/π)^(1/3)")
    right.set(xscale="log", yscale="log", xlabel="modulus n", ylabel="neurons")
    right.set_yticks([2, 5, 10, 20, 30], [2, 5, 10, 20, 30])
    for ax, corner in ((left, "upper right"), (right, "upper left")):
        ax.minorticks_off()
        ax.legend(loc=corner)
    return figure
