"""Sines in place of what enters the neurons, with their answers as they are."""

from dataclasses import replace

from support import perfect_network

from modadd.crt.contributions import share_right
from modadd.crt.simple_neuron_measures import accuracy_of_fits
from modadd.crt.sine_inputs import accuracy_of_sine_inputs


def test_neurons_that_are_sines_stay_as_they_are():
    assert accuracy_of_sine_inputs(perfect_network(n=13, frequencies=(1, 2, 3, 5), m=12)) == 1


def test_what_neurons_answer_stays():
    """All neurons prefer the answer 0: their sines in W do not, so only with these the network is right."""
    network = perfect_network(n=13, frequencies=(1, 2, 3, 5), m=12)
    W = network.W.copy()
    W[:, 0] += 1
    assert accuracy_of_sine_inputs(replace(network, W=W)) < 0.5
    assert accuracy_of_fits(replace(network, W=W)) == 1


def test_what_enters_is_replaced():
    """All neurons see the input 0 far stronger than the others, which their sines do not."""
    network = perfect_network(n=13, frequencies=(1, 2, 3, 5), m=12)
    A = network.A.copy()
    A[0] += 5
    changed = replace(network, A=A)
    assert accuracy_of_sine_inputs(changed) > share_right(changed)
