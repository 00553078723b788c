"""A claim about many networks names a measure of their rows."""

import pytest
from support import LEDGER, ROOT, refuses

from paper.config import read_config
from paper.datasets import datasets_of
from paper.ledger.read.known import require_measures

DATASETS = datasets_of(read_config(ROOT / "config/config.yaml"))
RECORDED = {  # a claim about the network shown
    "id": "angles",
    "notebook": "phases",
    "of": "published",
    "judged_on": [],
    "value": "recorded_there",
    "rests_on": "one_training",
}


def test_every_claim_of_the_ledger_does():
    require_measures(DATASETS, LEDGER)


@pytest.mark.parametrize("of", ["most", "nearly_all"])
def test_an_unknown_measure_is_answered_with_the_nearest_one(of):
    ledger = {
        "claims": [RECORDED | {"of": of, "judged_on": ["q_seeds"], "value": "angel_term"}],
    }
    with refuses("claim 'angles'.value", "'q_seeds'", "unknown measure 'angel_term'", "did you mean 'angle_term'?"):
        require_measures(DATASETS, ledger)


def test_networks_of_another_activation_have_numbers_of_their_own():
    claim = RECORDED | {"of": "most", "judged_on": ["q_activations"], "rests_on": "many_trainings"}
    require_measures(DATASETS, {"claims": [claim | {"value": "largest_integral"}]})
    with refuses("'q_activations'", "unknown measure 'lipschitz_bound'"):
        require_measures(DATASETS, {"claims": [claim | {"value": "lipschitz_bound"}]})


def test_a_claim_about_the_network_shown_may_name_what_its_notebook_records():
    require_measures(DATASETS, {"claims": [RECORDED | {"rests_on": "many_trainings"}]})


def test_a_claim_on_one_training_has_a_number_that_rows_have_or_says_why_it_has_none():
    questions = {"notebooks": {"phases": {"inputs": {"retrainings": ["q_rounding"]}}}}
    for saying in ({"value": "phase_line_r_squared"}, {"one_because": "Snapshots of others are not kept."}):
        require_measures(DATASETS, {"claims": [RECORDED | saying]} | questions)
    with refuses("claim 'angles'.one_because: expected why no other training tells", "no row has 'recorded_there'"):
        require_measures(DATASETS, {"claims": [RECORDED]} | questions)


def test_a_share_of_one_training_is_said_to_be_a_fraction():
    share = RECORDED | {"value": "identity_mass"}
    questions = {"notebooks": {"phases": {"inputs": {"retrainings": ["q_rounding"]}}}}
    require_measures(DATASETS, {"claims": [share | {"fraction": True}, share | {"of": "most"}]} | questions)
    with refuses("claim 'angles'.fraction: expected true, as 'identity_mass' is a share"):
        require_measures(DATASETS, {"claims": [share]} | questions)


def test_costly_measures_are_asked_of_networks_that_have_some():
    groups = {"recipe": "group_mlp", "seeds": 1, "costly": 1}
    with refuses("config: datasets.groups.costly: 'group_mlp' has no costly measures", "pizza_transformer"):
        require_measures(datasets_of({"datasets": {"groups": groups}}), {"claims": []})
