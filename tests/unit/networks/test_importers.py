"""Importers of published weights: logits, embeddings and separable form of what they read, and saving it."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from state_dicts import imported, transformer_state, two_layer_state
from support import refuses

from modadd.networks.architectures import separable_of
from modadd.networks.importers import beside_published, load_external, save_external
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network, NetworkError, read_tensors, write_tensors


def written_out(state, layers, attention, a, b):
    """Logits of one input, position by position, head by head, sum by sum: no array operation of the importer."""
    p = {name: value.double().numpy() for name, value in state.items()}
    stream = [p["embed.W_E"][:, token] + p["pos_embed.W_pos"][position] for position, token in enumerate((a, b))]
    for layer in range(layers):
        q, k, v = ([[W @ x for W in p[f"blocks.{layer}.attn.W_{name}"]] for x in stream] for name in "QKV")
        W_O = p[f"blocks.{layer}.attn.W_O"]
        d_head = len(q[0][0])
        after = []
        for here in range(2):
            x = stream[here].copy()
            for head in range(len(q[0])):
                weights = [1, 1]
                if attention == "softmax":
                    powers = [math.exp(q[here][head] @ k[there][head] / math.sqrt(d_head)) for there in range(2)]
                    weights = [power / sum(powers) for power in powers]
                mixed = weights[0] * v[0][head] + weights[1] * v[1][head]
                x += W_O[:, head * d_head : (head + 1) * d_head] @ mixed
            mlp = {name: p[f"blocks.{layer}.mlp.{name}"] for name in ("W_in", "b_in", "W_out", "b_out")}
            hidden = mlp["W_in"] @ x + mlp["b_in"]
            after.append(x + mlp["W_out"] @ np.where(hidden > 0, hidden, 0) + mlp["b_out"])
        stream = after
    return stream[1] @ p["unembed.W_U"]


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("attention", ["ones", "softmax"])
def test_transformers_have_the_logits_of_the_network_written_out(tmp_path, layers, attention):
    state = transformer_state(layers)
    external = imported(state, f"zhong_{attention}", tmp_path)
    expected = [[written_out(state, layers, attention, a, b) for b in range(7)] for a in range(7)]
    assert external.modulus == 7
    np.testing.assert_allclose(external.logits(), expected, rtol=1e-9, atol=1e-9)


def test_all_ones_attention_of_one_layer_has_the_separable_form(tmp_path):
    external = imported(transformer_state(), "zhong_ones", tmp_path)
    np.testing.assert_allclose(external.separable().logits(), external.logits(), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("format", "layers"), [("zhong_softmax", 1), ("zhong_softmax", 2), ("zhong_ones", 2)])
def test_softmax_attention_and_several_layers_have_none(tmp_path, format, layers):
    assert imported(transformer_state(layers), format, tmp_path).separable() is None


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


def test_a_trained_pizza_transformer_can_be_handed_over_in_the_published_format(untrained, tmp_path):
    p = {name: torch.from_numpy(value) for name, value in untrained.parameters.items()}
    state = transformer_state(n=7, d_model=8, n_heads=2, d_head=4, d_mlp=16) | {
        "embed.W_E": p["W_E"].T,
        "pos_embed.W_pos": p["W_pos"],
        "unembed.W_U": p["W_U"],
        "blocks.0.attn.W_V": p["W_V"].mT,
        "blocks.0.attn.W_O": p["W_O"].reshape(8, 8).T / 2,  # attention is 1, 1 there and ½, ½ here
        "blocks.0.mlp.W_in": p["W_in"].T,
        "blocks.0.mlp.b_in": p["b_in"],
        "blocks.0.mlp.W_out": p["W_out"].T,
        "blocks.0.mlp.b_out": p["b_out"],
    }
    external = imported(state, "zhong_ones", tmp_path)
    np.testing.assert_allclose(external.logits(), untrained.separable().logits(), rtol=1e-11, atol=1e-11)


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
    assert set(loaded.parameters) == set(state)
    for name, value in state.items():
        np.testing.assert_array_equal(loaded.parameters[name], value.numpy())


def test_a_saved_network_is_checked_again(tmp_path):
    path = tmp_path / "a.safetensors"
    save_external(imported(two_layer_state(), "two_layer_mlp", tmp_path), path)
    tensors, metadata = read_tensors(path)
    write_tensors(path, tensors | {"W_U": tensors["W_U"] * np.nan}, metadata)
    with refuses(str(path), "'W_U'", "63 values that are not finite", error=NetworkError):
        load_external(path)
    write_tensors(path, tensors, {"sha256": metadata["sha256"]})
    with refuses(str(path), "format", "build it again", error=NetworkError):
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
    with refuses("external_networks", "two_layer_mlp mod 7", "kissane, mine"):
        beside_published(network, files)
