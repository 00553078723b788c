"""The weights that others published, where they lie beside the repository: their answers and the printed measures."""

import numpy as np
import pytest
from support import printed_by, published_weights

import modadd.attention.pizza_measures
from modadd.attention.numbers_read import numbers_read
from modadd.attention.pizza_measures import embedding_frequencies
from modadd.core.neurons import neurons_of
from modadd.core.separable import accuracy
from modadd.networks.foreign import load_external, save_external
from modadd.networks.registry import measured, measures_in
from modadd.quadrature.scheme import phase_mismatch, schemes_of


@pytest.mark.parametrize("name", ["kissane", "zhong_model_a", "zhong_model_b"])
def test_published_weights_answer_every_input_and_survive_saving(tmp_path, name):
    external = published_weights(name)
    assert accuracy(external.logits()) == 1
    save_external(external, tmp_path / "network")
    np.testing.assert_array_equal(load_external(tmp_path / "network").logits(), external.logits())


@pytest.mark.parametrize(
    ("name", "irrelevance", "symmetricity", "circular", "frequencies"),
    [
        ("zhong_model_a", 0.171736, 0.993665, 0.997818, [17, 3, 15, 25, 6, 29]),
        ("zhong_model_b", 0.848260, 0.333638, 0.998907, [13, 16, 21, 17]),
    ],
)
def test_published_measures_come_out_of_the_published_weights(name, irrelevance, symmetricity, circular, frequencies):
    network = published_weights(name).embedded()
    found = measured(network, measures_in(modadd.attention.pizza_measures))
    assert found["distance_irrelevance"] == pytest.approx(irrelevance, abs=5.1e-7)
    assert found["gradient_symmetricity"] == pytest.approx(symmetricity, abs=5.1e-7)
    assert found["circularity"] == pytest.approx(circular, abs=5.1e-7)
    assert embedding_frequencies(network.E_a) == frequencies


def test_the_law_of_the_phases_holds_on_model_a():
    schemes = schemes_of(neurons_of(published_weights("zhong_model_a").separable()))
    assert list(schemes) == [3, 15, 17]
    rms = [np.sqrt(np.mean(phase_mismatch(scheme.phi, scheme.psi) ** 2)) for scheme in schemes.values()]
    assert max(rms) <= 0.02


def test_every_neuron_of_the_published_clock_reads_both_numbers():
    found = numbers_read(published_weights("zhong_model_b").preactivations())
    assert found[["a", "b"]].min().min() > 0.1
    assert 0.01 < found.both.median() < 0.05


def test_the_published_two_layer_weights_have_the_published_norm():
    external = published_weights("kissane")
    assert np.linalg.norm(external.separable().W) == pytest.approx(36.85185, abs=5e-6)
    printed = printed_by("M/mlp_frequencies")["frequencies"]
    assert set(embedding_frequencies(external.embeddings())) >= {*printed}
