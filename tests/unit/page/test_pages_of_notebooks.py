"""The pages of the notebooks are built together, and only those are written that change."""

import json
import os
import runpy
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from one_claim import NETWORK, judge
from support import LEDGER, ROOT

import paper.jobs
from modadd.core.files import write_json
from paper.ledger.judge.verdicts import NOT_JUDGED, as_rows
from paper.mock import mock_snakemake

SCRIPT = ROOT / "workflow/scripts/build_notebook_pages.py"
TEMPLATES = ROOT / "workflow/templates"
NAMES = ("phases", "seeds")
LONG_AGO = 315_532_800  # seconds: the first day of 1980


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Builds the pages of two notebooks, with these verdicts of all claims, and gives their bytes by name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(paper.jobs, "begin", lambda log: None)
    monkeypatch.setattr("paper.ledger.read.entries.read_ledger", lambda: LEDGER)
    for name in NAMES:
        cells = [new_markdown_cell("# A question?", id="cell-000"), new_code_cell("1 + 1", id="cell-001")]
        Path("results/notebooks").mkdir(parents=True, exist_ok=True)
        nbformat.write(new_notebook(cells=cells), f"results/notebooks/{name}.ipynb")
        write_json(Path(f"results/values/{name}.json"), {"network": {"accuracy": 0.5}, "values": {}})

    def pages(rows, code="one"):
        Path("claims.json").write_text(json.dumps(rows))
        layout = [f"{TEMPLATES}/base.html.j2", f"{TEMPLATES}/style.css"]
        files = [Path(f"figures/notebooks/{name}.html") for name in NAMES]
        job = mock_snakemake(
            input={"claims": "claims.json", "template": f"{TEMPLATES}/notebook.html.j2", "layout": layout},
            output={"pages": files},
            params={"code": code},
        )
        job.log = ["log"]
        runpy.run_path(str(SCRIPT), init_globals={"snakemake": job}, run_name="__main__")
        return {file.stem: file.read_bytes() for file in files}

    return pages


@pytest.fixture
def rows():
    """The verdicts on a network that was stopped early: nothing is judged."""
    own = [claim for claim in LEDGER["claims"] if claim["notebook"] in NAMES and "external" not in claim]
    early = {"network": NETWORK | {"accuracy": 0.5}, "values": {claim["value"]: 0.5 for claim in own}}
    return as_rows([judge(claim, early, "smoke") for claim in own])


def test_a_page_has_the_verdicts_of_its_claims_and_is_written_again_where_one_changes(build, rows):
    first = build(rows)
    (place,) = [place for place, row in enumerate(rows) if row["id"] == "phase_line"]
    assert b'claims.html#claim-phase_line">' in first["phases"] and b"claim-phase_line" not in first["seeds"]
    assert rows[place]["verdict"] == NOT_JUDGED
    changed = [row | {"verdict": "ours holds"} if row["id"] == "phase_line" else row for row in rows]
    second = build(changed)
    assert second["phases"] != first["phases"] and b"ours holds" in second["phases"]
    assert second["seeds"] == first["seeds"]


def test_a_page_that_would_not_change_keeps_its_bytes_and_is_newer_than_what_it_is_made_of(build, rows, monkeypatch):
    first = build(rows)
    for name in NAMES:
        os.utime(f"figures/notebooks/{name}.html", (LONG_AGO, LONG_AGO))
    monkeypatch.setattr("paper.page.notebooks.to_html", lambda *_: pytest.fail("a page was written"))
    assert build(rows) == first
    assert Path("figures/notebooks/phases.html").stat().st_mtime > LONG_AGO
    with pytest.raises(pytest.fail.Exception, match="a page was written"):
        build(rows, code="another")


def test_a_page_that_was_changed_by_hand_is_written_again(build, rows):
    first = build(rows)
    Path("figures/notebooks/phases.html").write_text("another page")
    assert build(rows) == first
