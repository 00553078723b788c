"""Roles of tensors: named as they are published, named by their owner, or found by shapes and answers; and what is refused."""

import json

import numpy as np
import pytest
import torch
from converted import CONVERTED
from converted import state as converted
from jsonschema import Draft202012Validator
from state_dicts import (
    bridge_state,
    chughtai_state,
    chughtai_transformer_state,
    drawn,
    found_in,
    imported,
    lens_state,
    nanda_run,
    nanda_state,
    saved,
    shared_state,
    transformer_state,
    two_layer_state,
)
from support import CONFIG_SCHEMA, ROOT, SCHEMAS, refuses
from test_trained_otherwise import N, fitted

import modadd.networks.foreign
from modadd.networks.architectures import ACTIVATIONS
from modadd.networks.foreign import read_external
from modadd.networks.formats import FORMATS
from modadd.networks.store import NetworkError
from modadd.networks.transformers import NAMES
from paper.yaml_files import read_yaml

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
    with refuses("write `format: two_layer_mlp`, which reads them", error=NetworkError):
        imported(file, "linear_mlp", tmp_path)


@pytest.mark.parametrize("format", CONVERTED)
def test_a_trained_network_of_ours_keeps_its_answers_in_every_format(tmp_path, format):
    external = imported(converted(format), format, tmp_path, activation="relu")
    found = found_in("mine.pt", external)
    assert "accuracy 1" in found and "not every input" not in found


@pytest.mark.parametrize(("layers", "answers"), [(1, 7), (2, 8)])
def test_a_file_of_transformer_lens_4_is_what_it_is_below(tmp_path, layers, answers):
    below = lens_state(layers, answers=answers, biases=True)
    path, sha256 = saved(bridge_state(below, layers), tmp_path / "mine.pt")
    with refuses('without an axis for the heads; write their number, as {"n_heads": 4}, into', error=NetworkError):
        read_external(path, "nanda_transformer", sha256)
    with refuses("write `format: nanda_transformer`, which reads them", error=NetworkError):
        read_external(path, "two_layer_mlp", sha256)
    (tmp_path / "mine.json").write_text(json.dumps({"n_heads": 3}))
    again = read_external(path, "nanda_transformer", sha256)
    expected = imported(below, "nanda_transformer", tmp_path)
    assert again.parameters.keys() == expected.parameters.keys()
    for name, value in expected.parameters.items():
        np.testing.assert_array_equal(again.parameters[name], value)


def perceptron(inputs, n=5, d=4, h=160, tokens=("a", "b"), biases=True, seed=0):
    """Roles of a perceptron that adds mod n, its output solved for, and its logits; what it reads, "beside" or "sum"."""
    constants = [token for token in tokens if token not in ("a", "b")]
    rows = n + len(constants)
    names = {"one": {"W_E": (rows, d)}, "two": {"E_a": (n, d), "E_b": (n, d)}, "none": {}}
    embeddings, reads = inputs
    width = d if names[embeddings] else n
    p = drawn(names[embeddings] | {"W_in": (width * (len(tokens) if reads == "beside" else 1), h), "b_in": (h,)}, seed)
    if not biases:
        p["b_in"] *= 0
    a, b = torch.cartesian_prod(torch.arange(n), torch.arange(n)).T
    tables = {"one": [p.get("W_E")] * 2, "two": [p.get("E_a"), p.get("E_b")], "none": [torch.eye(n)] * 2}[embeddings]
    read = []
    for token in tokens:
        table = tables[token == "b"]
        read.append(table[a if token == "a" else b if token == "b" else torch.full_like(a, token)])
    stream = torch.cat(read, 1) if reads == "beside" else sum(read)
    hidden = (stream @ p["W_in"] + p["b_in"]).relu().double()
    right = 20 * torch.eye(rows).double()[(a + b) % n]
    p["W_out"] = (torch.linalg.pinv(hidden) @ right).float()
    p["b_out"] = 0.1 * torch.ones(rows)
    if not biases:
        del p["b_in"], p["b_out"]
    logits = hidden @ p["W_out"].double() + p.get("b_out", torch.zeros(rows))
    return p, logits[:, :n].reshape(n, n, n)


