"""What [C] says of neurons of any network, by number: rescaling them changes nothing, and a projection is a cosine."""

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from modadd.core.separable import Separable
from modadd.crt.projections import projected
from modadd.crt.simple_neurons import SimpleFit


def rescaling_changes(network: Separable, tau: Float[np.ndarray, "h"]) -> float:
    """The largest change of a logit if every neuron's inputs are multiplied by its τ and its outputs divided by it."""
    rescaled = replace(network, A=tau * network.A, B=tau * network.B, W=network.W / tau[:, None])
    return np.abs(rescaled.logits() - network.logits()).max()


def projection_off(fit: SimpleFit, fitted: Separable, sign: int) -> float:
    """How far r times the projection with this sign is from the wave of the first number, in the units of A ([C] §5.3).

    The largest difference over neurons and residues; `fitted` is the network of the fits. [C] prints sign −1.
    """
    return float(np.abs(fit.r * projected(fit.frequency, fit.s_A, fitted.modulus, sign) - fitted.A).max())
