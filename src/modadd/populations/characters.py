"""Networks on an abelian group as quadrature schemes: one for each character, on the circle of its values.

A character of order N takes N values, so x ↦ e^{2πi x_k/N} makes of every element x a residue x_k mod N. The neurons of one
character then are the scheme of frequency 1 mod N.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
from jaxtyping import Float, Int

from modadd.core.fourier import Cosine
from modadd.core.groups import cyclic_factors
from modadd.core.neurons import KEY_SHARE
from modadd.core.separable import Separable
from modadd.networks.registry import measure, once
from modadd.networks.store import Network
from modadd.populations.spectra import ordered_tables, purest
from modadd.quadrature.formula import explained
from modadd.quadrature.scheme import Scheme, logits_of_integral
from modadd.quadrature.torus import largest_error, own_factor


def on_circle(k: int, orders: tuple[int, ...]) -> tuple[int, Int[np.ndarray, "n"]]:
    """The order N of the character of number k, and the residue mod N that it makes of every element."""
    elements = np.unravel_index(np.arange(math.prod(orders)), orders)
    parts = [int(part) for part in np.unravel_index(k, orders)]
    N = math.lcm(*(order // math.gcd(part, order) for part, order in zip(parts, orders, strict=True)))
    turns = (part * N // order * x for part, order, x in zip(parts, orders, elements, strict=True))
    return N, np.asarray(sum(turns)) % N


def character_schemes(network: Network) -> dict[int, Scheme]:
    """The scheme of each character with at least KEY_SHARE of Σr, r_i = (α_a + α_b)/2 · β, by the number of the character.

    Raises ValueError, with the reason, for a group that is not abelian.
    """
    tables, orders = ordered_tables(network), cyclic_factors(network.recipe.operation, network.recipe.modulus)
    own = purest(network)[0]
    found = {}
    for k in np.unique(own).tolist():
        N, x = on_circle(k, orders)
        A, B, W = (_cosine(table[:, own == k], x, N) for table in tables)
        r = (A.amplitude + B.amplitude) / 2 * W.amplitude
        if N > 1 and r.sum() > 0:
            weight = 2 * np.pi * r / r.sum()
            found[k] = Scheme(N, 1, A.phase, B.phase, W.phase, weight, float(r.sum()))
    whole = sum(scheme.total for scheme in found.values())
    return {k: scheme for k, scheme in found.items() if scheme.total >= KEY_SHARE * whole}


def _cosine(f: Float[np.ndarray, "n m"], x: Int[np.ndarray, "n"], N: int) -> Cosine:
    """Amplitude and phase of every column at e^{2πi x/N}; both lines of an order of 2 are one."""
    line = np.exp(-2j * np.pi * x / N) @ f
    return Cosine((1 if N == 2 else 2) / len(f) * np.abs(line), np.angle(line))


def predicted_logits(schemes: Mapping[int, Scheme], orders: tuple[int, ...]) -> Float[np.ndarray, "n n n"]:
    """The absolute-value part of the logits as the integrals over all schemes have it, with the neurons' own factor."""
    n = math.prod(orders)
    total = np.zeros((n, n, n))
    for k, scheme in schemes.items():
        x = on_circle(k, orders)[1]
        total += logits_of_integral(scheme, scheme.strength * own_factor(scheme))[np.ix_(x, x, x)]
    return total


@once
def _schemes_in(network: Network) -> Mapping[int, Scheme]:
    """The schemes of its characters."""
    return character_schemes(network)


def mean_over_characters(network: Network, number: Callable[[Scheme], float]) -> float:
    """The mean of a number of every scheme, weighted by Σr; NaN where no neuron reaches an answer."""
    schemes = list(_schemes_in(network).values())
    weights = [scheme.total for scheme in schemes]
    return float(np.average([number(scheme) for scheme in schemes], weights=weights)) if schemes else float("nan")


CHARACTER = "character found"


@measure("character", "1", CHARACTER)
def characters(network: Network) -> list[int]:
    """The numbers of the characters that have a scheme, those with at least a hundredth of Σr (ours)."""
    return list(_schemes_in(network))


@measure("order of the character", "1", CHARACTER)
def character_orders(network: Network) -> list[int]:
    """The order N of each of them, the number of its values (ours)."""
    return [scheme.modulus for scheme in _schemes_in(network).values()]


@measure("neurons", "1", CHARACTER)
def character_neurons(network: Network) -> list[int]:
    """How many neurons each of them has (ours)."""
    return [len(scheme.psi) for scheme in _schemes_in(network).values()]


@measure("rms of ψ − φ_a − φ_b", "rad")
def scheme_mismatch(network: Network) -> float:
    """Root mean square of ψ − φ_a − φ_b of the neurons of a character, the mean over characters (ours)."""
    return mean_over_characters(network, lambda scheme: scheme.rms(scheme.mismatch))


@measure("largest error over 4/3", "1")
def scheme_error(network: Network) -> float:
    """Largest quadrature error over the values of a character, with the neurons' own factor, the mean over characters (ours)."""
    return mean_over_characters(network, largest_error)


@measure("R² of the integrals", "1")
def scheme_r_squared(network: Network) -> float:
    """Share of the absolute-value part of the logits that the integrals explain as they stand, nothing fitted (ours)."""
    A, B, W = ordered_tables(network)
    n, orders = len(A), cyclic_factors(network.recipe.operation, network.recipe.modulus)
    absolute = Separable(A, B, W.T, np.zeros((n, n)), np.zeros((n, n))).absolute_part()
    return explained(absolute, predicted_logits(_schemes_in(network), orders))
