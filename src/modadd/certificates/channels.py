"""The short proof: exact activations reach the logits through few sums per frequency, the channels.

As a function of the angle φ_i of the neurons of one frequency, activations have few strong harmonics: what they hold of
the span of α_i cos(mφ_i), α_i sin(mφ_i), m in HARMONICS, meets W exactly. The rest x of them meets the rest r of W, which
is bounded by Cauchy–Schwarz: |Σ_i x_i (r_i(t) − r_i(c))| ≤ ‖x‖ ‖r(t) − r(c)‖. ψ = 2φ makes r small. No sum runs over all
neurons at every input: all comes from the flips of the neurons.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from modadd.certificates.certify import Certificate, certificate_of
from modadd.certificates.explained import circle
from modadd.certificates.flips import TINY, Flips, find_flips
from modadd.certificates.rounding import UNIT, evaluation_errors, gamma, length, require_small
from modadd.core.fourier import cosine_at
from modadd.core.separable import Separable

HARMONICS = (0, 1, 2)  # of a neuron's angle φ: the mean, the linear part, and the one that W answers to
LINES = 2  # multiples of its frequency that are taken out of B_i before the rest of it is bounded


@dataclass(frozen=True)
class Channels:
    """What reaches the logits of every input through the channels of each frequency, and what does not.

    channels: at (a, b), by group. outward: what one unit of a channel adds to each logit. rest: upper bounds on ‖x‖ at (a, b).
    from_mean: distance of r(c) from the mean of r; what is the same for all answers moves no margin. leak: the most that
    channels do beside `outward` because U is orthonormal but for rounding. network: its neurons in the order of the groups.
    rounding: of all of this, in logits. operations: what it took to find.
    """

    network: Separable
    frequency: Int[np.ndarray, "F"]
    channels: Float[np.ndarray, "F n n r"]
    outward: Float[np.ndarray, "F r n"]
    rest: Float[np.ndarray, "F n n"]
    from_mean: Float[np.ndarray, "F n"]
    leak: Float[np.ndarray, "n n"]
    rounding: float
    operations: int


def short_channels(network: Separable) -> Channels:
    """The channels of every frequency, and upper bounds on the rest.

    ‖x‖² is ‖act‖² − ‖channels‖². Raises ValueError for entries of 2⁴⁸⁰ or more.
    """
    require_small(network)
    flips = find_flips(network)
    span = _span(flips.network, flips.frequency[flips.group])
    U = np.zeros(span.shape)
    for members in flips.groups():
        basis = _basis(span[members])
        U[members, : basis.shape[1]] = basis
    U = U[:, np.abs(U).any(axis=0)]
    rank = U.shape[1]
    rounding = evaluation_errors(network, 0, rank + 2) + 2 * flips.left_out
    network, n, F = flips.network, network.modulus, len(flips.frequency)
    channels, outward = np.zeros((F, n, n, rank)), np.zeros((F, rank, n))
    from_mean, leak = np.zeros((F, n)), np.zeros((n, n))
    error = flips.add(channels, network.A, network.B, U)
    for g, members in enumerate(flips.groups()):
        outward[g] = U[members].T @ network.W[members]
        r = network.W[members] - U[members] @ outward[g]
        from_mean[g] = length((r - r.mean(axis=1, keepdims=True)).T)
        leak += 2 * np.abs(channels[g]) @ np.abs(U[members].T @ r).max(axis=1, initial=0)
        rounding += 4 * error * float(np.abs(outward[g]).sum(axis=0).max())
    sums = flips.adding(rank + 1) + flips.adding(2 * LINES + 1, lines=1)
    operations = flips.finding() + sums + 3 * n * flips.network.width * (1 + rank)
    rest = _rests(flips, U, channels, error)
    return Channels(network, flips.frequency, channels, outward, rest, from_mean, leak, rounding, operations)


def by_short_channels(network: Separable) -> Certificate:
    """Certify by `short_channels`: ‖r(t) − r(c)‖ is at most the distances of r(t) and r(c) from the mean of r."""
    found = short_channels(network)
    (F, n, _, rank), logits = found.channels.shape, found.network.residual()
    noise = np.repeat(found.leak[:, :, None], n, axis=2)
    t = np.add.outer(np.arange(n), np.arange(n)) % n
    for z, outward, x, far in zip(found.channels, found.outward, found.rest, found.from_mean, strict=True):
        logits += z @ outward
        noise += x[:, :, None] * np.add.outer(far, far)[t]
    return certificate_of(logits, noise, found.rounding, found.operations + n**3 * F * (1 + rank), "flips + p³F")


def _span(network: Separable, frequency: Int[np.ndarray, "h"]) -> Float[np.ndarray, "h columns"]:
    """α_i cos(mφ_i) and α_i sin(mφ_i) of A + B at each neuron's frequency, a column for each of both and harmonic."""
    alpha, phi = cosine_at(network.A + network.B, frequency)
    columns = [alpha * wave(m * phi) for m in HARMONICS for wave in (np.cos, np.sin)]
    return np.array(columns).reshape(len(columns), network.width).T


