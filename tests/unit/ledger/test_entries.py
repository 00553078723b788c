"""The entries of the ledger: how they are read, which are refused, and the texts of a claim."""

import pytest
from one_claim import CLAIM, ITEM, LIMIT, STATED, WITHIN, without
from support import refuses

from paper.ledger.read.entries import ANSWERS, ledger_files, read_ledger
from paper.ledger.read.studies import NO_INPUTS
from paper.ledger.read.words import filled, show

AT_LEAST = without(*WITHIN, of=STATED)
OURS = AT_LEAST | {"at_least": 10} | LIMIT
ANOTHER = {"title": "Another?", "inputs": {"shown": "pizza_transformer/seed0"}}


def test_committed_ledger_is_valid():
    assert read_ledger()["claims"]


@pytest.mark.parametrize("file", ["data/papers/Q 2.yaml", "notebooks/one/phases (copy).yaml"])
def test_a_file_that_has_the_name_of_a_copy_is_refused(ledger_with, file):
    with refuses(file, "letters, digits and underscores", "if it is a copy"):
        ledger_with(files={file: {"reference": "A paper"}})


def test_a_claim_is_read_with_what_its_item_says_and_what_it_leaves_out(ledger_with):
    assert ledger_with()["claims"] == [CLAIM]


def test_a_limit_is_that_of_the_source_or_one_of_ours_with_its_reason(ledger_with):
    printed = ledger_with({"angle": AT_LEAST | {"at_least": "printed"}})["claims"][0]
    assert (printed["check"], printed["published"], printed["kind"]) == ("at_least", "0.15", "number")
    ours = ledger_with({"angle": OURS})["claims"][0]
    assert (ours["check"], ours["threshold"], ours["kind"]) == ("at_least", 10, "statement")
    assert (ours["threshold_set"], ours["threshold_reason"]) == ("after", "An example.") and "published" not in ours


def test_a_claim_of_ours_names_its_own_place_and_may_answer_an_item(ledger_with):
    claim = ledger_with({"angle": OURS | {"place": "[Q] §5, on another network"}})["claims"][0]
    assert (claim["paper"], claim["kind"], claim["place"]) == ("B", "beyond", "[Q] §5, on another network")
    assert claim["answers"] == ["Q/angle_term"]
    assert ledger_with({"angle": without("answers", of=OURS, place="an example")})["claims"][0]["answers"] == []


def test_a_claim_of_ours_on_one_training_says_which_networks_it_is_about(ledger_with):
    alone = OURS | {"place": "an example", "rests_on": "one_training"}
    with refuses("claims.angle.of: expected of a claim of ours", "published, most or nearly_all"):
        ledger_with({"angle": alone})
    claim = ledger_with({"angle": alone | {"of": "published"}})["claims"][0]
    assert (claim["of"], claim["kind"]) == ("published", "beyond")
    assert ledger_with({"angle": alone | {"kind": "identity"}})["claims"][0]["of"] == "published"
    assert ledger_with({"angle": STATED | {"rests_on": "one_training"}})["claims"][0]["of"] == "published"


def test_an_item_may_print_several_numbers_and_say_of_how_many_networks(ledger_with):
    items = {"angle_term": ITEM | {"prints": {"first": "0.15", "second": ["0.20", 3]}, "networks": 2}}
    claim = ledger_with({"angle": STATED | {"printed": "second"}}, items=items)["claims"][0]
    assert (claim["published"], claim["networks_in_paper"]) == (["0.20", 3], 2)


@pytest.mark.parametrize(
    ("changes", "question", "rests_on"),
    [
        ({}, {}, "one_training"),
        ({}, {"inputs": {"datasets": ["q_seeds"]}}, "many_trainings"),
        ({"kind": "identity"}, {"inputs": {"datasets": ["q_seeds"]}}, "no_training"),
        ({"external": "kissane"}, {}, "no_training"),
    ],
)
def test_what_a_value_rests_on_follows_from_what_its_notebook_reads(ledger_with, changes, question, rests_on):
    claim = ledger_with({"angle": without("rests_on", of=STATED) | changes}, **question)["claims"][0]
    assert claim["rests_on"] == rests_on


def test_questions_come_in_the_order_of_their_study_then_by_name(ledger_with):
    others = {name: ANOTHER for name in ("zeros", "angles", "bounds")}
    assert list(
        ledger_with(questions=others, study={"questions": {"how well": ["zeros"], "how sure": ["phases"]}})["notebooks"]
    ) == [*("zeros", "phases", "angles", "bounds")]


