"""The control of replacing every neuron by its sine: sines that answer with the wave of another neuron ([C1] Fig. 6)."""

from dataclasses import replace

import numpy as np

from modadd.core.separable import Separable
from modadd.crt.contributions import share_right
from modadd.crt.simple_neuron_measures import dfts_in, fitted
from modadd.networks.initialisation import seed_for
from modadd.networks.registry import Form, measure


def with_waves_dealt_anew(network: Separable, frequency: np.ndarray, rng: np.random.Generator) -> Separable:
    """The network whose neurons of each frequency have each other's W, in random order."""
    W = network.W.copy()
    for k in np.unique(frequency):
        members = np.flatnonzero(frequency == k)
        W[members] = network.W[rng.permutation(members)]
    return replace(network, W=W)


@measure("accuracy of fits with waves of other neurons", "share")
def accuracy_of_random_fits(network: Form) -> float:
    """Share of inputs right if every neuron is a sine and answers with the wave of a random neuron of its frequency (ours).

    The network differs from that of `accuracy_of_fits` in the sums of the shifts alone.
    """
    rng = np.random.default_rng(seed_for(0, "waves of random neurons"))
    return share_right(with_waves_dealt_anew(fitted(network), dfts_in(network).frequency, rng))
