import numpy as np
import pytest
from support import perfect_network

from modadd.core.neurons import neurons_of
from modadd.core.separable import Separable, margins
from modadd.quadrature.answers import Proof, prove_answers


def cosines(n=13, frequencies=(2, 3, 5), m=40, seed=0, jitter=0.01):
    """Pure cosines at random angles with uneven amplitudes and output phases slightly off 2φ."""
    rng = np.random.default_rng(seed)
    k = np.repeat(frequencies, m)
    phi, alpha, beta = rng.uniform(-np.pi, np.pi, len(k)), rng.uniform(0.5, 1, len(k)), rng.uniform(0.5, 1, len(k))
    turn, nothing = 2 * np.pi / n * np.outer(np.arange(n), k), np.zeros((n, n))
    table = alpha * np.cos(turn + phi)
    W = beta * np.cos(turn + 2 * phi + jitter * rng.standard_normal(len(k)))
    return Separable(table, table, W.T, nothing, nothing)


def smallest_by_difference(network):
    """The smallest margin of all inputs with a − b ≡ ±d, input by input."""
    n, found = network.modulus, margins(network.logits())
    return [min(found[a, (a + e) % n] for a in range(n) for e in (d, -d)) for d in range(n // 2 + 1)]


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("network", [perfect_network(), cosines(), cosines(seed=1, jitter=0.5), cosines(m=400)])
def test_no_proven_margin_exceeds_the_true_one(network, exact):
    proven = prove_answers(neurons_of(network), exact).margin
    assert (proven <= np.array(smallest_by_difference(network)) + 1e-9).all()


def test_very_many_even_nodes_prove_nearly_the_margin_of_the_formula():
    network = perfect_network(n=13, frequencies=(1, 3, 4), m=2001)
    proof, true = prove_answers(neurons_of(network), exact=True), smallest_by_difference(network)
    np.testing.assert_allclose(proof.margin, true, rtol=0.01)
    assert proof.share(13) == 1


def test_share_counts_every_difference_by_its_inputs():
    assert Proof(np.array([1.0, -1.0, -1.0]), 0).share(5) == pytest.approx(1 / 5)
    assert Proof(np.array([-1.0, 1.0, 1.0]), 0).share(4) == pytest.approx(3 / 4), "d = 2 stands for itself alone"


def test_operations_grow_with_the_neurons_and_not_with_their_inputs():
    few, many = (prove_answers(neurons_of(cosines(m=m)), exact=False).operations for m in (40, 80))
    assert many - few == 3 * (80 * 7 - 40 * 6) + 3 * 4 * 40


def test_the_exact_error_proves_more_than_the_bound():
    neurons = neurons_of(cosines())
    assert (prove_answers(neurons, exact=True).margin >= prove_answers(neurons, exact=False).margin).all()
