"""Every number that Study Q states of a network: variance, phases, quadrature error, terms of the logits, margins.

Where there is one for each key frequency, they are in the order of `frequencies`; NaN stands for what cannot be measured.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.core.fourier import Fit, coefficient_2d, fit, power_2d, signed_frequency
from modadd.core.neurons import at_frequency
from modadd.core.neurons import secondary_share as neurons_at_double
from modadd.core.separable import accuracy, centred, margins
from modadd.networks.registry import KEY, Form, as_separable, as_tables, logits_in, measure, neurons_in, once
from modadd.quadrature import bounds, sweep
from modadd.quadrature.scheme import (
    INTEGRAL,
    PhaseLine,
    Scheme,
    gaps,
    phase_line,
    phase_mismatch,
    quadrature_error,
    schemes_of,
    weighted_sum,
)


@once
def schemes_in(network: Form) -> Mapping[int, Scheme]:
    """The quadrature scheme of every key frequency."""
    return schemes_of(neurons_in(network))


def of_schemes(network: Form, number: Callable[[Scheme], Any]) -> list[Any]:
    """A number of the scheme of every key frequency."""
    return [number(scheme) for scheme in schemes_in(network).values()]


# Frequencies and the neurons at them.


@measure("key frequencies", "1", KEY)
def frequencies(network: Form) -> list[int]:
    """The key frequencies, whose neurons have at least a hundredth of Σ α_i β_i, in order ([Q] §3; the limit is ours)."""
    return list(schemes_in(network))


@measure("neurons", "1", KEY)
def neurons(network: Form) -> list[int]:
    """How many neurons have each key frequency ([Q] §3)."""
    return of_schemes(network, lambda scheme: len(scheme.phi))


@measure("share of neurons\nwith one frequency", "share")
def share_one_frequency(network: Form) -> float:
    """Share of the neurons whose columns of A and B and row of W have the same strongest frequency ([Q] §3)."""
    return neurons_in(network).one_frequency.mean()


@measure("share of variance of A,\nworst neuron", "share")
def smallest_share_preactivation(network: Form) -> float:
    """The least share of the variance of a neuron's column of A that one frequency explains ([QR])."""
    return neurons_in(network).share_A.min()


@measure("share of variance of A,\nmedian neuron", "share")
def median_share_preactivation(network: Form) -> float:
    """Share of the variance of its column of A that one frequency explains for the median neuron ([Q2] Fig 4)."""
    return np.median(neurons_in(network).share_A)


@measure("share of variance of B,\nmedian neuron", "share")
def median_share_preactivation_second(network: Form) -> float:
    """Share of the variance of its column of B that the frequency of A explains for the median neuron ([Q2] Fig 4)."""
    return np.median(neurons_in(network).share_B)


@measure("share of variance of W,\nworst neuron", "share")
def smallest_share_neuron_logit(network: Form) -> float:
    """The least share of the variance of a neuron's row of W that the frequency of its A explains ([QR])."""
    return neurons_in(network).share_W.min()


@measure("share of variance of W,\nmedian neuron", "share")
def median_share_neuron_logit(network: Form) -> float:
    """Share of the variance of its row of W that the frequency of A explains for the median neuron ([Q2] Fig 4)."""
    return np.median(neurons_in(network).share_W)


@measure("share of variance of A at 2k", "share", KEY)
def secondary_share(network: Form) -> list[float]:
    """Share of the variance of A at twice the frequency, over all neurons of each key frequency ([QR])."""
    A, own = as_tables(network).A, neurons_in(network)
    return [neurons_at_double(A[:, own.frequency == k], k) for k in schemes_in(network)]


# How well ψ = 2φ holds, and how even the angles are.


@once
def phase_lines(network: Form) -> list[PhaseLine]:
    """The line through ψ against φ at every key frequency."""
    return of_schemes(network, lambda scheme: phase_line(scheme.phi, scheme.psi))


