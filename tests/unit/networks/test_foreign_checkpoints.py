"""Every checkpoint of the table in docs/formats.md is read as it says, or refused in its words; none as something else."""

import json

import numpy as np
import pytest
import torch
from converted import CONVERTED
from converted import state as converted
from state_dicts import chughtai_state, imported, lens_state, nanda_state, saved, transformer_state
from support import refuses
from test_trained_otherwise import N, fitted

from modadd.networks.formats import EVERYTHING
from modadd.networks.found import found_in
from modadd.networks.importers import read_external
from modadd.networks.store import NetworkError
from modadd.page.networks_of_others import ANALYSED, NOT_ANALYSED

READ = {
    "C. Kissane's two-layer MLP": lambda: converted("two_layer_mlp"),
    "an embedding MLP with biases (McCracken et al.)": lambda: converted("embedding_mlp"),
    "Chughtai et al., mod 113": lambda: converted("chughtai_mlp"),
    "Chughtai et al., an even modulus such as 118": lambda: chughtai_state(n=8),
    "one-hot inputs into `nn.Linear`, ReLU (arXiv 2602.16849)": lambda: converted("linear_mlp"),
    "the same with u² neurons (arXiv 2301.02679, one-hot)": lambda: converted("linear_mlp"),
    "Nanda et al., with their own code": nanda_state,
    "Nanda et al., through TransformerLens": lens_state,
    "C. Kissane's subtraction transformer": nanda_state,
    "Zhong et al., attention all ones, one layer (Model A)": lambda: converted("zhong_ones"),
    "Zhong et al., attention all ones, several layers": lambda: transformer_state(layers=2),
    "Zhong et al., softmax attention (Model B)": lambda: converted("zhong_softmax"),
    "Zhong et al., GeLU": lambda: fitted(activation="gelu"),
}
TRAINED = [  # by us, to their end, and put into the format: what is said of them is true of others
    "C. Kissane's two-layer MLP",
    "an embedding MLP with biases (McCracken et al.)",
    "Chughtai et al., mod 113",
    "one-hot inputs into `nn.Linear`, ReLU (arXiv 2602.16849)",
    "Zhong et al., attention all ones, one layer (Model A)",
]
REFUSED = {
    "Zhong et al., linear models": {"embed.weight": torch.ones(7, 5), "linear1.weight": torch.ones(9, 5)},
    "Zhong et al., attention between ones and softmax, its settings beside it": transformer_state(),
    "Zhong et al., two vocabularies": fitted(tokens=2 * N),
    "a transformer with LayerNorm": nanda_state() | {"blocks.0.ln1.w": torch.ones(5)},
    "a transformer on a, b without '=', through TransformerLens": lens_state() | {"pos_embed.W_pos": torch.ones(2, 5)},
    "a transformer of attention alone": {name: value for name, value in lens_state().items() if "mlp" not in name},
}


def test_every_row_of_the_tables_is_written_here():
    assert READ.keys() == ANALYSED.keys() and REFUSED.keys() == NOT_ANALYSED.keys()


@pytest.mark.parametrize("name", ANALYSED)
def test_a_checkpoint_of_the_field_is_analysed_as_the_table_says(tmp_path, name):
    format, said, analysed = ANALYSED[name]
    external = imported(READ[name](), format, tmp_path, **said)
    assert (external.separable() is not None) == (analysed == EVERYTHING)
    n = external.modulus
    assert external.logits().shape == (n, n, n) and len(external.embeddings()) == n
    assert external.preactivations().shape[:2] == (n, n)


@pytest.mark.parametrize("name", TRAINED)
def test_an_entry_names_the_activation_where_the_table_says_so_and_only_there(tmp_path, name):
    format, said, _ = ANALYSED[name]
    external = imported(READ[name](), format, tmp_path)
    if said.keys() == {"activation"}:
        with refuses(f"`activation: {said['activation']}`", error=NetworkError):
            found_in("mine.pt", external)
    else:
        assert "Warning" not in found_in("mine.pt", external)


@pytest.mark.parametrize("name", NOT_ANALYSED)
def test_a_checkpoint_that_no_format_reads_is_refused_in_the_words_of_the_table(tmp_path, name):
    format, words = NOT_ANALYSED[name]
    path, sha256 = saved(REFUSED[name], tmp_path / "mine.pt")
    if "settings" in name:
        (tmp_path / "mine.json").write_text(json.dumps({"attn_coeff": 0.5}))
    with refuses(words, error=NetworkError):
        found_in(path, read_external(path, format, sha256))


@pytest.mark.parametrize("format", CONVERTED)
def test_a_trained_network_of_ours_keeps_its_answers_in_every_format(tmp_path, format):
    external = imported(converted(format), format, tmp_path, activation="relu")
    if format == "embedding_mlp":  # of the largest the answers alone: reading it in every way takes long
        assert np.array_equal(external.logits().argmax(-1), np.add.outer(range(91), range(91)) % 91)
    else:
        found = found_in("mine.pt", external)
        assert "accuracy 1" in found and "Warning" not in found
