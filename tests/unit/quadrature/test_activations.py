import numpy as np
import pytest
from scipy.integrate import quad
from support import perfect_scheme, refuses

from modadd.quadrature.activations import (
    ABSOLUTE_ACTIVATION,
    EXPONENTIAL,
    IDENTITY_ACTIVATION,
    RELU_ACTIVATION,
    SQUARE_ACTIVATION,
    SQUARED_RELU,
    Activation,
    activated_error,
    alias_error,
    even_nodes_error,
    expected_random_error,
    integral_by_quad,
    nodes_needed,
    softplus_activation,
)
from modadd.quadrature.scheme import one_phase

ALL = [
    ABSOLUTE_ACTIVATION,
    RELU_ACTIVATION,
    SQUARE_ACTIVATION,
    SQUARED_RELU,
    EXPONENTIAL,
    IDENTITY_ACTIVATION,
    *map(softplus_activation, (0.5, 4.0, 16.0)),
]
each = pytest.mark.parametrize("f", ALL, ids=lambda f: f.name)


def coefficient(f, order, r):
    """∫_{−π}^{π} f(r cos u) cos lu du by adaptive quadrature, written with no help from the library."""
    return 2 * quad(lambda u: f.function(r * np.cos(u)) * np.cos(order * u), 0, np.pi, points=[np.pi / 2], limit=200)[0]


def random_scheme(seed, m=40):
    """Independent uniform angles with unequal weights of sum 2π and exact phases."""
    rng = np.random.default_rng(seed)
    phi, r = rng.uniform(-np.pi, np.pi, m), np.arange(1.0, m + 1)
    order = np.argsort(phi)  # of both: the weights must not depend on the angles
    return one_phase(7, 1, phi[order], 2 * phi[order], 2 * np.pi * r[order] / r.sum())


@each
@pytest.mark.parametrize("order", [0, 1, 2, 3, 6, 7])
def test_coefficients_are_the_integrals_they_stand_for(f, order):
    for r in (0.4, 1.0, 2.5):
        assert f.coefficient(order, r) == pytest.approx(coefficient(f, order, r), abs=1e-9), f"r = {r}"


@each
@pytest.mark.parametrize(("theta", "r"), [(0.7, 1.0), (-2.5, 0.3)])
def test_the_integral_turns_once_against_theta(f, theta, r):
    assert abs(integral_by_quad(f, theta, r) - f.coefficient(2, r) * np.exp(-1j * theta)) < 1e-11


@pytest.mark.parametrize("beta", [0.0, -1.0, float("nan"), float("inf")])
def test_softplus_refuses_what_is_no_sharpness(beta):
    with refuses("beta:", "positive", str(beta)):
        softplus_activation(beta)


@each
@pytest.mark.parametrize("h", [2, 3, 4, 9, 12])
def test_error_of_even_nodes_is_that_of_their_scheme_and_at_most_the_alias_sum(f, h):
    found = even_nodes_error(f, h)
    scheme = perfect_scheme(m=h, n=1009)  # 1009 values of θ/2, nowhere the same as the grid's
    assert np.abs(activated_error(f, scheme)).max() <= found * 1.001 + 1e-12
    assert found <= alias_error(f, h) + 1e-12


@pytest.mark.parametrize("h", [3, 5, 6, 8, 15])
def test_alias_sum_of_the_absolute_value_is_attained(h):
    assert even_nodes_error(ABSOLUTE_ACTIVATION, h, points=4096) == pytest.approx(
        alias_error(ABSOLUTE_ACTIVATION, h), rel=1e-3
    )


def test_two_aliases_written_out():
    f = Activation("orders 2, 3, 7", "", np.abs, lambda order, r: {2: 1.0, 3: 0.5, 7: 0.25}.get(order, 0.0))
    assert alias_error(f, 5) == pytest.approx(0.5 + 0.25), "5 − 2 and 5 + 2"
    assert alias_error(f, 4) == 1.0, "4 − 2 is 2 again"
    assert alias_error(f, 9) == 0.25, "9 − 2"


@pytest.mark.parametrize("h", range(1, 13))
def test_few_even_nodes_are_exact_for_squares(h):
    exact, one_sided = (even_nodes_error(f, h) < 1e-12 for f in (SQUARE_ACTIVATION, SQUARED_RELU))
    assert exact == (h not in (1, 2, 4)), "cos² has the orders 0 and ±2: h must not divide 2 or 4"
    assert one_sided == (h % 2 == 0 and h >= 6)


def test_nodes_needed_is_the_first_number_within_the_tolerance():
    for f, tolerance in ((ABSOLUTE_ACTIVATION, 0.05), (softplus_activation(4.0), 1e-6), (SQUARE_ACTIVATION, 1e-9)):
        nodes = nodes_needed(f, tolerance)
        assert even_nodes_error(f, nodes) <= tolerance
        assert all(even_nodes_error(f, fewer) > tolerance for fewer in range(1, nodes))
    with refuses("tolerance:", "|u|", "1e-09", "20 nodes"):
        nodes_needed(ABSOLUTE_ACTIVATION, 1e-9, most=20)


def test_error_of_a_scheme_is_the_sum_written_out():
    scheme = random_scheme(1, m=3)
    for s, found in enumerate(activated_error(EXPONENTIAL, scheme)):
        theta = 2 * np.pi * s / 7
        terms = zip(scheme.weight, scheme.phi, scheme.psi, strict=True)
        total = sum(w * np.exp(np.cos(theta / 2 + phi)) * np.exp(1j * psi) for w, phi, psi in terms)
        assert found == pytest.approx(total - EXPONENTIAL.coefficient(2) * np.exp(-1j * theta))


@each
def test_random_angles_have_the_expected_error(f):
    squares = [np.abs(activated_error(f, random_scheme(seed))) ** 2 for seed in range(400)]
    assert np.sqrt(np.mean(squares)) == pytest.approx(expected_random_error(f, random_scheme(0)), rel=0.1)


@pytest.mark.parametrize("order", [2, 4, 6])
def test_softplus_becomes_the_relu_as_its_corner_sharpens(order):
    errors = [
        abs(softplus_activation(beta).coefficient(order) - RELU_ACTIVATION.coefficient(order))
        for beta in (10.0, 20.0, 40.0, 80.0)
    ]
    assert np.all(np.diff(errors) < 0)
    assert errors[-2] / errors[-1] == pytest.approx(4, rel=0.05), "the difference falls like 1/β²"


def test_softplus_of_a_small_argument_is_its_quadratic_term():
    beta = 1e-2
    assert softplus_activation(beta).coefficient(2) == pytest.approx(beta / 8 * np.pi / 2, rel=1e-3), (
        "log(1+e^x) ≈ log 2 + x/2 + x²/8"
    )
