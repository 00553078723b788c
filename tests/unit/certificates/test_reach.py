from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from certified import exactly
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from simple_networks import initial
from support import WITH_RELU, perfect_network, refuses

from modadd.certificates.reach import moving, moving_product, reach_of_tables, reach_of_weights, spectral_norm
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.store import Network

sizes = st.integers(1, 6)
entries = st.floats(-4, 4, width=32)
matrices = st.tuples(sizes, sizes).flatmap(lambda shape: arrays(float, shape, elements=entries))


@given(matrices)
def test_spectral_norm_is_bounded_from_above_and_hardly_too_large(X):
    most, size = spectral_norm(X), np.linalg.norm(X, 2)
    assert size * (1 - 1e-12) <= most <= size * (1 + 1e-5) + 1e-20


@given(st.lists(st.integers(-99, 99), min_size=4, max_size=4).filter(any))
def test_spectral_norm_of_two_by_two_is_above_the_exact_one(x):
    trace, determinant = sum(y * y for y in x), (x[0] * x[3] - x[1] * x[2]) ** 2
    most = Fraction(spectral_norm(np.array(x, float).reshape(2, 2))) ** 2
    assert most >= Fraction(trace, 2) and most * most - trace * most + determinant >= 0


def test_spectral_norm_of_large_matrices_is_that_of_the_singular_values():
    rng = np.random.default_rng(0)
    for shape in ((128, 512), (113, 30), (5, 128)):
        X = rng.normal(size=shape)
        assert spectral_norm(X) == pytest.approx(np.linalg.norm(X, 2), rel=1e-6)


def norms(x):
    """Squares of the lengths of every row, and of all of it, exactly."""
    squares = (x * x).sum(axis=1)
    return squares, squares.sum()


@given(st.data(), st.integers(0, 10**6), st.sampled_from([0.0, 1e-9, 0.1]))
def test_a_product_moves_by_no_more_than_is_said(data, seed, size):
    m, k, n = (data.draw(sizes) for _ in range(3))
    rng = np.random.default_rng(seed)
    X, Y = (data.draw(arrays(float, shape, elements=entries)) for shape in ((m, k), (k, n)))
    product = moving_product(moving(X, size), moving(Y, size)) + moving(np.ones((1, n)), size)
    # float moves of at most this size, so that the exact product of what they give is known
    moves = [rng.normal(size=shape) for shape in (X.shape, Y.shape, (1, n))]
    dX, dY, row = (exactly(size * (1 - 1e-9) * move / np.linalg.norm(move)) for move in moves)
    exact = (exactly(X) + dX) @ (exactly(Y) + dY) + 1 + row
    off = exact - exactly(product.value)
    rows, whole = norms(off)
    assert all(Fraction(said) ** 2 >= true for said, true in zip(product.rows, rows, strict=True))
    assert Fraction(product.whole) ** 2 >= whole
    apart = product.apart()
    for t, c in np.ndindex(n, n):
        assert t == c or Fraction(float(apart[t, c])) ** 2 >= ((off[:, t] - off[:, c]) ** 2).sum()


def test_heads_share_one_move():
    rng = np.random.default_rng(1)
    V, O = rng.normal(size=(3, 4, 2)), rng.normal(size=(3, 2, 4))
    OV = moving_product(moving(V, 0.1), moving(O, 0.2)).sum(-3)
    np.testing.assert_allclose(OV.value, (V @ O).sum(0))
    stacked = [np.linalg.norm(np.concatenate(list(M), axis=axis), 2) for M, axis in ((V, 1), (O, 0))]
    assert OV.whole == pytest.approx(0.1 * (stacked[1] + 0.2) + stacked[0] * 0.2, rel=1e-6)


@pytest.mark.parametrize("name", WITH_RELU)
@pytest.mark.parametrize("size", [0.0, 1e-3, 0.3])
def test_tables_of_a_ball_of_weights_lie_within_reach(small, name, size):
    network = initial(replace(small[name], modulus=5, train_pairs=19, batch_size=0))
    centre, reach = reach_of_weights(network, size)
    for table, own in zip(vars(centre).values(), vars(network.separable()).values(), strict=True):
        np.testing.assert_allclose(table, own, atol=1e-12)
    rng = np.random.default_rng(0)
    for trial in range(1 if size == 0 else 10):
        parameters = {}
        for key, value in network.parameters.items():
            direction = rng.normal(size=value.shape) * (rng.uniform(size=value.shape) < (0.05 if trial % 2 else 1))
            far = size * np.linalg.norm(value.astype(float)) / (np.linalg.norm(direction) or 1.0)
            parameters[key] = value.astype(float) + far * direction
        tables = ARCHITECTURES[name].effective({k: exactly(v) for k, v in parameters.items()})
        own = vars(centre).values()
        A, B, W, C, D = (0 if x is None else x - exactly(y) for x, y in zip(tables, own, strict=True))
        C, D = (np.broadcast_to(np.asarray(x, object), (5, 5)) for x in (C, D))
        longest = lambda x: np.sqrt(float(norms(x)[0].max()))
        for table, far in zip((A, B, W, C, D), reach.entries, strict=True):
            assert float(np.abs(table).max()) <= far
        for a, b in np.ndindex(5, 5):
            assert longest(A[[a]]) + longest(B[[b]]) <= reach.inward[a, b] * (1 + 1e-14)
            gaps = (C[a] + D[b])[:, None] - (C[a] + D[b])
            assert float(np.abs(gaps).max()) <= reach.beside[a, b]
            assert a == b or longest((W[:, [a]] - W[:, [b]]).T) <= reach.outward[a, b] * (1 + 1e-14)


def test_another_operation_has_no_ball_of_weights(small):
    recipe = replace(small["group_mlp"], operation="subtraction")
    with refuses("a ball of weights", "subtraction"):
        reach_of_weights(Network(recipe, 0, {}, {}), 0.1)


def test_reach_of_tables_is_attained_by_hand():
    network = perfect_network()
    reach = reach_of_tables(network, 0.25)
    inward = 0.25 * 2 * np.linalg.norm(network.A)
    np.testing.assert_allclose(reach.inward, inward)
    np.testing.assert_allclose(reach.outward, 0.25 * np.sqrt(2) * np.linalg.norm(network.W))
    assert (reach.inward >= inward).all() and not reach.beside.any()