def test_a_question_on_another_network_follows_the_one_whose_notebook_it_executes(ledger_with):
    others = {"angles_89": ANOTHER | {"source": "angles"}, "angles": ANOTHER, "bounds": ANOTHER}
    ledger = ledger_with(questions=others, study={"questions": {"how well": ["angles", "phases"]}, "title": "Angles"})
    assert list(ledger["notebooks"]) == ["angles", "angles_89", "phases", "bounds"]
    parts = {"how well": ["angles", "phases"], "further questions": ["bounds"]}
    assert ledger["studies"] == [{"name": "one", "title": "Angles", "parts": parts}]


def test_studies_come_by_place(ledger_with):
    files = {"notebooks/two/study.yaml": {"place": 0, "questions": {}}, "notebooks/two/zeros.yaml": ANOTHER}
    assert list(ledger_with(files=files)["notebooks"]) == ["zeros", "phases"]


def test_the_files_of_the_ledger_are_those_that_are_read(ledger_with, tmp_path):
    ledger_with()
    assert [str(path.relative_to(tmp_path)) for path in ledger_files(tmp_path)] == [
        *("notebooks/one/phases.yaml", "notebooks/one/study.yaml", "data/papers/Q.yaml")
    ]


def test_entry_with_a_source_executes_that_notebook_with_its_captions(ledger_with):
    again = {"title": "? mod 31", "inputs": {"shown": "mod_31/seed0"}, "source": "phases"}
    found = ledger_with(questions={"phases_31": again}, figures={"law": "A caption."})["notebooks"]["phases_31"]
    assert found == again | {"figures": {"law": "A caption."}, "inputs": NO_INPUTS | again["inputs"]}


def test_a_name_of_a_figure_and_of_a_table_is_refused(ledger_with):
    with refuses("notebooks/one/phases.yaml: 'law' names a figure and a table"):
        ledger_with(figures={"law": "A."}, tables={"law": "B."})


@pytest.mark.parametrize(
    ("sources", "fragments"),
    [
        ({"again": "phase"}, ("one/again.yaml: source:", "unknown notebook 'phase'", "did you mean 'phases'?")),
        ({"again": "phases", "more": "again"}, ("one/more.yaml: source:", "'again' has a source itself")),
    ],
)
def test_source_that_is_no_notebook_of_its_own_is_refused(ledger_with, sources, fragments):
    with refuses(*fragments):
        ledger_with(questions={name: ANOTHER | {"source": source} for name, source in sources.items()})


@pytest.mark.parametrize(
    ("claim", "fragments"),
    [
        (without("answers", of=STATED), ("claims.angle: expected 'answers', or 'place'",)),
        (
            STATED | {"answers": ["Q/angel_term"]},
            ("claims.angle.answers: unknown item", "did you mean 'Q/angle_term'?"),
        ),
        (STATED | {"answers": ["QR/angle_term"]}, ("claims.angle.answers: unknown source 'QR'", "did you mean 'Q'?")),
        (STATED | {"answers": ["angle_term"]}, ("claims.angle.answers.0:", "SOURCE/ITEM", "got 'angle_term'")),
        (STATED | {"printed": "first"}, ("claims.angle.printed: item 'Q/angle_term' prints one number",)),
        (OURS | {"printed": "first"}, ("claims.angle.printed: expected without a threshold of ours",)),
        (STATED | {"place": "an example"}, ("claims.angle: a claim of ours is compared with a threshold",)),
        (STATED | {"at_least": 1} | LIMIT, ("claims.angle: expected one of check, at_least", "got check, at_least")),
        (AT_LEAST, ("claims.angle: expected one of check, at_least, at_most, share_of_networks, got none",)),
        (AT_LEAST | {"at_least": "1"} | LIMIT, ("claims.angle.at_least:", "a number, or the word 'printed'", "'1'")),
        (
            without("set_after", of=OURS),
            ("claims.angle: expected one of given, set_before, set_after with a threshold",),
        ),
        (
            OURS | {"given": "?"},
            ("claims.angle: expected one of given, set_before, set_after with a threshold of ours",),
        ),
        (STATED | {"given": "?"}, ("with a threshold of ours, and only with it",)),
        (AT_LEAST | {"at_least": "printed"} | LIMIT, ("with a threshold of ours, and only with it",)),
        (without("set_after", of=OURS, share_of_networks=0.5), ("got at_least, share_of_networks",)),
        (AT_LEAST | {"share_of_networks": "printed"}, ("claims.angle.share_of_networks: expected number",)),
        (STATED | {"valu": 1}, ("claims.angle: unknown key 'valu'", "did you mean 'value'?")),
        (without("tolerance_source", of=STATED), ("claims.angle: tolerance_source: check 'within' has it",)),
        (without("tolerance", of=STATED), ("claims.angle: tolerance: check 'within' has it",)),
        (OURS | {"tolerance": 1}, ("claims.angle: tolerance: check 'within' has it, and no other",)),
        (AT_LEAST | {"check": "set_equals"}, ("claims.angle: check 'set_equals' expects a list", "got '0.15'")),
        (AT_LEAST | {"check": "retrainings"}, ("claims.angle: check 'retrainings' needs the key 'retrainings'",)),
        (STATED | {"network": "mlp/seed0"}, ("claims.angle.network: unknown network 'mlp/seed0'",)),
        (STATED | {"expected": "slip"}, ("claims.angle: explanation is missing", "expected 'slip' has it")),
        (
            STATED | {"expected": "not_reproduced", "explanation": "?", "tried": "?"},
            ("claims.angle: open is missing", "expected 'not_reproduced' has it"),
        ),
        (STATED | {"explanation": "?"}, ("claims.angle: explanation: a claim of expected 'agrees' has none",)),
        (STATED | {"kind": "number"}, ("claims.angle.kind:", "'identity' was expected")),
    ],
)
def test_a_bad_claim_is_refused_in_one_line_that_helps(ledger_with, claim, fragments):
    with refuses("notebooks/one/phases.yaml: ", *fragments):
        ledger_with({"angle": claim})


