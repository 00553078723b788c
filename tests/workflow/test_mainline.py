"""Claims about the mainline of Study Q that rest on many trainings come out as the ledger expects, whichever is shown.

The trainings are those that are kept: the test trains nothing.
"""

import pytest
from mainline import CLAIMS, RETRAINED, record_on_mainline
from one_claim import judge

from modadd.populations.tables import read_population
from paper.ledger.judge.forms import Statement, form_of
from paper.ledger.judge.verdicts import HOLDS, ROUNDS, WITHIN_SPREAD
from paper.ledger.tell.notes import OUTSIDE


def surprises(verdicts):
    """What a reader is told of verdicts that are not as the ledger expects."""
    return [
        f"{v.id}: {v.verdict}, expected {v.expected}; measured {v.measured}. {v.note}"
        for v in verdicts
        if not v.as_expected
    ]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """What every notebook on the mainline records of a retraining of it."""
    found = record_on_mainline(tmp_path_factory.mktemp("mainline"))
    for values in found.values():
        del values["network"]["deviations"]["perturbation"]  # of the last bit: as an arithmetic that rounds otherwise
    return found


def test_claims_on_a_network_trained_in_full_come_out_as_the_ledger_expects(recorded):
    retrained = read_population(RETRAINED)
    verdicts = [judge(claim, recorded[claim["notebook"]], "laptop", retrained) for claim in CLAIMS]
    assert {verdict.verdict for verdict in verdicts} >= {ROUNDS, WITHIN_SPREAD, HOLDS}, "nothing was judged"
    assert not surprises(verdicts), "\n".join(surprises(verdicts))
    assert any(verdict.trainings for verdict in verdicts)


def without_texts(retrained):
    """The claims that every retraining has a value for; what is said of a difference names values that rows do not have."""
    texts = ("explanation", "tried", "open")
    known = [claim for claim in CLAIMS if claim["value"] in retrained and retrained[claim["value"]].notna().all()]
    return [{key: text for key, text in claim.items() if key not in texts} for claim in known]


def test_no_verdict_hangs_on_which_retraining_is_shown():
    retrained = read_population(RETRAINED)
    judged = outside = total = 0
    for shown in range(len(retrained)):
        own, others = retrained.iloc[shown], retrained.drop(index=retrained.index[shown])
        network = {"accuracy": own.accuracy, "steps": own.steps, "frequencies": list(own.frequencies), "deviations": {}}
        for claim in without_texts(retrained):
            values = {claim["value"]: own[claim["value"]]}
            if "frequency" in claim and claim["frequency"] in network["frequencies"]:
                values = {claim["value"]: own[claim["value"]][network["frequencies"].index(claim["frequency"])]}
            verdict = judge(claim, {"network": network, "values": values}, "laptop", others)
            if OUTSIDE not in verdict.note:
                assert verdict.as_expected, f"retraining {shown} shown: {surprises([verdict])[0]}"
            outside += OUTSIDE in verdict.note
            total += 1
            judged += verdict.trainings is not None
    by_share = [claim for claim in without_texts(retrained) if isinstance(form_of(claim), Statement)]
    # A few retrainings are unlike all others: their numbers lie outside the interval of these.
    assert outside <= total / 20, "too many lie outside the interval of all others"
    assert judged == len(by_share) * len(retrained) > 0, "every one of them is judged"
