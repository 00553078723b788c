"""What Study Q says of every neuron beside its spectrum: one frequency by weight, both numbers, the product, its angles."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency, cosine_at, signed_frequency, variance_by_frequency
from modadd.networks.registry import KEY, Form, as_separable, following, measure, neurons_in, once
from modadd.quadrature import evenness
from modadd.quadrature.scheme_measures import of_schemes


@measure("share of Σ αβ in neurons\nwith one frequency", "share")
def weight_of_one_frequency(network: Form) -> float:
    """Share of Σ α_i β_i that neurons hold whose A, B and W have the same strongest frequency; NaN of none ([Q] §3)."""
    own = neurons_in(network)
    weight = own.alpha * own.beta
    return weight[own.one_frequency].sum() / weight.sum() if weight.any() else np.nan


REST = 0.01  # of Σ αβ: neurons that hold less together say nothing of all neurons


@measure("share of variance at one frequency,\nworst neuron of weight", "share", "table")
def share_by_weight(network: Form) -> list[float]:
    """The least share of variance of A, and of W, at one frequency, without the neurons of least share and REST of Σ αβ ([QR]).

    NaN of a network whose neurons have no weight.
    """
    own = neurons_in(network)
    weight = own.alpha * own.beta
    if not weight.any():
        return [float("nan")] * 2
    return [_without_rest(share, weight) for share in (own.share_A, own.share_W)]


def _without_rest(share: Float[np.ndarray, "h"], weight: Float[np.ndarray, "h"]) -> float:
    """The least of the shares, when the smallest ones are left out whose neurons have at most REST of the weight."""
    order = np.argsort(share, kind="stable")
    held = np.cumsum(weight[order]) / weight.sum()
    return float(share[order][np.argmax(held > REST)])


@measure("R² of the formula for the weights,\nmean by weight", "1", "table")
def r2_weights_formula(network: Form) -> list[float]:
    """R² of a neuron's A as α cos(w_k a + φ), and of its W as β cos(w_k c + 2φ), means weighted by αβ ([QR]).

    α, β and φ are those of `Neurons`, so that W has no phase of its own. NaN of a network whose neurons have no weight.
    """
    tables, own = as_separable(network), neurons_in(network)
    weight, W = own.alpha * own.beta, tables.W.T - tables.W.mean(axis=1)
    if not weight.any():
        return [float("nan")] * 2
    turn = angular_frequency(own.frequency, tables.modulus) * np.arange(tables.modulus)[:, None]
    left, total = (np.square(W - model).sum(axis=0) for model in (own.beta * np.cos(turn + 2 * own.phi), 0))
    of_W = 1 - np.divide(left, total, out=np.ones_like(left), where=total > 0)
    return [float(np.average(one, weights=weight)) for one in (own.share_A, of_W)]


@measure("share at 2k of what is not at k", "share", "table")
def secondary_share_of_rest(network: Form) -> list[float]:
    """Of the variance of A, and of B, that the neurons have beside their frequency k, the share at 2k ([QR]).

    Where k = n/3 the line 2k is that of k, and nothing is counted for it.
    """
    tables, own = as_separable(network), neurons_in(network)
    neuron, double = np.arange(tables.width), np.abs(signed_frequency(2 * own.frequency, tables.modulus))
    double[double == own.frequency] = 0
    found = []
    for side in (tables.A, tables.B):
        power = variance_by_frequency(side)
        rest = power.sum() - power[own.frequency, neuron].sum()
        found.append(float(power[double, neuron].sum() / rest) if rest > 0 else float("nan"))
    return found


@once
def weaker_sides(network: Form) -> Float[np.ndarray, "h"]:
    """The smaller amplitude of a neuron's A and B at its frequency over the larger; 0 of a neuron that has neither."""
    tables, own = as_separable(network), neurons_in(network)
    sides = np.stack([cosine_at(side, own.frequency).amplitude for side in (tables.A, tables.B)])
    least, most = sides.min(axis=0), sides.max(axis=0)
    return np.divide(least, most, out=np.zeros_like(least), where=most > 0)


@measure("weaker amplitude of A and B\nover the stronger, worst neuron", "1")
def weaker_side(network: Form) -> float:
    """How much of the one number a neuron holds beside the other: the least of `weaker_sides` ([QR])."""
    return weaker_sides(network).min()


@measure("R² of the preactivation\nas a product of cosines", "1")
def r2_product(network: Form) -> float:
    """R² over all neurons and inputs of 2α cos(w_k(a − b)/2) cos(w_k(a + b)/2 + φ), with α and φ of A ([Q] §3).

    The product is α cos(w_k a + φ) + α cos(w_k b + φ), so that the squares of both numbers add up. NaN of no neurons.
    """
    tables, own = as_separable(network), neurons_in(network)
    turn = angular_frequency(own.frequency, tables.modulus) * np.arange(tables.modulus)[:, None]
    cosine = own.alpha * np.cos(turn + own.phi)
    sides = [side - side.mean(axis=0) for side in (tables.A, tables.B)]
    left, total = (sum(np.square(side - model).sum() for side in sides) for model in (cosine, 0))
    return 1 - left / total if total else np.nan


@measure("mean of cos(ψ + 2φ),\nlargest of the key frequencies", "1")
def printed_sign_cosine(network: Form) -> float:
    """How well the law holds with the printed sign: mean of cos(ψ + 2φ), 1 where ψ = −2φ, at its best frequency ([Q] §4)."""
    return max(of_schemes(network, lambda scheme: np.cos(scheme.psi + 2 * scheme.phi).mean()), default=np.nan)


@measure("excess of an arc", "share", KEY)
def arc_excess(network: Form) -> list[float]:
    """The most by which an arc's share of the angles differs from its share of the circle, Kuiper's statistic ([Q2] Fig 3)."""
    return of_schemes(network, lambda scheme: evenness.arc_excess(scheme.phi))


@following("p of an arc as full", "1", KEY)
def arc_excess_p(
    arc_excess: Sequence[float] | Float[np.ndarray, "key"], neurons: Sequence[int] | Int[np.ndarray, "key"]
) -> list[float]:
    """How often as many independent uniform angles have an arc that is at least as full: Kuiper's test ([Q2] Fig 3)."""
    return [evenness.kuiper_p(excess, m) for excess, m in zip(arc_excess, neurons, strict=True)]