@pytest.mark.parametrize(
    ("changes", "fragments"),
    [
        ({"claims": {}}, ("one/phases.yaml: claims:", "should be non-empty")),
        ({"claims": {"The angle": STATED}}, ("claims:", "lower-case letters, digits and underscores", "'The angle'")),
        ({"claim": {}}, ("one/phases.yaml: top level: unknown key 'claim'", "did you mean 'claims'?")),
        (
            {"figures": {"law": "?"}, "shows": {"low": ["Q/angle_term"]}},
            ("shows: unknown figure or table 'low'", "'law'"),
        ),
        (
            {"figures": {"law": "?"}, "shows": {"law": ["Q/angel_term"]}},
            ("shows.law: unknown item 'Q/angel_term'", "did you mean 'Q/angle_term'?"),
        ),
        (
            {"questions": {"more": ANOTHER | {"claims": {"angle": STATED}}}},
            ("duplicate claim id 'angle', in more.yaml and phases.yaml",),
        ),
        (
            {"study": {"questions": {"how well": ["phase"]}}},
            ("one/study.yaml: questions: unknown question 'phase'", "'phases'?"),
        ),
        ({"files": {"notebooks/two/zeros.yaml": ANOTHER}}, ("notebooks/two: expected study.yaml",)),
        (
            {
                "files": {
                    "notebooks/two/study.yaml": {"place": 2, "questions": {}},
                    "notebooks/two/phases.yaml": ANOTHER,
                }
            },
            ("duplicate question 'phases', in", "one/phases.yaml and", "two/phases.yaml"),
        ),
    ],
)
def test_a_bad_question_or_study_is_refused_in_one_line_that_helps(ledger_with, changes, fragments):
    with refuses(*fragments):
        ledger_with(**changes)


@pytest.mark.parametrize(
    ("item", "fragments"),
    [
        (without("prints", of=ITEM), ("one/phases.yaml: claims.angle:", "item 'Q/angle_term' prints no number")),
        (ITEM | {"prints": {"first": 1, "second": 2}}, ("claims.angle.printed:", "expected one of first, second")),
        (ITEM | {"prints": "nan"}, ("Q.yaml: items.angle_term.prints:", "a number or a list of numbers", "'nan'")),
        (ITEM | {"prints": {"first": ["0.1", "o.2"]}}, ("items.angle_term.prints.first:", "a list of numbers")),
        (
            ITEM | {"prints": ["0.1", 0.9]},
            ("Q.yaml: items.angle_term.prints:", "expected 0.9 in quotes", "every digit"),
        ),
        (ITEM | {"prints": []}, ("Q.yaml: items.angle_term.prints:", "a number or a list of numbers")),
        (ITEM | {"prints": True}, ("Q.yaml: items.angle_term.prints:", "expected number or string or array", "True")),
    ],
)
def test_a_bad_item_of_a_source_is_refused_in_one_line_that_helps(ledger_with, item, fragments):
    with refuses(*fragments):
        ledger_with(items={"angle_term": item})


BORROWED = OURS | {"rests_on": "many_trainings"}


@pytest.mark.parametrize(
    ("says", "fragment"),
    [
        ({"states": "nothing"}, "'Q/angle_term' states nothing; expected 'place', as the claim is ours"),
        ({"states": "model"}, "'Q/angle_term' is stated of a model; expected 'place'"),
        ({"stated_of": ["c91_batch"]}, "'Q/angle_term' is stated of c91_batch, not of q_seeds; expected 'place'"),
    ],
)
def test_a_claim_that_borrows_an_item_which_does_not_state_it_is_refused(ledger_with, says, fragment):
    items = {"angle_term": ITEM | says}
    inputs = {"datasets": ["q_seeds", "c91_batch"]}
    with refuses("notebooks/one/phases.yaml: claims.angle", fragment):
        ledger_with({"angle": BORROWED | {"counted_over": ["q_seeds"]}}, items=items, inputs=inputs)
    ours = ledger_with({"angle": BORROWED | {"place": "an open question"}}, items=items, inputs=inputs)["claims"][0]
    assert (ours["paper"], ours["answers"]) == ("B", ["Q/angle_term"])