LINEAR = {"W_in": "2.weight.T", "b_in": "2.bias", "W_out": "4.weight.T", "b_out": "4.bias"}
LAYOUTS = {  # what is read, the names by role, the tokens, biases
    "enerrio/grokking-mlp": (("one", "beside"), {"W_E": "net.0.weight", **{k: f"net.{v}" for k, v in LINEAR.items()}}, ("a", 5, "b", 6), True),
    "nn.Embedding, shared": (("one", "beside"), {"W_E": "embed.weight", **{k: f"l{v}" for k, v in LINEAR.items()}}, ("a", "b"), True),
    "nn.Embedding, summed": (("one", "sum"), {"W_E": "embed.weight", **{k: f"l{v}" for k, v in LINEAR.items()}}, ("a", "b"), True),
    "nn.Embedding, =": (("one", "beside"), {"W_E": "emb.weight", **{k: f"l{v}" for k, v in LINEAR.items()}}, ("a", "b", 5), True),
    "nn.Embedding, two": (("two", "beside"), {"E_a": "e1.weight", "E_b": "e2.weight", **LINEAR}, ("a", "b"), True),
    "nn.Embedding, two, summed": (("two", "sum"), {"E_a": "e1.weight", "E_b": "e2.weight", **LINEAR}, ("a", "b"), True),
    "Sequential": (("none", "beside"), LINEAR, ("a", "b"), True),
    "Sequential, summed": (("none", "sum"), LINEAR, ("a", "b"), False),
    "JAX": (("one", "beside"), {"W_E": "Embed_0.embedding", "W_in": "Dense_0.kernel", "b_in": "Dense_0.bias", "W_out": "Dense_1.kernel", "b_out": "Dense_1.bias"}, ("a", "b"), True),
    "without biases": (("one", "sum"), {"W_E": "E", "W_in": "W", "W_out": "U"}, ("a", "b"), False),
}  # fmt: skip


