"""Drawings of the ladder of certificates: every rung against its cost, on every input, and over many networks."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from modadd.certificates.certify import Certificate
from modadd.core.statistics import Share
from modadd.plots.figures import COLOURS, DASHES, MARKERS, panels

BESIDE = 0.15  # how far two studies are drawn from the place of a proof
SEEN = 120  # inputs of an adversary that are drawn, of all
MARGIN = "certified margin (logit units)"


def draw_ladder(table: pd.DataFrame, true: float) -> Figure:
    """Certified share and smallest certified margin of every rung against its operations; dotted, the true margin.

    One colour for what is explained, one marker for each rung, open for a worst member.
    """
    parts = [rung.partition(": ") for rung in table.rung]  # what is explained, and how the noise is summed
    colours = dict(zip(dict.fromkeys(explained for explained, _, _ in parts), (*COLOURS, "black"), strict=False))
    figure, axes = panels(2, columns=2, height=3.0)
    for ax, column in zip(axes, ("certified share", "smallest certified margin"), strict=True):
        for (_, row), (explained, _, sums), marker in zip(table.iterrows(), parts, (*MARKERS, *"p<>H"), strict=False):
            style = {"marker": marker, "fillstyle": "none" if sums == "worst member" else "full", "linestyle": ""}
            ax.plot(row.operations / 1e6, row[column], color=colours[explained], markersize=7, label=row.rung, **style)
        ax.axhline(0, color="0.8", linewidth=0.7, zorder=0)
        ax.set(xscale="log", xlabel="operations (millions)", ylabel=column)
        ax.xaxis.set(major_locator=LogLocator(subs=(1, 2, 5)), minor_locator=NullLocator(), major_formatter="{x:g}")
    axes[0].set_ylim(-0.05, 1.05)
    axes[1].axhline(true, color="black", linestyle=DASHES[2], linewidth=1, label="smallest true margin", zorder=0)
    axes[1].set_ylabel("smallest certified margin\n(logit units)")
    figure.legend(*axes[1].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def draw_margins(curves: pd.DataFrame) -> Figure:
    """Sorted margins against the "share of inputs": a curve for each rung, and the "true" one in black."""
    shares = curves["share of inputs"]
    figure, (ax,) = panels(1, columns=1, height=3.2)
    for name, colour, dashes in zip(curves.columns.drop(["share of inputs", "true"]), COLOURS, DASHES, strict=False):
        ax.plot(shares, curves[name], color=colour, linestyle=dashes, label=name)
    ax.plot(shares, curves.true, color="black", linewidth=0.8, label="true")
    ax.axhline(0, color="0.6", linewidth=0.7, zorder=0)
    ax.set(xlabel="share of inputs", ylabel=MARGIN, xlim=(0, 1))
    figure.legend(loc="outside right upper")
    return figure


def draw_maps(certificates: Mapping[str, Certificate]) -> Figure:
    """The certified margin of every input over a − b and a + b, a panel for each certificate, in the same colours."""
    margins = [certificate.margin for certificate in certificates.values()]
    n = len(margins[0])
    a, b = np.indices((n, n))
    figure, axes = panels(len(certificates), columns=2, height=3.0, sharex=True, sharey=True)
    for ax, name, margin in zip(axes, certificates, margins, strict=True):
        turned = np.empty((n, n))
        turned[(a + b) % n, (a - b) % n] = margin
        image = ax.imshow(turned, vmin=np.min(margins), vmax=np.max(margins), origin="lower", interpolation="nearest")
        ax.set(title=name, xlabel="a − b mod n", ylabel="a + b mod n")
        ax.label_outer()
    figure.colorbar(image, ax=axes, label=MARGIN)
    return figure


def draw_adversaries(curves: Sequence[pd.DataFrame]) -> Figure:
    """For each family the margins by direct sums, in order, and at some of the inputs those by factors and of members."""
    figure, axes = panels(len(curves), columns=len(curves), height=3.0, sharex=True)
    for ax, curve in zip(axes, curves, strict=True):
        shares = (np.arange(len(curve)) + 1) / len(curve)
        few = slice(None, None, max(1, len(curve) // SEEN))
        ax.plot(shares, curve["direct sums"], color=COLOURS[1], linewidth=1.5, label="direct sums")
        for kind, colour, marker in zip(
            ("factors", "worst member", "random members"), COLOURS[::2], "ovD", strict=False
        ):
            ax.plot(shares[few], curve[kind][few], marker, color=colour, markersize=2.5, label=kind)
        ax.axhline(0, color="0.6", linewidth=0.7, zorder=0)
        ax.set(title=curve.family.iloc[0], xlabel="share of inputs,\nby certified margin")
    axes[0].set_ylabel("margin (logit units)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, markerscale=2)
    return figure


def draw_lengths(lengths: pd.DataFrame) -> Figure:
    """Tightness against operations over those of brute force, a panel for each network; below 0 drawn at 0."""
    figure, axes = panels(lengths.network.nunique(), columns=3, height=2.5, sharex=True, sharey=True)
    for ax, (label, lines) in zip(axes, lengths.groupby("network", sort=False), strict=True):
        for (_, line), colour, marker in zip(lines.iterrows(), COLOURS, MARKERS, strict=False):
            tightness = max(np.nan_to_num(line.tightness), 0)
            ax.plot(line["of brute force"], tightness, marker, color=colour, markersize=7, label=line.rung)
        ax.axhline(1, color="0.6", linewidth=0.7, zorder=0)
        ax.set(title=label, xscale="log", xlabel="operations over those of brute force", ylim=(-0.05, 1.1))
        ax.tick_params(labelbottom=True)
    axes[0].set_ylabel("certified over true margin\n(median over the inputs)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def draw_many(
    whole: Mapping[str, Sequence[Share]], proofs: Sequence[str], saved: Float[np.ndarray, "networks"]
) -> Figure:
    """Left, the share of the networks of each study that each proof proves whole; right, what coarse first saves in Study Q."""
    figure, (left, right) = panels(2, columns=2, height=2.1)
    for (study, shares), colour, marker in zip(whole.items(), COLOURS, MARKERS, strict=False):
        for index, proven in enumerate(shares):
            x = index + (BESIDE if study == "Q" else -BESIDE)
            left.vlines(x, 100 * proven.low, 100 * proven.high, color=colour, linewidth=1)
            left.plot(x, 100 * proven.share, marker, color=colour, markersize=4)
        left.plot([], [], marker, color=colour, markersize=4, label=f"{study}: {shares[0].of} networks")
    left.set_xticks(range(len(proofs)), proofs)
    left.set(xlabel="proof", ylabel="networks proven whole (%)", ylim=(-4, 104))
    left.legend(loc="center right")
    right.hist(saved, 16, color=COLOURS[0])
    right.axvline(1, color="0.4", linestyle=":", linewidth=1)
    right.set(xlabel="operations: coarse first over short", ylabel="networks of Study Q")
    return figure
