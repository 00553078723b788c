"""The pictures of the networks built by hand: what is measured of them comes as tables, and goes out as figures."""

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from modadd.handmade.build import Wave
from modadd.plots.figures import COLOURS, DASHES, MARKERS, panels

MARGIN, ACCURACY = "relative margin", "accuracy"  # columns of the tables
CLOUD = {"linestyle": "none", "alpha": 0.5, "markeredgewidth": 0}
STAR = {"color": "black", "marker": "*", "linestyle": "none", "label": "trained"}
DOTTED = {"color": "0.6", "linestyle": ":", "linewidth": 0.8}
BEHIND = 0  # zorder of lines that only lead the eye
TICKS_OF_H = (3, 5, 10, 20, 30)  # neurons of one frequency
TICKS_OF_FEWEST = (2, 5, 10, 20, 30)
TICKS_OF_ALL = (5, 10, 30, 100, 300, 1000)  # neurons of a network
LAWS = (  # of the widest turn: its label, and its number over h³
    ("3/h³", 3.0),
    ("3/(h/2)³", 24.0),
)


def draw_second_harmonics(parts: pd.DataFrame, read: Wave) -> Figure:
    """Left, z of every neuron's A, B and W; right, its s and c, with the wave read off the network."""
    figure, (left, right) = panels(2, height=2.6)
    for ax in (left, right):
        ax.set_prop_cycle(color=COLOURS, marker=MARKERS)
    _draw_harmonics(left, parts)
    _draw_constants(right, parts, read)
    return figure


def _draw_harmonics(ax: Axes, parts: pd.DataFrame) -> None:
    real, imaginary = parts.filter(like="Re"), parts.filter(like="Im")
    ax.plot(real, imaginary, markersize=2.5, label=list("ABW"), **CLOUD)
    _draw_zero(ax)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set(
        xlabel="Re z",
        ylabel="Im z",
        title="second harmonic of every neuron",
    )
    ax.locator_params(axis="x", nbins=5)  # its labels are long
    ax.legend(loc="upper right", markerscale=1.3)


def _draw_constants(ax: Axes, parts: pd.DataFrame, read: Wave) -> None:
    for k, own in parts.groupby("frequency"):
        ax.plot(own.s, own.c, markersize=3, label=f"k = {k}", **CLOUD)
    cross = {"color": "black", "markersize": 9, "markeredgewidth": 1.5}
    ax.plot(*read, "+", label="read off", **cross)
    ax.set(
        xlabel="second harmonic s of A + B",
        ylabel="constant c of A + B",
        title="harmonic and constant go together",
    )
    ax.legend(loc="upper left", markerscale=1.3)


def draw_by_difference(responses: pd.DataFrame, by_difference: pd.DataFrame) -> Figure:
    """The response of one frequency, and a panel for each group of networks: the smallest margin against |a − b|."""
    shown = {"one frequency, many neurons": responses}
    for title in by_difference.columns.unique(0):
        shown[title] = by_difference[title]
    figure, axes = panels(len(shown), columns=3, height=2.6)
    for ax, title in zip(axes, shown, strict=True):
        part = shown[title]
        low, high = np.min(part), np.max(part)
        _draw_columns(ax, part)
        _draw_zero(ax)
        ax.set(
            title=title,
            xlabel="|a − b| mod n",
            ylabel="smallest margin/scale",
            ylim=(min(0, low) - 0.01, 1.45 * high),
        )
        ax.legend(loc="upper right")
    axes[0].set(
        xlabel="w_k(a − b)/π",
        ylabel="response m(d)/scale",
    )
    return figure


def draw_amplitudes(by_amplitude: pd.DataFrame, trained: Mapping[float, float]) -> Figure:
    """Relative margin and accuracy against s, a line for each number of neurons; stars: the trained network."""
    figure, axes = panels(2, height=2.5)
    for ax, column in zip(axes, (MARGIN, ACCURACY), strict=True):
        table = by_amplitude.pivot(index="s", columns="neurons per frequency", values=column)
        _draw_columns(ax, table)
        ax.set(
            xlabel="amplitude s of the second harmonic",
            ylabel=column,
        )
    margins = axes[0]
    margins.plot(
        list(trained),
        list(trained.values()),
        markersize=8,
        clip_on=False,
        **STAR,
    )
    _draw_zero(margins)
    margins.set_ylim(-0.08, 0.08)
    figure.legend(
        *margins.get_legend_handles_labels(),
        title="neurons per\nfrequency",
        title_fontsize=7,
        loc="outside right upper",
    )
    return figure


def _draw_columns(ax: Axes, table: pd.DataFrame) -> None:
    ax.set_prop_cycle(color=COLOURS, linestyle=DASHES)
    ax.plot(table.index, table, label=list(table))


def _draw_zero(ax: Axes) -> None:
    ax.axhline(0, color="0.6", linewidth=0.6, zorder=BEHIND)


def draw_cells(cells: pd.DataFrame) -> Figure:
    """A panel for each kind: the relative margin for m frequencies of h_k neurons, or the accuracy if that is not 1."""
    figure, axes = panels(cells.kind.nunique(), columns=1, height=1.9, sharex=True)
    top = cells[MARGIN].max()
    by_kind = cells.groupby("kind", sort=False)
    for ax, (kind, own) in zip(axes, by_kind, strict=True):
        image = _draw_kind(ax, own, top)
        ax.set_title(f"{kind}: best relative margin; grey: share of the inputs that are right")
    axes[-1].set_xlabel("neurons per frequency h_k")
    bar = figure.colorbar(image, ax=axes, label=MARGIN)
    bar.minorticks_off()
    return figure


