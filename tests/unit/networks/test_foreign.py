"""Networks of others: logits, embeddings and separable form of what is read, and saving it."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from state_dicts import (
    chughtai_state,
    drawn,
    imported,
    lens_state,
    linear_state,
    nanda_state,
    transformer_state,
    two_layer_state,
)
from support import native_embedding_logits, refuses

from modadd.core.groups import as_addition
from modadd.networks.architectures import separable_of
from modadd.networks.foreign import beside_published, load_external, save_external
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network, NetworkError, read_tensors, write_tensors


def written_out(state, layers, tokens, softmax=True, causal=False):
    """Logits at the last position, position by position, head by head: no array operation of the importer."""
    p = {name: value.double().numpy() for name, value in state.items()}
    stream = [p["embed.W_E"][:, token] + p["pos_embed.W_pos"][place] for place, token in enumerate(tokens)]
    for layer in range(layers):
        block = {name.split(f".{layer}.")[1]: value for name, value in p.items() if f"blocks.{layer}." in name}
        bias = {name: block.get(f"attn.b_{name}", np.zeros(block["attn.W_Q"].shape[:2])) for name in "QKV"}
        after = []
        for here, x in enumerate(stream):
            seen, mixed = stream[: here + 1] if causal else stream, []
            for head in range(len(block["attn.W_Q"])):
                q, k, v = ([block[f"attn.W_{name}"][head] @ y + bias[name][head] for y in (*seen, x)] for name in "QKV")
                weights = [math.exp(q[-1] @ key / math.sqrt(len(key))) if softmax else 1 for key in k[:-1]]
                total = sum(weights) if softmax else 1
                mixed += list(sum(weight * value for weight, value in zip(weights, v[:-1], strict=True)) / total)
            x = x + block["attn.W_O"] @ mixed + block.get("attn.b_O", 0)
            hidden = block["mlp.W_in"] @ x + block["mlp.b_in"]
            after.append(x + block["mlp.W_out"] @ np.where(hidden > 0, hidden, 0) + block["mlp.b_out"])
        stream = after
    return stream[-1] @ p["unembed.W_U"] + p.get("unembed.b_U", 0)


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("softmax", [False, True])
def test_transformers_have_the_logits_of_the_network_written_out(tmp_path, layers, softmax):
    state = transformer_state(layers)
    external = imported(state, "zhong_softmax" if softmax else "zhong_ones", tmp_path)
    expected = [[written_out(state, layers, (a, b), softmax) for b in range(7)] for a in range(7)]
    assert external.modulus == 7
    np.testing.assert_allclose(external.logits(), expected, rtol=1e-9, atol=1e-9)
    if softmax or layers > 1:
        assert external.separable() is None
    else:
        np.testing.assert_allclose(external.separable().logits(), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("layers", "answers"), [(1, 7), (1, 8), (2, 8)])
def test_a_transformer_with_three_positions_has_the_logits_of_the_network_written_out(tmp_path, layers, answers):
    state = nanda_state(layers, answers=answers)
    external = imported(state, "nanda_transformer", tmp_path)
    expected = [[written_out(state, layers, (a, b, 7), causal=True)[:7] for b in range(7)] for a in range(7)]
    np.testing.assert_allclose(external.logits(), expected, rtol=1e-9, atol=1e-9)
    assert external.separable() is None and external.preactivations().shape == (7, 7, 9)
    np.testing.assert_array_equal(external.embeddings(), state["embed.W_E"].numpy().T[:7])


@pytest.mark.parametrize(("layers", "answers", "biases"), [(1, 7, False), (1, 8, True), (2, 7, True)])
def test_a_file_of_transformer_lens_has_the_logits_that_it_computes(tmp_path, layers, answers, biases):
    state = lens_state(layers, answers=answers, biases=biases)
    external = imported(state, "nanda_transformer", tmp_path)
    turned = {name: value.mT if ".W_" in name and value.ndim > 1 else value for name, value in state.items()}
    for name in ("pos_embed.W_pos", "unembed.W_U"):  # as in the other layout
        turned[name] = state[name]
    for name in [name for name in state if name.endswith("W_O")]:  # heads side by side
        turned[name] = state[name].flatten(0, 1).T
    expected = [[written_out(turned, layers, (a, b, 7), causal=True)[:7] for b in range(7)] for a in range(7)]
    np.testing.assert_allclose(external.logits(), expected, rtol=1e-9, atol=1e-9)
    save_external(external, tmp_path / "kept")
    np.testing.assert_array_equal(load_external(tmp_path / "kept").logits(), external.logits())


@pytest.mark.parametrize("n", [7, 8])
@pytest.mark.parametrize("format", ["embedding_mlp", "chughtai_mlp"])
def test_two_embeddings_are_read_with_biases_and_without(tmp_path, format, n):
    state = chughtai_state(n)
    ours = {"E_a": state["W_x"], "E_b": state["W_y"], "W_in": state["W"], "W_out": state["W_U"]}
    biases = drawn({"b_in": (9,), "b_out": (n,)})
    if format == "chughtai_mlp":
        biases = {name: torch.zeros_like(value) for name, value in biases.items()}
    _as_the_embedding_mlp(
        imported(state if format == "chughtai_mlp" else ours | biases, format, tmp_path), ours | biases
    )


@pytest.mark.parametrize("biases", [True, False])
def test_one_hot_layers_embed_a_number_in_its_column_of_the_first(tmp_path, biases):
    state = linear_state(biases=biases)
    external = imported(state, "linear_mlp", tmp_path)
    a, b = state["0.weight"].T.chunk(2)
    zeros = {"0.bias": torch.zeros(9), "2.bias": torch.zeros(7)} | state
    both = {"E_a": a, "E_b": b, "W_in": torch.cat([torch.eye(9), torch.eye(9)]), "W_out": state["2.weight"].T}
    _as_the_embedding_mlp(external, both | {"b_in": zeros["0.bias"], "b_out": zeros["2.bias"]})
    one_hot = torch.eye(7).double()
    hidden = torch.cat([one_hot[2], one_hot[5]]) @ state["0.weight"].double().T + zeros["0.bias"]
    expected = hidden.relu() @ state["2.weight"].double().T + zeros["2.bias"]
    np.testing.assert_allclose(external.logits()[2, 5], expected, rtol=1e-9, atol=1e-9)
    renamed = {name.replace("0.", "net.out.").replace("2.", "net.hidden."): value for name, value in state.items()}
    said = {"W_in": "net.out.weight", "b_in": "net.out.bias", "W_out": "net.hidden.weight", "b_out": "net.hidden.bias"}
    again = imported(renamed, "linear_mlp", tmp_path, tensors=said)
    np.testing.assert_array_equal(again.logits(), external.logits())


def _as_the_embedding_mlp(external, ours):
    """Logits are those of our embedding MLP, step by step; the separable form has the same."""
    n = external.modulus
    pairs = torch.cartesian_prod(torch.arange(n), torch.arange(n))
    expected = native_embedding_logits({name: value.double() for name, value in ours.items()}, pairs).reshape(n, n, n)
    np.testing.assert_allclose(external.logits(), expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(external.separable().logits(), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("activation", "function"), [("square", torch.square), ("gelu", torch.nn.functional.gelu)])
def test_other_neurons_have_logits_and_preactivations_and_no_separable_form(tmp_path, activation, function):
    state = two_layer_state()
    external = imported(state, "two_layer_mlp", tmp_path, activation=activation)
    W_neur = (state["W_E"].double() @ state["W_in"].double())[:, None]
    inputs = W_neur + W_neur.transpose(0, 1)
    np.testing.assert_allclose(external.preactivations(), inputs, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(external.logits(), function(inputs) @ state["W_U"].double(), rtol=1e-9, atol=1e-9)
    assert external.separable() is None
    save_external(external, tmp_path / "kept")
    assert load_external(tmp_path / "kept").neurons == activation


@pytest.mark.parametrize(("operation", "n"), [("subtraction", 7), ("multiplication", 10), ("3x5", 15)])
def test_another_operation_is_read_as_addition_in_its_order(tmp_path, operation, n):
    state = chughtai_state(n)
    plain = imported(state, "chughtai_mlp", tmp_path).logits()
    external = imported(state, "chughtai_mlp", tmp_path, operation=operation)
    first, second, answers = as_addition(operation, n)
    expected = plain[np.ix_(first, second, answers)]
    np.testing.assert_allclose(external.logits(), expected, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(external.separable().logits(), expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(external.preactivations(), external.separable().preactivations())


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"activation": "rely"}, "unknown activation 'rely'; did you mean 'relu'?"),
        ({"operation": "adition"}, "unknown operation 'adition'; did you mean 'addition'?"),
        ({"operation": "multiplication"}, "invalid for multiplication"),
    ],
)
def test_what_an_entry_says_is_checked(tmp_path, said, words):
    with refuses(str(tmp_path), words, error=NetworkError):
        imported(two_layer_state(8), "two_layer_mlp", tmp_path, **said)


def test_a_two_layer_mlp_is_what_our_own_architecture_gives(tmp_path):
    state = two_layer_state()
    external, ours = imported(state, "two_layer_mlp", tmp_path), {k: v.numpy() for k, v in state.items()}
    np.testing.assert_array_equal(external.separable().logits(), separable_of("two_layer_mlp", ours).logits())
    np.testing.assert_allclose(external.logits(), external.separable().logits(), rtol=1e-11, atol=1e-11)
    np.testing.assert_array_equal(external.embeddings(), state["W_E"].numpy())


def test_preactivations_are_the_tables_summed_where_there_are_tables(tmp_path):
    for state, format in ((two_layer_state(), "two_layer_mlp"), (transformer_state(), "zhong_ones")):
        external = imported(state, format, tmp_path)
        expected = external.separable().preactivations()
        np.testing.assert_allclose(external.preactivations(), expected, rtol=1e-11, atol=1e-11)


def test_embeddings_of_a_transformer_have_the_tokens_as_rows_before_position(tmp_path):
    state = transformer_state()
    embeddings = imported(state, "zhong_softmax", tmp_path).embeddings()
    np.testing.assert_array_equal(embeddings, state["embed.W_E"].numpy().T)
    assert embeddings.dtype == np.float64


@pytest.mark.parametrize(
    ("state", "format"), [(two_layer_state(), "two_layer_mlp"), (transformer_state(2), "zhong_softmax")]
)
def test_checked_weights_survive_saving_and_loading_with_equal_bytes(tmp_path, state, format):
    external = imported(state, format, tmp_path)
    save_external(external, tmp_path / "a.safetensors")
    loaded = load_external(tmp_path / "a.safetensors")
    save_external(loaded, tmp_path / "b.safetensors")
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()
    assert (loaded.format, loaded.sha256) == (format, external.sha256)
    assert loaded.parameters.keys() == external.parameters.keys()
    np.testing.assert_array_equal(loaded.logits(), external.logits())


@pytest.mark.parametrize("changes", [{"format": "of old"}, {"half": 1}], ids=["format", "key"])
def test_a_network_that_another_version_saved_is_refused(tmp_path, changes):
    path = tmp_path / "a.safetensors"
    save_external(imported(two_layer_state(), "two_layer_mlp", tmp_path), path)
    tensors, metadata = read_tensors(path)
    write_tensors(path, tensors, metadata | changes)
    with refuses(str(path), "another version", "build it again", error=NetworkError):
        load_external(path)


def test_weights_of_the_same_architecture_and_modulus_stand_beside_a_network(tmp_path):
    recipe = replace(RECIPES["two_layer_mlp"], modulus=7, train_pairs=30, d_model=5, d_mlp=9)
    network, files = Network(recipe, 0, imported(two_layer_state(), "two_layer_mlp", tmp_path).parameters, {}), {}
    for name, n in (("kissane", 7), ("smaller", 5), ("mine", 7)):
        files[name] = tmp_path / f"{name}.safetensors"
        save_external(imported(two_layer_state(n), "two_layer_mlp", tmp_path), files[name])
    both = beside_published(network, {name: files[name] for name in ("kissane", "smaller")})
    assert list(both) == ["retrained", "published weights"] and both["published weights"].modulus == 7
    assert list(beside_published(network, {})) == ["retrained"]
    save_external(imported(two_layer_state(7), "two_layer_mlp", tmp_path, activation="square"), tmp_path / "u2")
    assert list(beside_published(network, {"u2": tmp_path / "u2"})) == ["retrained"]
    with refuses("datasets: expected at most one", "two_layer_mlp mod 7", "kissane, mine"):
        beside_published(network, files)


def test_weights_of_another_format_of_the_same_architecture_stand_beside_a_network_too(tmp_path):
    external = imported(chughtai_state(7), "chughtai_mlp", tmp_path)
    save_external(external, tmp_path / "theirs")
    recipe = replace(RECIPES["embedding_mlp"], modulus=7, train_pairs=30, batch_size=0)
    beside = beside_published(Network(recipe, 0, external.parameters, {}), {"theirs": tmp_path / "theirs"})
    assert list(beside) == ["retrained", "published weights"]
