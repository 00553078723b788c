"""Files of the published format whose network was trained otherwise: told by their loss or by the settings beside them."""

import json

import numpy as np
import pytest
import torch
from converted import state as converted_state
from state_dicts import imported, nanda_state, saved, transformer_state, two_layer_state
from support import refuses

import modadd.networks.found
from modadd.networks.architectures import ACTIVATIONS
from modadd.networks.found import Reading, Score, found_in
from modadd.networks.importers import read_external
from modadd.networks.store import NetworkError
from modadd.networks.transformers import CAUSAL, ONES, SOFTMAX, _layer_norm, _through, embedded

N, D_MODEL = 4, 40  # more directions of the stream than the 16 inputs: W_U can fit every answer

SURE = 20.0  # logit of the answer, where the others have 0


def fitted(softmax=False, activation="relu", tokens=N, wrong=(), sign=1):
    """A state dict of a transformer whose W_U is solved for so that it answers all of N² inputs right but the `wrong` ones.

    It answers a + b, or a − b if the sign is −1.

    With 2 N tokens the second number has those from N on.
    """
    state = transformer_state(n=tokens, d_model=D_MODEL, n_heads=2, d_head=3, d_mlp=60)
    for name in ("W_in", "b_in", "W_out"):  # small preactivations, where GeLU and ReLU differ most
        state[f"blocks.0.mlp.{name}"] *= 10 if name == "W_out" else 0.1
    own = {name: value.numpy() for name, value in state.items()} | {"unembed.W_U": np.eye(D_MODEL, dtype=np.float32)}
    network, (first, second) = (
        embedded(SOFTMAX if softmax else ONES, own, activation),
        np.indices((N, N)).reshape(2, -1),
    )
    rows = (network.E_a[first], network.E_b[second + tokens - N])
    stream = network.forward(*map(torch.from_numpy, rows)).numpy()
    right = np.add.outer(range(N), sign * np.arange(N)).ravel() % N
    right[list(wrong)] += 1
    state["unembed.W_U"] = torch.from_numpy(np.linalg.pinv(stream) @ (SURE * np.eye(tokens)[right % N])).float()
    return state


def fitted_two_layers(activation, wrong=()):
    """A two-layer MLP whose neurons compute the activation, solved for likewise."""
    state = two_layer_state(N, d_model=8, d_mlp=40)
    W_neur = (state["W_E"] @ state["W_in"]).double().numpy()
    hidden = ACTIVATIONS[activation](W_neur[:, None] + W_neur[None]).reshape(N * N, -1)
    right = np.add.outer(range(N), range(N)).ravel() % N
    right[list(wrong)] += 1
    return state | {"W_U": torch.from_numpy(np.linalg.pinv(hidden) @ (SURE * np.eye(N)[right % N])).float()}


def fitted_normalised():
    """A transformer on three positions with LayerNorm before every layer, its weights folded away; solved for likewise."""
    state = nanda_state(n=N, d_model=D_MODEL, d_mlp=60)
    own = {name: value.double() for name, value in state.items()}
    E = own["embed.W_E"].T[:N]
    first, second = np.indices((N, N)).reshape(2, -1)
    stream = _through(own, CAUSAL, "relu", E[first], E[second], _layer_norm)[1][:, -1]
    right = (first + second) % N
    return state | {
        "unembed.W_U": torch.from_numpy(np.linalg.pinv(_layer_norm(stream).numpy()) @ (SURE * np.eye(N)[right])).float()
    }


@pytest.mark.parametrize("softmax", [False, True])
def test_a_network_that_is_what_its_format_says_is_accepted(tmp_path, softmax):
    external = imported(fitted(softmax), f"zhong_{'softmax' if softmax else 'ones'}", tmp_path)
    found = found_in("mine.pt", external)
    assert found.startswith("mine.pt: n = 4, 11 tensors, accuracy 1\nRead: buffers left out: blocks.0.attn.mask.")
    assert "Warning" not in found and ("of it are analysed its logits" in found) == softmax


def test_a_network_that_no_reading_makes_better_is_kept_with_a_warning(tmp_path):
    found = found_in("mine.pt", imported(fitted(wrong=[3]), "zhong_ones", tmp_path))
    assert "accuracy 0.9375\n" in found and "Warning: not every input is answered right" in found


def test_neurons_that_square_are_refused_until_the_entry_says_so(tmp_path):
    state = fitted_two_layers("square")
    words = (
        "with `activation: square` accuracy 1, loss",
        "with `activation: gelu` accuracy",
        "write `activation: square`",
    )
    with refuses("read as 'two_layer_mlp' with relu on addition it has accuracy", *words, error=NetworkError):
        found_in("mine.pt", imported(state, "two_layer_mlp", tmp_path))
    with refuses(*words, error=NetworkError):  # a wrong key does not make it ReLU
        found_in("mine.pt", imported(state, "two_layer_mlp", tmp_path, activation="relu"))
    found = found_in("mine.pt", imported(state, "two_layer_mlp", tmp_path, activation="square"))
    assert "accuracy 1\n" in found and "of it are analysed its logits" in found and "Warning" not in found


