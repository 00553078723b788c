"""Drawings of the two parts of the logits: how much each kind of term explains, their coefficients, spectra and margins."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from modadd.plots.figures import COLOURS, DASHES, HATCHES, PUBLISHED_LINE, panels

DASH = np.array([-0.2, 0.2])  # ends of a printed line across a bar
KINDS = {"pizza": (-0.21, COLOURS[6], HATCHES[0]), "clock": (0.21, COLOURS[2], HATCHES[1])}
PARTS = {"full": "full logits", "mlp": "without residual streams", "absolute": "absolute-value part"}
LEAST = 1e-5  # share of power that has a colour of its own
TITLES = {  # of the panels of the coefficients, by symbol
    "C": "absolute-value part on\n|cos(w_k(a−b)/2)| cos(w_k(a+b−c))",
    "D": "identity part on\ncos(w_k(a−b)) cos(w_k(a+b−c))",
}


def draw_regressions(
    r_squared: Mapping[tuple[str, str], float], printed: Mapping[tuple[str, str], float | str]
) -> Figure:
    """R² of the parts of the logits on pizza and on clock terms, by (part, kind); dashed, what is printed."""
    figure, (ax,) = panels(1, columns=1, height=2.2)
    dashes = []
    for kind, (offset, colour, hatch) in KINDS.items():
        heights = [r_squared[part, kind] for part in PARTS]
        style = {"color": colour, "hatch": hatch, "linewidth": 0, "label": f"{kind} terms"}
        bars = ax.bar(np.arange(len(PARTS)) + offset, heights, 0.36, **style)
        ax.bar_label(bars, fmt="%.3f", padding=4, fontsize=7)
        for x, part in enumerate(PARTS):
            if (part, kind) in printed:
                dashes += ax.plot(x + offset + DASH, [float(printed[part, kind])] * 2, **PUBLISHED_LINE)
    ax.plot([], [], **PUBLISHED_LINE, label="published" if dashes else None)
    ax.set(ylabel="variance explained, R²", ylim=(0, 1.12))
    ax.set_xticks(range(len(PARTS)), PARTS.values())
    figure.legend(loc="outside right upper")
    return figure


def draw_coefficients(found: pd.DataFrame, printed: pd.DataFrame) -> Figure:
    """The coefficients C and D, the columns, at each frequency, the lines in the order drawn; dashed, what is printed."""
    figure, axes = panels(len(TITLES), height=2.3)
    dashes = []
    for ax, (symbol, title) in zip(axes, TITLES.items(), strict=True):
        bars = ax.bar(range(len(found)), found[symbol], 0.6, color=COLOURS[6])
        ax.bar_label(bars, fmt=_two_decimals, padding=4, fontsize=7)
        for k in set(found.index) & set(printed.index) if symbol in printed else ():
            dashes += ax.plot(found.index.get_loc(k) + 1.7 * DASH, [printed[symbol][k]] * 2, **PUBLISHED_LINE)
        ax.axhline(0, color="0.3", linewidth=0.7)
        ax.set(xlabel="frequency k", ylabel=f"{symbol}_k (logits)", title=title)
        ax.set_xticks(range(len(found)), found.index)
        ax.margins(y=0.2)
    if dashes:
        figure.legend(dashes[:1], ["published"], loc="outside upper center")
    return figure


def _two_decimals(value: float) -> str:
    """A number with a typographic minus."""
    return f"{value:.2f}".replace("-", "−")


def draw_spectra(
    power: Mapping[str, Float[np.ndarray, "n n"]],
    lines: Iterable[tuple[int, int, int]],
    titles: Mapping[str, str],
    frequencies: Sequence[int],
) -> Figure:
    """The share of power at every pair of frequencies, of input and answer; circles at the given (k, u, v), marked k.

    titles: of each panel. frequencies: of these neighbours are named on opposite sides; lines of others are not drawn.
    """
    lines = [line for line in lines if line[0] in frequencies]
    figure, axes = panels(len(power), height=3.2, sharex=True, sharey=True)
    for ax, (name, shares) in zip(axes, power.items(), strict=True):
        n = len(shares)
        edge = n // 2 + 0.5
        colours = {"norm": LogNorm(LEAST, 1), "interpolation": "nearest"}
        image = ax.imshow(np.maximum(shares.T, LEAST), origin="lower", extent=(-edge, n - edge) * 2, **colours)
        for k, u, v in lines:
            _circle(ax, k, u, v, (1 if v > 0 else -1) * (-1) ** frequencies.index(k))
        ax.set(xlabel="frequency u of the input", ylabel="frequency v of the answer", title=titles[name])
        ax.label_outer()
    figure.colorbar(image, ax=axes, label="share of power", extend="min").minorticks_off()
    return figure


def _circle(ax: Axes, k: int, u: int, v: int, side: int) -> None:
    ax.plot(u, v, "o", markersize=8, markerfacecolor="none", markeredgecolor="white")
    white = {"color": "white", "ha": "center", "va": "center", "size": 7}
    ax.annotate(k, (u, v), (10 * side, 0), textcoords="offset points", **white)


def draw_margin(measured: pd.DataFrame, predicted: Mapping[str, Float[np.ndarray, "n"]]) -> Figure:
    """The margin against the difference, the index: left, mean and smallest over the inputs; right, by the coefficients."""
    names = {"full": ("full logits", "C_k and D_k"), "absolute": ("absolute-value part alone", "C_k alone")}
    figure, axes = panels(2, height=2.6, sharex=True, sharey=True)
    for (part, (left, right)), colour, style in zip(names.items(), COLOURS, DASHES, strict=False):
        least, mean = measured[f"{part}_min"], measured[f"{part}_mean"]
        axes[0].plot(measured.index, mean, color=colour, linestyle=style, label=left)
        axes[0].fill_between(measured.index, least, mean, color=colour, alpha=0.2, linewidth=0)
        axes[1].plot(measured.index, predicted[part], color=colour, linestyle=style, label=right)
    for ax, title in zip(axes, ("measured", "from the coefficients"), strict=True):
        ax.axhline(0, color="0.6", linewidth=0.7, zorder=0)
        ax.set(title=title, xlabel="difference a − b (mod n)", ylabel="margin of the right answer (logits)")
        ax.legend(loc="upper center", ncols=2)
        ax.label_outer()
    low, high = axes[0].get_ylim()
    axes[0].set_ylim(low, high + 0.2 * (high - low))  # room for the legends
    return figure
