"""Neurons of several DFT lines: sums of representations, half periods, the second line of W ([C] App. B.1.2)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency, cosine_at, variance_by_frequency
from modadd.core.separable import Separable
from modadd.crt.cosets import coset_order, remapped
from modadd.crt.simple_neurons import SimpleFit


def strongest_lines(f: Float[np.ndarray, "n"], most: int) -> pd.DataFrame:
    """The strongest DFT lines of a function: frequency, amplitude, phase (rad), share of variance up to this one.

    At most `most` of them, and none that vanishes.
    """
    variance = variance_by_frequency(f)
    order = [k for k in np.argsort(-variance, kind="stable")[:most] if variance[k] > 0]
    lines = cosine_at(np.repeat(f[:, None], len(order), axis=1), np.array(order, dtype=np.int64))
    return pd.DataFrame(
        {
            "frequency": order,
            "amplitude": lines.amplitude,
            "phase": lines.phase,
            "share": np.cumsum(variance[order]) / max(variance.sum(), np.finfo(float).tiny),
        }
    )


def partial_sums(f: Float[np.ndarray, "n"], most: int) -> Float[np.ndarray, "terms n"]:
    """The mean of a function and its strongest DFT lines added up one by one, strongest first."""
    lines, n = strongest_lines(f, most), len(f)
    k, amplitude, phase = (lines[name].to_numpy()[:, None] for name in ("frequency", "amplitude", "phase"))
    return f.mean() + np.cumsum(amplitude * np.cos(angular_frequency(k, n) * np.arange(n) + phase), axis=0)


class HalfPeriod(NamedTuple):
    """R² and values of a constant and half a period of a cosine, which starts at one of the residues and jumps there."""

    r_squared: float
    values: Float[np.ndarray, "n"]


def half_period(f: Float[np.ndarray, "n"], period: int) -> HalfPeriod:
    """The best fit of half a period, constant + α cos(πy/period + φ), y = x − cut mod period, over all cuts ([C] §4.1).

    `period` is n for functions of frequency 1, and n/g for the relabelled ones of a frequency with exact cosets.
    """
    y = np.arange(period)
    basis, _ = np.linalg.qr(np.stack([np.ones(period), np.cos(np.pi * y / period), np.sin(np.pi * y / period)], axis=1))
    classes = f.reshape(-1, period)  # a fit that is equal on them is one of their mean
    turned = classes.mean(axis=0)[(y + y[:, None]) % period]  # row: cut, column: y
    fits = turned @ basis @ basis.T
    cut = int(np.square(turned - fits).sum(axis=1).argmin())
    values = np.tile(np.roll(fits[cut], cut), len(classes))
    total = np.square(f - f.mean()).sum()
    return HalfPeriod(float(1 - np.square(f - values).sum() / total) if total > 0 else 0.0, values)


def relabelled_half_period(values: Float[np.ndarray, "n"], f: int) -> HalfPeriod:
    """`half_period` of the values after relabelling, which makes frequency f as slow as it can be."""
    return half_period(remapped(values, f), len(values) // coset_order(f, len(values)))


def periods_table(
    received: Mapping[tuple[int, str], Float[np.ndarray, "n"]], frequency: Int[np.ndarray, "h"]
) -> pd.DataFrame:
    """What neurons receive, by neuron and side, as half a period after relabelling and as one period: R² of either.

    frequency: of every neuron of the network.
    """
    lines = [
        (i, side, relabelled_half_period(values, int(frequency[i])).r_squared, strongest_lines(values, 1).share[0])
        for (i, side), values in received.items()
    ]
    return pd.DataFrame(lines, columns=["neuron", "from", "half a period", "one period"])


def second_line(network: Separable, fitted: Separable, fit: SimpleFit) -> Float[np.ndarray, "h"]:
    """γ of least squares in W_i(c) ≈ fit + γ cos(2w_f(c − s_A − s_B)), in units of W; 0 where that term is constant.

    The simple neurons of trained networks have γ < 0. Over even phases ReLU(cos x + cos y) carries cos 2(x + y) with
    minus a fifth of its share of cos(x + y), so a negative γ adds to the right answer, at frequency 2f.
    """
    term = _second_term(fit, network.modulus)
    term -= term.mean(axis=0)
    size = np.square(term).sum(axis=0)
    return ((network.W - fitted.W).T * term).sum(axis=0) / np.where(size > 1e-9, size, np.inf)


def with_second_line(fitted: Separable, fit: SimpleFit, gamma: Float[np.ndarray, "h"]) -> Separable:
    """The fitted network with γ cos(2w_f(c − s_A − s_B)) added to every W_i."""
    return replace(fitted, W=fitted.W + (gamma * _second_term(fit, fitted.modulus)).T)


def _second_term(fit: SimpleFit, n: int) -> Float[np.ndarray, "n h"]:
    return np.cos(2 * angular_frequency(fit.frequency, n) * (np.arange(n)[:, None] - fit.s_A - fit.s_B))
