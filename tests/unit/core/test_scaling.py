import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modadd.core.statistics import LAWS, aicc, fit_laws

MODULI = np.array([7, 13, 31, 59, 113])


def networks(law, a, b, off=0.5):
    """Two networks at each of the MODULI, `off` above and below a law: its least-squares fit is the law itself."""
    modulus = np.repeat(MODULI, 2)
    return modulus, a + b * LAWS[law](modulus) + np.tile([off, -off], len(MODULI))


@pytest.mark.parametrize(("law", "sign"), [("ln n", 1), ("n", -1)])
def test_a_law_is_regained_and_preferred_to_the_other(law, sign):
    fit = fit_laws(*networks(law, 1.5, 0.25 if law == "n" else 2.0))
    own, other = (fit.logarithmic, fit.linear)[::sign]
    assert (own.a, own.b) == pytest.approx((1.5, 0.25 if law == "n" else 2.0))
    assert own.aicc < other.aicc
    assert np.sign(fit.evidence) == sign
    assert fit.evidence == pytest.approx(fit.linear.aicc - fit.logarithmic.aicc)


def test_errors_of_a_line_are_those_of_the_textbook():
    modulus, count = networks("n", 3.0, 0.1)
    fit, spread = fit_laws(modulus, count).linear, ((modulus - modulus.mean()) ** 2).sum()
    variance = 10 * 0.25 / 8  # ten squares of a half, eight degrees of freedom
    assert fit.b_error == pytest.approx(np.sqrt(variance / spread))
    assert fit.a_error == pytest.approx(np.sqrt(variance * (1 / 10 + modulus.mean() ** 2 / spread)))


def test_criterion_by_hand():
    assert aicc(10.0, 10, 3) == pytest.approx(0 + 6 + 24 / 6)
    assert aicc(np.e * 20, 20, 2) == pytest.approx(20 + 4 + 12 / 17)


@pytest.mark.parametrize(("squares", "of", "parameters"), [(0.0, 10, 3), (1.0, 4, 3), (1.0, 3, 3)])
def test_nothing_left_over_or_too_few_data_have_no_criterion(squares, of, parameters):
    assert np.isnan(aicc(squares, of, parameters))


def test_free_means_are_as_good_as_a_law_that_holds_but_cost_more_parameters():
    modulus, count = networks("ln n", 1.0, 2.0)
    fit = fit_laws(modulus, count)
    assert fit.means_aicc == pytest.approx(aicc(10 * 0.25, 10, 6))
    assert fit.means_aicc > fit.logarithmic.aicc


def test_free_means_win_where_no_law_holds():
    modulus = np.repeat(MODULI, 20)
    count = np.repeat([3.0, 9.0, 2.0, 9.0, 3.0], 20) + np.tile([0.5, -0.5], 50)
    fit = fit_laws(modulus, count)
    assert fit.means_aicc < min(fit.logarithmic.aicc, fit.linear.aicc) - 10


def test_fewer_than_three_moduli_have_no_law():
    assert fit_laws(np.array([89, 91, 91]), np.array([4.0, 5.0, 6.0])) is None
    assert fit_laws(np.array([], int), np.array([])) is None


def test_equal_counts_tell_no_law_from_another():
    fit = fit_laws(MODULI, np.full(5, 3.0))
    assert (fit.logarithmic.b, fit.linear.b) == (0, 0)
    assert np.isnan(fit.evidence)


@given(st.lists(st.integers(1, 12), min_size=15, max_size=15), st.floats(0.1, 10), st.floats(-5, 5))
def test_evidence_depends_on_neither_the_unit_of_the_counts_nor_their_zero(counts, unit, zero):
    modulus, count = np.repeat(MODULI, 3), np.array(counts, float)
    fit, other = fit_laws(modulus, count), fit_laws(modulus, unit * count + zero)
    assert other.logarithmic.b == pytest.approx(unit * fit.logarithmic.b, abs=1e-9)
    if np.ptp(count):
        assert other.evidence == pytest.approx(fit.evidence, abs=1e-6)
        errors = [((count - np.polyval(np.polyfit(x, count, 1), x)) ** 2).sum() for x in (modulus, np.log(modulus))]
        assert fit.evidence == pytest.approx(15 * np.log(errors[0] / errors[1]), abs=1e-6)