def laid_out(layout):
    """The state dict of a layout, what an entry says of it, and the logits of the network."""
    inputs, names, tokens, biases = LAYOUTS[layout]
    p, logits = perceptron(inputs, tokens=tokens, biases=biases)
    state = {
        names[role].removesuffix(".T"): value.mT if names[role].endswith(".T") else value for role, value in p.items()
    }
    said = {"tensors": {role: names[role] for role in p}}
    return state, said | ({"tokens": list(tokens)} if len(tokens) > 2 else {}), logits


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tensors_that_are_named_by_role_are_read_whatever_their_axes(tmp_path, layout):
    state, said, logits = laid_out(layout)
    external = imported(state, "embedding_mlp", tmp_path, **said)
    np.testing.assert_allclose(external.logits(), logits, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(external.separable().logits(), external.logits(), rtol=1e-9, atol=1e-9)
    said["tensors"] = {role: name.removesuffix(".T") for role, name in said["tensors"].items()}
    np.testing.assert_array_equal(imported(state, "embedding_mlp", tmp_path, **said).logits(), external.logits())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_roles_in_which_tensors_answer_are_proposed(tmp_path, layout):
    state, said, logits = laid_out(layout)
    with pytest.raises(NetworkError) as raised:
        imported(state, "chughtai_mlp", tmp_path)
    if layout == "Sequential":  # which has a format of its own for these names
        said = {"tensors": said["tensors"]}
    _, _, entry = str(raised.value).partition("write `")
    proposed = read_yaml_line(entry.partition("`")[0])
    assert "`: so they answer 1 of the inputs right" in entry and proposed.pop("format") == "embedding_mlp"
    external = imported(state, "embedding_mlp", tmp_path, **proposed)
    np.testing.assert_allclose(external.logits(), logits, rtol=1e-4, atol=1e-4)


def test_roles_are_proposed_where_two_orders_of_the_constants_answer(tmp_path):
    """As of enerrio's networks: what they read of the operation and of '=' hardly matters."""
    state, _, logits = laid_out("enerrio/grokking-mlp")
    E, W_in = state["net.0.weight"], state["net.2.weight"]
    state["net.2.bias"] = state["net.2.bias"] + W_in[:, -E.shape[1] :] @ (E[6] - E[5])
    state["net.0.weight"] = torch.cat([E[:6], E[5:6]])
    with pytest.raises(NetworkError) as raised:
        imported(state, "embedding_mlp", tmp_path)
    proposed = read_yaml_line(str(raised.value).partition("write `")[2].partition("`")[0])
    del proposed["format"]
    np.testing.assert_allclose(
        imported(state, "embedding_mlp", tmp_path, **proposed).logits(), logits, rtol=1e-3, atol=1e-3
    )


def parts_of(state):
    """The same with a matrix of the hidden layer for each number, as linear1l and linear1r, and a bias for each."""
    left, right = state["l2.weight"].chunk(2, 1)
    others = {name: value for name, value in state.items() if not name.startswith("l2.")}
    biases = {"left.bias": state["l2.bias"] - 1, "right.bias": torch.ones_like(state["l2.bias"])}
    return {"left.weight": left, "right.weight": right, **biases, **others}


def places_of(state):
    """The same with an embedding of the two places, as an Embed_1 of flax."""
    places = drawn({"places.weight": (2, 4)})
    read = state["l2.weight"] @ places["places.weight"].flatten()
    return places | state | {"l2.bias": state["l2.bias"] - read}


PARTS = {"W_a": "left.weight", "W_b": "right.weight", "b_a": "left.bias", "b_b": "right.bias"}


@pytest.mark.parametrize(
    ("otherwise", "said"),
    [(parts_of, PARTS), (places_of, {"W_pos": "places.weight", "W_in": "l2.weight", "b_in": "l2.bias"})],
)
def test_a_matrix_for_each_number_and_places_are_read_and_proposed(tmp_path, otherwise, said):
    state, _, logits = laid_out("nn.Embedding, shared")
    state = otherwise(state)
    names = {"W_E": "embed.weight", "W_out": "l4.weight", "b_out": "l4.bias", **said}
    external = imported(state, "embedding_mlp", tmp_path, tensors=names)
    np.testing.assert_allclose(external.logits(), logits, rtol=1e-3, atol=1e-3)
    with refuses("so they answer 1 of the inputs right", error=NetworkError):
        imported(state, "two_layer_mlp", tmp_path)


@pytest.mark.parametrize(
    ("wrong", "said", "words"),
    [
        ({"left.weight": torch.ones(3, 4)}, PARTS, "W_a and W_b that are not of one shape"),
        ({"places.weight": torch.ones(3, 4)}, {"W_pos": "places.weight", **PARTS}, "W_pos (3, 4), where it has (2, 4)"),
    ],
)
def test_parts_and_places_of_a_wrong_shape_are_refused(tmp_path, wrong, said, words):
    state = parts_of(laid_out("nn.Embedding, shared")[0]) | wrong
    names = {"W_E": "embed.weight", "W_out": "l4.weight", "b_out": "l4.bias", **said}
    with refuses(words, error=NetworkError):
        imported(state, "embedding_mlp", tmp_path, tensors=names)


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ({"W_l": (9, 14), "W_r": (9, 14), "W_out": (7, 9)}, "W_l, W_r both read both numbers"),
        (
            {f"layers.{k}": (9, 14 if k == 0 else 9) for k in range(4)} | {"layers.4": (7, 9)},
            "several hidden layers, which no",
        ),
    ],
)
def test_a_network_that_no_roles_read_is_refused_with_what_it_seems_to_be(tmp_path, shapes, words):
    with refuses(words, error=NetworkError):
        imported(drawn(shapes), "two_layer_mlp", tmp_path)


