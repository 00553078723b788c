"""The pictures of the tutorial, each with its numbers: a neuron, its law, the sum, several sums, clusters, a proof."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from matplotlib.figure import Figure

from modadd.core.fourier import angular_frequency, wrap
from modadd.core.neurons import Neurons
from modadd.core.separable import Separable
from modadd.page.figures import COLOURS, DASHES, panels, pi_ticks
from modadd.quadrature.bounds import around, boxes
from modadd.quadrature.scheme import INTEGRAL, Scheme, integrand, unwrapped, weighted_sum

PALE = "#cfe3f5"  # COLOURS[6], lighter
AS_HIGH = 1e-9  # answers this close in height are equal but for rounding
Drawing = tuple[Figure, pd.DataFrame]


def one_neuron(network: Separable, neurons: Neurons, i: int) -> Drawing:
    """A_i against a, A_i against the remainder of k·a, and W_i against that of k·c, each with its cosine."""
    n, k = neurons.modulus, int(neurons.frequency[i])
    c, fine = np.arange(n), np.linspace(0, n, 1001)
    turn, order = angular_frequency(1, n) * fine, k * c % n
    A, W = network.A[:, i] - network.A[:, i].mean(), network.W[i] - network.W[i].mean()
    received = neurons.alpha[i] * np.cos(np.outer([k, 1], turn) + neurons.phi[i])
    sent = neurons.beta[i] * np.cos(turn + neurons.psi[i])
    figure, axes = panels(3, columns=3, height=2.0)
    for ax, x, points, curve in zip(axes, (c, order, order), (A, A, W), (*received, sent), strict=True):
        ax.plot(fine, curve, color=COLOURS[6], linewidth=0.8)
        ax.plot(x, points, "o", color=COLOURS[0], markersize=2.5)
    axes[0].set(xlabel="a", ylabel="A, centred")
    axes[1].set(xlabel="remainder of k·a", ylabel="A, centred")
    axes[2].set(xlabel="remainder of k·c", ylabel="W, centred")
    return figure, pd.DataFrame({"x": c, "remainder": order, "A": A, "W": W})


def draw_phase_law(network: Separable, neurons: Neurons, members: Int[np.ndarray, "m"], drawn: int = 4) -> Drawing:
    """A_i of a few neurons of one frequency against the remainder of k·a, and ψ against φ of all with the line 2φ."""
    n, k = neurons.modulus, int(neurons.frequency[members[0]])
    phi, psi = neurons.phi[members], unwrapped(neurons.phi[members], neurons.psi[members])
    figure, axes = panels(2, height=2.2)
    along = np.argsort(k * np.arange(n) % n, kind="stable")
    of_few = np.argsort(phi)[np.linspace(0, len(phi) - 1, drawn + 1).astype(int)[:-1]]
    for j, colour, dash in zip(of_few, COLOURS, DASHES, strict=False):
        label = f"φ = {phi[j]:.1f}".replace("-", "−")
        axes[0].plot(k * along % n, network.A[along, members[j]], color=colour, linestyle=dash, label=label)
    axes[0].set(xlabel="remainder of k·a", ylabel="A")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=drawn)
    axes[1].plot([-np.pi, np.pi], [-2 * np.pi, 2 * np.pi], color=COLOURS[6], label="ψ = 2φ")
    axes[1].plot(phi, psi, "o", color=COLOURS[0], markersize=2.5)
    axes[1].set(xlabel="input phase φ (rad)", ylabel="output phase ψ (rad)")
    axes[1].legend(loc="upper left")
    pi_ticks(axes[1].xaxis, -1.0, 0.0, 1.0)
    pi_ticks(axes[1].yaxis, -2.0, -1.0, 0.0, 1.0, 2.0)
    return figure, pd.DataFrame({"neuron": members, "phi": phi, "psi": psi})


def rectangles(scheme: Scheme, right: int) -> Drawing:
    """The rectangles at the right answer, those at an answer where the areas cancel, and the sum for every answer."""
    n, w = scheme.modulus, angular_frequency(scheme.frequency, scheme.modulus)
    c, circle = np.arange(n), np.linspace(-np.pi, np.pi, 721)
    sums = (weighted_sum(scheme, absolute=True)[right] * np.exp(1j * w * c)).real
    cancel = int(np.abs(np.cos(w * (right - c))).argmin())
    laid, order = around(boxes(scheme, folded=False)), scheme.frequency * c % n
    figure, axes = panels(3, columns=3, height=2.1)
    for ax, answer in zip(axes, (right, cancel), strict=False):
        heights = integrand(laid.node, w * right, w * answer)
        ax.bar(
            laid.left, heights, laid.right - laid.left, align="edge", color=PALE, edgecolor=COLOURS[6], linewidth=0.3
        )
        ax.plot(circle, integrand(circle, w * right, w * answer), color=COLOURS[0])
        ax.set_title(f"c = {answer}: sum {sums[answer]:.2f}".replace("-", "−"))
        ax.set(xlim=(-np.pi, np.pi), xlabel="angle φ (rad)", ylabel="h(φ)")
        pi_ticks(ax.xaxis, -1.0, 0.0, 1.0)
    fine = np.linspace(0, n, 1001)
    wave = INTEGRAL * np.cos(angular_frequency(1, n) * fine - w * right)
    axes[2].plot(fine, wave, color=COLOURS[6], linewidth=3, label="integral")
    axes[2].plot(order, sums, "o", color=COLOURS[0], markersize=2.5, label="sum over neurons")
    axes[2].axvline(order[right], color=COLOURS[3], linestyle=":", label="right answer")
    axes[2].set(xlabel="remainder of k·c", ylabel="area")
    axes[2].legend(loc="lower center", bbox_to_anchor=(0.5, 1))
    return figure, pd.DataFrame({"c": c, "remainder": order, "sum": sums})


def one_and_several(neurons: Neurons, k: int, logits: Float[np.ndarray, "n"], right: int) -> Drawing:
    """Over c − a − b: the wave of frequency k, those of all key frequencies summed, and the logits of one input.

    The star marks the right answer, circles mark the best wrong ones.
    """
    n = neurons.modulus
    c = np.arange(n)
    off = np.round(wrap(angular_frequency(1, n) * (c - right)) / angular_frequency(1, n)).astype(int)
    waves = {f: np.cos(angular_frequency(f, n) * off) for f in neurons.key_frequencies()}
    drawn = {
        f"one frequency, k = {k}": waves[k],
        f"{len(waves)} frequencies": sum(waves.values()),
        "the network": logits,
    }
    figure, axes = panels(3, columns=3, height=2.0)
    for ax, (title, height) in zip(axes, drawn.items(), strict=True):
        best_wrong = np.flatnonzero((c != right) & (height > height[c != right].max() - AS_HIGH))
        ax.vlines(off, 0, height, color="0.6", linewidth=0.8)
        ax.plot(0, height[right], "*", color=COLOURS[3], markersize=8)
        ax.plot(off[best_wrong], height[best_wrong], "o", color=COLOURS[1], markerfacecolor="none", markersize=5)
        ax.margins(y=0.1)
        ax.set(xlabel="c − a − b", ylabel="sum of waves", title=title)
    axes[2].set_ylabel("logit, centred")
    return figure, pd.DataFrame({"c": c, "off": off, **{f"k={f}": wave for f, wave in waves.items()}, "logit": logits})


def draw_clusters(parts: Mapping[str, Float[np.ndarray, "n"]], right: int) -> Drawing:
    """What each cluster adds to the logits of one input, and the logits, with a star at the right answer."""
    figure, axes = panels(len(parts), columns=2, height=1.2, sharex=True)
    for ax, (name, values) in zip(axes, parts.items(), strict=True):
        ax.vlines(np.arange(len(values)), 0, values, color="0.6", linewidth=0.8)
        ax.plot(right, values[right], "*", color=COLOURS[3], markersize=8)
        ax.margins(y=0.15)
        ax.set_title(name)
    for ax in axes[-2:]:
        ax.set_xlabel("answer c")
    figure.supylabel("logit, centred", fontsize=8)
    return figure, pd.DataFrame(parts).rename_axis("c").reset_index()


def both_margins(true: Float[np.ndarray, "n n"], certified: Float[np.ndarray, "n n"]) -> Drawing:
    """The true and the certified margins of all inputs, as histograms of the same bins."""
    both = pd.DataFrame({"certified": certified.ravel(), "true": true.ravel()})
    bins = np.linspace(both.min().min(), both.max().max(), 81)
    figure, (ax,) = panels(1, columns=1, height=2.0)
    for column, colour in zip(both, (COLOURS[2], COLOURS[0]), strict=False):
        ax.hist(both[column], bins, color=colour, alpha=0.75, label=column)
    ax.axvline(0, color="0.3", linewidth=0.8)
    ax.set(xlabel="margin (logits)", ylabel="inputs")
    ax.legend(loc="upper right")
    return figure, both
