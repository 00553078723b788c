"""Every network in a ball of Frobenius norms: how far each table, or each parameter, may move as a whole.

A table or parameter X moves by at most ε‖X‖_F. Such a move may all be spent on one input, where moves of single entries by
δ|x| cannot: at one ε = δ this ball is the larger one.
"""

from typing import Any

import numpy as np
from jaxtyping import Float, Int

from modadd.certificates.ball import PRECISION, Adversary, largest, smallest_wrong
from modadd.certificates.certify import pairwise_distances
from modadd.certificates.reach import Reach, reach_of_tables, reach_of_weights
from modadd.certificates.rounding import evaluation_errors, gamma, length, require_small
from modadd.core.separable import Separable
from modadd.networks.store import Network

AT_ONCE = 512  # triples (a, b, c) whose neurons are bounded together
_TINY = np.finfo(float).tiny
ITERATIONS = 5  # of the multipliers, which reach all their digits in about three where moves are small


class Inputs:
    """Every input (a, b) of a network against every wrong answer c, and what a ball around it can do to the margins."""

    def __init__(self, network: Separable) -> None:
        require_small(network)
        self.network, n = network, network.modulus
        a, b = np.indices((n, n))
        self.t = (a + b) % n
        logits = network.logits()
        self.margins = logits[a, b, self.t][:, :, None] - logits
        self.margins[a, b, self.t] = np.inf
        self.act = length(np.maximum(network.preactivations(), 0))[:, :, None]
        self.apart = pairwise_distances(network.W)[self.t]

    def weakest(self, reach: Reach) -> tuple[float, tuple[int, int, int]]:
        """A bound that no margin in the ball falls below, and the (a, b, c) that it is from; any at which it is ≤ 0.

        Norms suffice for nearly all: the ReLU is 1-Lipschitz, so a margin falls by at most inward (‖W_t − W_c‖ + outward) +
        outward ‖act‖ + beside. `least_sum` bounds the others. Rounding errors are taken off.
        """
        outward = reach.outward[self.t]
        inward, beside = (far[:, :, None] for far in (reach.inward, reach.beside))
        rounded_up, errors = 1 + gamma(self.network.width + 20), self._errors(reach)
        left = self.margins - rounded_up * (inward * (self.apart + outward) + outward * self.act + beside) - errors
        proven = left.ravel()
        doubtful = np.flatnonzero(proven <= 0)
        doubtful = doubtful[proven[doubtful].argsort(kind="stable")]
        for start in range(0, len(doubtful), AT_ONCE):
            chosen = doubtful[start : start + AT_ONCE]
            found = self.bounds(reach, *np.unravel_index(chosen, left.shape)) - errors
            proven[chosen] = np.fmax(found, proven[chosen])
            if proven[chosen].min() <= 0:
                at = chosen[proven[chosen].argmin()]
                break
        else:
            at = proven.argmin()
        a, b, c = (int(index) for index in np.unravel_index(at, left.shape))
        return float(left[a, b, c]), (a, b, c)

    def bounds(
        self, reach: Reach, a: Int[np.ndarray, "m"], b: Int[np.ndarray, "m"], c: Int[np.ndarray, "m"]
    ) -> Float[np.ndarray, "m"]:
        """What the margins of some (a, b) against c do not fall below in the ball, but for errors of evaluation."""
        net, t = self.network, self.t[a, b]
        least, _ = least_sum(
            net.A[a] + net.B[b], (net.W[:, t] - net.W[:, c]).T, reach.inward[a, b], reach.outward[t, c]
        )
        return least + (net.C[a, t] - net.C[a, c]) + (net.D[b, t] - net.D[b, c]) - reach.beside[a, b]

    def _errors(self, reach: Reach) -> float:
        moved = zip(vars(self.network).values(), reach.entries, strict=True)
        return evaluation_errors(Separable(*(np.abs(table) + far for table, far in moved)), 0, 2)


def least_sum(
    u: Float[np.ndarray, "m h"],
    gap: Float[np.ndarray, "m h"],
    inward: Float[np.ndarray, "m"],
    outward: Float[np.ndarray, "m"],
) -> tuple[Float[np.ndarray, "m"], Float[np.ndarray, "m h"]]:
    """A lower bound on Σ_i ReLU(u_i + du_i)(gap_i + dgap_i) over all ‖du‖ ≤ inward, ‖dgap‖ ≤ outward, and where it is attained.

    With activations x ≥ 0, and multipliers λ > 1/μ > 0 of the two constraints, the sum is at least Σ_i min_x [x gap_i −
    x²/2μ + λ(x − u_i)²/2] − λ inward²/2 − μ outward²/2: dgap = −x/μ is the worst, and a neuron that is off stays so for
    nothing. So neurons that are on lose in proportion to their gap, and one that is off counts only where waking it pays.
    Any multipliers give a bound; those at which both constraints are met give the largest, and x then attains it. A few
    updates reach them if moves are small beside u and gap. The bound is less all of its rounding errors; NaN, which
    proves nothing, where no update gives λ > 1/μ.
    """
    with np.errstate(all="ignore"):
        scale, mu = length(gap) / inward, (length(np.maximum(u, 0)) + inward) / outward
        best, x = np.full(len(u), np.nan), np.maximum(u - gap / scale[:, None], 0)
        for _ in range(ITERATIONS):
            rest = scale - 1 / mu
            paid = scale * inward * inward + outward * (outward / (scale - rest))
            least, x = _least_terms(u, gap, scale[:, None], rest[:, None])
            best = np.fmax(best, np.where(rest > 0, least - (1 + gamma(20)) * paid / 2, np.nan))
            scale = scale * length(_moved(u, x)) / inward
            mu = length(x) / outward
    return best, x


