import numpy as np
from support import perfect_network

from modadd.core.neurons import three_dfts
from modadd.crt.random_sines import accuracy_of_random_fits, with_waves_dealt_anew
from modadd.crt.simple_neuron_measures import accuracy_of_fits


def test_sines_answer_only_with_their_own_waves():
    network = perfect_network(n=13, frequencies=(1, 2, 3, 5), m=12)
    assert accuracy_of_fits(network) == 1
    assert accuracy_of_random_fits(network) < 0.5


def test_waves_stay_at_their_frequency():
    network = perfect_network(n=13, frequencies=(1, 4), m=6)
    frequency = three_dfts(network).frequency
    dealt = with_waves_dealt_anew(network, frequency, np.random.default_rng(0))
    for k in (1, 4):
        before, after = (set(map(tuple, of.W[frequency == k].round(9))) for of in (network, dealt))
        assert before == after
    assert (dealt.A == network.A).all() and not (dealt.W == network.W).all()
