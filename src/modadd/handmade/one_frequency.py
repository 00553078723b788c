"""Evenly spaced neurons of one frequency: how far their answer turns, as a series, and how many of them are needed."""

from fractions import Fraction

import numpy as np
import pandas as pd
from jaxtyping import Complex, Float

from modadd.handmade.build import angles
from modadd.handmade.search import neurons_needed

WIDEST = float(np.pi**3 / (6 * np.sqrt(3)))  # h³ times the widest turn of h neurons as odd h grows, in radians


def turn(x: Float[np.ndarray, "s"], neurons: int) -> Complex[np.ndarray, "s"]:
    """F = (3π/h) e^{2ix} Σ_i ReLU(cos(x + φ_i)) e^{2iφ_i} for h neurons at the angles φ_i = 2πi/h, for any real x.

    1 for the integral that the sum stands for; the argument of F is by how much the answer is turned, in radians.
    """
    nodes = np.maximum(np.cos(np.add.outer(x, angles(neurons))), 0) @ np.exp(2j * angles(neurons))
    return 3 * np.pi / neurons * np.exp(2j * x) * nodes


def alias(neurons: int, order: int) -> Fraction:
    """ρ_l = 3(−1)^{lh}/((2lh − 2)² − 1): the coefficient of e^{ily} in F, y = 2hx, for an odd number h ≥ 5 of neurons."""
    return Fraction(-3 if order * neurons % 2 else 3, (2 * order * neurons - 2) ** 2 - 1)


def turn_series(y: Float[np.ndarray, "s"], neurons: int, orders: int) -> Complex[np.ndarray, "s"]:
    """F at y = 2hx as its Fourier series 1 + Σ_l ρ_l e^{ily}, 0 < |l| ≤ orders; what is left out is below 2/(h² orders)."""
    order = np.concatenate([np.arange(-orders, 0), np.arange(1, orders + 1)])
    return 1 + np.exp(1j * np.outer(y, order)) @ np.array([float(alias(neurons, int(each))) for each in order])


def widest(neurons: int, points: int = 4096) -> float:
    """The largest |arg F| over all real x, in radians, seen at so many points of a period, 2π/h long."""
    return float(np.abs(np.angle(turn(2 * np.pi / neurons * np.arange(points) / points, neurons))).max())


def neurons_by_law(n: int) -> int:
    """The least odd h ≥ 5 with WIDEST/h³ < π/n."""
    neurons = 5
    while WIDEST / neurons**3 >= np.pi / n:
        neurons += 2
    return neurons


def beside_law(largest: int) -> pd.DataFrame:
    """For every odd n from 5 to `largest` the neurons that are needed, counted, and those of the law: n, counted, law."""
    lines = [(n, neurons_needed(n), neurons_by_law(n)) for n in range(5, largest + 1, 2)]
    return pd.DataFrame(lines, columns=["n", "counted", "law"])


def off_the_law(needed: pd.DataFrame) -> int:
    """How many neurons the law of `beside_law` is off the count, at most, either way."""
    return int((needed.counted - needed.law).abs().max())
