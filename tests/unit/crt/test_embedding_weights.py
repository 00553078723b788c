import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from modadd.crt import embedding_weights
from modadd.crt.embedding_weights import EDGES, share_beyond
from modadd.networks.recipes import RECIPES
from modadd.networks.registry import measured, measures_in
from modadd.networks.store import Network


def of_weights(E_a, E_b):
    parameters = {"E_a": np.array(E_a, np.float32), "E_b": np.array(E_b, np.float32), "W_in": np.full((4, 2), 9.0)}
    network = Network(RECIPES["embedding_mlp"], 0, parameters, {})
    return measured(network, measures_in(embedding_weights))


def test_weights_of_both_embeddings_are_counted_and_no_others():
    found = of_weights([[0.01, -0.01], [1.0, 1.01]], [[-1.51, 0.51], [0.0, 4.0]])
    counts = np.array(found["embedding_counts"])
    assert counts.sum() == 8 and len(counts) == len(EDGES) - 1 == 240
    assert counts[119] == 1 and counts[120] == 2, "−0.01 below zero; 0.01 and 0 above"
    assert counts[-1] == 1, "4 is counted in the outermost bin"
    assert found["embedding_outside_one"] == 3 / 8 and found["embedding_largest"] == 4.0


def test_intervals_of_the_paper_are_whole_bins():
    assert all(np.isclose(EDGES, size, atol=1e-12).any() for size in (-2, -1.5, -1, -0.025, 0.025, 1, 1.5, 2))


def test_share_beyond_by_hand():
    counts = np.zeros(240, int)
    counts[[119, 120]] = 3  # within 0.025
    counts[[79, 160]] = 1  # just outside [−1, 1]
    assert share_beyond(counts, 0.025) == 0.25 and share_beyond(counts, 1.0) == 0.25
    assert share_beyond(counts, 0.0) == 1.0 and share_beyond(counts, 1.025) == 0.0
    assert np.isnan(share_beyond(0 * counts, 1.0))


def test_a_size_inside_a_bin_is_refused():
    with pytest.raises(ValueError, match="multiple of 0.025"):
        share_beyond(np.ones(240), 0.99)


@given(arrays(np.float64, (3, 2), elements=st.floats(-2.9, 2.9).filter(lambda w: abs(w / 0.025 % 1 - 0.5) < 0.49)))
def test_binned_and_exact_shares_agree(weights):
    found = of_weights(weights, -weights)
    counts = np.array(found["embedding_counts"])
    assert share_beyond(counts, 1.0) == pytest.approx(found["embedding_outside_one"])
    assert (counts == counts[::-1]).all(), "as many above as below"
