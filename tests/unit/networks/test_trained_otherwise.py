"""Files of the published format whose network was trained otherwise: told by their loss or by the settings beside them."""

import json

import numpy as np
import pytest
import torch
from converted import state as converted_state
from state_dicts import found_in, imported, saved, transformer_state, two_layer_state
from support import refuses

import modadd.networks.foreign
from modadd.core.groups import right_answers
from modadd.networks.architectures import ACTIVATIONS
from modadd.networks.foreign import load_external, read_external, save_external
from modadd.networks.formats import by_role
from modadd.networks.store import NetworkError
from modadd.networks.transformers import NAMES, ONES, SOFTMAX, embedded

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
    kept = {name: value for name, value in own.items() if not name.endswith("mask")}
    network = embedded(SOFTMAX if softmax else ONES, by_role(kept, NAMES)[0], activation)
    first, second = np.indices((N, N)).reshape(2, -1)
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


@pytest.mark.parametrize("softmax", [False, True])
def test_a_network_that_is_what_its_format_says_is_accepted(tmp_path, softmax):
    external = imported(fitted(softmax), f"zhong_{'softmax' if softmax else 'ones'}", tmp_path)
    found = found_in("mine.pt", external)
    assert found.startswith(
        "mine.pt: n = 4, 11 tensors, accuracy 1\nRead: passed over, which are no parameters: blocks.0"
    )
    assert "Warning" not in found and ("of it are analysed its logits" in found) == softmax


def test_a_network_that_no_reading_makes_better_is_kept_with_a_warning(tmp_path):
    found = found_in("mine.pt", imported(fitted(wrong=[3]), "zhong_ones", tmp_path))
    assert "accuracy 0.9375\n" in found and "Warning: not every input is answered right, and no other" in found


def test_neurons_that_square_are_refused_until_the_entry_says_so(tmp_path):
    state = fitted_two_layers("square")
    words = (
        "found `its entry` gives accuracy 0.",
        "but `activation: square` gives accuracy 1, loss",
        "write into its entry which",
    )
    with refuses("expected a network that was trained as its entry says", *words, error=NetworkError):
        found_in("mine.pt", imported(state, "two_layer_mlp", tmp_path))
    found = found_in("mine.pt", imported(state, "two_layer_mlp", tmp_path, activation="square"))
    assert "accuracy 1\n" in found and "of it are analysed its logits" in found and "Warning" not in found


def test_an_activation_that_the_entry_names_is_believed_with_a_warning(tmp_path):
    found = found_in("mine.pt", imported(fitted_two_layers("square"), "two_layer_mlp", tmp_path, activation="relu"))
    assert "Warning: `activation: square` gives accuracy 1, loss" in found and "of its entry is believed" in found


def scored(monkeypatch, **scores):
    """Lets readings have these scores: of each, the share that is right and the loss."""
    monkeypatch.setattr(modadd.networks.foreign, "TRIED", ("relu", "square", "gelu"))
    monkeypatch.setattr(modadd.networks.foreign, "_score", lambda external: scores[external.neurons])


@pytest.mark.parametrize(
    ("square", "relu", "gelu", "named"),
    [  # the share that is right, and the loss; what is named, if the entry is refused
        ((0.5, 3.0), (0.98, 0.10), (0.99, 0.09), []),
        ((1.0, 0.0005), (0.994, 0.027), (1.0, 0.02), ["square"]),
        ((1.0, 1e-8), (0.8, 1.0), (1.0, 1e-6), ["square", "gelu"]),
        ((0.9, 0.2), (0.8, 1.0), (0.5, 1.0), ["square"]),
    ],
    ids=["hardly better", "far less loss", "all by two", "more"],
)
def test_every_reading_that_answers_better_is_named(tmp_path, monkeypatch, square, relu, gelu, named):
    scored(monkeypatch, relu=relu, square=square, gelu=gelu)
    external = imported(two_layer_state(), "two_layer_mlp", tmp_path)
    if not named:
        assert "Warning: not every" in found_in("mine.pt", external)
        return
    with pytest.raises(NetworkError) as raised:
        found_in("mine.pt", external)
    _, _, better = str(raised.value).partition(" but ")
    assert [name for name in ("square", "gelu") if f"{name}` gives" in better] == named


@pytest.mark.parametrize("state", [two_layer_state(N), {name: 0 * value for name, value in two_layer_state().items()}])
def test_a_network_that_answers_like_chance_is_refused_without_advice(tmp_path, state):
    words = "found one that answers like chance by every reading that was tried (accuracy"
    for said in ({}, {"activation": "relu"}):
        with pytest.raises(NetworkError) as raised:
            found_in("mine.pt", imported(state, "two_layer_mlp", tmp_path, **said))
        assert words in str(raised.value) and "activation:" not in str(raised.value)


def test_chance_is_told_before_every_input_is_answered(tmp_path, monkeypatch):
    external = imported(two_layer_state(n=113), "two_layer_mlp", tmp_path)
    monkeypatch.setattr(modadd.networks.foreign.External, "logits", None)
    with refuses("answers like chance", error=NetworkError):
        found_in("mine.pt", external)


