"""Every exercise of the tutorial accepts what is right, in any form, and tells a wrong answer so, with a hint."""

import math

import numpy as np
import pytest

from modadd.page import exercises
from modadd.quadrature.activations import ABSOLUTE_ACTIVATION, even_nodes_error

ALL = {
    "one_step": exercises.one_step(12, 59),
    "output_phase": exercises.output_phase(13),
    "area": exercises.area(),
    "enough_neurons": exercises.enough_neurons(0.01),
    "lead_of_one": exercises.lead_of_one(12, 59),
    "few_frequencies": exercises.few_frequencies(3, 31),
    "two_remainders": exercises.two_remainders({7: 3, 13: 5}),
    "safe_change": exercises.safe_change(14.0),
}
NEVER = (None, "five", "", [], [None], {}, math.nan, math.inf, -math.inf, 1j, np.array([1, 2]), object())
every_exercise = pytest.mark.parametrize("exercise", ALL.values(), ids=ALL)


@every_exercise
def test_the_solution_is_right(exercise):
    assert exercise.reply(exercise.solution) == (True, "**Right.**")


@every_exercise
@pytest.mark.parametrize("answer", NEVER, ids=[type(answer).__name__ + str(i) for i, answer in enumerate(NEVER)])
def test_no_other_kind_of_answer_is_right_and_none_breaks_the_notebook(exercise, answer):
    reply = exercise.reply(answer)
    assert not reply.right and reply.words.startswith("**Not yet.** ")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("one_step", 5),  # 12 · 5 = 60
        ("one_step", 64),
        ("one_step", np.int64(5)),
        ("one_step", 5.0),
        ("output_phase", 2.0),
        ("area", 1.333),
        ("enough_neurons", 1481),
        ("lead_of_one", 1 - math.cos(2 * math.pi / 59)),
        ("two_remainders", 31),
        ("safe_change", 7),
    ],
)
def test_known_answers_are_right(name, answer):
    assert ALL[name].reply(answer).right


@pytest.mark.parametrize(
    ("name", "answer", "hint"),
    [
        ("one_step", 12, "12 · 12 leaves the remainder 26 when divided by 59, and should leave 1"),
        ("output_phase", -2, "c = −(a + b)"),
        ("output_phase", 1, "changes the sign"),
        ("output_phase", 3, "changes the sign"),
        ("output_phase", 4, "% of the inputs"),
        ("area", 0, "without the bars"),
        ("area", 2 / 3, "half a turn"),
        ("area", 4, "|cos φ| alone"),
        ("area", 1, "2 sin²φ"),
        ("enough_neurons", 1480, "Take more"),
        ("enough_neurons", 1482, "Fewer would do"),
        ("lead_of_one", 1 - math.cos(2 * math.pi * 12 / 59), "next to the right one"),
        ("lead_of_one", 0.5, "one step from a multiple"),
        ("few_frequencies", [1], "leads by"),
        ("few_frequencies", [1, 2, 3, 4], "at most 3"),
        ("two_remainders", 3, "3 when divided by 7 and 3 when divided by 13"),
        ("two_remainders", 31 + 91, "below 91"),
        ("safe_change", 14, "best wrong one rises"),
        ("safe_change", 1, "by the same number"),
    ],
)
def test_a_wrong_answer_is_told_so_with_a_hint(name, answer, hint):
    reply = ALL[name].reply(answer)
    assert not reply.right and hint in reply.words and "\n" not in reply.words


def test_a_frequency_that_shares_a_factor_with_the_modulus_has_a_wider_smallest_step():
    exercise = exercises.one_step(42, 91)
    assert exercise.reply(11).right and 42 * 11 % 91 == 7 and not exercise.reply(12).right


def test_only_twice_the_phase_adds():
    right = [m for m in range(-4, 5) if exercises.output_phase(13).reply(m).right]
    assert right == [2]


def test_frequencies_are_right_in_any_order_and_as_negatives():
    exercise = exercises.few_frequencies(3, 31)
    assert exercise.reply(exercise.solution[::-1]).right
    assert exercise.reply([-k for k in exercise.solution]).right
    assert not exercise.reply([0.5, 3, 7]).right


@pytest.mark.parametrize("m", [*range(1, 21), 50, 100])
def test_evenly_spread_neurons_miss_the_integral_by_at_most_the_bound_of_the_exercise(m):
    assert 0 < even_nodes_error(ABSOLUTE_ACTIVATION, m) <= exercises.bound_of_even(m)
