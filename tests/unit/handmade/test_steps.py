"""The steps of the arguments about the smallest networks: no counterexample is found, and one would be."""

import numpy as np
import pytest

from modadd.core.groups import ADDITION, right_answers
from modadd.handmade import steps
from modadd.handmade.steps import (
    counted,
    cube_root_law,
    few_neurons_fail,
    has_signs_of_a_sum,
    is_nested,
    one_neuron_fails,
    two_of_three_alike,
)


@pytest.mark.parametrize("test", [few_neurons_fail, one_neuron_fails, two_of_three_alike])
def test_no_step_has_a_counterexample(test):
    table = counted(test(12, np.random.default_rng(1)))
    assert table.counterexamples.sum() == 0
    assert (table.instances >= 5).all()


def test_the_steps_of_the_law_have_none_either():
    table = counted(cube_root_law([(3, 5), (5, 2)], [5, 7]))
    assert table.step.tolist() == [*range(1, 8)]
    assert table.counterexamples.sum() == 0


def test_a_wrong_constant_is_a_counterexample_of_the_law(monkeypatch):
    monkeypatch.setattr(steps, "WIDEST", steps.WIDEST / 2)
    wrong = counted(cube_root_law([(3, 5)], [5, 7])).set_index("step").counterexamples
    assert wrong[5] == 1 and wrong[6] == 2


def test_sets_of_residues_are_not_nested_and_thresholds_are():
    assert not is_nested(right_answers(ADDITION, 3) == 0)
    assert is_nested(np.add.outer(np.arange(4), np.arange(4)) < 3)


def test_signs_make_a_sum_just_where_m_is_odd():
    assert [has_signs_of_a_sum(m) for m in (1, 2, 3, 4)] == [True, False, True, False]
