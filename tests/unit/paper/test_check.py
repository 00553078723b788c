"""Checking one claim: names that are not known, what is said of a verdict, what is built for it, the pictures, the help."""

import re
import subprocess
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest
from one_claim import CLAIM, NETWORK, verdict_on
from support import LEDGER, ROOT, refuses, told_by

from paper.commands.check import build_of, claim_named, in_words, pictures_of, targets_of
from paper.ledger.judge.evidence import Networks


@pytest.fixture(scope="module")
def questions():
    """Those of the default config."""
    with chdir(ROOT):
        return build_of([]).questions


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("phase_lin", "did you mean phase_line"),
        ("phase_law", "did you mean phase_line, model_a_phase_law"),  # a figure, and a part of names
        ("pizza_cosets", "pizza_neurons_relabel"),  # a notebook
        ("Xyzzy", "unknown claim 'Xyzzy'; the .yaml beside each notebook has its claims"),
    ],
)
def test_an_unknown_claim_is_refused_with_the_nearest_names(name, near):
    with refuses(f"unknown claim '{name}'", near):
        claim_named(name, LEDGER)


def test_a_bad_config_is_refused_in_one_line(in_root, tmp_path):
    (tmp_path / "bad.yaml").write_text("datasets: {pizza_transformer: {sees: [0]}}\n")
    with refuses("unknown key 'sees'; did you mean 'seeds'?"):
        build_of([str(tmp_path / "bad.yaml")])


def test_a_claim_needs_the_values_of_its_notebook_and_the_retrainings_of_its_network(questions):
    assert targets_of(claim_named("phase_line", LEDGER), questions["phases"]) == [
        *("results/values/phases.json", "results/populations/q_rounding.parquet", "results/populations/q_seeds.parquet")
    ]
    about_coq = claim_named("walks_are_shorter_in_coq", LEDGER)
    assert targets_of(about_coq, questions["machine_checked"]) == ["results/values/machine_checked.json"]


def test_a_claim_about_one_population_of_its_question_is_judged_on_that_one(questions):
    claim = claim_named("control_second_harmonics", LEDGER)
    found = targets_of(claim, questions["controls"])
    assert found == ["results/values/controls.json", "results/populations/q_seeds.parquet"]


def test_the_pictures_are_those_of_what_the_claim_answers_else_all_of_the_notebook(questions):
    pictures = {}
    for claim in LEDGER["claims"]:
        found = pictures_of(claim, questions[claim["notebook"]], LEDGER["items"])
        assert found and {Path(file).parent.name for file in found} == {claim["notebook"]}, claim["id"]
        pictures[claim["id"]] = found
    assert "figures/phases/phase_law.svg" in pictures["phase_line"]
    assert "figures/smallest_networks/margin_per_norm.svg" in pictures["cube_root_law_counts"]


def said(verdict):
    """What is printed of a verdict, by its first word."""
    rows = in_words(
        verdict, CLAIM, [Path("a/b.svg"), Path("a/c.svg"), Path("a/d.md")], Path("phases.ipynb")
    ).splitlines()
    return {
        key: [line[11:] for line in rows if line.split(" ")[0] == key] for key in {row.split(" ")[0] for row in rows}
    }


def test_a_verdict_is_said_line_by_line():
    shown = said(verdict_on(0.155))
    assert (shown["source"], shown["published"], shown["measured"]) == (["[Q] §5"], ["0.15"], ["0.155"])
    assert (shown["check"], shown["verdict"], shown["expected"]) == (
        ["within ±0.01"],
        ["number within tolerance"],
        ["yes"],
    )
    assert (
        shown["figure"] == ["a/b.svg", "a/c.svg"]
        and shown["table"] == ["a/d.md"]
        and shown["notebook"] == ["phases.ipynb"]
    )
    assert "angle:" in shown and "why" not in shown


def test_a_claim_on_many_networks_names_the_tables_that_have_the_number_of_each():
    seeds = Networks(holds=9, of=10, here=1, low=0.6, high=1.0)
    rows = ("results/populations/q_seeds.parquet", "data/populations/q_seeds.parquet")
    verdict = replace(verdict_on(0.155), seeds=seeds)
    said = in_words(verdict, CLAIM, [], Path("phases.ipynb"), rows)
    assert f"each one   column angle_term of {', '.join(rows)}"[:100] in said
    assert "each one" not in in_words(verdict_on(0.155), CLAIM, [], Path("phases.ipynb"), rows)


def test_a_surprise_and_a_claim_that_cannot_be_judged_say_why():
    shown = said(verdict_on(0.2))
    assert shown["verdict"] == ["differs: not reproduced"] and shown["expected"] == [
        "no, but: number rounds to print, or within tolerance"
    ]
    assert shown["why"] == ["published 0.15, measured 0.2"]
    shown = said(verdict_on(0.155, network=NETWORK | {"accuracy": 0.5}))
    assert shown["verdict"] == ["not judged"] and "expected" not in shown
    assert shown["why"] == ["accuracy 0.5 after 10000 steps, 1 needed"]


def test_without_a_claim_the_help_says_how_and_its_completion_knows_targets_and_claims():
    output, status = told_by("check")
    assert output.startswith("usage: make check CLAIM=ID") and status == 2 and (output, 0) == told_by("check", "--help")
    (line,) = [line for line in output.splitlines() if "complete -W" in line]
    words = re.search(r'-W (".*") make', line)[1]
    found = subprocess.run(
        ["bash", "-c", f"compgen -W {words} -- phase_li; compgen -W {words} -- smok"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert found.stdout.split() == ["phase_line", "smoke"]


def test_an_unknown_claim_ends_the_command_with_one_line():
    printed, sentence = told_by("check", "phase_lin")
    assert not printed and sentence.startswith("check: unknown claim 'phase_lin'; did you mean phase_line")
    assert "\n" not in sentence
