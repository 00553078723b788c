import numpy as np
import pytest

from modadd.core.fourier import fit, margin_by_difference, term
from modadd.core.separable import margins

KINDS = ["clock", "pizza", "cosine"]
FORMULAS = {
    "clock": lambda w, a, b, c: np.cos(w * (a + b - c)),
    "pizza": lambda w, a, b, c: abs(np.cos(w * (a - b) / 2)) * np.cos(w * (a + b - c)),
    "cosine": lambda w, a, b, c: np.cos(w * (a - b)) * np.cos(w * (a + b - c)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_term_is_its_formula_and_sums_to_zero_over_the_answers(kind):
    found = term(kind, 2, 7)
    for a, b, c in [(0, 0, 0), (1, 2, 3), (6, 2, 5), (3, 3, 0)]:
        assert found[a, b, c] == pytest.approx(FORMULAS[kind](4 * np.pi / 7, a, b, c))
    np.testing.assert_allclose(found.sum(axis=-1), 0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_known_coefficients_are_regained_and_what_softmax_does_not_see_is_ignored(kind):
    unseen = np.random.default_rng(0).normal(size=(7, 7, 1))
    logits = 3.0 * term(kind, 1, 7) - 0.5 * term(kind, 3, 7) + unseen
    found = fit(logits, kind, [3, 1])
    assert found.frequencies == (3, 1)
    np.testing.assert_allclose(
        found.coefficients, [-0.5, 3.0], err_msg="coefficients are in the order of the frequencies"
    )
    assert found.intercept == pytest.approx(0, abs=1e-12)
    assert found.r_squared == pytest.approx(1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "frequencies"), [(7, (2,)), (9, (1, 4, 3)), (8, (4, 1)), (7, ())])
def test_the_fit_is_least_squares_on_the_terms_and_an_intercept(kind, n, frequencies):
    logits = np.random.default_rng(n).normal(size=(n, n, n)) + 2 * sum(term(kind, k, n) for k in frequencies)
    target = (logits - logits.mean(axis=-1, keepdims=True)).ravel()
    design = np.stack([term(kind, k, n).ravel() for k in frequencies] + [np.ones(n**3)], axis=1)
    solution, (residual,), *_ = np.linalg.lstsq(design, target)
    found = fit(logits, kind, frequencies)
    np.testing.assert_allclose(found.coefficients, solution[:-1], rtol=1e-10)
    assert found.r_squared == pytest.approx(1 - residual / (target @ target), abs=1e-12)


def test_logits_that_do_not_vary_have_no_r_squared():
    assert np.isnan(fit(np.ones((5, 5, 5)), "clock", [1]).r_squared)


def test_margin_by_difference_is_the_margin_of_the_logits_it_describes():
    n, frequencies, C, D = 11, (2, 3), np.array([5.0, 4.0]), np.array([-1.0, -0.5])
    logits = sum(c * term("pizza", k, n) + d * term("cosine", k, n) for c, d, k in zip(C, D, frequencies, strict=True))
    a, b = np.indices((n, n))
    np.testing.assert_allclose(margin_by_difference(C, D, frequencies, n)[(a - b) % n], margins(logits), atol=1e-12)
