"""The pictures of the tutorial, each with its numbers: a neuron, its law, the sum, several sums, clusters, a proof."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from modadd.core.fourier import angular_frequency, wrap
from modadd.core.neurons import Neurons
from modadd.core.separable import Separable
from modadd.plots import PALE
from modadd.plots.figures import COLOURS, DASHES, panels, pi_ticks
from modadd.quadrature.bounds import around, boxes
from modadd.quadrature.scheme import INTEGRAL, Scheme, integrand, unwrapped, weighted_sum

AS_HIGH = 1e-9  # answers this close in height are equal but for rounding
POINTS = {
    "color": COLOURS[0],
    "marker": "o",
    "markersize": 2.5,
    "linestyle": "none",
}
RIGHT = {
    "color": COLOURS[3],
    "marker": "*",
    "markersize": 8,
    "linestyle": "none",
}
WRONG = {
    "color": COLOURS[1],
    "marker": "o",
    "markersize": 5,
    "markerfacecolor": "none",
    "linestyle": "none",
}
RECTANGLES = {
    "align": "edge",
    "color": PALE,
    "edgecolor": COLOURS[6],
    "linewidth": 0.3,
}
HEIGHTS = {"color": "0.6", "linewidth": 0.8}
ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1)}  # a legend
Drawing = tuple[Figure, pd.DataFrame]


def one_neuron(network: Separable, neurons: Neurons, i: int) -> Drawing:
    """A_i against a, A_i against the remainder of k·a, and W_i against that of k·c, each with its cosine."""
    n, k = neurons.modulus, int(neurons.frequency[i])
    c, fine = np.arange(n), np.linspace(0, n, 1001)
    order = k * c % n
    turn = angular_frequency(1, n) * fine
    A = network.A[:, i] - network.A[:, i].mean()
    W = network.W[i] - network.W[i].mean()
    phi, psi = neurons.phi[i], neurons.psi[i]
    over_a = neurons.alpha[i] * np.cos(k * turn + phi)
    received = neurons.alpha[i] * np.cos(turn + phi)
    sent = neurons.beta[i] * np.cos(turn + psi)
    shown = (
        ("a", "A", c, A, over_a),
        ("remainder of k·a", "A", order, A, received),
        ("remainder of k·c", "W", order, W, sent),
    )
    figure, axes = panels(3, columns=3, height=2.0)
    for ax, (name, table, x, weights, cosine) in zip(axes, shown, strict=True):
        ax.plot(fine, cosine, color=COLOURS[6], linewidth=0.8)
        ax.plot(x, weights, **POINTS)
        ax.set_xlabel(name)
        ax.set_ylabel(f"{table}, centred")
    return figure, pd.DataFrame({"x": c, "remainder": order, "A": A, "W": W})


def draw_phase_law(
    network: Separable,
    neurons: Neurons,
    members: Int[np.ndarray, "m"],
    drawn: int = 4,
) -> Drawing:
    """A_i of a few neurons of one frequency against the remainder of k·a, and ψ against φ of all with the line 2φ."""
    phi = neurons.phi[members]
    psi = unwrapped(phi, neurons.psi[members])
    evenly = np.linspace(0, len(phi) - 1, drawn + 1).astype(int)
    few = members[np.argsort(phi, kind="stable")[evenly[:-1]]]
    figure, (left, right) = panels(2, height=2.2)
    _draw_received(left, network, neurons, few)
    _draw_law(right, phi, psi)
    return figure, pd.DataFrame({"neuron": members, "phi": phi, "psi": psi})


def _draw_received(
    ax: Axes,
    network: Separable,
    neurons: Neurons,
    members: Int[np.ndarray, "m"],
) -> None:
    """A line for each of these neurons, which have one frequency, with its input phase φ."""
    n, k = neurons.modulus, int(neurons.frequency[members[0]])
    remainder = k * np.arange(n) % n
    along = np.argsort(remainder, kind="stable")
    for i, colour, dash in zip(members, COLOURS, DASHES, strict=False):
        ax.plot(
            remainder[along],
            network.A[along, i],
            color=colour,
            linestyle=dash,
            label=_with_minus(f"φ = {neurons.phi[i]:.1f}"),
        )
    ax.set(
        xlabel="remainder of k·a",
        ylabel="A",
    )
    ax.legend(ncols=len(members), **ABOVE)


def _draw_law(ax: Axes, phi: np.ndarray, psi: np.ndarray) -> None:
    ends = np.array([-np.pi, np.pi])
    ax.plot(
        ends,
        2 * ends,
        color=COLOURS[6],
        label="ψ = 2φ",
    )
    ax.plot(phi, psi, **POINTS)
    ax.set(
        xlabel="input phase φ (rad)",
        ylabel="output phase ψ (rad)",
    )
    ax.legend(loc="upper left")
    pi_ticks(ax.xaxis, -1.0, 0.0, 1.0)
    pi_ticks(ax.yaxis, -2.0, -1.0, 0.0, 1.0, 2.0)


def _with_minus(text: str) -> str:
    return text.replace("-", "−")


def rectangles(scheme: Scheme, right: int) -> Drawing:
    """The rectangles at the right answer, those at an answer where the areas cancel, and the sum for every answer."""
    n, k = scheme.modulus, scheme.frequency
    c, w = np.arange(n), angular_frequency(k, n)
    wave = np.exp(1j * w * c)
    sums = (weighted_sum(scheme)[right] * wave).real
    table = pd.DataFrame({"c": c, "remainder": k * c % n, "sum": sums})
    cancel = int(np.abs(np.cos(w * (right - c))).argmin())
    figure, (*laid, summed) = panels(3, columns=3, height=2.1)
    for ax, answer in zip(laid, (right, cancel), strict=True):
        _draw_boxes(ax, scheme, w * right, w * answer)
        ax.set_title(_with_minus(f"c = {answer}: sum {sums[answer]:.2f}"))
    _draw_sums(summed, table, w * right, right)
    return figure, table


def _draw_boxes(ax: Axes, scheme: Scheme, received: float, sent: float) -> None:
    """The integrand for two angles, that of a + b and that of an answer, in radians, and its rectangles."""
    laid = around(boxes(scheme, folded=False))
    circle = np.linspace(-np.pi, np.pi, 721)
    heights = integrand(laid.node, received, sent)
    ax.bar(laid.left, heights, laid.right - laid.left, **RECTANGLES)
    ax.plot(circle, integrand(circle, received, sent), color=COLOURS[0])
    ax.set(
        xlim=(-np.pi, np.pi),
        xlabel="angle φ (rad)",
        ylabel="h(φ)",
    )
    pi_ticks(ax.xaxis, -1.0, 0.0, 1.0)


def _draw_sums(ax: Axes, table: pd.DataFrame, received: float, right: int) -> None:
    n = len(table)
    fine = np.linspace(0, n, 1001)
    wave = INTEGRAL * np.cos(angular_frequency(1, n) * fine - received)
    ax.plot(
        fine,
        wave,
        color=COLOURS[6],
        linewidth=3,
        label="integral",
    )
    ax.plot(table.remainder, table["sum"], label="sum over neurons", **POINTS)
    ax.axvline(
        table.remainder[right],
        color=COLOURS[3],
        linestyle=":",
        label="right answer",
    )
    ax.set(
        xlabel="remainder of k·c",
        ylabel="area",
    )
    ax.legend(**ABOVE)


def one_and_several(
    neurons: Neurons,
    k: int,
    logits: Float[np.ndarray, "n"],
    right: int,
) -> Drawing:
    """Over c − a − b: the wave of frequency k, those of all key frequencies summed, and the logits of one input.

    The star marks the right answer, circles mark the best wrong ones.
    """
    n = neurons.modulus
    c, step = np.arange(n), angular_frequency(1, n)
    off = np.round(wrap(step * (c - right)) / step).astype(int)
    table = pd.DataFrame({"c": c, "off": off})
    waves = {}
    for f in neurons.key_frequencies():
        waves[f] = np.cos(angular_frequency(f, n) * off)
        table[f"k={f}"] = waves[f]
    table["logit"] = logits
    drawn = {
        f"one frequency, k = {k}": waves[k],
        f"{len(waves)} frequencies": sum(waves.values()),
        "the network": logits,
    }
    figure, axes = panels(3, columns=3, height=2.0)
    for ax, title in zip(axes, drawn, strict=True):
        _draw_heights(ax, off, drawn[title])
        ax.set(
            xlabel="c − a − b",
            ylabel="sum of waves",
            title=title,
        )
    axes[2].set_ylabel("logit, centred")
    return figure, table


def _draw_heights(ax: Axes, off: np.ndarray, height: np.ndarray) -> None:
    """A number for each answer, by how far off the right one it is."""
    best_wrong = height[off != 0].max()
    marked = (off != 0) & (height > best_wrong - AS_HIGH)
    ax.vlines(off, 0, height, **HEIGHTS)
    ax.plot(0, height[off == 0], **RIGHT)
    ax.plot(off[marked], height[marked], **WRONG)
    ax.margins(y=0.1)


def draw_clusters(parts: Mapping[str, Float[np.ndarray, "n"]], right: int) -> Drawing:
    """What each cluster adds to the logits of one input, and the logits, with a star at the right answer."""
    table = pd.DataFrame(parts).rename_axis("c")
    figure, axes = panels(len(parts), columns=2, height=1.2, sharex=True)
    for ax, name in zip(axes, table, strict=True):
        values = table[name]
        ax.vlines(table.index, 0, values, **HEIGHTS)
        ax.plot(right, values[right], **RIGHT)
        ax.margins(y=0.15)
        ax.set_title(name)
    for ax in axes[-2:]:
        ax.set_xlabel("answer c")
    figure.supylabel("logit, centred", fontsize=8)
    return figure, table.reset_index()


def both_margins(true: Float[np.ndarray, "n n"], certified: Float[np.ndarray, "n n"]) -> Drawing:
    """The true and the certified margins of all inputs, as histograms of the same bins."""
    both = pd.DataFrame({"certified": certified.ravel(), "true": true.ravel()})
    bins = np.linspace(both.min(axis=None), both.max(axis=None), 81)
    figure, (ax,) = panels(1, columns=1, height=2.0)
    for column, colour in zip(both, (COLOURS[2], COLOURS[0]), strict=False):
        ax.hist(
            both[column],
            bins,
            color=colour,
            alpha=0.75,
            label=column,
        )
    ax.axvline(0, color="0.3", linewidth=0.8)
    ax.set(
        xlabel="margin (logits)",
        ylabel="inputs",
    )
    ax.legend(loc="upper right")
    return figure, both
