"""The real Fourier basis on Z_n × Z_n, and what [M] reads off a network in it.

*Power* is a sum of squared coefficients, what [M] labels norm.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from modadd.core.basis import basis, basis_frequencies, transform
from modadd.core.fourier import variance_by_frequency


def transform_2d(f: Float[np.ndarray, "n n *rest"]) -> Float[np.ndarray, "n n *rest"]:
    """Coefficients of f(a, b) at products of basis functions, indices (of a, of b); keeps Σ f² ([M], fft2d)."""
    return transform(transform(f).swapaxes(0, 1)).swapaxes(0, 1)


def power(coefficients: Float[np.ndarray, "n n *rest"]) -> Float[np.ndarray, "n n"]:
    """Power at every pair of basis functions, summed over whatever else there is ([M], "norm over all neurons")."""
    return np.square(coefficients).reshape(*coefficients.shape[:2], -1).sum(axis=2)


class Ranking(NamedTuple):
    """Frequencies in order of their power, strongest first, and how many stand above the widest gap.

    `gap` is how many times the weakest of those is as strong as the strongest other one, at least 1.
    """

    frequency: Int[np.ndarray, "k"]
    power: Float[np.ndarray, "k"]
    key: int
    gap: float

    @property
    def key_frequencies(self) -> list[int]:
        """The frequencies above the widest gap, in order."""
        return sorted(self.frequency[: self.key].tolist())


def ranking(f: Float[np.ndarray, "n *rest"]) -> Ranking:
    """The frequencies in order of their power along the first axis of f, as `ranked`."""
    n = len(f)
    return ranked(n * variance_by_frequency(f).reshape(n // 2 + 1, -1).sum(axis=1)[1 : (n + 1) // 2])


def ranked(total: Float[np.ndarray, "k"]) -> Ranking:
    """Rank the frequencies 1 … k by their power and cut where one is most times as strong as the next.

    This widest gap in log power is the whole rule: it has no threshold. Frequencies are those with a sine and a cosine,
    1 … ⌈n/2⌉ − 1, n ≥ 3; powers under the rounding error of float64 count as that.
    """
    total = np.maximum(total, max(np.finfo(float).eps ** 2 * total.max(), np.finfo(float).tiny))
    order = np.argsort(-total, kind="stable")
    strongest_first = total[order]
    gaps = strongest_first / np.append(strongest_first[1:], strongest_first[-1])
    return Ranking(order + 1, strongest_first, int(np.argmax(gaps)) + 1, float(gaps.max()))


def powers_of_products(powers: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "k"]:
    """Power of the four products of both inputs at the same frequency, k = 1 … ⌈n/2⌉ − 1 ([M], "4x4 squares")."""
    frequency = basis_frequencies(len(powers))
    pairs = [np.flatnonzero(frequency == k) for k in range(1, (len(powers) + 1) // 2)]
    return np.array([powers[np.ix_(pair, pair)].sum() for pair in pairs])


def ranking_of_products(coefficients: Float[np.ndarray, "n n *rest"]) -> Ranking:
    """The frequencies of the products in a map of both inputs, by its `transform_2d`, as `ranked` ([M])."""
    return ranked(powers_of_products(power(coefficients)))


def norm_ratio(f: Float[np.ndarray, "n *rest"], kept: Sequence[int]) -> float:
    """‖f restricted to the frequencies kept‖ / ‖f‖, Frobenius norms, the constant counted in ‖f‖ alone ([M], W_U)."""
    share = len(f) * variance_by_frequency(f)[list(kept)].sum() / np.square(f).sum()
    return float(np.sqrt(share))


def projections(
    activations: Float[np.ndarray, "n n h"], W: Float[np.ndarray, "h n"], kept: Sequence[int]
) -> Float[np.ndarray, "k 2 n n"]:
    """What W makes of the activations at sin(w_k c) and cos(w_k c), in the 2-D basis.

    Indices are (k, sine or cosine, of a, of b). If the logits are Σ_k cos(w_k(a+b−c)), these are sin(w_k(a+b)) and
    cos(w_k(a+b)) up to scale ([M], "Understanding W_U").
    """
    n = W.shape[1]
    rows = [row for k in kept for row in (2 * k - 1, 2 * k)]
    maps = transform_2d(activations @ (W @ basis(n)[rows].T))
    return np.moveaxis(maps, 2, 0).reshape(len(kept), 2, n, n)


def variance_explained(maps: Float[np.ndarray, "k 2 n n"], kept: Sequence[int]) -> pd.DataFrame:
    """How much of `projections` are the quadratic terms that a sum of angles needs ([M], FVE).

    Fractions of the power of `projections`, the constant included; a row for each frequency k. sin, cos: by the
    products sin·cos and cos·sin for the sine, cos·cos and sin·sin for the cosine, each with a coefficient of its own.
    "sin, sum alone", "cos, sum alone": by sin(w_k(a+b)) and cos(w_k(a+b)), hence at most as much.
    """
    each = np.arange(len(kept))
    s = 2 * np.array(kept) - 1
    c = s + 1
    sine, cosine = maps[:, 0], maps[:, 1]
    pairs = np.array(
        [[sine[each, s, c], sine[each, c, s]], [cosine[each, c, c], -cosine[each, s, s]]]  # cos cos − sin sin
    )
    whole = np.square(maps).sum(axis=(2, 3)).T
    whole = np.where(whole > 0, whole, 1)
    products, sums = np.square(pairs).sum(axis=1) / whole, pairs.sum(axis=1) ** 2 / 2 / whole
    return pd.DataFrame(np.vstack([products, sums]).T, kept, ["sin", "cos", "sin, sum alone", "cos, sum alone"])


def lost_to_differences(explained: pd.DataFrame) -> float:
    """The most that a row of `variance_explained` loses where both products have one weight: a + b alone counts."""
    return max(float((explained[kind] - explained[f"{kind}, sum alone"]).max()) for kind in ("sin", "cos"))


def own_terms(coefficients: Float[np.ndarray, "n n h"], frequency: Int[np.ndarray, "h"]) -> Float[np.ndarray, "h"]:
    """Share of each neuron's variance over the inputs in its own frequency's eight terms; 0 where it is 0 throughout.

    They are sin and cos of w_k a, of w_k b, and the four products: with the constant, [M]'s nine.
    """
    rows = basis_frequencies(len(coefficients))[:, None]
    own = ((rows == frequency) | (rows == 0)).astype(float)
    squares = np.square(coefficients)
    squares[0, 0] = 0
    variance = squares.sum(axis=(0, 1))
    return np.einsum("xyh,xh,yh->h", squares, own, own) / np.where(variance > 0, variance, 1)


def shares_of_terms(powers: Float[np.ndarray, "n n"], kept: Sequence[int]) -> dict[str, float]:
    """Shares of the power besides the constant, by kind of term, 1 in all.

    linear: sin or cos of one input at a kept frequency; quadratic: a product of both inputs at the same kept frequency;
    rest: everything else, and where there is no power, all.
    """
    row, column = np.meshgrid(basis_frequencies(len(powers)), basis_frequencies(len(powers)), indexing="ij")
    masks = {
        "linear": (np.isin(row, kept) & (column == 0)) | (np.isin(column, kept) & (row == 0)),
        "quadratic": np.isin(row, kept) & (row == column),
    }
    total = powers.sum() - powers[0, 0]
    shares = {kind: float(powers[mask].sum() / max(total, np.finfo(float).tiny)) for kind, mask in masks.items()}
    return shares | {"rest": 1 - sum(shares.values())}
