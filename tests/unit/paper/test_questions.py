"""Paths that follow from config and ledger."""

import pytest
from paper.config import read_config
from support import LEDGER

from modadd.planning.paths import network_file, place_of
from modadd.planning.plan import Plan

S3 = {"recipe": "group_mlp", "operation": "S3", "modulus": 6, "train_pairs": 36}
WATCHED = {
    "square_mlp": {"seeds": [0], "snapshots": 2},
    "mine": {"recipe": "two_layer_mlp", "seeds": [7, 0], "snapshots": 2},
    "groups": {**S3, "seeds": [0], "snapshots": 2},
    "group_mlp": {"seeds": [2], "snapshots": 2},
}


@pytest.fixture
def plan():
    """That of some watched networks and no notebook."""
    return Plan({"datasets": WATCHED, "figure_formats": ["svg"]}, {"notebooks": {}, "claims": []})


def test_committed_rows_are_those_of_populations_of_snapshots_and_of_experiments(in_root):
    config = read_config("config/config.yaml")
    kept = Plan(config | {"figure_formats": ["svg"]}, {"notebooks": {}, "claims": []}).kept()
    expected = ("populations/c91_batch", "stages/embedding_mlp", "competition")
    assert {f"data/{name}.parquet" for name in expected} <= {*kept} and len({*kept}) == len(kept)


def test_a_name_of_the_ledger_is_a_network_of_a_study_or_the_exhibit_of_a_population():
    assert place_of("two_layer_mlp/seed10") == ("two_layer_mlp", 10) and place_of("c91_batch/exhibit")[1] is None
    assert network_file("two_layer_mlp/seed10") == "results/networks/two_layer_mlp/seed10.safetensors"
    assert network_file("c91_batch/exhibit") == "results/exhibits/c91_batch.safetensors"
    assert place_of("m_rounding/witness") == ("m_rounding", None)
    assert network_file("m_rounding/witness").endswith("data/populations/witnesses/m_rounding.safetensors")


@pytest.mark.parametrize("proves", [True, False])
def test_coq_is_asked_about_networks_exhibits_and_every_shard_of_a_population(proves):
    populations = {"q_seeds": {"recipe": "pizza_transformer", "seeds": [50, 104]}}
    config = {"datasets": populations, "figure_formats": ["svg"]}
    asked = Plan(config | {"proofs": proves}, {"notebooks": {}, "claims": []}).proofs(
        ["pizza_transformer/seed0", "c91_batch/exhibit", "q_seeds"]
    )
    expected = {
        "theorems": ["results/proofs/theorems.json"],
        "pizza_transformer/seed0": ["results/proofs/networks/pizza_transformer/seed0.json"],
        "c91_batch/exhibit": ["results/proofs/exhibits/c91_batch.json"],
        "q_seeds": [f"results/proofs/populations/q_seeds/seeds{seed}.json" for seed in (50, 104)],
    }
    assert asked == (expected if proves else {})


@pytest.mark.parametrize(
    ("format", "given"),
    [
        ("two_layer_mlp", {"cross_study", "certificates", "two_layer_mlp"}),
        ("zhong_ones", {"cross_study", "certificates", "pizza_cosets"}),
        ("nanda_transformer", {"cross_study"}),
    ],
)
def test_a_notebook_is_given_the_imported_networks_that_it_shows(in_root, format, given):
    datasets = WATCHED | {"theirs": {"path": "theirs.pt", "format": format, "sha256": "0" * 64}}
    plan = Plan({"datasets": datasets, "figure_formats": ["svg"]}, LEDGER)
    asked = ("cross_study", "certificates", "pizza_cosets", "two_layer_mlp")
    assert {name for name in asked if plan.imported(name)} == given
    assert plan.imported("cross_study") == ["theirs"]


def test_a_notebook_is_told_of_claims_on_its_networks_and_on_others(in_root):
    plan = Plan(read_config("config/config.yaml") | {"figure_formats": ["svg"]}, LEDGER)
    told = plan.told("mlp_key_frequencies")
    own, others = ({claim["id"]: claim for claim in told[name]} for name in ("claims", "claims_elsewhere"))
    assert {"mlp_nine_terms", "mlp_sum_of_cosines"} <= set(own) and not set(own) & set(others)
    assert others["phase_law_in_every_study"]["studies"] == ["C", "Q"]
    assert "claims_elsewhere" not in plan.told("seeds") and "claims" not in plan.told("phases")


def test_a_notebook_is_told_what_the_items_print_that_it_names(in_root, monkeypatch):
    plan = Plan(read_config("config/config.yaml") | {"figure_formats": ["svg"]}, LEDGER)
    printed = {"frequency_and_modulus": [15, 59], "step_and_quotient": [4, 3.93]}
    assert plan.told("pizza_cosets")["items"] == {"C/pizza_step_of_15": printed}
    monkeypatch.setattr("modadd.planning.plan.notebook_parameters", lambda _: {"items": {"C/pizza_step": {}}})
    with pytest.raises(ValueError, match=r"pizza_cosets.py: items: .*'C/pizza_step'.*C/pizza_step_of_15"):
        plan.told("pizza_cosets")
