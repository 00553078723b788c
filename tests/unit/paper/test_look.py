"""What is said of one network, and the figure of its phases."""

from dataclasses import replace

import numpy as np
import pytest
from simple_networks import silent_network
from support import refuses

import modadd.plots.portrait
from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable
from modadd.networks.store import write_tensors
from modadd.plots.portrait import draw_phases, portrait
from modadd.quadrature.scheme import schemes_of
from paper.commands.look import file_of, look, require_network

N, H, K = 13, 24, 3


def network(law=2.0, k=K):
    """Neurons of one frequency at even angles φ, with ψ = `law` φ."""
    phi, x = 2 * np.pi * np.arange(H) / H, 2 * np.pi * k * np.arange(N)[:, None] / N
    table = np.cos(x + phi)
    return Separable(A=table, B=table, W=np.cos(x + law * phi).T, C=np.zeros((N, N)), D=np.zeros((N, N)))


def test_a_network_that_obeys_the_law_says_so_with_accuracy_and_frequencies():
    words = portrait(network(), "mod_13/seed0")
    assert words.startswith(f"mod_13/seed0: n = {N}, {H} neurons, accuracy 1 over all {N * N} inputs\n")
    assert f"share of the weight: {K} (100 %)" in words and "holds at 1 of 1 key frequencies" in words
    assert "right?" not in words and "every input right; was it" not in words


def test_a_network_with_the_other_sign_does_not_hold_and_is_asked_about():
    words = portrait(network(law=-2.0), "wrong")
    assert "holds at 0 of 1 key frequencies" in words and "was it trained to its end?" in words


def test_the_look_draws_the_phases_of_every_neuron(tmp_path):
    said = look(network(), "mod_13/seed0", tmp_path / "look")
    assert said.endswith(f"figure: {tmp_path / 'look/phases.png'}") and (tmp_path / "look/phases.png").exists()
    points = (tmp_path / "look/phases.csv").read_text(encoding="utf-8").splitlines()
    assert len(points) == 1 + sum(len(scheme.psi) for scheme in schemes_of(three_dfts(network())).values())


@pytest.mark.parametrize(("most", "words"), [(1, "; the 1 heaviest of 2 key frequencies"), (2, "")])
def test_the_figure_says_that_not_every_frequency_is_drawn(monkeypatch, most, words):
    monkeypatch.setattr(modadd.plots.portrait, "MOST_PANELS", most)
    table = np.hstack([network(k=k).A for k in (K, K + 1)])
    both = replace(network(), A=table, B=table, W=np.vstack([network(k=k).W for k in (K, K + 1)]))
    figure, _ = draw_phases(both, "both")
    assert figure.get_suptitle() == f"both: the line is ψ = φ_a + φ_b{words}"


def test_a_network_without_frequencies_has_words_and_no_figure(tmp_path):
    said = look(silent_network(N, H), "silent", tmp_path)
    assert "no key frequencies" in said and said.endswith("nothing to draw") and not list(tmp_path.iterdir())


def test_a_network_that_is_not_there_is_named_with_the_nearest(tmp_path):
    with refuses("results/networks/mod_31/seed0.safetensors is not there, nor any other network", "`make smoke`"):
        file_of("mod_31/seed0", tmp_path)
    (tmp_path / "results/networks/mod_31").mkdir(parents=True)
    for name in ("seed0.safetensors", "seed0.history.safetensors"):
        (tmp_path / "results/networks/mod_31" / name).touch()
    assert file_of("mod_31/seed0", tmp_path).name == "seed0.safetensors"
    with refuses("unknown network 'mod_13/seed0'", "did you mean 'mod_31/seed0'?"):
        file_of("mod_13/seed0", tmp_path)


def test_a_path_that_is_not_there_is_called_so(tmp_path):
    with refuses(f"{tmp_path / 'none.safetensors'}: no such file"):
        file_of(str(tmp_path / "none.safetensors"))


@pytest.mark.parametrize("name", ["mod_31", "mod_31/0", "a/b/seed0", "mine.pt"])
def test_what_names_no_network_is_refused_with_what_does(name):
    with refuses("expected DATASET/seedN, POPULATION/exhibit or a file of safetensors", f"got '{name}'"):
        file_of(name)


def test_the_snapshots_of_a_training_and_weights_of_others_are_named_as_such(tmp_path):
    for held, words in (({"seed": 0}, "the snapshots of a training"), ({"format": "x"}, "weights of others")):
        write_tensors(tmp_path / "seed0.history.safetensors", {}, held)
        with refuses("seed0.history.safetensors: expected a trained network", f"found {words}"):
            require_network(tmp_path / "seed0.history.safetensors")
    write_tensors(tmp_path / "seed0.safetensors", {}, {"seeds": [0]})
    require_network(tmp_path / "seed0.safetensors")
