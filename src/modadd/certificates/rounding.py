"""What float64 can do to a margin: explicit bounds on rounding errors, to be taken off whatever is to be proven."""

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from modadd.core.separable import Separable
from modadd.networks.store import Network

UNIT = 2.0**-53  # unit roundoff of float64
LARGEST_ENTRY = 2.0**480  # entries of tables that are certified lie below


def gamma(roundings: int) -> float:
    """γ_N = N u/(1 − N u), u = 2⁻⁵³: a product or sum of N roundings is off by at most this, relatively (Higham, §3)."""
    return roundings * UNIT / (1 - roundings * UNIT)


def evaluation_errors(network: Separable, multiples: int, size: int) -> float:
    """The most by which float64 errors, of a bound and of the network's logits, can move a margin, in logit units.

    A sum of products, each through N roundings, is off by at most γ_N Σ|terms|, γ_N = N u/(1 − N u), u = 2⁻⁵³, in any
    order (Higham, Accuracy and Stability of Numerical Algorithms, §3). N < h + multiples·n + 300 counts a sine as 50
    roundings. `size` is how many times larger than its neuron's largest entry in a table a factor of a term can be:
    by Cauchy–Schwarz Σ|terms| of one sum is at most size² ‖max_a|A| + max_b|B|‖ ‖max_c|W|‖, plus what bypasses the
    ReLU, and all sums that make a bound, with those of the network's own margin, stay below eight times that. Below 2⁻¹⁰²²
    a product or a factor may lose up to 2⁻¹⁰⁷⁴ besides, which the other factor makes larger.
    """
    N = network.width + multiples * network.modulus + 300
    inward, outward = float(length(peaks(network.A) + peaks(network.B))), float(length(peaks(network.W.T)))
    terms = inward * outward + np.abs(network.C).max() + np.abs(network.D).max()
    lost = N * np.finfo(float).tiny * (1 + inward) * (1 + outward)
    return float(8 * gamma(N) * size**2 * terms + 8 * size**2 * lost)


def table_errors(network: Network) -> float:
    """The most by which a margin of the float64 tables differs from that of the exact tables of the stored weights.

    An entry is a sum of products of weights, each through fewer roundings than all dimensions of all tensors add up
    to. The same map of |weights| gives Σ|terms|. As E ≤ γ Σ|terms| holds for each table, a margin moves by at most 2
    Σ_i ((E_A + E_B) |W| + (|A| + |B|) E_W) + 2 (E_C + E_D); twice that pays for second order and for computing it in
    floats.
    """
    N = sum(sum(value.shape) for value in network.parameters.values())
    moduli = {name: np.abs(value) for name, value in network.parameters.items()}
    most = replace(network, parameters=moduli).separable()
    inward, outward = peaks(most.A) + peaks(most.B), peaks(most.W.T)
    return float(4 * gamma(N) * (2 * inward @ outward + most.C.max() + most.D.max()))


def require_small(network: Separable) -> None:
    """Raise ValueError if an entry of a table is 2⁴⁸⁰ or more: squares and products of such entries may overflow."""
    for name, table in vars(network).items():
        largest = np.abs(table).max(initial=0)
        if not largest < LARGEST_ENTRY:
            raise ValueError(
                f"nothing can be certified: {name} has an entry of {largest:.3g}, expected below {LARGEST_ENTRY:.3g}"
            )


def length(x: Float[np.ndarray, "*s h"]) -> Float[np.ndarray, "*s"]:
    """Euclidean length along the last axis; no square underflows beside the largest, or overflows."""
    _, exponent = np.frexp(np.abs(x).max(axis=-1, initial=0))
    squares = np.square(np.ldexp(x, -exponent[..., None]))
    return np.asarray(np.ldexp(np.sqrt(squares.sum(axis=-1)), exponent))


def peaks(table: Float[np.ndarray, "n h"]) -> Float[np.ndarray, "h"]:
    """Largest modulus of every column."""
    return np.abs(table).max(axis=0)
