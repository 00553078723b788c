"""A folder of notebooks is deleted: the rest is read, planned and told."""

import shutil

import pytest
from support import LEDGER, ROOT, SMOKE, copy_tree, jobs_of, snakemake

from paper.ledger.judge.verdicts import NOT_JUDGED, VERDICTS
from paper.ledger.read.entries import read_ledger
from paper.page.claims import claims_page, coverage_page
from paper.page.front import screens
from paper.page.site import verdict_counts
from paper.page.ways import places, ways

STUDIES = sorted(path.parent.name for path in (ROOT / "notebooks").glob("*/study.yaml"))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with nothing built in it."""
    return copy_tree(tmp_path_factory.mktemp("dropped") / "project")


@pytest.fixture(params=STUDIES)
def without(request, project, tmp_path):
    """The copy without one folder of notebooks, and that folder's name."""
    shutil.move(project / "notebooks" / request.param, tmp_path)
    yield project, request.param
    shutil.move(tmp_path / request.param, project / "notebooks")


def test_what_is_left_is_read_and_told(without, in_root):
    folder, dropped = without
    ledger = read_ledger(folder)
    gone = {path.stem for path in (ROOT / "notebooks" / dropped).glob("*.yaml")} - {"study"}
    assert set(ledger["notebooks"]) == set(LEDGER["notebooks"]) - gone
    assert [claim for claim in LEDGER["claims"] if claim["notebook"] not in gone] == ledger["claims"]
    missing = {item["name"] for item in ledger["items"] if item["answer"] == "missing"}
    before = {item["name"] for item in LEDGER["items"] if item["answer"] == "missing"}
    assert missing >= before and (missing > before) == (dropped != "tutorial"), "the tutorial answers no item"

    unknown = "networks interval here trainings seeds counted external threshold_set note tried open published measured".split()
    judged = {"verdict": NOT_JUDGED, "criterion": ""}
    rows = [dict.fromkeys(unknown) | claim | judged for claim in ledger["claims"]]
    assert [screen.study for screen in screens(ledger["front"], rows, ledger["notebooks"])] == list(ledger["front"])
    had_front = "front:" in (ROOT / "notebooks" / dropped / "study.yaml").read_text(encoding="utf-8")
    assert len(ledger["front"]) == len(LEDGER["front"]) - had_front
    assert verdict_counts(rows, ledger["papers"]).loc["all", NOT_JUDGED] == len(rows) and NOT_JUDGED in VERDICTS
    assert f"| all | {len(ledger['items'])} |" in coverage_page(ledger)
    assert claims_page(rows, ledger["papers"], dict.fromkeys(ledger["notebooks"], "notebook.py"), "laptop")
    of_papers = {
        mark: places([item for item in ledger["items"] if item["source"] == mark]) for mark in ledger["papers"]
    }
    assert set(ways(ledger["claims"], ledger["notebooks"], of_papers, maps={})) == {
        claim["id"] for claim in ledger["claims"]
    }


@pytest.mark.parametrize("dropped", [STUDIES[::2], STUDIES[1::2]], ids=" and ".join)
def test_what_is_left_is_planned(project, tmp_path, dropped):
    """Each study is dropped in one of two plans: what a rule needs of it is missing beside others, too."""
    for folder in dropped:
        shutil.move(project / "notebooks" / folder, tmp_path)
    plan, ledger = snakemake(project, "-n", *SMOKE), read_ledger(project)
    for folder in dropped:
        shutil.move(tmp_path / folder, project / "notebooks")
    planned = {rule.removeprefix("notebook_") for rule in jobs_of(plan) if rule.startswith("notebook_")}
    assert planned == set(ledger["notebooks"])
