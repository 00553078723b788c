"""Every number that the studies state of a network, under the name its ledger entry uses; for rows of populations.

A number that exists once per key frequency is a list in the order of `frequencies`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float

from modadd.certificates.certify import by_direct_sums, certify
from modadd.certificates.explained import explain
from modadd.core.fourier import Cosine, coefficient_2d, fit, power_2d, signed_frequency
from modadd.core.neurons import Neurons, at_frequency, neurons_of, secondary_share
from modadd.core.separable import Separable, accuracy, centred, margins
from modadd.quadrature.bounds import angle_term, boxes, spectral_bound
from modadd.quadrature.scheme import (
    INTEGRAL,
    Scheme,
    gaps,
    phase_line,
    phase_mismatch,
    quadrature_error,
    schemes_of,
    weighted_sum,
)
from modadd.quadrature.sweep import worst_case


def measures(network: Separable) -> dict[str, Any]:
    """All of them for one network: variance, phases, quadrature, regressions, margins, certificates."""
    neurons = neurons_of(network)
    schemes = schemes_of(neurons)
    return {
        "frequencies": list(schemes),
        "neurons": [len(scheme.phi) for scheme in schemes.values()],
        **variance(neurons),
        **secondary(network, neurons),
        **phases(network, neurons, schemes),
        **errors(schemes),
        **terms(network, list(schemes)),
        **certified(network),
    }


def variance(neurons: Neurons) -> dict[str, float]:
    """How much of every neuron one frequency explains, on the side of A, of B and of W ([Q2] Fig 4)."""
    return {
        "share_one_frequency": neurons.one_frequency.mean(),
        "smallest_share_preactivation": neurons.share_A.min(),
        "median_share_preactivation": np.median(neurons.share_A),
        "median_share_preactivation_second": np.median(neurons.share_B),
        "smallest_share_neuron_logit": neurons.share_W.min(),
        "median_share_neuron_logit": np.median(neurons.share_W),
    }


def secondary(network: Separable, neurons: Neurons) -> dict[str, list[float]]:
    """Share of the variance of A at twice the frequency, over all neurons of each key frequency ([QR])."""
    of_members = [(network.A[:, neurons.frequency == k], k) for k in neurons.key_frequencies()]
    return {"secondary_share": [secondary_share(table, k) for table, k in of_members]}


def phases(network: Separable, neurons: Neurons, schemes: Mapping[int, Scheme]) -> dict[str, list[float]]:
    """How well ψ = 2φ holds at the neurons' own frequency and elsewhere; how even the angles are ([Q2] Fig 3)."""
    lines = [phase_line(scheme.phi, scheme.psi) for scheme in schemes.values()]
    read = [at_frequency(network, k) for k in range(1, network.modulus // 2 + 1)]
    rms = {k: _rms_mismatch(read, neurons.frequency == k) for k in schemes}
    return {
        "phase_line_r_squared": [line.r_squared for line in lines],
        "phase_line_slope": [line.slope for line in lines],
        "rms_mismatch": [rms[k][k - 1] for k in schemes],
        "mismatch_elsewhere_over_own": [np.delete(rms[k], k - 1).min() / rms[k][k - 1] for k in schemes],
        "interval_mean": [gaps(scheme).mean() for scheme in schemes.values()],
        "interval_std": [gaps(scheme).std() for scheme in schemes.values()],
    }


def _rms_mismatch(
    read: Sequence[tuple[Cosine, Cosine]], members: Bool[np.ndarray, "h"]
) -> Float[np.ndarray, "frequencies"]:
    """Root mean square of ψ − 2φ over some neurons, read at each frequency 1 … ⌊n/2⌋, in radians."""
    mismatch = [phase_mismatch(inward.phase[members], outward.phase[members]) for inward, outward in read]
    return np.sqrt(np.square(mismatch).mean(axis=1))


def errors(schemes: Mapping[int, Scheme]) -> dict[str, Float[np.ndarray, "key"]]:
    """Every term of the quadrature error, absolute; the integral is 4/3 ([Q] §5, [QR] Table 1)."""
    found = {name: np.array([of(scheme) for scheme in schemes.values()]) for name, of in ERRORS.items()}
    whole = found["angle_term"] + found["lipschitz_bound"]
    return found | {
        "whole_bound": whole,
        "actual_over_bound": found["actual_modulus"] / whole,
        "bound_over_naive": whole / found["naive_error"],
    }


ERRORS: dict[str, Callable[[Scheme], float]] = {
    "naive_error": lambda scheme: np.abs(weighted_sum(scheme, absolute=True).real).mean(),
    "angle_term": angle_term,
    "lipschitz_bound": lambda scheme: boxes(scheme, folded=True).lipschitz_bound,
    "lipschitz_unfolded": lambda scheme: boxes(scheme, folded=False).lipschitz_bound,
    "actual_error": lambda scheme: np.abs(quadrature_error(scheme).real).max(),
    "actual_modulus": lambda scheme: np.abs(quadrature_error(scheme)).max(),
    "identity_part": lambda scheme: np.abs(weighted_sum(scheme, absolute=False)).max(),
    "worst_case": lambda scheme: worst_case(scheme).modulus,
    "spectral_64": lambda scheme: spectral_bound(scheme, 64).bound / INTEGRAL,
}


def terms(network: Separable, key: Sequence[int]) -> dict[str, Any]:
    """Pizza, clock and cosine terms in the logits and their parts, and what the identity part does ([Q] §6)."""
    full, absolute, identity = network.logits(), network.absolute_part(), network.identity_part()
    parts = {"full": full, "mlp": absolute + identity, "absolute": absolute}
    fits = {(part, kind): fit(logits, kind, key) for part, logits in parts.items() for kind in ("pizza", "clock")}
    least = {part: margins(logits).min() for part, logits in parts.items()}
    D = fit(identity, "cosine", key).coefficients
    path, n = network.A @ network.W / 2, network.modulus
    lines = [signed_frequency(sign * np.array([2 * k, -k]), n) + n // 2 for k in key for sign in (1, -1)]
    power = power_2d(centred(path))
    F = np.array([coefficient_2d(path, 2 * k, -k) for k in key])
    return {
        **{f"r2_{part}_{kind}": found.r_squared for (part, kind), found in fits.items()},
        "absolute_coefficients": fits["absolute", "pizza"].coefficients,
        "identity_coefficients": D,
        "largest_identity_coefficient": max(D, default=np.nan),
        "identity_mass": sum(power[u, v] for u, v in lines),
        "identity_imaginary_ratio": max(abs(F.imag) / abs(F.real), default=np.nan),
        "accuracy_absolute_part": accuracy(absolute),
        "margin_ratio": least["mlp"] / least["absolute"] if least["absolute"] else np.nan,
        **{f"smallest_margin_{part}": margin for part, margin in least.items()},
    }


def certified(network: Separable) -> dict[str, float]:
    """Share of inputs proven right from the own frequency, with twice it, and in order p²h with the identity part kept."""
    certificates = {
        "k": by_direct_sums(explain(network, 1, bypass_identity=False)),
        "k_2k": by_direct_sums(explain(network, 2, bypass_identity=False)),
        "identity_kept": certify(network, multiples=2),
    }
    return {f"certified_share_{name}": certificate.share for name, certificate in certificates.items()} | {
        "smallest_explained_margin": certificates["k_2k"].explained_margin.min(),
        "smallest_certified_margin": certificates["k_2k"].margin.min(),
    }
