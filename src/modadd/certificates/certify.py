"""Certificates: lower bounds on the margin of every input that hold in exact arithmetic, and what each costs.

A margin is the right logit less the best wrong one. What is certified holds for the real-number network whose tables are the
given floats (`table_errors` goes back to the stored weights), for every member of the family of `Explained` where one is used,
and for the logits as float64 computes them in any order: the most that all rounding errors together can make is taken off.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from modadd.certificates.explained import Explained, circle, explain, reach
from modadd.certificates.rounding import evaluation_errors, length, require_small, table_errors
from modadd.core.separable import Separable, margins
from modadd.networks.store import Network


@dataclass(frozen=True)
class Certificate:
    """Proven lower bounds on the margin of every input (a, b), in logit units; certified are inputs with a bound > 0.

    explained_margin: what the bound is before anything is taken off. runner_up: the wrong answer that the bound lets come
    nearest. rounding: what was taken off for floating point. operations: terms of sums and evaluated activations, with `order`
    their leading terms for p residues, h neurons and F frequencies among them.
    """

    margin: Float[np.ndarray, "n n"]
    explained_margin: Float[np.ndarray, "n n"]
    runner_up: Int[np.ndarray, "n n"]
    rounding: float
    operations: int
    order: str

    @property
    def share(self) -> float:
        """Share of the n² inputs that are certified."""
        return float((self.margin > 0).mean())


def certify(network: Separable, multiples: int = 2, bypass_identity: bool = True) -> Certificate:
    """The certificate of order p²h from the explained network of k … multiples·k: `by_factors` of `explain`."""
    return by_factors(explain(network, multiples, bypass_identity))


def by_factors(explained: Explained) -> Certificate:
    """Certify the whole family with no sum over the neurons that runs over a, b and c at once.

    With t = a + b: the explained logits are Σ_w Re Z_w e^{−iwc}, Z_w = Σ_i act_i (cos_i + i sin_i) at every (a, b).
    Noise of A: Σ_i noise_i(a) |W_i(t) − W_i(c)|, where |W_i(t) − W_i(c)| ≤ Σ_w 2 β_i |sin(w(t−c)/2)| |sin(w(t+c)/2 + ψ_i)|, so
    the neurons of one frequency are summed once for every a and t + c; likewise B. Noise of W: Σ_i act_i |r_i(t) − r_i(c)|, r
    its residual, by Cauchy–Schwarz over the neurons of each frequency.
    """
    centre, groups = explained.centre, explained.groups()
    n, h, M = centre.modulus, centre.width, len(explained.lines)
    moments, waves, sines = [], [], []
    sums_A, sums_B = [], []
    a, b = np.indices((n, n))
    t, c = (a + b) % n, np.arange(n)
    noise = np.zeros((n, n, n))
    for group in groups:
        act = explained.act(centre.A[:, None, group] + centre.B[None, :, group])
        noise_A, noise_B = explained.noise_A[:, group], explained.noise_B[:, group]
        coefficients = explained.lines[:, group[0]], explained.cos[:, group], explained.sin[:, group]
        for line, cos, sin in zip(*coefficients, strict=True):
            whole, half = circle(line * c, n), circle(line * c, 2 * n)
            moments += [act @ cos, act @ sin]
            waves += [whole.cos, whole.sin]
            steepness = np.abs(np.outer(sin, half.cos) - np.outer(cos, half.sin))  # β |sin(w s/2 + ψ)| at s = t + c
            sums_A.append(noise_A @ steepness)
            sums_B.append(noise_B @ steepness)
            sines.append(2 * explained.slope * np.abs(half.sin))
        excess = explained.slope * (length(noise_A)[:, None] + length(noise_B))
        noise += (length(act) + excess)[:, :, None] * pairwise_distances(explained.residual_W[group])[t]
    total, difference = (t[:, :, None] + c) % n, (t[:, :, None] - c) % n
    noise += _combined(sums_A, sines, n)[a[:, :, None], total, difference]
    noise += _combined(sums_B, sines, n)[b[:, :, None], total, difference]
    bypassing = 0 if explained.identity else 2
    operations = n**2 * h * (3 + 4 * M + bypassing) + n**3 * len(groups) * (4 * M + 1) + n * h * (14 * M + 6)
    logits = _combined(moments, waves, n) + centre.residual()
    return certificate_of(logits, noise, evaluation_errors(explained.envelope(), M, 3 * M + 2), operations, "p²h + p³F")


def by_direct_sums(explained: Explained, exact: bool = False) -> Certificate:
    """Certify the whole family with every sum over the neurons taken at every (a, b, c).

    The sums are Σ_i noise_i(a, b) (|W_i(t) − W_i(c)| + |r_i(t) − r_i(c)|) + act_i |r_i(t) − r_i(c)|, r the residual
    of W. If `exact`, the smallest margin of all members at each (a, b, c) instead: no bound on the family can be
    better.
    """
    centre = explained.centre
    n, h, M = centre.modulus, centre.width, len(explained.lines)
    logits, noise = np.empty((n, n, n)), np.empty((n, n, n))
    a = np.arange(n)
    for t in range(n):
        b = (t - a) % n
        u, spread = centre.A + centre.B[b], explained.noise_A + explained.noise_B[b]
        act, gap = explained.act(u), centre.W[:, t, None] - centre.W
        stray = np.abs(explained.residual_W[:, t, None] - explained.residual_W)
        logits[a, b] = -act @ gap  # less the right one
        if exact:
            least, most = (explained.act(end) for end in reach(explained, u, spread))
            noise[a, b] = act @ gap - least @ (gap - stray) - (most - least) @ np.minimum(gap - stray, 0)
        else:
            noise[a, b] = explained.slope * spread @ (np.abs(gap) + stray) + act @ stray
    operations = 3 * n**3 * h + n**2 * h * (5 if exact else 3) + n * h * (12 * M + 6)
    logits += centre.residual()
    return certificate_of(logits, noise, evaluation_errors(explained.envelope(), M, 3 * M + 2), operations, "p³h")


def by_brute_force(network: Separable) -> Certificate:
    """The margin of every input of the network itself, less rounding errors."""
    require_small(network)
    n, h = network.modulus, network.width
    return certificate_of(
        network.logits(), np.zeros((n, n, n)), evaluation_errors(network, 0, 1), n**3 * h + n**2 * h, "p³h"
    )


def for_stored_weights(certificate: Certificate, network: Network) -> Certificate:
    """The certificate of a network's float64 tables, made one of the real-number network of its stored weights."""
    allowance = table_errors(network)
    return replace(certificate, margin=certificate.margin - allowance, rounding=certificate.rounding + allowance)


def certificate_of(
    logits: Float[np.ndarray, "n n n"], noise: Float[np.ndarray, "n n n"], rounding: float, operations: int, order: str
) -> Certificate:
    """The smallest bound over the wrong answers of every input."""
    a, b = np.indices(logits.shape[:2])
    t = (a + b) % len(logits)
    bound = logits[a, b, t][:, :, None] - logits - noise
    bound[a, b, t] = np.inf
    return Certificate(
        bound.min(axis=-1) - rounding, margins(logits), bound.argmin(axis=-1), rounding, operations, order
    )


def _combined(tables: list, waves: list, n: int) -> Float[np.ndarray, "n n n"]:
    """Σ_l table_l[x, y] wave_l[z]; zero for no tables."""
    return np.stack(tables, axis=-1) @ np.stack(waves) if tables else np.zeros((n, n, n))


def pairwise_distances(f: Float[np.ndarray, "h n"]) -> Float[np.ndarray, "n n"]:
    """‖f(t) − f(c)‖ over the neurons, for every t and c, from differences: no cancellation."""
    return np.array([length((column[:, None] - f).T) for column in f.T])
