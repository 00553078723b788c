"""Cosines or square waves: which of them the input weights of neurons are nearer to (Swaroop 2026)."""

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency, cosine_at, overtone, share_of_variance
from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable
from modadd.networks.registry import Form, as_separable, is_cyclic, measure

Shape = Literal["cosine", "square"]
NEAR = 0.1
SYMMETRIC = 8 / np.pi**2  # R² of the best cosine for a square wave, and of the best square wave for a cosine


class WaveFit(NamedTuple):
    """Share of the variance of every column that a wave of its frequency explains, and the wave with its constant."""

    share: Float[np.ndarray, "h"]
    wave: Float[np.ndarray, "n h"]


def fit_cosine(f: Float[np.ndarray, "n h"], k: Int[np.ndarray, "h"]) -> WaveFit:
    """The nearest constant + α cos(w_k x + φ) of every column, in units of f; the share is 0 for a constant column."""
    inward = cosine_at(f, k)
    turn = angular_frequency(np.outer(np.arange(len(f)), k) % len(f), len(f))
    return WaveFit(share_of_variance(f, k), f.mean(axis=0) + inward.amplitude * np.cos(turn + inward.phase))


def fit_square(f: Float[np.ndarray, "n h"], k: Int[np.ndarray, "h"]) -> WaveFit:
    """The nearest constant + α sign cos(w_k x + φ) of every column, likewise; the phases tried give every such wave.

    A sign changes where 4kx + 4nφ/2π ≡ ±n mod 4n, so at whole multiples of 2π/4n; we try every phase halfway between.
    """
    n = len(f)
    centred, share, wave = f - f.mean(axis=0), np.zeros(f.shape[1]), np.broadcast_to(f.mean(axis=0), f.shape).copy()
    for own in np.unique(k):
        at = np.flatnonzero(k == own)
        turn = (4 * own * np.arange(n)[:, None] + np.arange(4 * n) + 0.5) * 2 * np.pi / (4 * n)
        tried = np.sign(np.cos(turn))
        tried = tried - tried.mean(axis=0)
        size = np.linalg.norm(tried, axis=0)
        tried = np.divide(tried, size, where=size > 0, out=np.zeros_like(tried))
        along = tried.T @ centred[:, at]
        best = np.argmax(along, axis=0)
        strength = along[best, np.arange(len(at))]
        total = np.square(centred[:, at]).sum(axis=0)
        share[at] = np.square(strength) / np.where(total > 0, total, 1)
        wave[:, at] += strength * tried[:, best]
    return WaveFit(share, wave)


def flatness(f: Float[np.ndarray, "n h"]) -> Float[np.ndarray, "h"]:
    """(mean |f|)² / mean f² of every column less its mean: 1 for ±α alone, 8/π² for a cosine; 0 for a constant."""
    centred = f - f.mean(axis=0)
    power = np.square(centred).mean(axis=0)
    return np.abs(centred).mean(axis=0) ** 2 / np.where(power > 0, power, 1)


def at_extremes(f: Float[np.ndarray, "n h"]) -> Float[np.ndarray, "h"]:
    """Share of the residues at which a column is within NEAR of its half range from its largest or smallest value.

    1 for a square wave and 2 arccos(9/10)/π for a cosine; a wave whose values in between stand where the sign changes has more.
    """
    half, middle = np.ptp(f, axis=0) / 2, (f.max(axis=0) + f.min(axis=0)) / 2
    return ((np.abs(f - middle) >= (1 - NEAR) * half) & (half > 0)).mean(axis=0)


def third_harmonic(f: Float[np.ndarray, "n h"], k: Int[np.ndarray, "h"]) -> Float[np.ndarray, "h"]:
    """What each column has of cos 3(w_k x + φ) beside its cos(w_k x + φ): −1/3 in a square wave, 0 in a cosine."""
    own = cosine_at(f, k)
    return overtone(f, k, own.phase, 3).real / np.where(own.amplitude > 0, own.amplitude, 1)


def shapes_of(network: Separable) -> pd.DataFrame:
    """A row for each neuron's A, B and W, read at the frequency of its preactivation.

    cosine, square: shares of variance of `fit_cosine` and `fit_square`. extremes: `at_extremes`. third: `third_harmonic`.
    weight: of `ThreeDFTs`, in logits.
    """
    dfts, rows = three_dfts(network), []
    for side, table in (("A", network.A), ("B", network.B), ("W", network.W.T)):
        found = {"side": side, "frequency": dfts.frequency, "weight": dfts.weight}
        found |= {"cosine": fit_cosine(table, dfts.frequency).share, "square": fit_square(table, dfts.frequency).share}
        found |= {"flatness": flatness(table), "extremes": at_extremes(table)}
        rows.append(pd.DataFrame(found | {"third": third_harmonic(table, dfts.frequency)}))
    return pd.concat(rows, ignore_index=True)


def by_side(shapes: pd.DataFrame) -> pd.DataFrame:
    """Means of `shapes_of` over the neurons by weight, for each side; nearer: share of the weight nearer to a square."""
    measured = shapes.assign(nearer=(shapes.square > shapes.cosine).astype(float))
    columns = ["cosine", "square", "nearer", "flatness", "extremes", "third"]
    weighted = measured[columns].mul(measured.weight, axis=0).groupby(measured.side).sum()
    return weighted.div(measured.groupby("side").weight.sum(), axis=0)


@measure("share of the weight\nnearer to square waves", "share")
def nearer_to_square_waves(network: Form) -> float:
    """Share of the weight in neurons whose A or B a square wave fits better than a cosine, over both (ours; Swaroop 2026).

    NaN on a group that is not cyclic.
    """
    if not is_cyclic(network):
        return float("nan")
    inward = shapes_of(as_separable(network)).query("side != 'W'")
    weight = inward.weight.sum()
    return float(inward.weight[inward.square > inward.cosine].sum() / weight) if weight else float("nan")


def idealised(network: Separable, inward: Shape) -> Separable:
    """The network whose A and B are the nearest waves of that shape, and W the nearest cosines, each with its constant.

    With square waves this is the idealised network of Swaroop 2026. C and D stay.
    """
    k, fit = three_dfts(network).frequency, {"cosine": fit_cosine, "square": fit_square}[inward]
    A, B = (fit(table, k).wave for table in (network.A, network.B))
    return replace(network, A=A, B=B, W=fit_cosine(network.W.T, k).wave.T)
