"""A build without Coq shows what Coq said before, of networks of exactly these bits."""

import re
from hashlib import sha256

import pytest
from support import ROOT, published_weights, told_by

from modadd.certificates.formal import checksum, theorem_of
from modadd.certificates.provable import provable
from modadd.core.files import read_json, write_json
from paper.commands import proof
from paper.commands.proof import fails, told
from paper.coq import wanted
from paper.datasets import datasets_of
from paper.ledger.read.published import read_published
from paper.proofs import proof_files

NAMES = ["pizza_transformer/seed0", "q_seeds"]
NOTHING = datasets_of({})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A project in which nothing is kept yet."""
    monkeypatch.setattr("paper.proofs.in_project", lambda file: str(tmp_path / file))
    return tmp_path


def test_kept_proofs_are_shown_of_the_networks_that_have_one(folder):
    write_json(folder / "data/proofs/theorems.json", {"theorems": []})
    write_json(folder / "data/proofs/pizza_transformer_seed0.json", {"networks": []})
    assert proof_files(NAMES, NOTHING, "kept") == {
        "theorems": [f"{folder}/data/proofs/theorems.json"],
        "pizza_transformer/seed0": [f"{folder}/data/proofs/pizza_transformer_seed0.json"],
    }
    assert not wanted("kept"), "Coq is not asked"


def test_without_kept_proofs_there_is_nothing_to_show(folder):
    assert proof_files(NAMES, NOTHING, "kept") == {}


def test_what_coq_said_of_published_weights_is_shown_where_coq_is_asked_too(folder, monkeypatch):
    monkeypatch.setattr("paper.proofs.wanted", lambda setting: True)
    for name in ("kissane", "pizza_transformer_seed0"):
        write_json(folder / f"data/proofs/{name}.json", {"networks": []})
    assert proof_files(["pizza_transformer/seed0", "kissane"], NOTHING, True) == {
        "theorems": ["results/proofs/theorems.json"],
        "pizza_transformer/seed0": ["results/proofs/networks/pizza_transformer/seed0.json"],
        "kissane": [f"{folder}/data/proofs/kissane.json"],
    }


@pytest.mark.parametrize("name", ["kissane", "zhong_model_a"])
def test_the_kept_proof_of_published_weights_is_about_their_bits(name):
    kept = read_json(ROOT / f"data/proofs/{name}.json")
    (found,) = kept["networks"]
    assert found["accepted"] and found["own_axioms"] == []
    assert kept["weights_sha256"] == read_published(ROOT / "data/published/values.json")[name]["sha256"]
    network = provable(published_weights(name))
    assert found["checksum"] == checksum(network.parameters)
    assert kept["proof_sha256"] == sha256(theorem_of(network).encode()).hexdigest(), "what Coq would be asked now"


@pytest.mark.parametrize(
    ("words", "target", "some"),
    [
        ([], "proofs", {"pizza_transformer/seed0", "c91_batch"}),
        (
            ["--network", "embedding_mlp/seed0"],
            "results/proofs/networks/embedding_mlp/seed0.json",
            {"embedding_mlp/seed0"},
        ),
    ],
)
def test_make_proof_builds_every_proof_of_the_config_or_one(words, target, some, untrained, monkeypatch, in_root):
    built, reported = [], []
    monkeypatch.setattr(proof, "build_with_proofs", lambda *asked: built.append(asked))
    monkeypatch.setattr(proof, "report", lambda names, datasets: bool(reported.extend(names)))
    monkeypatch.setattr(proof, "axioms_again", lambda names: f"{len(names)} files")
    monkeypatch.setattr(proof, "load_network", lambda file: untrained)
    monkeypatch.setattr(proof, "wrong_answer", lambda network: None)
    assert told_by("proof", *words)[1] == 0 and built == [(target,)]
    assert some <= {*reported} and len(reported) == len({*reported})


def test_a_network_that_was_named_and_answers_wrong_is_refused_with_an_input(untrained, monkeypatch, in_root):
    monkeypatch.setattr(proof, "build_with_proofs", lambda *asked: None)
    monkeypatch.setattr(proof, "load_network", lambda file: untrained)
    _, sentence = told_by("proof", "--network", "embedding_mlp/seed0")
    assert re.match(r"proof: embedding_mlp/seed0: nothing to prove: at \(\d+, \d+\) the right answer", sentence)


@pytest.mark.parametrize(
    ("changes", "words", "failed"),
    [
        ({}, "accepted, and as it runs in float32; margin 2, ball 0.1, rounding 0.5; 1 axioms; 3 s", False),
        ({"runs": False}, "accepted, with no room for float32's rounding", False),
        ({"accepted": False}, "NOT ACCEPTED", True),
        ({"accepted": False, "margin": -1.0}, "answers wrong, so nothing to prove", False),
        ({"accepted": False, "own_axioms": ["wrong"]}, "1 axioms, wrong not of Coq", True),
    ],
)
def test_a_line_says_what_came_out_and_a_right_network_that_is_not_accepted_fails(changes, words, failed):
    found = {"accepted": True, "runs": True, "margin": 2.0, "allowance": 0.1, "rounding": 0.5}
    found |= {"axioms": ["int"], "own_axioms": []} | changes
    assert words in told("seed0", found, "3 s") and fails(found) == failed


def test_weights_that_were_not_fetched_are_named_before_anything_is_built(monkeypatch):
    absent = {"absent": {"format": "two_layer_mlp", "sha256": ""}}
    monkeypatch.setattr(proof, "build_with_proofs", lambda *asked: pytest.fail("the lemmas were compiled first"))
    monkeypatch.setattr(proof, "read_published", lambda file: absent)
    with pytest.raises(ValueError, match=r"data/external/absent\.pt: expected the published weights.*keep\.py weights"):
        proof.prove_published(kept=False)


def test_what_coq_read_and_said_of_a_network_of_ones_own_is_kept_and_one_line_printed(
    untrained, tmp_path, monkeypatch, capsys
):
    found = {"accepted": True, "runs": True, "margin": 2.0, "allowance": 0.1, "rounding": 0.5, "axioms": []}

    def prove(networks, library):
        print("many axioms", file=proof.sys.stderr)
        return [found | {"own_axioms": []}], {"seed0.v": "Theorem"}

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(proof, "prove", prove)
    _, read = proof.prove_apart("folder/mine.pt", untrained)
    printed = capsys.readouterr()
    assert printed.out.startswith("folder/mine.pt: accepted") and not printed.err
    assert read.read_text() == "Theorem" and read.with_suffix(".log").read_text() == "many axioms\n"


@pytest.mark.parametrize("format", [None, ""])
def test_a_file_without_its_format_is_refused_with_the_formats(format, tmp_path):
    with pytest.raises(ValueError, match=r"FORMAT is missing.*two_layer_mlp"):
        proof.prove_own(tmp_path / "mine.pt", format)
