"""The best shift of the boxes against none."""

import numpy as np
import pytest
from hypothesis import given
from schemes import random_schemes

from modadd.quadrature.bounds import boxes
from modadd.quadrature.box_shift import best_shift_over_unshifted


def displacement_from_zero(scheme):
    """Σ_i ∫_{box i} |x − φ_i| dx with the folded boxes laid end to end from the angle 0, by a fine midpoint sum."""
    best = boxes(scheme, folded=True)
    width = best.right - best.left
    left = np.append(0, np.cumsum(width)[:-1])
    steps = (np.arange(2000) + 0.5) / 2000
    return (np.abs(left[:, None] + np.outer(width, steps) - best.node[:, None]).mean(axis=1) * width).sum()


@given(random_schemes())
def test_the_best_shift_leaves_what_a_sum_says(scheme):
    expected = boxes(scheme, folded=True).displacement / displacement_from_zero(scheme)
    assert best_shift_over_unshifted(scheme) == pytest.approx(expected, rel=1e-4)
    assert best_shift_over_unshifted(scheme) <= 1 + 1e-12
