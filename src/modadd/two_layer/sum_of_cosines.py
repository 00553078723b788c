"""The last formula of [M]: the logits as a sum of cos w_k(a + b − c), with weights or without."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.fourier import fit
from modadd.core.separable import Separable
from modadd.two_layer.readout import norm_ratio


class SumOfCosines(NamedTuple):
    """Weights of the cosines in logit units, and the share of the variance of the centred logits that the sum explains.

    `weighted`: each cosine with its own weight. `equal`: one weight for all, which is never more.
    """

    weights: Float[np.ndarray, "k"]
    weighted: float
    equal: float


def sum_of_cosines(logits: Float[np.ndarray, "n n n"], key: Sequence[int]) -> SumOfCosines:
    """Both fits by least squares at the given frequencies, 0 < 2k < n ([M], "Understanding W_U").

    The cosines are orthogonal and of one size, so the single weight is the mean of the others.
    """
    found = fit(logits, "clock", key)
    weights = found.coefficients
    size = len(weights) * np.square(weights).sum()
    equal = found.r_squared * weights.sum() ** 2 / size if size > 0 else 0.0
    return SumOfCosines(weights, found.r_squared, float(equal))


def restricted_to_sets(network: Separable, sets: Mapping[str, Sequence[int]]) -> pd.DataFrame:
    """What is left of W_U and of the logits at each set of frequencies, a row each ([M], "Understanding W_U").

    Frobenius norms of all of W_U and of W_U restricted, and their ratio; R² of the `sum_of_cosines` in the logits.
    """
    whole, rows, logits = float(np.linalg.norm(network.W)), {}, network.logits()
    for name, kept in sets.items():
        ratio, cosines = norm_ratio(network.W.T, kept), sum_of_cosines(logits, kept)
        rows[name] = {"‖W_U‖": whole, "‖W_U restricted‖": whole * ratio, "ratio": ratio}
        rows[name] |= {"R², weighted": cosines.weighted, "R², equal": cosines.equal}
    return pd.DataFrame(rows).T.rename_axis("frequencies")
