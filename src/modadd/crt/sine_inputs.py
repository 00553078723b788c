"""Replacing what enters every neuron by a sine, while what it answers stays ([C1] Fig. 6)."""

from dataclasses import replace

from modadd.crt.contributions import share_right
from modadd.crt.simple_neuron_measures import fitted
from modadd.networks.registry import Form, as_separable, measure


@measure("accuracy of sines that enter", "share")
def accuracy_of_sine_inputs(network: Form) -> float:
    """Share of all inputs answered right if A_i and B_i of every neuron are its sines, and W stays ([C1] Fig. 6).

    The sines of a neuron have one frequency and one amplitude, each its own phase, and no constants; so biases are left out.
    `accuracy_of_fits` replaces W, too.
    """
    sines = fitted(network)
    return share_right(replace(as_separable(network), A=sines.A, B=sines.B))
