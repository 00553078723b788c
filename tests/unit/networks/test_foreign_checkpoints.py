"""Readers that bear a publisher's name, on made-up weights of that publisher's published names and shapes; and others."""

import json
from collections.abc import Mapping

import numpy as np
import pytest
import torch
from converted import CONVERTED
from converted import state as converted
from paper.yaml_files import read_yaml
from state_dicts import (
    chughtai_state,
    chughtai_transformer_state,
    found_in,
    imported,
    lens_state,
    nanda_run,
    nanda_state,
    saved,
    shared_state,
    transformer_state,
)
from support import CONFIG_SCHEMA, ROOT, SCHEMAS, refuses
from test_trained_otherwise import N, fitted

from modadd.networks.architectures import ACTIVATIONS
from modadd.networks.formats import FORMATS
from modadd.networks.importers import read_external
from modadd.networks.store import NetworkError

EVERYTHING, ANSWERS = True, False  # whether a network has the separable form

PUBLISHED = {  # what is saved, the format that reads it, what its entry says, whether it has the separable form
    "Kissane": (lambda: converted("two_layer_mlp"), "two_layer_mlp", {}, EVERYTHING),
    "Chughtai, MLP": (lambda: converted("chughtai_mlp"), "chughtai_mlp", {}, EVERYTHING),
    "Chughtai, MLP, even": (lambda: chughtai_state(n=8), "chughtai_mlp", {}, EVERYTHING),
    "Chughtai, transformer": (chughtai_transformer_state, "nanda_transformer", {}, ANSWERS),
    "Y-Agent": (shared_state, "two_layer_mlp", {}, EVERYTHING),
    "Y-Agent, embedding": (lambda: shared_state(d_model=5), "two_layer_mlp", {}, EVERYTHING),
    "Y-Agent, squares": (shared_state, "two_layer_mlp", {"activation": "square"}, ANSWERS),
    "Nanda": (nanda_run, "nanda_transformer", {}, ANSWERS),
    "Nanda, TransformerLens": (lens_state, "nanda_transformer", {}, ANSWERS),
    "Zhong, ones": (lambda: converted("zhong_ones"), "zhong_ones", {}, EVERYTHING),
    "Zhong, ones, two layers": (lambda: transformer_state(layers=2), "zhong_ones", {}, ANSWERS),
    "Zhong, softmax": (lambda: converted("zhong_softmax"), "zhong_softmax", {}, ANSWERS),
    "Zhong, GeLU": (lambda: fitted(activation="gelu"), "zhong_ones", {"activation": "gelu"}, ANSWERS),
    "Linear layers": (lambda: converted("linear_mlp"), "linear_mlp", {"activation": "relu"}, EVERYTHING),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_checkpoint_is_read_by_the_format_of_the_page(tmp_path, name):
    state, format, said, separable = PUBLISHED[name]
    external = imported(state(), format, tmp_path, **said)
    assert (external.separable() is not None) == separable
    n = external.modulus
    assert external.logits().shape == (n, n, n) and len(external.embeddings()) == n
    assert external.preactivations().shape[:2] == (n, n)


@pytest.mark.parametrize("d_model", [None, 5])
def test_a_network_that_shares_one_table_has_the_logits_that_its_code_computes(tmp_path, d_model):
    file = shared_state(d_model=d_model)
    external = imported(file, "two_layer_mlp", tmp_path)
    p = {name: value.double() for name, value in file["model"].items()}
    table = p["mlp.W_in"] @ p.get("embed.W_E", torch.eye(7).double())
    expected = (table.T[:, None] + table.T[None]).relu() @ p["mlp.W_out"].T
    np.testing.assert_allclose(external.logits(), expected, rtol=1e-9, atol=1e-9)
    assert "left out, which are buffers: mlp.basis" in external.steps
    with refuses("write `format: two_layer_mlp`, which reads them", error=NetworkError):
        imported(file, "linear_mlp", tmp_path)


@pytest.mark.parametrize("beside", ["losses", "indices", "curve", "dataset"])
def test_tensors_beside_a_state_dict_do_not_hide_it(tmp_path, beside):
    file = nanda_run(
        **{
            "losses": {},
            "indices": {"train_indices": torch.arange(30), "test_indices": torch.arange(19)},
            "curve": {"train_losses": torch.ones(100), "test_losses": torch.ones(100)},
            "dataset": {"dataset": torch.ones((49, 3), dtype=torch.int64), "labels": torch.arange(49)},
        }[beside]
    )
    external = imported(file, "nanda_transformer", tmp_path)
    assert "tensors taken from ['model']" in external.steps
    np.testing.assert_array_equal(external.logits(), imported(nanda_state(), "nanda_transformer", tmp_path).logits())


def test_what_lies_between_the_parameters_is_left_out_and_named(tmp_path):
    state = nanda_state() | {"train_loss": torch.tensor(0.5), "train_indices": torch.arange(9), "epoch": 3}
    external = imported(state, "nanda_transformer", tmp_path)
    words = "train_loss (one float32), train_indices (int64), epoch (int)"
    assert f"left out, which are no parameters: {words}" in external.steps


def test_a_copy_of_an_embedding_that_is_none_is_refused_by_its_name(tmp_path):
    state = chughtai_transformer_state()
    external = imported(state, "nanda_transformer", tmp_path)
    assert "left out, which repeat another tensor: x_embed, y_embed" in external.steps
    with refuses("found them and x_embed", error=NetworkError):
        imported(state | {"x_embed": state["x_embed"] + 1}, "nanda_transformer", tmp_path)


@pytest.mark.parametrize(
    ("state", "format", "words"),
    [
        (
            {"embed.weight": torch.ones(7, 5), "linear1.weight": torch.ones(9, 5)},
            "zhong_ones",
            "a linear model of Zhong",
        ),
        (fitted(tokens=2 * N), "zhong_ones", "a network of that kind is not read"),
        (nanda_state() | {"blocks.0.ln1.w": torch.ones(5)}, "nanda_transformer", "a network with LayerNorm"),
        (lens_state() | {"pos_embed.W_pos": torch.ones(2, 5)}, "nanda_transformer", "where it has (3, d_model)"),
        ({k: v for k, v in lens_state().items() if "mlp" not in k}, "nanda_transformer", "missing: blocks.0.mlp.W_in"),
    ],
    ids=["linear", "two vocabularies", "LayerNorm", "two positions", "attention alone"],
)
def test_a_checkpoint_that_no_format_reads_is_refused_with_its_kind(tmp_path, state: Mapping, format, words):
    path, sha256 = saved(state, tmp_path / "mine.pt")
    with refuses("mine.pt: expected", words, error=NetworkError):
        found_in(path, read_external(path, format, sha256))


@pytest.mark.parametrize("format", CONVERTED)
def test_a_trained_network_of_ours_keeps_its_answers_in_every_format(tmp_path, format):
    external = imported(converted(format), format, tmp_path, activation="relu")
    if format == "embedding_mlp":  # of the largest the answers alone: reading it in every way takes long
        assert np.array_equal(external.logits().argmax(-1), np.add.outer(range(91), range(91)) % 91)
    else:
        found = found_in("mine.pt", external)
        assert "accuracy 1" in found and "not every input" not in found


def test_the_page_has_every_tensor_of_every_format():
    page = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    for name, format in FORMATS.items():
        assert f"| `{name}` |" in page
        for tensor in format.layout({}):
            assert tensor.rpartition(".")[2] in page, f"{name}: {tensor}"


def test_config_and_questions_know_every_format_and_activation():
    keys = read_yaml(CONFIG_SCHEMA)["$defs"]["imported"]["properties"]
    assert keys["format"]["enum"] == list(FORMATS) and keys["activation"]["enum"] == list(ACTIVATIONS)
    shown = read_yaml(SCHEMAS / "question.schema.yaml")["properties"]["formats"]
    assert shown["items"]["enum"] == list(FORMATS)


def test_settings_of_the_softmax_format_name_their_file(tmp_path):
    path, sha256 = saved(transformer_state(), tmp_path / "mine.pt")
    (tmp_path / "mine.json").write_text(json.dumps({"attn_coeff": 0.5}))
    assert "attn_coeff 0.5 taken from mine.json" in read_external(path, "zhong_softmax", sha256).steps