def test_what_is_stated_of_a_model_is_the_sources_where_nothing_is_trained(ledger_with):
    items = {"angle_term": ITEM | {"states": "model"}}
    assert ledger_with({"angle": OURS | {"rests_on": "no_training"}}, items=items)["claims"][0]["paper"] == "Q"


def test_what_is_stated_of_some_networks_is_the_sources_on_these(ledger_with):
    items = {"angle_term": ITEM | {"stated_of": ["q_seeds"]}}
    counted = BORROWED | {"counted_over": ["q_seeds"]}
    found = ledger_with({"angle": counted}, items=items, inputs={"datasets": ["q_seeds", "c91_batch"]})["claims"][0]
    assert found["paper"] == "Q"
    judged = BORROWED | {"of": "most", "judged_on": ["q_seeds"]}
    found = ledger_with({"angle": judged}, items=items, inputs={"seeds": ["q_seeds", "c91_batch"]})["claims"][0]
    assert found["paper"] == "Q"


def test_how_far_off_a_printed_number_may_be_comes_with_it(ledger_with):
    items = {"angle_term": ITEM | {"uncertain_by": 0.02}}
    assert ledger_with(items=items)["claims"][0]["uncertain_by"] == 0.02
    assert "uncertain_by" not in ledger_with({"angle": OURS}, items=items)["claims"][0]


def test_an_item_is_answered_by_claims_by_figures_in_part_or_not_at_all(ledger_with):
    items = {"drawn": ITEM, "half": ITEM | {"reason": "No number."}, "half_drawn": ITEM | {"reason": "?"}, "open": ITEM}
    claims = {"angle": STATED, "more": STATED | {"answers": ["Q/half", "Q/angle_term"]}}
    shows = {"law": ["Q/drawn", "Q/half_drawn", "Q/angle_term"]}
    found = ledger_with(claims, items=items, figures={"law": "A caption."}, shows=shows)["items"]
    assert {item["id"]: item["answer"] for item in found} == {
        **{"angle_term": "judged", "drawn": "shown", "half": "weak", "half_drawn": "weak", "open": "missing"}
    }
    assert {item["answer"] for item in found} == set(ANSWERS)
    first = found[0]
    assert (first["source"], first["claims"], first["shown"]) == ("Q", ["angle", "more"], ["phases/law"])


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.1234567, "0.12346"),
        (-3.7, "−3.7"),
        (12, "12"),
        ("0.60", "0.60"),
        (None, "–"),
        ([1.0, -2], "1, −2"),
        ({"value": 2.5, "low": None, "high": None, "of": 1}, "2.5"),
    ],
)
def test_values_are_shown_in_five_digits_with_a_true_minus(value, shown):
    assert show(value) == shown


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("between {low:.2f} and {high:.1f}", "between −0.12 and 3.5"),
        ("at most {means[1]}", "at most 2"),
        ("in {share[holds]} of them, {share}", "in 9 of them, 9 of 10 (95 %: 0.6–0.98)"),
        ("no place", "no place"),
        ("up to {none:.2f}", "up to " + show(None)),
    ],
)
def test_an_explanation_holds_the_recorded_values(template, text):
    share = {"holds": 9, "of": 10, "low": 0.6, "high": 0.98}
    assert filled(template, {"low": -0.123, "high": 3.45678, "means": [1, 2], "share": share, "none": None}) == text


@pytest.mark.parametrize("template", ["{lwo}", "{means[5]}", "{share[hold]}", "{low[0]}", "{low.real}"])
def test_a_place_without_a_value_is_named(template):
    with refuses(template.strip("{}").partition("[")[0]):
        filled(template, {"low": 1.0, "means": [1, 2], "share": {"holds": 9}})


def test_a_claim_may_be_about_some_of_the_populations_of_its_question(ledger_with):
    about = {"angle": OURS | {"of": "most", "judged_on": ["q_seeds"]}}
    assert ledger_with(about, inputs={"seeds": ["q_seeds", "c91_batch"]})["claims"][0]["judged_on"] == ["q_seeds"]
    with refuses("claims.angle.counted_over: unknown dataset 'q_seed'", "expected one of q_seeds"):
        ledger_with({"angle": OURS | {"counted_over": ["q_seed"]}}, inputs={"datasets": ["q_seeds"]})
    with refuses("claims.angle.judged_on: unknown population 'q_seeds'", "expected one of c91_batch"):
        ledger_with(about, inputs={"seeds": ["c91_batch"]})
