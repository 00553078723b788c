"""Proofs that compare most wrong answers only once for all inputs of the same a − b."""

import numpy as np
from jaxtyping import Bool, Float, Int

from modadd.certificates.certify import Certificate
from modadd.certificates.channels import Channels, short_channels
from modadd.certificates.explained import circle
from modadd.certificates.flips import TINY
from modadd.certificates.rounding import gamma
from modadd.core.separable import Separable


def by_coarse_channels(network: Separable) -> Certificate:
    """Certify the inputs that `by_short_channels` certifies; only wrong answers that come near are compared at every input.

    With t = a + b and d = t − c, the logits that a frequency k adds are p cos kd + q sin kd and a rest, so that the right
    answer leads by Σ_k p (1 − cos kd) − q sin kd. Over the n inputs of one a − b, p is at least its smallest and |q| at most
    its largest, and so is the rest. What is not certain by then is bounded input by input, as `by_short_channels` does.
    Raises ValueError for entries of 2⁴⁸⁰ or more.
    """
    found = short_channels(network)
    n = network.modulus
    b = np.arange(n)
    lead, rest = _leads(found, np.add.outer(np.arange(n), b) % n, b)
    lead[:, 0] = np.inf  # the right answer itself
    near = lead - rest <= 0
    margin, explained, runner_up = np.empty((n, n)), np.empty((n, n)), np.empty((n, n), dtype=int)
    for difference in range(n):
        a, some = (difference + b) % n, near[difference]
        leads, rests = (np.repeat(table[[difference]], n, axis=0) for table in (lead, rest))
        leads[:, some], rests[:, some] = _at_inputs(found, a, b, np.flatnonzero(some))
        margin[a, b], explained[a, b] = (leads - rests).min(axis=1), leads.min(axis=1)
        runner_up[a, b] = (a + b - (leads - rests).argmin(axis=1)) % n
    return Certificate(
        margin - found.rounding, explained, runner_up, found.rounding, _operations(found, near), "flips + p²F"
    )


def _leads(
    found: Channels, a: Int[np.ndarray, "n n"], b: Int[np.ndarray, "n"]
) -> tuple[Float[np.ndarray, "n n"], Float[np.ndarray, "n n"]]:
    """For every a − b and t − c: by how much the right answer leads at all n inputs, and what is taken off for the rest.

    Row e of `a`: the first numbers of the inputs with a − b = e.
    """
    F, n, _, rank = found.channels.shape
    t, turn = (a + b) % n, circle(np.outer(found.frequency, np.arange(n)), n)
    C, D = C_rest, D_rest = found.network.C, found.network.D
    lead, rest = np.zeros((n, n)), found.leak[a, b]
    most = np.full((n, n), (F + 1) * (np.abs(C).max() + np.abs(D).max()))
    for k, z, outward, x, far, *wave in zip(
        found.frequency, found.channels, found.outward, found.rest, found.from_mean, turn.cos, turn.sin, strict=True
    ):
        waves, z = np.transpose(wave), z[a, b]
        parts = [(1 if 2 * k == n else 2) / n * f @ waves for f in (outward, C, D)]
        others = (outward, C_rest, D_rest)
        outward_rest, C_rest, D_rest = (f - part @ waves.T for f, part in zip(others, parts, strict=True))
        y = z @ parts[0] + parts[1][a] + parts[2][b]
        p = (y * waves[t]).sum(axis=-1)
        q = y[..., 1] * waves[t, 0] - y[..., 0] * waves[t, 1]
        lead += np.outer(p.min(axis=1), 1 - waves[:, 0]) - np.outer(np.abs(q).max(axis=1), np.abs(waves[:, 1]))
        rest += (np.abs(z) * _farthest(outward_rest)[:, t].transpose(1, 2, 0)).sum(axis=-1)
        rest += x[a, b] * (far[t] + far.max())
        most += np.abs(z) @ np.abs(outward).max(axis=1, initial=0)
    rest += _farthest(C_rest)[a, t] + _farthest(D_rest)[b, t]
    # No sum here has more than 2n + r + 200 roundings, a sine counted as 50, nor terms of more than 40 times `most`.
    rest += 40 * gamma(2 * n + rank + 200) * most + 1000 * n * TINY * (1 + most)
    return lead, np.repeat(rest.max(axis=1)[:, None], n, axis=1)


def _farthest(f: Float[np.ndarray, "rows n"]) -> Float[np.ndarray, "rows n"]:
    """At least |f(t) − f(c)| for every t and all c, by way of the mean."""
    from_mean = np.abs(f - f.mean(axis=1, keepdims=True))
    return from_mean + from_mean.max(axis=1, keepdims=True, initial=0)


def _at_inputs(
    found: Channels, a: Int[np.ndarray, "n"], b: Int[np.ndarray, "n"], d: Int[np.ndarray, "m"]
) -> tuple[Float[np.ndarray, "n m"], Float[np.ndarray, "n m"]]:
    """At every (a, b), by how much the right answer t leads each t − d, and what `by_short_channels` takes off."""
    n, C, D = found.network.modulus, found.network.C, found.network.D
    t = ((a + b) % n)[:, None]
    c = (t - d) % n
    lead = C[a[:, None], t] - C[a[:, None], c] + D[b[:, None], t] - D[b[:, None], c]
    rest = np.repeat(found.leak[a, b][:, None], len(d), axis=1)
    for z, outward, x, far in zip(found.channels, found.outward, found.rest, found.from_mean, strict=True):
        added = z[a, b] @ outward
        lead += np.take_along_axis(added, t, axis=1) - np.take_along_axis(added, c, axis=1)
        rest += x[a, b][:, None] * (far[t] + far[c])
    return lead, rest


def _operations(found: Channels, near: Bool[np.ndarray, "n n"]) -> int:
    """Those of the channels; of p, q and the rests at every input; of every a − b and t − c; of the near ones at n inputs."""
    F, n, _, rank = found.channels.shape
    coarse = n**2 * F * (4 * rank + 16) + 2 * n * F * n
    return found.operations + coarse + int(near.sum()) * n * F * (1 + rank)
