import numpy as np
import pytest

from modadd.core.separable import accuracy
from modadd.handmade.build import hand_coded
from modadd.handmade.search import neurons_needed, widest_turn


@pytest.mark.parametrize("n", [3, 5, 7, 9, 15, 31])
def test_the_turn_says_whether_all_answers_are_right_however_few_the_neurons(n):
    for neurons in range(1, 12):
        right = accuracy(hand_coded(n, [1], neurons).logits()) == 1
        assert (widest_turn(n, neurons) < np.pi / n) == right, f"{neurons} neurons"


def test_neurons_that_are_silent_at_an_input_point_nowhere():
    assert widest_turn(3, 1) == pytest.approx(np.pi)


@pytest.mark.parametrize("n", [3, 5, 7])
def test_the_smallest_moduli_need_five_neurons_too(n):
    assert neurons_needed(n) == 5
