"""Adam in float64 for the networks in which frequencies compete, compiled by numba without fast-math.

Weights are the tables u, v and w of every neuron, on the elements a, b and c.
"""

import numpy as np
from jaxtyping import Float
from numba import njit

RATE, BETA1, BETA2, EPSILON = 1e-3, 0.9, 0.999, 1e-8  # of Adam

Weights = Float[np.ndarray, "3 n m"]


@njit(cache=True, error_model="numpy")
def adam_float64(weights: Weights, slopes: Weights, first: Weights, second: Weights, step: int) -> None:
    """The update of number `step`, from 1, in place."""
    for part, g, i in np.ndindex(weights.shape):
        slope, before = slopes[part, g, i], weights[part, g, i]
        first[part, g, i] = BETA1 * first[part, g, i] + (1 - BETA1) * slope
        second[part, g, i] = BETA2 * second[part, g, i] + (1 - BETA2) * slope**2
        root = np.sqrt(second[part, g, i] / (1 - BETA2**step))
        change = RATE * first[part, g, i] / (1 - BETA1**step) / (root + EPSILON)
        weights[part, g, i] = before - change