def read_yaml_line(line):
    """The mapping that a line is the inside of."""
    import yaml

    return yaml.safe_load(f"{{{line}}}")


def test_roles_that_are_said_wrong_are_refused_with_those_that_answer(tmp_path):
    state, said, _ = laid_out("enerrio/grokking-mlp")
    with refuses("which is no perceptron on the tokens a, b; ", "tokens: [a, 5, b, 6]`", error=NetworkError):
        imported(state, "embedding_mlp", tmp_path, tensors=said["tensors"])
    with refuses("which is no perceptron on the tokens a, 9, b, 6", error=NetworkError):
        imported(state, "embedding_mlp", tmp_path, **said | {"tokens": ["a", 9, "b", 6]})
    with refuses("found net.2.weight in place of net.2.wait; ", error=NetworkError):
        imported(state, "embedding_mlp", tmp_path, tensors={**said["tensors"], "W_in": "net.2.wait"})
    with refuses("unknown role 'W_U'", error=NetworkError):
        imported(state, "embedding_mlp", tmp_path, tensors={**said["tensors"], "W_U": "net.2.weight"})
    with refuses("found them and net.4.bias", error=NetworkError):
        imported(state, "embedding_mlp", tmp_path, tensors={k: v for k, v in said["tensors"].items() if k != "b_out"})


def test_tensors_that_answer_in_no_roles_are_proposed_none(tmp_path):
    with refuses("docs/recipes.md says how to name tensors of your own", error=NetworkError):
        imported(drawn({"e": (7, 5), "w": (9, 10), "u": (7, 9)}), "embedding_mlp", tmp_path)


def test_a_transformer_may_be_named_by_role_too(tmp_path):
    state = nanda_state()
    renamed = {
        name.replace("blocks.", "layers.").replace("attn.W", "attention.w"): value for name, value in state.items()
    }
    with refuses("in place of blocks.0.attn.W_Q, ", error=NetworkError):
        imported(renamed, "nanda_transformer", tmp_path)
    names = {"W_E": "embed.W_E", "W_pos": "pos_embed.W_pos", "W_U": "unembed.W_U"}
    names |= {f"W_{part}": f"layers.{{layer}}.attention.w_{part}" for part in "OQKV"}
    names |= {part: f"layers.{{layer}}.mlp.{part}" for part in ("W_in", "b_in", "W_out", "b_out")}
    external = imported(renamed, "nanda_transformer", tmp_path, tensors=names)
    np.testing.assert_array_equal(external.logits(), imported(state, "nanda_transformer", tmp_path).logits())


def test_the_only_layer_of_a_transformer_may_be_named_without_a_number(tmp_path):
    names = {
        role: name.replace("{layer}", "0")
        for role, name in NAMES.items()
        if role[0] == "W" or role[2:] in ("in", "out")
    }
    external = imported(transformer_state(), "zhong_ones", tmp_path, tensors=names)
    np.testing.assert_array_equal(external.logits(), imported(transformer_state(), "zhong_ones", tmp_path).logits())
    embedding = {"embed.W_E": transformer_state()["embed.W_E"]}
    with refuses("nothing that is named as '0.W_Q'", error=NetworkError):
        imported(embedding, "zhong_ones", tmp_path, tensors={"W_E": "embed.W_E"})


def test_biases_of_neurons_may_be_missing_in_a_transformer(tmp_path):
    state = transformer_state()
    zeros = {name: torch.zeros_like(value) for name, value in state.items() if "mlp.b_" in name}
    without = {name: value for name, value in state.items() if name not in zeros}
    expected = imported(state | zeros, "zhong_ones", tmp_path)
    external = imported(without, "zhong_ones", tmp_path)
    np.testing.assert_array_equal(external.logits(), expected.logits())
    np.testing.assert_array_equal(external.separable().logits(), expected.separable().logits())


