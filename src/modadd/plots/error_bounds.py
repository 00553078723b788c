"""Drawings of quadrature errors: every term beside the printed one, bounds against their work, and the error at each input."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from modadd.plots.figures import COLOURS, DASHES, MARKERS, PUBLISHED_LINE, panels, pi_ticks
from modadd.quadrature.scheme import INTEGRAL
from modadd.quadrature.sweep import WorstCase

LOOKS = {  # of a method of bounding, in the order of drawing
    "spectral": {"color": COLOURS[1], "marker": MARKERS[1], "linestyle": "-"},
    "published": {"color": COLOURS[0], "marker": MARKERS[0]},
    "brute force": {"color": COLOURS[4], "marker": MARKERS[4]},
    "sweep": {"color": COLOURS[3], "marker": MARKERS[3], "markersize": 9, "markerfacecolor": "none"},
    "supremum": {"color": COLOURS[5], "marker": MARKERS[2], "markersize": 3.5},
}
NAMES = {
    "published": "published bound (angle + Lipschitz)",
    "spectral": "spectral bound",
    "supremum": "exact supremum over every θ",
    "sweep": "exact, over the inputs, by sweep",
    "brute force": "exact, over the inputs, by brute force",
}


def draw_terms(errors: pd.DataFrame, printed: Mapping[str, float], exhibit: int) -> Figure:
    """A line for each term of the error, a point for each frequency, all over 4/3; dashed, what is printed of one frequency.

    errors: a line for each term, a column for each frequency. printed: by the label of its term, over 4/3.
    """
    figure, (ax,) = panels(1, columns=1, height=4.3)
    rows = np.arange(len(errors))
    shifts = np.linspace(-0.3, 0.3, errors.shape[1])
    for k, colour, marker, shift in zip(errors, COLOURS, MARKERS, shifts, strict=False):
        ax.plot(errors[k] / INTEGRAL, rows + shift, marker, color=colour, markersize=4, label=f"k = {k}")
    ax.plot([], [], **PUBLISHED_LINE, label=f"published, k = {exhibit}" if printed else None)
    for name, value in printed.items():
        row = errors.index.get_loc(name)
        ax.plot([value, value], [row - 0.42, row + 0.42], **PUBLISHED_LINE)
    ax.hlines(rows[:-1] + 0.5, 0, 1, transform=ax.get_yaxis_transform(), color="0.9", linewidth=0.7, zorder=0)
    ax.set(xscale="log", xlabel="error divided by 4/3", ylim=(len(errors) - 0.5, -0.5))
    ax.set_yticks(rows, errors.index)
    ax.xaxis.set(major_locator=LogLocator(subs=(1, 2, 5)), minor_locator=NullLocator(), major_formatter="{x:g}")
    figure.legend(loc="outside right upper")
    return figure


def draw_work(bounds: pd.DataFrame, frequencies: Sequence[int], harmonics: Sequence[int]) -> Figure:
    """Every bound over the actual error against its counted operations, a panel for each frequency."""
    names = NAMES | {"spectral": f"{NAMES['spectral']}, M = {', '.join(map(str, harmonics))}"}
    figure, axes = panels(len(frequencies), columns=2, height=2.1, sharex=True, sharey=True)
    for ax, k in zip(axes, frequencies, strict=True):
        ax.axhline(1, color="0.7", linewidth=0.8, zorder=0)
        at_frequency = bounds[bounds.frequency == k]
        for method, look in LOOKS.items():
            rows = at_frequency[at_frequency.method == method]
            style = {"linestyle": "", "markersize": 5, "linewidth": 1} | look
            ax.plot(rows.operations, rows["over actual"], label=names[method], **style)
        ax.set(title=f"k = {k}: {at_frequency.neurons.iloc[0]} neurons", xscale="log", yscale="log")
        ax.set(xlabel="counted operations", ylabel="bound / actual")
        ax.set_yticks([1, 3, 10, 30], ["1", "3", "10", "30"])
        ax.minorticks_off()
        ax.label_outer()
    axes[0].set_ylim(bottom=0.7)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


def draw_inputs(
    curves: pd.DataFrame,
    whole_bound: Mapping[int, float],
    spectral: Mapping[int, float],
    worst: Mapping[int, WorstCase],
    frequencies: Sequence[int],
) -> Figure:
    """The error at every input over θ, a panel for each frequency, below the bounds; the star is the supremum over every θ."""
    figure, axes = panels(len(frequencies), columns=2, height=1.7, sharex=True, sharey=True)
    for ax, k in zip(axes, frequencies, strict=True):
        curve = curves[curves.frequency == k]
        ax.axhline(whole_bound[k], color=COLOURS[0], linestyle="dashdot", label="whole bound")
        ax.axhline(spectral[k], color=COLOURS[3], linestyle=DASHES[1], label="spectral bound, M = 64")
        ax.plot(curve.theta, curve.modulus, color=COLOURS[0], label="error, modulus")
        supremum = worst[k].theta % (2 * np.pi), worst[k].modulus
        ax.plot(*supremum, "*", color=COLOURS[4], markersize=8, label="supremum over every θ")
        ax.plot(curve.theta, curve.cosine, "o", color=COLOURS[1], markersize=2, label="error, cosine identity")
        ax.set(title=f"k = {k}", yscale="log", xlabel="θ = w_k(a + b) mod 2π (rad)")
        ax.set_ylabel("error\n(the integral: 4/3)")
        pi_ticks(ax.xaxis, 0.0, 1.0, 2.0)
        ax.yaxis.set(minor_locator=NullLocator())
        ax.label_outer()
    axes[0].set_ylim(bottom=5e-5)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure
