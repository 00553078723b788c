"""A build without Coq shows what Coq said before, of networks of exactly these bits."""

import pytest
from support import LEDGER

from modadd.core.files import write_json
from modadd.planning.plan import Plan

CONFIG = {"figure_formats": ["svg"], "proofs": "kept", "datasets": {}}
NAMES = ["pizza_transformer/seed0", "q_seeds"]


@pytest.fixture
def plan(tmp_path, monkeypatch):
    monkeypatch.setattr("modadd.planning.plan.own", lambda file: str(tmp_path / file))
    return Plan(CONFIG, {"notebooks": {}, "claims": LEDGER["claims"]})


def test_kept_proofs_are_shown_of_the_networks_that_have_one(plan, tmp_path):
    write_json(tmp_path / "data/proofs/theorems.json", {"theorems": []})
    write_json(tmp_path / "data/proofs/pizza_transformer_seed0.json", {"networks": []})
    assert plan.proofs(NAMES) == {
        "theorems": [f"{tmp_path}/data/proofs/theorems.json"],
        "pizza_transformer/seed0": [f"{tmp_path}/data/proofs/pizza_transformer_seed0.json"],
    }
    assert not plan.proves, "Coq is not asked"


def test_without_kept_proofs_there_is_nothing_to_show(plan):
    assert plan.proofs(NAMES) == {}
