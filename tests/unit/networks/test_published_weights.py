"""The weights that others published, where they lie beside the repository: their answers and the printed measures."""

import numpy as np
import pytest
from support import ROOT, printed_by

import modadd.attention.measures
from modadd.attention.measures import embedding_frequencies, numbers_read
from modadd.core.neurons import neurons_of
from modadd.core.separable import accuracy
from modadd.networks.importers import load_external, read_external, save_external
from modadd.networks.measures import measured, measures_in
from modadd.quadrature.scheme import phase_mismatch, schemes_of

REFERENCE = ROOT.parent / "shared" / "reference"
PUBLISHED = {
    "kissane": (
        "kissane_2l_mlp.pt",
        "two_layer_mlp",
        "8cd3f85207cddd887c65e6280c42fe0066141ba05dd4c4a5ff412644cacaa66b",
    ),
    "model_a": (
        "zhong_model_a_p99zdpze5l.pt",
        "zhong_ones",
        "eb58a5a059f05f9f8a434f8f6d62405c6194dc353abf9843cb56382183820e25",
    ),
    "model_b": (
        "zhong_model_b_l8k1hzciux.pt",
        "zhong_softmax",
        "9c45340a4ce253239687349f690a3687116ef14c35e64f77b69c5abdf6086929",
    ),
}
needs_reference = pytest.mark.skipif(not REFERENCE.is_dir(), reason=f"the published weights are not at {REFERENCE}")


def published(name):
    file, format, sha256 = PUBLISHED[name]
    return read_external(REFERENCE / file, format, sha256)


@needs_reference
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_weights_answer_every_input_and_survive_saving(tmp_path, name):
    external = published(name)
    assert accuracy(external.logits()) == 1
    save_external(external, tmp_path / "network")
    np.testing.assert_array_equal(load_external(tmp_path / "network").logits(), external.logits())


@needs_reference
@pytest.mark.parametrize(
    ("name", "irrelevance", "symmetricity", "circular", "frequencies"),
    [
        ("model_a", 0.171736, 0.993665, 0.997818, [17, 3, 15, 25, 6, 29]),
        ("model_b", 0.848260, 0.333638, 0.998907, [13, 16, 21, 17]),
    ],
)
def test_published_measures_come_out_of_the_published_weights(name, irrelevance, symmetricity, circular, frequencies):
    network = published(name).embedded()
    found = measured(network, measures_in(modadd.attention.measures))
    assert found["distance_irrelevance"] == pytest.approx(irrelevance, abs=5.1e-7)
    assert found["gradient_symmetricity"] == pytest.approx(symmetricity, abs=5.1e-7)
    assert found["circularity"] == pytest.approx(circular, abs=5.1e-7)
    assert embedding_frequencies(network.E_a) == frequencies


@needs_reference
def test_the_law_of_the_phases_holds_on_model_a():
    schemes = schemes_of(neurons_of(published("model_a").separable()))
    assert list(schemes) == [3, 15, 17]
    rms = [np.sqrt(np.mean(phase_mismatch(scheme.phi, scheme.psi) ** 2)) for scheme in schemes.values()]
    assert max(rms) <= 0.02


@needs_reference
def test_every_neuron_of_the_published_clock_reads_both_numbers():
    found = numbers_read(published("model_b").preactivations())
    assert found[["a", "b"]].min().min() > 0.1
    assert 0.01 < found.both.median() < 0.05


@needs_reference
def test_the_published_two_layer_weights_have_the_published_norm():
    external = published("kissane")
    assert np.linalg.norm(external.separable().W) == pytest.approx(36.85185, abs=5e-6)
    printed = printed_by("M/mlp_frequencies")["frequencies"]
    assert set(embedding_frequencies(external.embeddings())) >= {*printed}
