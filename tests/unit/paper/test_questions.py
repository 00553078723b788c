"""What follows from config and ledger: files, and what each notebook reads and is told."""

from pathlib import Path

import pytest
from support import LEDGER, refuses

from modadd.networks.recipes import RECIPES
from paper.config import read_config
from paper.datasets import datasets_of, network_file, place_of
from paper.proofs import proof_files
from paper.questions import imported, mark_of, questions_of

S3 = {"recipe": "group_mlp", "operation": "S3", "modulus": 6, "train_pairs": 36}
WATCHED = {
    "square_mlp": {"seeds": [0], "snapshots": 2},
    "mine": {"recipe": "two_layer_mlp", "seeds": [7, 0], "snapshots": 2},
    "groups": {**S3, "seeds": [0], "snapshots": 2},
    "group_mlp": {"seeds": [2], "snapshots": 2},
}
DEFAULTS = {"figure_formats": ["svg"], "less": False, "notebooks": {}}


@pytest.fixture
def questions(in_root):
    """Those of the default config."""
    config = DEFAULTS | read_config("config/config.yaml")
    return questions_of(config, LEDGER, datasets_of(config))


def test_committed_rows_are_those_of_populations_of_snapshots_and_of_experiments(in_root):
    kept = datasets_of(read_config("config/config.yaml")).kept
    expected = ("populations/c91_batch", "stages/embedding_mlp", "competition")
    assert {f"data/{name}.parquet" for name in expected} <= {*kept} and len({*kept}) == len(kept)


def test_a_name_of_the_ledger_is_a_network_of_a_study_or_the_exhibit_of_a_population():
    assert place_of("two_layer_mlp/seed10") == ("two_layer_mlp", 10) and place_of("c91_batch/exhibit")[1] is None
    assert network_file("two_layer_mlp/seed10") == "results/networks/two_layer_mlp/seed10.safetensors"
    assert network_file("c91_batch/exhibit") == "results/exhibits/c91_batch.safetensors"
    assert place_of("m_rounding/witness") == ("m_rounding", None)
    assert network_file("m_rounding/witness").endswith("data/populations/witnesses/m_rounding.safetensors")


@pytest.mark.parametrize("asked", [True, False])
def test_coq_is_asked_about_networks_exhibits_and_every_shard_of_a_population(asked, monkeypatch):
    monkeypatch.setattr("paper.proofs.wanted", lambda setting: setting)
    datasets = datasets_of({"datasets": {"q_seeds": {"recipe": "pizza_transformer", "seeds": [50, 104]}}})
    expected = {
        "theorems": ["results/proofs/theorems.json"],
        "pizza_transformer/seed0": ["results/proofs/networks/pizza_transformer/seed0.json"],
        "c91_batch/exhibit": ["results/proofs/exhibits/c91_batch.json"],
        "q_seeds": [f"results/proofs/populations/q_seeds/seeds{seed}.json" for seed in (50, 104)],
    }
    names = ["pizza_transformer/seed0", "c91_batch/exhibit", "q_seeds"]
    assert proof_files(names, datasets, asked) == (expected if asked else {})


@pytest.mark.parametrize(
    ("format", "given"),
    [
        ("two_layer_mlp", {"cross_study", "short_proofs", "two_layer_mlp"}),
        ("zhong_ones", {"cross_study", "short_proofs", "pizza_cosets"}),
        ("nanda_transformer", {"cross_study"}),
    ],
)
def test_a_notebook_is_given_the_imported_networks_that_it_shows(format, given):
    datasets = datasets_of({"datasets": WATCHED | {"theirs": {"path": "theirs.pt", "format": format}}})
    shown_in = {
        name
        for name in ("cross_study", "short_proofs", "pizza_cosets", "two_layer_mlp")
        if imported(LEDGER["notebooks"][name], datasets)
    }
    assert shown_in == given
    assert imported(LEDGER["notebooks"]["cross_study"], datasets) == ["theirs"]


def test_a_question_reads_the_files_that_its_notebook_is_given_and_names_what_it_makes(questions):
    phases = questions["phases"]
    assert phases.shown == "pizza_transformer/seed0" and phases.study == "Q"
    assert phases.given["network_file"] in phases.reads and phases.given["values_file"] == "results/values/phases.json"
    assert phases.recipes.keys() == {"results/networks/pizza_transformer/seed0.safetensors"}
    assert {"figures/phases/phase_law.svg", "figures/phases/phase_law.csv"} <= {*phases.figures}
    assert {"figures/notebooks/phases.html", *phases.figures, *phases.tables} == {*phases.pictures}
    for question in questions.values():
        assert all(repr(file) in repr(question.given) for file in question.reads), question.name


def test_a_notebook_is_told_of_claims_on_its_networks_and_on_others(questions):
    told = questions["mlp_key_frequencies"].given
    own, others = ({claim["id"]: claim for claim in told[name]} for name in ("claims", "claims_elsewhere"))
    assert {"mlp_nine_terms", "mlp_sum_of_cosines"} <= set(own) and not set(own) & set(others)
    assert others["phase_law_in_every_study"]["studies"] == ["C", "Q"]
    assert "claims_elsewhere" not in questions["seeds"].given and "claims" not in questions["phases"].given


def test_a_notebook_is_told_what_the_items_print_that_it_names(questions, monkeypatch):
    printed = {"frequency_and_modulus": [15, 59], "step_and_quotient": [4, 3.93]}
    assert questions["pizza_cosets"].given["items"] == {"C/pizza_step_of_15": printed}
    monkeypatch.setattr("paper.questions.notebook_parameters", lambda _: {"items": {"C/pizza_step": {}}})
    config = DEFAULTS | read_config("config/config.yaml")
    with refuses(".py: items: ", "'C/pizza_step'", "C/pizza_step_of_15"):
        questions_of(config, LEDGER, datasets_of(config))


@pytest.mark.parametrize(
    ("recipe", "mark"),
    [("pizza_transformer", "Q"), ("group_mlp", "T"), ("factored_mlp", "C"), ("twice_factored_mlp", "ours")],
)
def test_the_mark_of_a_study_is_the_first_that_a_source_names(recipe, mark):
    assert mark_of(RECIPES[recipe]) == mark


@pytest.mark.parametrize("folder", ["", "results/smoke"])
def test_a_file_of_weights_is_found_from_every_folder_that_is_built_in(tmp_path, monkeypatch, folder):
    monkeypatch.setattr("modadd.core.files.ROOT", tmp_path)
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(tmp_path / folder)
    file = tmp_path / "data/external/x.npz"
    entries = {"inside": {"path": "data/external/x.npz"}, "anywhere": {"path": str(file)}}
    inside, anywhere = datasets_of({"datasets": entries}).imported.values()
    assert Path(inside["path"]).resolve() == file and anywhere["path"] == str(file)
    assert folder or inside["path"] == "data/external/x.npz"
