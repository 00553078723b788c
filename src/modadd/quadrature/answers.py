"""What the error of each frequency's quadrature proves about the answers of a network of pure cosines ([Q] App. B.1)."""

from math import ceil, log2
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from modadd.core.fourier import angular_frequency
from modadd.core.neurons import Neurons
from modadd.quadrature.bounds import relu_bound
from modadd.quadrature.scheme import INTEGRAL, PIECEWISE_RELU, schemes_of
from modadd.quadrature.sweep import worst_case


class Proof(NamedTuple):
    """Lower bounds on the margin of the inputs with a − b ≡ ±d, d = 0 … ⌊n/2⌋, in logits, and the operations they took."""

    margin: Float[np.ndarray, "half"]
    operations: int

    def share(self, n: int) -> float:
        """Share of the n² inputs whose margin is proven to be positive."""
        d = np.arange(len(self.margin))
        return float((self.margin > 0) @ np.where(2 * d % n == 0, 1, 2) / n)


def prove_answers(neurons: Neurons, exact: bool) -> Proof:
    """Prove the margins of the network of pure cosines α cos(w_k x + φ) and β cos(w_k c + ψ), with no neuron at any input.

    Frequency k answers with r_k |cos(w_k d/2)| Re(e^{iw_k c} S_k), r_k = Σα_iβ_i/π, where S_k lies within ε_k of its integral
    (2/3) e^{−iw_k(a+b)}. The answer that is wrong by e thus loses at least 2 Σ_k r_k |cos(w_k d/2)| s (2s/3 − ε_k), s =
    |sin(w_k e/2)|. ε_k is the `relu_bound`, or, if `exact`, the `worst_case`. Only the neurons of key frequencies count.
    Operations are those of ε_k, as in `bound_against_work`, and the terms of the sums over k for every d and e. The
    rounding of these few sums is not taken off.
    """
    schemes, n = schemes_of(neurons), neurons.modulus
    error, operations = [], 0
    for scheme in schemes.values():
        m = len(scheme.phi)
        operations += m * ceil(log2(m + 1)) + 2 * m
        if exact:
            worst = worst_case(scheme, PIECEWISE_RELU)
            error.append(worst.modulus + worst.rounding)
            operations += 2 * worst.evaluations
        else:
            error.append(relu_bound(scheme))
            operations += 2 * m
    r = neurons.alpha * neurons.beta
    strength = np.array([r[neurons.frequency == k].sum() for k in schemes]) / np.pi
    w, steps = angular_frequency(np.array(list(schemes)), n)[:, None], np.arange(n // 2 + 1)
    reach = strength[:, None] * np.abs(np.cos(w * steps / 2))
    s = np.abs(np.sin(w * steps[1:] / 2))
    lost = 2 * s * (INTEGRAL / 2 * s - np.array(error)[:, None])
    return Proof(
        (reach.T @ lost).min(axis=1), operations + reach.size + lost.size + len(schemes) * len(steps) * s.shape[1]
    )
