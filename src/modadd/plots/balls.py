"""Drawings of the balls in which every network is right: certified and found, during training, and over seeds."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from modadd.plots.figures import COLOURS, MARKERS, panels

MOVED = {"tables": -0.17, "weights": 0.17}  # what moves, and how far from the place of its network it is drawn
UNITS = {"entries": "δ (% of every entry)", "norms": "ε (% of every norm)"}
SMALLEST = 0.0004  # share that the axes show, even if no network has a ball
LARGEST_OF_NORMS = 0.02


def draw_balls(balls: pd.DataFrame, networks: Sequence[str], formats: Mapping[str, float]) -> Figure:
    """A line from what is certified to what is found, for each network; upright, the largest relative errors of formats."""
    figure, axes = panels(2, columns=2, height=max(2.0, 0.42 * len(networks) + 1.1), sharey=True)
    largest = {"entries": max(formats.values()), "norms": LARGEST_OF_NORMS}
    for ax, (kind, unit) in zip(axes, UNITS.items(), strict=True):
        lines = balls[balls["ball of"] == kind]
        _draw_lines(ax, lines, networks)
        sizes = [100 * SMALLEST, 100 * largest[kind], *lines[["certified (%)", "found (%)"]].to_numpy().ravel()]
        ax.set(xscale="log", xlabel=unit, xlim=(np.nanmin(sizes) / 1.5, 1.5 * np.nanmax(sizes)))
        ax.xaxis.set_major_formatter("{x:g}")
        ax.set_title(kind.capitalize(), loc="left", pad=36)
    _draw_formats(axes[0], formats)
    axes[0].set_yticks(range(len(networks)), networks)
    axes[0].set_ylim(len(networks) - 0.4, -0.6)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def _draw_lines(ax: Axes, balls: pd.DataFrame, networks: Sequence[str]) -> None:
    heights = {network: height for height, network in enumerate(networks)}
    for (moved, shift), colour, marker in zip(MOVED.items(), COLOURS, MARKERS, strict=False):
        lines = balls[balls.moved == moved]
        certified, found = lines["certified (%)"], lines["found (%)"]
        y = lines.network.map(heights).to_numpy(float) + shift
        ax.hlines(y, certified, found, color=colour, linewidth=1)
        ax.plot(found, y, marker, color=colour, fillstyle="none", markersize=8, label=f"{moved}, found")
        ax.plot(certified, y, marker, color=colour, markersize=4, label=f"{moved}, certified")


def _draw_formats(ax: Axes, formats: Mapping[str, float]) -> None:
    for name, size in formats.items():
        ax.axvline(100 * size, color="0.6", linewidth=1, linestyle=(0, (2, 2)), zorder=0)
        above = {"xycoords": ("data", "axes fraction"), "rotation": 40, "fontsize": "x-small", "color": "0.3"}
        ax.annotate(name, (100 * size, 1.01), ha="left", va="bottom", **above)


def draw_training(runs: Mapping[str, pd.DataFrame], generalised: Mapping[str, float]) -> Figure:
    """The radius against the updates, a panel for each study: median and range of its runs; dotted, when one generalised."""
    figure, axes = panels(len(runs), columns=len(runs), height=2.1)
    for ax, colour, (study, run) in zip(axes, COLOURS, runs.items(), strict=False):
        curve = pd.DataFrame({"updates": run.updates.clip(lower=1), "radius": 100 * run.radius})
        look = {"color": colour, "marker": "o", "markersize": 3, "markeredgewidth": 0, "linewidth": 1}
        band = {"estimator": "median", "errorbar": ("pi", 100), "err_kws": {"label": "all runs"}}
        sns.lineplot(curve, x="updates", y="radius", label="median", legend=False, ax=ax, **look, **band)
        ax.axvline(generalised[study], color="0.4", linestyle=":", linewidth=1)
        ax.set(xscale="log", xlim=(1, 1.3 * run.updates.max()), ylim=(0, None), xlabel="updates", ylabel="")
        ax.set_title(f"{study}: {run.seed.nunique()} run{'s' * (run.seed.nunique() > 1)}", loc="left")
    axes[0].set_ylabel("certified ball (% of every entry)")
    axes[0].legend(loc="upper left")
    return figure


def draw_seeds(seeds: pd.DataFrame, decays: pd.DataFrame) -> Figure:
    """Left, the radius of the weights against that of the tables, over seeds; right, both against the weight decay."""
    figure, (left, right) = panels(2, columns=2, height=2.1)
    left.plot(100 * seeds.table_radius, 100 * seeds.weight_radius, "o", color=COLOURS[0], markersize=3, clip_on=False)
    left.set(xlabel="tables (% of every entry)", ylabel="weights (% of every entry)", xlim=(0, None), ylim=(0, None))
    left.set_title(f"Seeds: {len(seeds)}", loc="left")
    for what, colour, marker in zip(("table", "weight"), COLOURS, MARKERS, strict=False):
        radius, looks = 100 * decays[f"{what}_radius"], {"fillstyle": "none", "markersize": 4, "label": f"{what}s"}
        right.plot(decays.weight_decay, radius, marker, color=colour, **looks)
    right.set_yscale("symlog", linthresh=0.01)
    right.set(xscale="log", xlabel="weight decay", ylabel="% of every entry", ylim=(0, 30))
    right.set_xticks(decays.weight_decay.unique())
    right.minorticks_off()
    right.xaxis.set_major_formatter("{x:g}")
    right.yaxis.set_major_formatter("{x:g}")
    right.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    return figure
