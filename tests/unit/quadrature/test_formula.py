import numpy as np
import pytest
from support import perfect_network

from modadd.core.fourier import fit, term
from modadd.core.separable import centred
from modadd.quadrature.formula import explained, fit_formula, formula, squares_of, strength_by_difference

N, KEY = 11, (2, 5)
C, D = np.array([3.0, 2.0]), np.array([-0.7, -0.4])


def some_logits(seed=0):
    noise = np.random.default_rng(seed).standard_normal((N, N, N))
    return formula(C, D, KEY, N) + noise + np.arange(N)[:, None, None]


def test_formula_is_written_out_input_by_input():
    found = formula(C, D, KEY, N)
    a, b, c = 3, 8, 1
    w = 2 * np.pi * np.array(KEY) / N
    factor = C * abs(np.cos(w * (a - b) / 2)) + D * np.cos(w * (a - b))
    assert found[a, b, c] == pytest.approx(factor @ np.cos(w * (a + b - c)))
    assert not formula(np.array([]), np.array([]), (), N).any()


def test_fit_gives_the_coefficients_back_and_forgets_a_mean_over_answers():
    found = fit_formula(formula(C, D, KEY, N) + np.arange(N)[:, None, None], KEY)
    np.testing.assert_allclose(found.C, C, atol=1e-9)
    np.testing.assert_allclose(found.D, D, atol=1e-9)
    assert found.r_squared == pytest.approx(1)


@pytest.mark.parametrize("seed", range(3))
def test_both_kinds_explain_at_least_what_each_kind_does(seed):
    logits = some_logits(seed)
    both = fit_formula(logits, KEY)
    assert both.r_squared >= max(fit(logits, kind, KEY).r_squared for kind in ("pizza", "cosine"))
    model = formula(both.C, both.D, KEY, N)
    assert both.r_squared == pytest.approx(explained(logits, model), abs=1e-9), "the intercept of centred logits is 0"
    assert explained(logits, formula(C, D, KEY, N)) <= both.r_squared


def test_r_squared_does_not_see_constants_and_is_nan_of_nothing():
    logits = np.random.default_rng(0).normal(size=(5, 5, 5))
    shift = np.random.default_rng(1).normal(size=(5, 5, 1))
    assert explained(logits, logits + shift) == pytest.approx(1)
    assert explained(logits, np.zeros((5, 5, 5))) == pytest.approx(0)
    assert explained(logits, 2 * logits) == pytest.approx(0), "a prediction is taken as it stands"
    assert np.isnan(explained(np.ones((5, 5, 5)), logits)) and np.isnan(fit_formula(np.ones((N, N, N)), KEY).r_squared)


def test_the_double_angle_gives_twice_d_and_not_twice_its_square():
    np.testing.assert_allclose(squares_of(formula(0 * C, D, KEY, N), KEY), 2 * D, atol=1e-9)
    assert (squares_of(formula(0 * C, D, KEY, N), KEY) < 0).all(), "2D² would be positive"
    clocks = sum(term("clock", k, N) for k in KEY)
    np.testing.assert_allclose(squares_of(clocks, KEY), 0, atol=1e-9)


def test_strength_is_one_at_equal_numbers_and_what_the_formula_has_at_the_right_answer():
    found = strength_by_difference(C, KEY, N)
    assert found[0] == pytest.approx(1)
    at_right = formula(C, 0 * D, KEY, N)[np.arange(N), 0, np.arange(N)]  # b = 0 and c = a, so that d = a
    np.testing.assert_allclose(found, at_right / C.sum())


def test_the_network_by_hand_has_the_formula():
    network = perfect_network(N, KEY, m=64)
    found = fit_formula(network.absolute_part(), KEY)
    np.testing.assert_allclose(found.C, 1.5 * 0.5 * 64 * 4 / 3 / (2 * np.pi), rtol=1e-3)
    np.testing.assert_allclose(found.D, 0, atol=0.02)
    assert explained(network.absolute_part(), formula(found.C, found.D, KEY, N)) > 0.9999
    np.testing.assert_allclose(centred(network.identity_part()), 0, atol=1e-9)