def _draw_kind(ax: Axes, cells: pd.DataFrame, top: float) -> AxesImage:
    """The cells of one kind, as an image whose colours end at `top`, with a number in each."""
    table = cells.pivot(index="m", columns="h_k")
    margins, accuracy = table[MARGIN], table[ACCURACY]
    colours = mpl.colormaps[mpl.rcParams["image.cmap"]]
    image = ax.imshow(
        margins.where(accuracy == 1),
        cmap=colours.with_extremes(bad="0.9"),
        vmin=0,
        vmax=top,
        aspect="auto",
        origin="lower",
    )
    for place, margin in np.ndenumerate(margins):
        row, column = place
        share = accuracy.iloc[place]
        text, colour = f"{margin:.2g}", "black"
        if share < 1:
            text = f"{100 * share:.0f} %"
        elif margin <= top / 2:
            colour = "white"
        ax.text(column, row, text, color=colour, size=6, ha="center", va="center")
    ax.set_ylabel("frequencies m")
    ax.set_yticks(range(len(margins)), margins.index)
    ax.set_xticks(range(margins.shape[1]), margins.columns)
    return image


def draw_place(cells: pd.DataFrame, trained: tuple[int, float], sets: pd.DataFrame, ranks: pd.DataFrame) -> Figure:
    """Left, the cells of accuracy 1 and the trained network (neurons, relative margin); right, all sets and its own."""
    figure, (left, right) = panels(2, height=2.8)
    _draw_sizes(left, cells, trained)
    _draw_sets(right, sets, ranks)
    return figure


def _draw_sizes(ax: Axes, cells: pd.DataFrame, trained: tuple[int, float]) -> None:
    able = cells[cells.accuracy == 1]
    for (kind, m), line in able.groupby(["kind", "m"]):
        with_harmonic = kind == "with harmonic"
        ax.plot(
            line.neurons,
            line[MARGIN],
            color=COLOURS[m - 1],
            marker=MARKERS[m - 1],
            markersize=3,
            linestyle=DASHES[0 if with_harmonic else 1],
            label=f"m = {m}" if with_harmonic else None,
        )
    neurons, margin = trained
    ax.plot(neurons, margin, markersize=9, **STAR)
    ax.axhline(margin, zorder=BEHIND, **DOTTED)
    ax.set(
        xscale="log",
        xlabel="neurons in all",
        ylabel=MARGIN,
        title="solid: with harmonic; dashed: without",
    )
    ax.legend(loc="upper left", ncols=2, columnspacing=1)
    ax.set_ylim(top=1.4 * cells[MARGIN].max())
    ax.set_xticks(TICKS_OF_ALL, TICKS_OF_ALL)
    ax.minorticks_off()


def _draw_sets(ax: Axes, sets: pd.DataFrame, ranks: pd.DataFrame) -> None:
    every = sets.to_numpy()
    bins = np.linspace(every.min(), every.max() + 1e-9, 41)
    for kind, colour, dashes in zip(sets, (COLOURS[2], COLOURS[0]), DASHES, strict=False):
        style = {"color": colour, "linestyle": dashes}
        ax.hist(
            sets[kind],
            bins,
            histtype="step",
            label=f"{kind}: rank {ranks['rank'][kind]} of {len(sets)}",
            **style,
        )
        ax.axvline(ranks.own[kind], 0, 0.75, linewidth=0.8, **style)
    ax.set(
        xlabel="relative margin, many neurons",
        ylabel="sets of frequencies",
        title=f"lines: {ranks.index.name}",
    )
    _, top = ax.get_ylim()
    ax.set_ylim(top=1.3 * top)
    ax.legend(loc="upper right")


def draw_one_frequency(turns: pd.DataFrame, needed: pd.DataFrame) -> Figure:
    """Left, the widest turn against the number of neurons, with its laws; right, the fewest neurons against n."""
    figure, (left, right) = panels(2, height=2.6)
    for ax in (left, right):
        ax.set(xscale="log", yscale="log")
    _draw_turns(left, turns)
    _draw_fewest(right, needed)
    return figure


def _draw_turns(ax: Axes, turns: pd.DataFrame) -> None:
    widest = turns.groupby(["parity", "h"]).turn.max()
    h = turns.h.unique()
    for parity, colour, marker in zip(("odd", "even"), COLOURS, MARKERS, strict=False):
        ax.plot(widest[parity], marker, color=colour, markersize=3, label=f"{parity} h")
    for (label, factor), colour, dashes in zip(LAWS, COLOURS, DASHES[1:], strict=False):
        ax.plot(h, factor / h**3, color=colour, linestyle=dashes, label=label)
    beside = ax.get_yaxis_transform()
    for n in (turns.n.min(), turns.n.max()):
        ax.axhline(np.pi / n, color="0.5", linewidth=0.7, zorder=BEHIND)
        ax.text(1.01, np.pi / n, f"π/{n}", transform=beside, size=7, va="center")
    ax.set(
        xlabel="neurons h of the one frequency",
        ylabel="widest turn (rad)",
    )
    ax.set_xticks(TICKS_OF_H, TICKS_OF_H)
    _finish(ax, "upper right")


def _draw_fewest(ax: Axes, needed: pd.DataFrame) -> None:
    ax.plot(
        needed.n,
        needed.neurons,
        "o",
        color=COLOURS[0],
        markersize=4,
        label="fewest neurons, all right",
    )
    ax.plot(
        needed.n,
        needed.formula,
        color=COLOURS[1],
        linestyle=DASHES[1],
        label="(3n/π)^(1/3)",
    )
    ax.set(xlabel="modulus n", ylabel="neurons")
    ax.set_yticks(TICKS_OF_FEWEST, TICKS_OF_FEWEST)
    _finish(ax, "upper left")


def _finish(ax: Axes, corner: str) -> None:
    ax.minorticks_off()
    ax.legend(loc=corner)
