"""The real Fourier basis of [M] in one and two dimensions, and the power of each kind of term."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from modadd.core.basis import basis, basis_frequencies, names, transform
from modadd.two_layer.readout import own_terms, power, shares_of_terms, transform_2d

functions = st.integers(2, 9).flatmap(lambda n: arrays(float, (n, n, 2), elements=st.floats(-1e3, 1e3)))


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (5, ["const", "sin 1", "cos 1", "sin 2", "cos 2"]),
        (6, ["const", "sin 1", "cos 1", "sin 2", "cos 2", "cos 3"]),
        (2, ["const", "cos 1"]),
        (1, ["const"]),
    ],
)
def test_basis_functions_are_named_in_order(n, expected):
    assert names(n) == expected
    assert basis_frequencies(n).tolist() == [int(name[-1]) if name[-1].isdigit() else 0 for name in expected]


@pytest.mark.parametrize("n", [1, 2, 5, 6, 59])
def test_basis_is_orthonormal_and_holds_the_named_functions(n):
    F = basis(n)
    np.testing.assert_allclose(F @ F.T, np.eye(n), atol=1e-12)
    for row, name in zip(F, names(n), strict=True):
        k = 0 if name == "const" else int(name[4:])
        shape = np.sin if name.startswith("sin") else np.cos
        made = shape(2 * np.pi * k * np.arange(n) / n)
        np.testing.assert_allclose(row, made / np.sqrt((made**2).sum()), atol=1e-12, err_msg=name)


@given(functions)
def test_transforms_keep_the_sum_of_squares_and_can_be_undone(f):
    F, found = basis(len(f)), transform_2d(f)
    np.testing.assert_allclose((found**2).sum(), (f**2).sum(), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.einsum("ix,jy,ijm->xym", F, F, found), f, atol=1e-9)
    np.testing.assert_allclose(transform(f), np.einsum("ix,xym->iym", F, f), atol=1e-9)


def test_own_terms_of_neurons_made_of_known_parts():
    n = 8
    a, b = np.indices((n, n))
    w = 2 * np.pi / n
    neurons = np.stack(
        [
            np.cos(w * a) + np.sin(w * b) + np.cos(w * a) * np.sin(w * b) + 40,  # all of frequency 1
            np.cos(w * a) + np.cos(2 * w * b),  # half of it
            np.cos(w * a) * np.cos(2 * w * b),  # a product of two frequencies
            np.zeros((n, n)),  # never active
            np.cos(4 * w * a) * np.cos(4 * w * b),  # the frequency without a sine
        ],
        axis=2,
    )
    found = own_terms(transform_2d(neurons), np.array([1, 1, 1, 1, 4]))
    np.testing.assert_allclose(found, [1, 0.5, 0, 0, 1], atol=1e-12)


@pytest.mark.parametrize("n", [7, 8])
def test_shares_of_terms_by_kind(n):
    a, b = np.indices((n, n))
    w = 2 * np.pi / n
    f = (
        9
        + 2 * np.cos(w * a)
        + np.sin(2 * w * b)
        + 4 * np.cos(w * a) * np.sin(w * b)
        + np.cos(w * a) * np.cos(2 * w * b)
    )
    powers = np.array([2, 0.5, 4, 0.25])  # of the four waves, per input
    found = shares_of_terms(power(transform_2d(f)), [1])
    expected = {"linear": 2, "quadratic": 4, "rest": 0.75}
    assert found == pytest.approx({kind: size / powers.sum() for kind, size in expected.items()})
    both = shares_of_terms(power(transform_2d(f)), [1, 2])
    assert both == pytest.approx({"linear": 2.5 / 6.75, "quadratic": 4 / 6.75, "rest": 0.25 / 6.75})
    assert shares_of_terms(np.zeros((n, n)), [1]) == {"linear": 0, "quadratic": 0, "rest": 1}


def test_power_is_summed_over_everything_but_the_pair():
    coefficients = np.arange(24.0).reshape(2, 2, 3, 2)
    np.testing.assert_allclose(power(coefficients), [[55, 451], [1279, 2539]])
    np.testing.assert_allclose(power(np.array([[1.0, 2.0], [3.0, 4.0]])), [[1, 4], [9, 16]])