def _basis(span: Float[np.ndarray, "h columns"]) -> Float[np.ndarray, "h r"]:
    """Orthonormal columns of the same span, those of rounding left out."""
    U, sizes, _ = np.linalg.svd(span, full_matrices=False)
    return U[:, sizes > 1e-9 * sizes.max(initial=0)]


def _rests(
    flips: Flips, U: Float[np.ndarray, "h r"], channels: Float[np.ndarray, "F n n r"], error: float
) -> Float[np.ndarray, "F n n"]:
    """Upper bounds on ‖act − U channels‖ = √(‖act‖² − ‖channels‖²) of every group at every input.

    All is scaled by a power of two, so that the squares of small activations do not vanish.
    """
    A, B = flips.network.A, flips.network.B
    _, exponent = np.frexp(max(np.abs(A).max(initial=0), np.abs(B).max(initial=0)))
    A, B, z = (np.ldexp(table, -exponent) for table in (A, B, channels))
    squares, most = _squares_by_flips(flips, A, B)
    held = np.square(z).sum(axis=-1)
    crooked = [np.abs(V.T @ V - np.diag(V.any(axis=0))).sum() for V in (U[members] for members in flips.groups())]
    roundings = gamma(4 * len(U) + 60) + np.array(crooked)[:, None, None]
    slack = roundings * (most + held) + 2 * np.ldexp(error, -exponent) * np.abs(z).sum(axis=-1) + 8 * len(U) * TINY
    return np.ldexp(np.sqrt(np.maximum(squares - held, 0) + slack) * (1 + 4 * UNIT), exponent)


def _squares_by_flips(
    flips: Flips, A: Float[np.ndarray, "n h"], B: Float[np.ndarray, "n h"]
) -> tuple[Float[np.ndarray, "F n n"], Float[np.ndarray, "F n n"]]:
    """Upper bounds on ‖act‖² = Σ_i 1_i (A_i² + B_i² + 2 A_i B_i) from sums over flips, and what their roundings grow with.

    In the last sum B_i is the constant, LINES multiples of the group's frequency, which are waves common to the group,
    and a rest that is bounded by Cauchy–Schwarz.
    """
    n, h, F = len(A), A.shape[1], len(flips.frequency)
    turn = circle(flips.frequency[:, None, None] * np.arange(1, LINES + 1)[:, None] * np.arange(n), n)
    waves = np.concatenate([np.ones((F, 1, n)), turn.cos, turn.sin], axis=1)
    alone, with_waves = np.zeros((F, n, n, 1)), np.zeros((F, n, n, waves.shape[1]))
    parts, beside = np.zeros((h, waves.shape[1])), np.zeros((F, n, n))
    for g, members in enumerate(flips.groups()):
        parts[members] = np.linalg.lstsq(waves[g].T, B[:, members], rcond=None)[0].T
        stray = B[:, members] - waves[g].T @ parts[members].T
        beside[g] = np.outer(length(A[:, members]), length(stray))
    errors = flips.add(alone, A**2, B**2, np.ones((h, 1)))
    errors += 2 * waves.shape[1] * flips.add(with_waves, A, np.zeros_like(B), parts)
    crossed = np.einsum("gabr,grb->gab", with_waves, waves)
    most = alone[..., 0] + 2 * np.abs(with_waves).sum(axis=-1) + 2 * beside
    return alone[..., 0] + 2 * crossed + 2 * beside + errors, most