def test_a_bias_that_our_architecture_has_not_leaves_no_separable_form(tmp_path):
    external = imported(transformer_state() | {"blocks.0.attn.b_V": torch.ones(3, 2)}, "zhong_ones", tmp_path)
    assert external.native() is None and external.separable() is None


def test_prefixes_may_be_several_and_copies_are_passed_over(tmp_path):
    state = {f"_orig_mod.module.{name}": value for name, value in chughtai_state().items()}
    assert imported(state, "chughtai_mlp", tmp_path).steps == ()
    state = chughtai_transformer_state()
    external = imported(state, "nanda_transformer", tmp_path)
    assert "passed over, which repeats another tensor: x_embed, y_embed" in external.steps
    with refuses("found them and x_embed", error=NetworkError):
        imported(state | {"x_embed": state["x_embed"] + 1}, "nanda_transformer", tmp_path)


NORMALISED = {"ln.gamma": torch.ones(5), "ln.beta": torch.ones(5)}
WITH_A_GAP = {name.replace("blocks.1.", "blocks.2."): value for name, value in transformer_state(2).items()}


@pytest.mark.parametrize(
    ("state", "format", "words"),
    [
        (nanda_state() | {"blocks.0.ln1.w": torch.ones(5)}, "nanda_transformer", "a network with LayerNorm (it has 'blocks.0.ln1.w')"),
        (two_layer_state() | NORMALISED, "two_layer_mlp", "a network with LayerNorm (it has 'ln.gamma')"),
        (two_layer_state() | {"norm_beta": torch.ones(5)}, "two_layer_mlp", "LayerNorm (it has 'norm_beta')"),
        (two_layer_state() | {"layers.0.input_layernorm.weight": torch.ones(5)}, "two_layer_mlp", "LayerNorm"),
        (lens_state() | {"blocks.0.mlp.W_gate": torch.ones(5, 9)}, "nanda_transformer", "neurons have gates"),
        (lens_state(), "zhong_softmax", "write `format: nanda_transformer`, which reads them"),
        (transformer_state(), "zhong_one", "unknown format 'zhong_one'; did you mean 'zhong_ones'?"),
        (two_layer_state() | {"b_in": torch.ones(9)}, "two_layer_mlp", "found them and b_in; docs"),
        (lens_state() | {"pos_embed.W_pos": torch.ones(2, 5)}, "nanda_transformer", "'W_pos' of shape (2, 5), where it has (3, "),
        ({k: v for k, v in lens_state().items() if "mlp" not in k}, "nanda_transformer", "found nothing in place of blocks.0.mlp.W_in, "),
        (two_layer_state(n=1), "two_layer_mlp", "expected a network on 3 to 1000 numbers, found one on 1"),
        (two_layer_state(n=1001), "two_layer_mlp", "expected a network on 3 to 1000 numbers, found one on 1001"),
        ({k: v for k, v in two_layer_state().items() if k != "W_U"}, "two_layer_mlp", "found nothing in place of W_U; docs"),
        (two_layer_state() | {"W_in": 3}, "two_layer_mlp", "nothing in place of W_in; passed over, which are no parameters: W_in"),
        (two_layer_state() | {"W_in": torch.ones(6, 9)}, "two_layer_mlp", "W_in (6, 9), W_out (9, 7), which is no perceptron"),
        (two_layer_state() | {"W_U": torch.full((9, 7), torch.inf)}, "two_layer_mlp", "expected finite numbers, found 63 that are not in 'W_U'"),
        (WITH_A_GAP, "zhong_ones", "in place of blocks.1.attn.W_Q, "),
        (transformer_state(0), "zhong_ones", "in place of blocks.0.attn.W_Q, "),
    ],
)  # fmt: skip
def test_what_is_no_network_of_the_format_is_refused_in_one_line(tmp_path, state, format, words):
    with refuses(words, error=NetworkError):
        imported(state, format, tmp_path)


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("unembed.W_U", (5, 8), "of shape (5, 8), where it has (5, 7)"),
        ("pos_embed.W_pos", (3, 5), "of shape (3, 5), where it has (2, 5)"),
        ("blocks.1.attn.W_O", (5, 5), "of shape (5, 5), where it has (5, 6)"),
        ("blocks.0.mlp.b_in", (9, 1), "of shape (9, 1), where it has (9,)"),
        ("blocks.1.mlp.W_in", (4, 5), "of shape (4, 5), where it has (9, 5)"),
        ("embed.W_E", (7,), "with fewer axes than it has"),
        ("embed.W_E", (0, 7), "where it has (2, 0)"),
    ],
)
def test_a_transformer_of_a_wrong_shape_is_refused(tmp_path, name, shape, expected):
    with refuses(expected, error=NetworkError):
        imported(transformer_state(2) | {name: torch.zeros(shape)}, "zhong_softmax", tmp_path)