@once
def rms_by_frequency(network: Form) -> Mapping[int, Float[np.ndarray, "frequencies"]]:
    """Root mean square of ψ − 2φ over the neurons of each key frequency, read at each of 1 … ⌊n/2⌋, in radians."""
    own, tables = neurons_in(network), as_separable(network)
    read = [at_frequency(tables, k) for k in range(1, tables.modulus // 2 + 1)]
    members = {k: own.frequency == k for k in schemes_in(network)}
    mismatch = {
        k: [phase_mismatch(inward.phase[at], outward.phase[at]) for inward, outward in read]
        for k, at in members.items()
    }
    return {k: np.sqrt(np.square(angles).mean(axis=1)) for k, angles in mismatch.items()}


@measure("R² of the phase line", "1", KEY)
def phase_line_r_squared(network: Form) -> list[float]:
    """R² of a line through the output phases ψ against the input phases φ ([Q2] Fig 3)."""
    return [line.r_squared for line in phase_lines(network)]


@measure("slope of the phase line", "1", KEY)
def phase_line_slope(network: Form) -> list[float]:
    """Slope of a line through the output phases ψ against the input phases φ, 2 by the law ψ = 2φ ([Q2] Fig 3)."""
    return [line.slope for line in phase_lines(network)]


@measure("rms of ψ − 2φ", "rad", KEY)
def rms_mismatch(network: Form) -> list[float]:
    """Root mean square of ψ − 2φ over the neurons of each key frequency, read at this frequency ([Q2] Fig 3)."""
    return [rms[k - 1] for k, rms in rms_by_frequency(network).items()]


@measure("ψ − 2φ elsewhere over own", "1", KEY)
def mismatch_elsewhere_over_own(network: Form) -> list[float]:
    """Least root mean square of ψ − 2φ of the same neurons at another frequency, over that at their own ([Q] Fig 1).

    NaN for n = 3, which has no other frequency.
    """
    if as_tables(network).modulus == 3:
        return [np.nan] * len(schemes_in(network))
    return [np.delete(rms, k - 1).min() / rms[k - 1] for k, rms in rms_by_frequency(network).items()]


@measure("interval of angles, mean", "rad", KEY)
def interval_mean(network: Form) -> list[float]:
    """Mean interval between neighbouring angles of a scheme ([Q] §4)."""
    return of_schemes(network, lambda scheme: gaps(scheme).mean())


@measure("interval of angles, std", "rad", KEY)
def interval_std(network: Form) -> list[float]:
    """Standard deviation of the intervals between neighbouring angles of a scheme ([Q] §4)."""
    return of_schemes(network, lambda scheme: gaps(scheme).std())


# The terms of the quadrature error; all but the spectral bound are absolute, where the integral is 4/3.


@measure("naive error (mean)", "1", KEY)
def naive_error(network: Form) -> Float[np.ndarray, "key"]:
    """Mean of |sum| over the inputs: the error of the integral 0, a bound by which others are judged ([QR] Table 1)."""
    return np.array(of_schemes(network, lambda scheme: np.abs(weighted_sum(scheme).real).mean()))


@measure("angle term", "1", KEY)
def angle_term(network: Form) -> Float[np.ndarray, "key"]:
    """What ψ ≠ 2φ adds to the bound on the error ([Q] §5)."""
    return np.array(of_schemes(network, bounds.angle_term))


@measure("Lipschitz bound, folded", "1", KEY)
def lipschitz_bound(network: Form) -> Float[np.ndarray, "key"]:
    """What uneven angles add to the bound on the error, angles folded into half a circle ([Q] §4, §5)."""
    return np.array(of_schemes(network, lambda scheme: bounds.boxes(scheme, folded=True).lipschitz_bound))


@measure("Lipschitz bound, unfolded", "1", KEY)
def lipschitz_unfolded(network: Form) -> Float[np.ndarray, "key"]:
    """The Lipschitz bound with angles on the whole circle, not folded ([Q] §4)."""
    return np.array(of_schemes(network, lambda scheme: bounds.boxes(scheme, folded=False).lipschitz_bound))


@measure("actual error, cosine", "1", KEY)
def actual_error(network: Form) -> Float[np.ndarray, "key"]:
    """Largest error over the inputs, of the part at the right phase ([Q] §5)."""
    return np.array(of_schemes(network, lambda scheme: np.abs(quadrature_error(scheme).real).max()))


@measure("actual error, modulus", "1", KEY)
def actual_modulus(network: Form) -> Float[np.ndarray, "key"]:
    """Largest modulus of the error over the inputs, which a bound must exceed ([Q] §5)."""
    return np.array(of_schemes(network, lambda scheme: np.abs(quadrature_error(scheme)).max()))


@measure("identity part (largest)", "1", KEY)
def identity_part(network: Form) -> Float[np.ndarray, "key"]:
    """Largest modulus over the inputs of the sum with u/2 for |u|/2, whose integral is 0 ([QR] Table 1)."""
    return np.array(of_schemes(network, lambda scheme: np.abs(weighted_sum(scheme, np.positive)).max()))


@measure("worst error at any angle", "1", KEY)
def worst_case(network: Form) -> Float[np.ndarray, "key"]:
    """Largest modulus of the error over all angles, those between the inputs too (ours)."""
    return np.array(of_schemes(network, lambda scheme: sweep.worst_case(scheme).modulus))


@measure("spectral bound, M = 64,\nrelative to 4/3", "1", KEY)
def spectral_64(network: Form) -> Float[np.ndarray, "key"]:
    """Bound on the error from 64 harmonics of |cos| and a bound on the rest, over the integral (ours)."""
    return np.array(of_schemes(network, lambda scheme: bounds.spectral_bound(scheme, 64).bound / INTEGRAL))


@measure("whole bound", "1", KEY)
def whole_bound(network: Form) -> Float[np.ndarray, "key"]:
    """The bound on the error: angle term and folded Lipschitz bound together ([Q] §5)."""
    return angle_term(network) + lipschitz_bound(network)


@measure("actual error over bound", "1", KEY)
def actual_over_bound(network: Form) -> Float[np.ndarray, "key"]:
    """Largest modulus of the error over its bound, at most 1 ([Q] §5)."""
    return actual_modulus(network) / whole_bound(network)


@measure("bound over naive error", "1", KEY)
def bound_over_naive(network: Form) -> Float[np.ndarray, "key"]:
    """The bound over the naive error, below 1 where the bound says something ([Q] §5)."""
    return whole_bound(network) / naive_error(network)


# Pizza, clock and cosine terms in the logits and their parts; what the identity part does.


@once
def margins_in(network: Form) -> Float[np.ndarray, "n n"]:
    """Right logit less the best wrong one, of every input."""
    return margins(logits_in(network))


@once
def parts(network: Form) -> Mapping[str, Float[np.ndarray, "n n n"]]:
    """Logits in full, those of the MLP alone, and what |u|/2 and u/2 of its ReLU add to them.

    A network without residual stream has the very same logits in full and of the MLP.
    """
    tables, full = as_separable(network), logits_in(network)
    return {
        "full": full,
        "mlp": full - tables.residual(),
        "absolute": tables.absolute_part(),
        "identity": tables.identity_part(),
    }


@once
def whole_fits(network: Form) -> Mapping[str, Fit]:
    """Least squares of the logits on pizza and on clock terms at the key frequencies, whatever the neurons compute."""
    return {kind: fit(logits_in(network), kind, list(schemes_in(network))) for kind in ("pizza", "clock")}


@once
def fits(network: Form) -> Mapping[tuple[str, str], Fit]:
    """Least squares of parts of the logits on pizza or clock terms at the key frequencies; of the identity part on cosines."""
    found, key = parts(network), list(schemes_in(network))
    cases = [(part, kind) for part in ("mlp", "absolute") for kind in ("pizza", "clock")]
    of_parts = {(part, kind): fit(found[part], kind, key) for part, kind in [*cases, ("identity", "cosine")]}
    return {("full", kind): whole for kind, whole in whole_fits(network).items()} | of_parts


@once
def path(network: Form) -> Float[np.ndarray, "n n"]:
    """A W/2: what the identity part adds to the logits for the first number, logit_id1 of [Q]."""
    tables = as_separable(network)
    return tables.A @ tables.W / 2


@measure("R², full logits, pizza", "1")
def r2_full_pizza(network: Form) -> float:
    """R² of the logits on |cos(w_k(a − b)/2)| cos w_k(a + b − c) at the key frequencies ([Q] §6)."""
    return whole_fits(network)["pizza"].r_squared


@measure("R², full logits, clock", "1")
def r2_full_clock(network: Form) -> float:
    """R² of the logits on cos w_k(a + b − c) at the key frequencies ([Q] §6)."""
    return whole_fits(network)["clock"].r_squared


@measure("R², no residual, pizza", "1")
def r2_mlp_pizza(network: Form) -> float:
    """R² of the logits without the residual stream on pizza terms at the key frequencies ([Q] §6)."""
    return fits(network)["mlp", "pizza"].r_squared


@measure("R², no residual, clock", "1")
def r2_mlp_clock(network: Form) -> float:
    """R² of the logits without the residual stream on clock terms at the key frequencies ([Q] §6)."""
    return fits(network)["mlp", "clock"].r_squared


@measure("R², absolute part, pizza", "1")
def r2_absolute_pizza(network: Form) -> float:
    """R² of the absolute-value part of the logits on pizza terms at the key frequencies ([Q] §6)."""
    return fits(network)["absolute", "pizza"].r_squared


@measure("R², absolute part, clock", "1")
def r2_absolute_clock(network: Form) -> float:
    """R² of the absolute-value part of the logits on clock terms at the key frequencies ([Q] §6)."""
    return fits(network)["absolute", "clock"].r_squared


@measure("C_k", "logits", KEY)
def absolute_coefficients(network: Form) -> Float[np.ndarray, "key"]:
    """C_k: coefficients of the pizza terms in the absolute-value part of the logits ([Q] §6)."""
    return fits(network)["absolute", "pizza"].coefficients


@measure("D_k", "logits", KEY)
def identity_coefficients(network: Form) -> Float[np.ndarray, "key"]:
    """D_k: coefficients of the terms cos(w_k(a − b)) cos(w_k(a + b − c)) in the identity part of the logits ([Q] §6)."""
    return fits(network)["identity", "cosine"].coefficients


@measure("largest D_k", "logits")
def largest_identity_coefficient(network: Form) -> float:
    """The largest D_k, which is negative if all are ([Q] §6)."""
    return max(identity_coefficients(network), default=np.nan)


@measure("power of logit_id1\nat ±(2k, −k)", "share")
def identity_mass(network: Form) -> float:
    """Share of the power of `path`, less its mean over the answers, at ±(2k, −k) of the key frequencies ([Q] §6)."""
    n, power = as_separable(network).modulus, power_2d(centred(path(network)))
    signed = [sign * np.array([2 * k, -k]) for k in schemes_in(network) for sign in (1, -1)]
    # One line, not two, where k = n/2.
    lines = dict.fromkeys(tuple(signed_frequency(line, n) + n // 2) for line in signed)
    return sum((power[line] for line in lines), start=0.0)


@measure("|imaginary| over |real| part\nof logit_id1 at (2k, −k)", "1")
def identity_imaginary_ratio(network: Form) -> float:
    """Largest |imaginary| over |real| part of the coefficients of `path` at (2k, −k) over the key frequencies ([Q] §6)."""
    F = np.array([coefficient_2d(path(network), 2 * k, -k) for k in schemes_in(network)])
    return max(abs(F.imag) / abs(F.real), default=np.nan)


@measure("accuracy of the absolute part", "share")
def accuracy_absolute_part(network: Form) -> float:
    """Share of all inputs that the absolute-value part of the logits answers right by itself ([Q] §6)."""
    return accuracy(parts(network)["absolute"])


@measure("size of the identity part\nover that of the absolute part", "1")
def identity_over_absolute(network: Form) -> float:
    """Norm of the identity part of the logits over that of the absolute-value part, both centred; NaN of no logits ([Q] §6)."""
    identity, absolute = (np.linalg.norm(centred(parts(network)[part])) for part in ("identity", "absolute"))
    return identity / absolute if absolute else np.nan


@measure("smallest margin", "logits")
def smallest_margin_full(network: Form) -> float:
    """Right logit less the best wrong one, the least over all inputs ([Q] §6)."""
    return margins_in(network).min()


@measure("smallest margin, no residual", "logits")
def smallest_margin_mlp(network: Form) -> float:
    """The smallest margin of the logits without the residual stream ([Q] §6)."""
    return margins(parts(network)["mlp"]).min()


@measure("smallest margin, absolute part", "logits")
def smallest_margin_absolute(network: Form) -> float:
    """The smallest margin of the absolute-value part of the logits ([Q] §6)."""
    return margins(parts(network)["absolute"]).min()
