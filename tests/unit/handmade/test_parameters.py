import numpy as np
import pytest

from modadd.handmade.parameters import effective_parameters, maps_over_square, square_maps


def test_a_product_of_thin_matrices_has_its_rank():
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((5, 2)), rng.standard_normal((2, 5))
    assert effective_parameters(lambda A, B: A @ B, A, B) == 2 * 5 * 2 - 2 * 2, "A G and G⁻¹ B give the same product"


def test_a_parameter_that_nothing_depends_on_does_not_count():
    assert effective_parameters(lambda x, y: x**2, np.array([1.0, 2.0]), np.array([3.0])) == 2


@pytest.mark.parametrize("n", [3, 4])
def test_two_square_matrices_lose_half_only_without_a_relu(n):
    found = list(square_maps(n, draws=8, seed=0).values())
    assert found == [n**2, n**2, 2 * n**2 - n, 2 * n**2]


def test_maps_with_a_relu_keep_most_of_what_the_linear_ones_lose():
    linear, with_relu = maps_over_square(3, draws=8, seed=0)
    assert linear == [1, 1]
    assert with_relu == pytest.approx([15 / 9, 2])