def test_two_vocabularies_are_refused_by_their_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(modadd.networks.foreign, "CHANCE", 0)  # of 8 numbers, it would be like chance
    external = imported(fitted(tokens=2 * N), "zhong_ones", tmp_path)
    with refuses(f"two vocabularies of {N}", "only cyclic groups are read", error=NetworkError):
        found_in("mine.pt", external)


def test_a_file_with_another_hash_is_refused_before_it_is_opened(tmp_path, monkeypatch):
    path, sha256 = saved(two_layer_state(), tmp_path / "weights.pt")
    monkeypatch.delattr(torch, "load")
    with refuses(str(path), f"expected sha256 {'0' * 64}", f"found {sha256}", error=NetworkError):
        read_external(path, "two_layer_mlp", "0" * 64)


def test_the_page_has_every_name_of_every_format():
    page = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    for format, (_, published) in FORMATS.items():
        assert f"| `{format}` |" in page
        for names in published:
            for name in names.values():
                whole = name.removesuffix(".T").replace("{layer}", "0")
                ways = (whole, whole.partition(".0.")[2], whole.rpartition(".")[2])
                assert any(f"`{way}`" in page for way in ways), f"{format}: {name}"


def test_config_and_questions_know_every_format_and_activation():
    keys = read_yaml(CONFIG_SCHEMA)["$defs"]["imported"]["properties"]
    assert keys["format"]["enum"] == list(FORMATS) and keys["activation"]["enum"] == list(ACTIVATIONS)
    shown = read_yaml(SCHEMAS / "question.schema.yaml")["properties"]["formats"]
    assert shown["items"]["enum"] == list(FORMATS)


@pytest.mark.parametrize(
    ("said", "valid"),
    [
        ({"tensors": {"W_in": "0.weight", "W_out": "2.weight"}, "tokens": ["a", 97, "b", 98]}, True),
        ({"tensors": ["0.weight"]}, False),
        ({"tensors": {}}, False),
        ({"tokens": ["a", 1.5]}, False),
        ({"tokens": ["a", "a"]}, False),
    ],
)
def test_an_entry_of_the_config_names_tensors_and_tokens(said, valid):
    schema = read_yaml(CONFIG_SCHEMA)
    entry = {"path": "mine.pt", "format": "embedding_mlp", "sha256": "0" * 64, **said}
    assert Draft202012Validator({"$ref": "#/$defs/imported", "$defs": schema["$defs"]}).is_valid(entry) == valid


def test_settings_of_the_softmax_format_name_their_file(tmp_path):
    path, sha256 = saved(transformer_state(), tmp_path / "mine.pt")
    (tmp_path / "mine.json").write_text(json.dumps({"attn_coeff": 0.5}))
    assert "attn_coeff 0.5 taken from mine.json" in read_external(path, "zhong_softmax", sha256).steps