def test_a_network_on_another_group_is_refused_as_one(tmp_path):
    table = right_answers("2x2", 4)
    two = {
        "W_x": torch.eye(4),
        "W_y": torch.eye(4),
        "W": torch.randn((8, 60), generator=torch.Generator().manual_seed(0)),
    }
    hidden = (two["W"][:4, None] + two["W"][None, 4:]).relu().double().reshape(16, -1).numpy()
    two["W_U"] = torch.from_numpy(np.linalg.pinv(hidden) @ (SURE * np.eye(4)[table.ravel()])).float()
    with refuses("one that acts on another group of 4 elements", error=NetworkError):
        found_in("mine.pt", imported(two, "chughtai_mlp", tmp_path))


def test_a_right_answer_everywhere_is_believed_what_its_entry_says(tmp_path):
    trained = converted_state("linear_mlp")  # with ReLU; u² has larger logits, and so a hundredth of the loss
    with refuses("`activation: square` gives accuracy 1", "(`activation: relu`, too)", error=NetworkError):
        found_in("mine.pt", imported(trained, "linear_mlp", tmp_path))
    said = imported(trained, "linear_mlp", tmp_path, activation="relu")
    assert said.separable() is not None
    assert "of its entry is believed" in found_in("mine.pt", said)


def test_what_answers_every_input_with_hardly_a_loss_is_not_read_otherwise(tmp_path):
    external = imported(fitted_two_layers("relu"), "two_layer_mlp", tmp_path)
    assert found_in("mine.pt", external) == "mine.pt: n = 4, 3 tensors, accuracy 1"


@pytest.mark.parametrize(
    ("share", "format"),
    [(0.39, "zhong_ones"), (1.0, "zhong_ones"), (0, "zhong_softmax"), ("1", "zhong_ones"), (2, "zhong_softmax")],
)
def test_settings_beside_the_file_that_say_another_attention_are_believed(tmp_path, share, format):
    path, sha256 = saved(fitted(), tmp_path / "model_abc.pt")
    (tmp_path / "config_abc.json").write_text(json.dumps({"attn_coeff": share}))
    with refuses(
        str(path),
        f"found attn_coeff {share!r} in config_abc.json beside it; `format: zhong_ones` reads 0, ",
        error=NetworkError,
    ):
        read_external(path, format, sha256)


@pytest.mark.parametrize(
    "text", ['{"attn_coeff": 0, "act_fn": "ReLU", "diff_vocab": false, "eqn_sign": 0, "d_model": 40}', "{}"]
)
def test_settings_that_say_the_same_or_nothing_do_not_matter(tmp_path, text):
    path, sha256 = saved(fitted(), tmp_path / "model_abc.pt")
    (tmp_path / "config_abc.json").write_text(text)
    assert read_external(path, "zhong_ones", sha256).modulus == N


@pytest.mark.parametrize("text", ["[", "[1]", "\xff"])
def test_what_lies_beside_and_is_no_settings_decides_nothing(tmp_path, text):
    path, sha256 = saved(fitted(), tmp_path / "model_abc.pt")
    (tmp_path / "config_abc.json").write_text(text, encoding="latin1")
    assert "says another attn_coeff than 0, all ones" in read_external(path, "zhong_ones", sha256).steps[-1]


def test_a_network_that_another_reading_makes_much_better_is_refused(tmp_path):
    external = imported(fitted(activation="gelu"), "zhong_ones", tmp_path)
    with refuses("`its entry` gives accuracy", "`activation: gelu`", error=NetworkError):
        found_in("mine.pt", external)


def test_attention_between_ones_and_softmax_is_what_the_settings_say(tmp_path):
    path, sha256 = saved(transformer_state(), tmp_path / "model_abc.pt")
    logits = {}
    for coefficient in (1, 0.39):
        (tmp_path / "config_abc.json").write_text(json.dumps({"attn_coeff": coefficient}))
        external = read_external(path, "zhong_softmax", sha256)
        save_external(external, tmp_path / "kept")
        logits[coefficient] = load_external(tmp_path / "kept").logits()
        np.testing.assert_array_equal(logits[coefficient], external.logits())
        assert external.separable() is None
    p = {name.removeprefix("blocks.0."): value.double() for name, value in transformer_state().items()}
    stream = torch.stack([p["embed.W_E"][:, 2], p["embed.W_E"][:, 5]]) + p["pos_embed.W_pos"]  # a = 2, b = 5
    mixed = []
    for head in range(3):
        query, keys = p["attn.W_Q"][head] @ stream[1], stream @ p["attn.W_K"][head].T
        taken = 0.39 * torch.softmax(keys @ query / 2**0.5, 0) + 0.61
        mixed.append(taken @ (stream @ p["attn.W_V"][head].T))
    after = stream[1] + p["attn.W_O"] @ torch.cat(mixed)
    after = after + p["mlp.W_out"] @ (p["mlp.W_in"] @ after + p["mlp.b_in"]).relu() + p["mlp.b_out"]
    np.testing.assert_allclose(logits[0.39][2, 5], after @ p["unembed.W_U"], rtol=1e-9, atol=1e-9)
    assert not np.allclose(logits[0.39], logits[1])


@pytest.mark.parametrize(("format", "words"), [("zhong_ones", "0, all ones"), ("zhong_softmax", "1, softmax")])
def test_without_settings_the_attention_that_was_taken_is_said(tmp_path, format, words):
    external = imported(transformer_state(), format, tmp_path)
    assert external.steps[-1] == f"no weights.json beside it says another attn_coeff than {words}"