def _least_terms(
    u: Float[np.ndarray, "m h"],
    gap: Float[np.ndarray, "m h"],
    scale: Float[np.ndarray, "m 1"],
    rest: Float[np.ndarray, "m 1"],
) -> tuple[Float[np.ndarray, "m"], Float[np.ndarray, "m h"]]:
    """Σ_i min over x ≥ 0 of what `least_sum` says of x, for λ = scale and λ − 1/μ = rest, less errors, and the x."""
    top = np.maximum(scale * u - gap, 0)
    each = scale * u * u / 2 - top * (top / rest) / 2
    pays = (u > 0) | (each < 0)
    terms = scale * u * u + (scale * np.abs(u) + np.abs(gap)) ** 2 / rest
    lost = _TINY * (1 + np.abs(u) + top + (1 + top) / rest)  # where a product underflows
    errors = (2 * gamma(u.shape[1] + 50) * terms + lost).sum(axis=1)
    return np.where(pays, each, 0).sum(axis=1) - errors, np.where(pays, top / rest, 0)


def _moved(u: Float[np.ndarray, "m h"], x: Float[np.ndarray, "m h"]) -> Float[np.ndarray, "m h"]:
    """The shortest du with ReLU(u + du) = x."""
    return np.where((u > 0) | (x > 0), x - u, 0)


def table_radius(network: Separable) -> float:
    """The largest ε found for which every network of the ball of tables answers every input right; 0 if this one does not.

    Certified: all rounding errors are taken off.
    """
    inputs = Inputs(network)
    return largest(lambda size: inputs.weakest(reach_of_tables(network, size))[0] > 0)


def weight_radius(network: Network) -> float:
    """The same of the ball of stored weights, by `reach_of_weights`: certified, but the true radius may be larger."""
    inputs = Inputs(reach_of_weights(network, 0.0)[0])
    return largest(lambda size: inputs.weakest(reach_of_weights(network, size)[1])[0] > 0)


def worst_network(network: Separable, size: float, a: int, b: int, c: int) -> Separable:
    """The network of the ball of tables whose right answer at (a, b) exceeds the answer c by the least, as `least_sum` has it."""
    A, B, W, C, D = (table.copy() for table in vars(network).values())
    far_A, far_B, far_W, far_C, far_D = (size * float(length(table.ravel())) for table in (A, B, W, C, D))
    t = (a + b) % network.modulus
    u, gap = A[[a]] + B[[b]], (W[:, [t]] - W[:, [c]]).T
    inward, outward = (np.array([far]) for far in (far_A + far_B, np.sqrt(2) * far_W))
    du = _direction(_moved(u, least_sum(u, gap, inward, outward)[1]))[0]
    A[a] += far_A * du
    B[b] += far_B * du
    towards = _direction(np.maximum(A[[a]] + B[[b]], 0))[0] / np.sqrt(2)
    W[:, t] -= far_W * towards
    W[:, c] += far_W * towards
    for table, far, row in ((C, far_C, a), (D, far_D, b)):
        table[row, t] -= far / np.sqrt(2)
        table[row, c] += far / np.sqrt(2)
    return Separable(A, B, W, C, D)


def _direction(x: Float[np.ndarray, "1 h"]) -> Float[np.ndarray, "1 h"]:
    """x at length 1; 0 if it has none."""
    x = np.nan_to_num(x)
    return x / np.where(length(x) > 0, length(x), 1.0)[:, None]


def smallest_wrong_weights(network: Network, inside: float, steps: int = 10, halvings: int = 8) -> float:
    """The smallest ε found at which a network of the ball of stored weights is wrong, above one known to lie inside.

    By adversaries, at the margin that is certified last and at the smallest one.
    """
    centre, reach = reach_of_weights(network, (1 + 2 * PRECISION) * inside)
    weakest = Inputs(centre).weakest(reach)[1]
    adversaries = [Adversary(network, by_norm, at) for at in (weakest, None)]
    return smallest_wrong(lambda size: any(found.errs(size, steps) for found in adversaries), inside, halvings)


def by_norm(w: Any, gradient: Any) -> Any:
    """The move of a parameter by its own norm that lowers a margin most, to first order; tensors of torch."""
    return -gradient * (w.norm() / gradient.norm().clamp(min=_TINY))


def smallest_wrong_tables(network: Separable, inside: float, halvings: int = 8) -> float:
    """The smallest ε found at which a network of the ball of tables is wrong, above one that is known to lie inside."""
    a, b, c = Inputs(network).weakest(reach_of_tables(network, (1 + 2 * PRECISION) * inside))[1]

    def errs(size: float) -> bool:
        moved, t = worst_network(network, size, a, b, c), (a + b) % network.modulus
        logits = np.maximum(moved.A[a] + moved.B[b], 0) @ moved.W + moved.C[a] + moved.D[b]
        return bool(logits[t] <= logits[c])

    return smallest_wrong(errs, inside, halvings)
