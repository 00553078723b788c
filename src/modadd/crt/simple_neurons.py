"""Simple neurons, all explained by one frequency and two shifts ([C] §5.1), and the three-DFT test ([C] App. A.1)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from modadd.core.fourier import angular_frequency
from modadd.core.neurons import ThreeDFTs
from modadd.core.separable import Separable
from modadd.crt.cosets import coset_order, step


@dataclass(frozen=True)
class Limits:
    """Thresholds of the tests that sort neurons; [C] states none of them."""

    alive: float = 0.1  # both A_i and B_i deviate further than this from their mean (follow-up code of [C])
    second_line: float = 0.3  # of the DFT line at f: another one from here on in A_i or B_i makes a fine-tuning neuron
    idle: float = 0.005  # of the largest weight r·α among the alive neurons: what carries less is a remnant of training
    mismatch: float = 0.5  # rad, the largest |t_A + t_B − t_D|, a twelfth of a turn
    ratio: float = 0.8  # the smallest r_A/r_B, or r_B/r_A


LIMITS = Limits()


class Kinds(NamedTuple):
    """Which neurons are of which kind; every neuron is of exactly one, and some of the alive ones are idle besides."""

    dead: Bool[np.ndarray, "h"]
    simple: Bool[np.ndarray, "h"]
    fine_tuning: Bool[np.ndarray, "h"]
    other: Bool[np.ndarray, "h"]
    idle: Bool[np.ndarray, "h"]

    @property
    def alive(self) -> Bool[np.ndarray, "h"]:
        """All but the dead."""
        return ~self.dead


def kinds(dfts: ThreeDFTs, limits: Limits = LIMITS, lines_of_W: bool = False) -> Kinds:
    """Sort the neurons: dead, fine-tuning (several DFT lines in A or in B), simple (passes the test), or other.

    The test: no other line in A and B, W strongest at f, t_A + t_B ≈ t_D and r_A ≈ r_B. With `lines_of_W` it is as
    strict on W as on A and B, as [C] App. A.1 words it. Idle are alive neurons that carry next to nothing.
    """
    alive = dfts.swing > limits.alive
    fine_tuning = alive & (np.maximum(dfts.beside_A, dfts.beside_B) >= limits.second_line)
    fits = (np.abs(dfts.mismatch) <= limits.mismatch) & (dfts.ratio >= limits.ratio)
    fits &= dfts.beside_W < (limits.second_line if lines_of_W else 1)
    idle = alive & (dfts.weight < limits.idle * dfts.weight.max(initial=0, where=alive))
    return Kinds(~alive, alive & ~fine_tuning & fits, fine_tuning, alive & ~fine_tuning & ~fits, idle)


@dataclass(frozen=True)
class SimpleFit:
    """Every neuron as a simple one: r cos(w_f(k − s_A)), r cos(w_f(k − s_B)), α cos(w_f(k − s_A − s_B)) ([C] §5.1).

    These are A, B and W. Shifts are residues in [0, n/g), g = gcd(f, n), give or take half a one. r, α in units of the
    tables ([C] scales r to 1, its α is r·α here); α < 0, and the neuron far from simple, where W opposes its inputs.
    """

    frequency: Int[np.ndarray, "h"]
    s_A: Float[np.ndarray, "h"]
    s_B: Float[np.ndarray, "h"]
    r: Float[np.ndarray, "h"]
    alpha: Float[np.ndarray, "h"]


def fit_simple(dfts: ThreeDFTs, whole: bool = False) -> SimpleFit:
    """The simple neurons of least squares, given frequency and shifts; shifts from the phases of A and B.

    With `whole` they are rounded to whole residues, as the model has them ([C] App. A.1).
    """
    n, f = dfts.modulus, dfts.frequency
    s_A, s_B = (_shift(cosine.phase, f, n, whole) for cosine in (dfts.A, dfts.B))
    at_A, at_B = dfts.A.phase + angular_frequency(f, n) * s_A, dfts.B.phase + angular_frequency(f, n) * s_B
    r = (dfts.A.amplitude * np.cos(at_A) + dfts.B.amplitude * np.cos(at_B)) / 2
    alpha = dfts.W.amplitude * np.cos(dfts.W.phase + angular_frequency(f, n) * (s_A + s_B))
    return SimpleFit(f, s_A, s_B, r, alpha)


def _shift(phase: Float[np.ndarray, "h"], f: Int[np.ndarray, "h"], n: int, whole: bool) -> Float[np.ndarray, "h"]:
    """s with cos(w_f x + phase) = cos(w_f(x − s)): the nearest residue and, unless `whole`, what is missing to it."""
    known, which = np.unique(f, return_inverse=True)
    g, d = (np.array([of(int(k), n) for k in known])[which] for of in (coset_order, step))
    t = -phase * n / (2 * np.pi)
    nearest = np.rint(t / g)
    rest = 0 if whole else (t - g * nearest) / f
    return nearest * d % (n // g) + rest


def replaced(network: Separable, fit: SimpleFit) -> Separable:
    """The network with every neuron replaced by its fit, constants and with them biases left out; C and D kept."""
    w, k = angular_frequency(fit.frequency, network.modulus), np.arange(network.modulus)[:, None]
    A, B = (fit.r * np.cos(w * (k - s)) for s in (fit.s_A, fit.s_B))
    return replace(network, A=A, B=B, W=(fit.alpha * np.cos(w * (k - fit.s_A - fit.s_B))).T)


class RSquared(NamedTuple):
    """Share of the variance of each neuron's preactivation A_i(a) + B_i(b), and of its W_i, that its fit explains."""

    preactivation: Float[np.ndarray, "h"]
    W: Float[np.ndarray, "h"]


def r_squared(network: Separable, fitted: Separable) -> RSquared:
    """R² of the fit of every neuron, without constants; 0 for a neuron that does not vary."""
    left = [_variance(a - b) for a, b in zip(_tables(network), _tables(fitted), strict=True)]
    all_of = [_variance(table) for table in _tables(network)]
    parts = ((left[0] + left[1], all_of[0] + all_of[1]), (left[2], all_of[2]))
    return RSquared(*(_explained(rest, total) for rest, total in parts))


def postactivation_r_squared(network: Separable, fitted: Separable) -> Float[np.ndarray, "h"]:
    """Share of the variance of each ReLU(A_i(a) + B_i(b)) that the same of its fit explains ([C] §4.1).

    The fit has the constant of the neuron added, which a simple neuron has not. 0 for a neuron that does not vary.
    """
    constant = (network.A + network.B).mean(axis=0)
    found, fit = (np.maximum(A[:, None] + B, 0) for A, B in ((network.A, network.B), (fitted.A + constant, fitted.B)))
    rest, total = (np.var(table, axis=(0, 1)) for table in (found - fit, found))
    return _explained(rest, total)


def _explained(rest: Float[np.ndarray, "h"], total: Float[np.ndarray, "h"]) -> Float[np.ndarray, "h"]:
    return np.where(total > 0, 1 - rest / np.where(total > 0, total, 1), 0)


def _tables(network: Separable) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return network.A, network.B, network.W.T


def _variance(table: Float[np.ndarray, "n h"]) -> Float[np.ndarray, "h"]:
    return table.var(axis=0)