def test_an_activation_that_does_a_little_better_is_refused_unless_the_entry_names_one(tmp_path, monkeypatch):
    scores = {"relu": Score(0.98, 0.10), "square": Score(0.5, 3.0), "gelu": Score(0.99, 0.09)}
    readings = [Reading({"activation": name}, (), scores[name]) for name in ("square", "gelu")]
    monkeypatch.setattr(modadd.networks.found, "_score", lambda network: scores["relu"])
    monkeypatch.setattr(modadd.networks.found, "_readings", lambda external: readings)
    with refuses(
        "accuracy 0.98, loss 0.1; with `activation: gelu` accuracy 0.99",
        "`activation: gelu` or `activation: relu`",
        error=NetworkError,
    ):
        found_in("mine.pt", imported(two_layer_state(), "two_layer_mlp", tmp_path))
    found = found_in("mine.pt", imported(two_layer_state(), "two_layer_mlp", tmp_path, activation="relu"))
    assert "Warning: read as 'two_layer_mlp' with relu" in found


def test_a_right_answer_everywhere_is_believed_what_its_entry_says(tmp_path):
    trained = converted_state("linear_mlp")  # with ReLU; u² has larger logits, and so a hundredth of the loss
    words = [
        "`activation: square` or `activation: relu`",
        "(for `make network`: ACTIVATION=square or ACTIVATION=relu)",
    ]
    first, second = trained["0.weight"].double().T.chunk(2)
    logits = torch.relu(first[:, None] + second) @ trained["2.weight"].double().T
    answers = torch.arange(len(first))[:, None] + torch.arange(len(first))
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), answers.flatten() % len(first)).item()
    with refuses(f"relu on addition it has accuracy 1, loss {loss:.3g}; with", *words, error=NetworkError):
        found_in("mine.pt", imported(trained, "linear_mlp", tmp_path))
    said = imported(trained, "linear_mlp", tmp_path, activation="relu")
    assert said.separable() is not None
    assert "Warning" not in found_in("mine.pt", said)


def test_what_answers_every_input_with_hardly_a_loss_is_not_read_otherwise(tmp_path, monkeypatch):
    external = imported(fitted_two_layers("relu"), "two_layer_mlp", tmp_path)
    monkeypatch.setattr(modadd.networks.found, "_readings", None)
    assert found_in("mine.pt", external) == "mine.pt: n = 4, 3 tensors, accuracy 1"


@pytest.mark.parametrize(
    ("settings", "format", "words"),
    [
        ({"attn_coeff": 0.39}, "zhong_ones", "attn_coeff 0.39 is attention between all ones (0) and softmax (1)"),
        ({"attn_coeff": 1.0}, "zhong_ones", "attn_coeff is 1.0; expected 0"),
        ({"attn_coeff": 0}, "zhong_softmax", "attn_coeff is 0; expected 1"),
        ({"attn_coeff": 0, "act_fn": "GeLU"}, "zhong_ones", "act_fn is 'GeLU'; expected 'ReLU'"),
        ({"attn_coeff": 0, "diff_vocab": 1}, "zhong_ones", "diff_vocab is 1; expected 0"),
        ({"attn_coeff": 0, "eqn_sign": True}, "zhong_ones", "eqn_sign is True; expected 0"),
        ({"attn_coeff": "1"}, "zhong_ones", "attn_coeff: expected a number, got '1'"),
        ({"attn_coeff": 0, "diff_vocab": "0"}, "zhong_ones", "diff_vocab is '0'; expected 0"),
    ],
)
def test_settings_beside_the_file_that_say_otherwise_are_believed(tmp_path, settings, format, words):
    path, sha256 = saved(fitted(), tmp_path / "model_abc.pt")
    (tmp_path / "config_abc.json").write_text(json.dumps(settings))
    with refuses(str(path), "the settings beside it, config_abc.json", f"'{format}'", words, error=NetworkError):
        read_external(path, format, sha256)


@pytest.mark.parametrize(
    "text", ['{"attn_coeff": 0, "act_fn": "ReLU", "diff_vocab": false, "eqn_sign": 0, "d_model": 40}', "{}"]
)
def test_settings_that_say_the_same_or_nothing_do_not_matter(tmp_path, text):
    path, sha256 = saved(fitted(), tmp_path / "model_abc.pt")
    (tmp_path / "config_abc.json").write_text(text)
    assert read_external(path, "zhong_ones", sha256).modulus == N


@pytest.mark.parametrize("text", ["[", "[1]"])
def test_settings_that_nobody_can_read_are_refused(tmp_path, text):
    path, sha256 = saved(fitted(), tmp_path / "model_abc.pt")
    (tmp_path / "config_abc.json").write_text(text)
    with refuses("config_abc.json: expected the settings of the training of model_abc.pt, a JSON object"):
        read_external(path, "zhong_ones", sha256)


def test_settings_and_entry_may_both_say_gelu(tmp_path):
    path, sha256 = saved(fitted(), tmp_path / "model_abc.pt")
    (tmp_path / "config_abc.json").write_text('{"act_fn": "GeLU"}')
    assert read_external(path, "zhong_ones", sha256, activation="gelu").neurons == "gelu"


def test_a_network_that_another_reading_makes_much_better_is_refused(tmp_path):
    external = imported(fitted(activation="gelu"), "zhong_ones", tmp_path)
    words = ("mine.pt: read as 'zhong_ones' with relu on addition it has accuracy", "`activation: gelu` into its entry")
    with refuses(*words, error=NetworkError):
        found_in("mine.pt", external)
