import hashlib
import math
import os

import numpy as np
import pytest
import torch
from support import ROOT, refuses

from modadd.attention.measures import attention_measures, embedding_frequencies
from modadd.core.neurons import neurons_of
from modadd.core.separable import accuracy
from modadd.networks.architectures import ARCHITECTURES, separable_of
from modadd.networks.importers import FORMATS, load_external, read_external, save_external
from modadd.networks.store import NetworkError, read_tensors, write_tensors
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


def drawn(shapes, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return {name: torch.randn(shape, generator=generator) / 2 for name, shape in shapes.items()}


def two_layer_state(n=7, d_model=5, d_mlp=9):
    return drawn({"W_E": (n, d_model), "W_in": (d_model, d_mlp), "W_U": (d_mlp, n)})


def transformer_state(layers=1, n=7, d_model=5, n_heads=3, d_head=2, d_mlp=9):
    """As [Z]'s code saves it; no two sizes are equal, and the heads together are wider than the stream."""
    shapes = {"embed.W_E": (d_model, n), "pos_embed.W_pos": (2, d_model), "unembed.W_U": (d_model, n)}
    for layer in range(layers):
        block = {f"attn.{name}": (n_heads, d_head, d_model) for name in ("W_K", "W_Q", "W_V")}
        block |= {"attn.W_O": (d_model, n_heads * d_head), "attn.mask": (2, 2), "mlp.W_in": (d_mlp, d_model)}
        block |= {"mlp.b_in": (d_mlp,), "mlp.W_out": (d_model, d_mlp), "mlp.b_out": (d_model,)}
        shapes |= {f"blocks.{layer}.{name}": shape for name, shape in block.items()}
    return drawn(shapes)


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


def saved(state, path):
    """The state dict as a file, and its hash."""
    torch.save(state, path)
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def imported(state, format, tmp_path):
    path, sha256 = saved(state, tmp_path / "weights.pt")
    return read_external(path, format, sha256)


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


def test_the_two_layer_format_has_the_tensors_of_our_architecture():
    sizes = {"n": 7, "d_model": 5, "d_mlp": 9}
    layout = {k: tuple(map(sizes.get, v.split())) for k, v in FORMATS["two_layer_mlp"].layout([]).items()}
    assert layout == ARCHITECTURES["two_layer_mlp"].shapes(7, sizes)


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


def test_a_file_with_another_hash_is_refused_before_it_is_opened(tmp_path, monkeypatch):
    path, sha256 = saved(two_layer_state(), tmp_path / "weights.pt")
    monkeypatch.delattr(torch, "load")
    with refuses(str(path), f"expected sha256 {'0' * 64}", f"found {sha256}", error=NetworkError):
        read_external(path, "two_layer_mlp", "0" * 64)


def test_an_absent_file_is_refused(tmp_path):
    with refuses(str(tmp_path / "none.pt"), "no such file", "two_layer_mlp", error=NetworkError):
        read_external(tmp_path / "none.pt", "two_layer_mlp", "0" * 64)


def test_an_unknown_format_is_refused_with_the_nearest_valid_name(tmp_path):
    with refuses("unknown format 'zhong_one'", "did you mean 'zhong_ones'?", error=NetworkError):
        imported(transformer_state(), "zhong_one", tmp_path)


class Code:
    """Unpickled, it would make a folder."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (self.folder,)


def test_a_pickle_that_holds_code_is_refused_and_the_code_is_not_run(tmp_path):
    with refuses("expected a dict of tensors", "GLOBAL posix.mkdir", error=NetworkError):
        imported(two_layer_state() | {"W_U": Code(str(tmp_path / "made"))}, "two_layer_mlp", tmp_path)
    assert not (tmp_path / "made").exists()


def test_a_whole_module_is_refused_by_the_name_of_its_class(tmp_path):
    with refuses("expected a dict of tensors", "GLOBAL torch.nn.modules.linear.Linear", error=NetworkError):
        imported(torch.nn.Linear(2, 2), "two_layer_mlp", tmp_path)


@pytest.mark.parametrize("content", [b"", b"not weights", b"PK\x03\x04"], ids=["empty", "text", "truncated"])
def test_a_file_that_is_no_pickle_is_refused(tmp_path, content):
    path = tmp_path / "weights.pt"
    path.write_bytes(content)
    with refuses(str(path), "expected a dict of tensors", error=NetworkError):
        read_external(path, "two_layer_mlp", hashlib.sha256(content).hexdigest())


def test_something_else_than_a_dict_is_refused(tmp_path):
    with refuses("expected a dict of tensors, found list", error=NetworkError):
        imported([torch.ones(2)], "two_layer_mlp", tmp_path)


def test_a_mistyped_name_is_refused_with_the_nearest_one_and_all_that_was_found(tmp_path):
    state = two_layer_state()
    state["W_ein"] = state.pop("W_in")
    fragments = ["unknown tensor 'W_ein'", "did you mean 'W_in'?", "expected one of W_E, W_U, W_in"]
    with refuses(*fragments, "found W_E, W_U, W_ein", error=NetworkError):
        imported(state, "two_layer_mlp", tmp_path)


def test_a_missing_tensor_is_refused_with_all_that_was_expected_and_found(tmp_path):
    state = two_layer_state()
    del state["W_U"]
    with refuses("'W_U' is missing", "expected W_E, W_in, W_U", "found W_E, W_in", error=NetworkError):
        imported(state, "two_layer_mlp", tmp_path)
    with refuses("'W_E' is missing", "found (none)", error=NetworkError):
        imported({}, "two_layer_mlp", tmp_path)


def test_the_other_format_is_refused(tmp_path):
    with refuses("unknown tensor 'W_E'", "did you mean 'embed.W_E'?", error=NetworkError):
        imported(two_layer_state(), "zhong_ones", tmp_path)


def test_a_gap_in_the_layers_is_refused(tmp_path):
    state = {name.replace("blocks.1.", "blocks.2."): value for name, value in transformer_state(2).items()}
    with refuses("unknown tensor 'blocks.2.attn.W_K'", "did you mean 'blocks.", error=NetworkError):
        imported(state, "zhong_ones", tmp_path)


def test_a_transformer_without_a_layer_is_refused(tmp_path):
    with refuses("'blocks.0.attn.W_K' is missing", "found embed.W_E", error=NetworkError):
        imported(transformer_state(0), "zhong_ones", tmp_path)


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("unembed.W_U", (5, 8), "expected shape (d_model, n) with d_model = 5, n = 7"),
        ("pos_embed.W_pos", (3, 5), "expected shape (2, d_model) with d_model = 5, n = 7"),
        ("blocks.1.attn.W_O", (5, 5), "expected shape (d_model, n_heads*d_head) with d_model = 5, n = 7, n_heads = 3"),
        ("blocks.0.mlp.b_in", (9, 1), "expected shape (d_mlp) with d_model = 5"),
        ("blocks.1.mlp.W_in", (4, 5), "expected shape (d_mlp, d_model) with d_model = 5"),
        ("embed.W_E", (7,), "expected shape (d_model, n) with every size at least 1"),
        ("embed.W_E", (0, 7), "expected shape (d_model, n) with d_model = 0"),
    ],
)
def test_a_wrong_shape_is_refused_with_the_sizes_read_so_far(tmp_path, name, shape, expected):
    with refuses(f"'{name}'", expected, f"found {shape}", error=NetworkError):
        imported(transformer_state(2) | {name: torch.zeros(shape)}, "zhong_softmax", tmp_path)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.int64])
def test_a_wrong_type_is_refused(tmp_path, dtype):
    with refuses("'W_in'", "expected torch.float32", f"found {dtype}", error=NetworkError):
        imported(two_layer_state() | {"W_in": torch.zeros((5, 9), dtype=dtype)}, "two_layer_mlp", tmp_path)


def test_a_sparse_tensor_and_a_number_are_refused(tmp_path):
    with refuses("'W_in'", "expected torch.float32, torch.strided", "torch.sparse_coo", error=NetworkError):
        imported(two_layer_state() | {"W_in": torch.ones(5, 9).to_sparse()}, "two_layer_mlp", tmp_path)
    with refuses("'W_in'", "expected a float32 tensor, found int", error=NetworkError):
        imported(two_layer_state() | {"W_in": 3}, "two_layer_mlp", tmp_path)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_values_that_are_not_finite_are_counted(tmp_path, value):
    state = two_layer_state()
    state["W_U"][0, :2] = value
    with refuses("'W_U'", "2 values that are not finite", error=NetworkError):
        imported(state, "two_layer_mlp", tmp_path)


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
    found = attention_measures(network)
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
def test_the_published_two_layer_weights_have_the_published_norm():
    external = published("kissane")
    assert np.linalg.norm(external.separable().W) == pytest.approx(36.85185, abs=5e-6)
    assert set(embedding_frequencies(external.embeddings())) >= {1, 3, 17, 19, 21, 23, 28, 29, 33, 35, 37, 42, 44}
