"""The README, and what `workflow/dev/readme.py` writes: counts of the verdicts into it, speeds into their page."""

import json
import re

import pytest
from readme import CHECKS, check_table, main, update_readme, update_speeds
from support import LEDGER, ROOT, refuses

from modadd.ledger.verdicts import NOT_REPRODUCED

README = """# Title
<!-- claims: written by `workflow/dev/readme.py` -->
old counts
<!-- end of claims -->
<!-- missed: written by `workflow/dev/readme.py` -->
<!-- end of missed -->
after
"""
SPEED = README.partition("<!-- missed")[0].replace("claims", "bench").replace("counts", "times")
BENCH = """step,processor,kernel (ms),faster than autograd,faster than published,over the floor,late over early
Q,Intel,9.5,2.5,12.25,2.0,1.01
C,Intel,0.3,5.0,,2.4,1.02
"""


def lines_of(page):
    """The lines of a page without blanks."""
    return [line.replace(" ", "") for line in page.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def build(tmp_path):
    """What a build with four claims found, as the arguments of `update_readme`."""
    rows = [("Q", "number rounds to print"), ("Q", NOT_REPRODUCED), ("B", "ours holds"), ("Z", "not judged")]
    judged = [
        {"id": claim["id"], "paper": paper, "verdict": verdict, "kind": "number", "statement": "It is 2 (n = 91)."}
        | {"scales": ["laptop"], "interval": None, "notebook": "phases", "external": None, "counted": None}
        for claim, (paper, verdict) in zip(LEDGER["claims"], rows, strict=False)
    ]
    judged[3]["interval"] = [[0.1, 0.2]]  # compared, but with too few networks to tell
    (tmp_path / "readme").write_text(README)
    return {"readme": tmp_path / "readme", "rows": judged, "scale": "laptop", "processor": "A processor"}


@pytest.fixture
def speeds(tmp_path):
    """A page for speeds and those measured on one processor, as the arguments of `update_speeds`."""
    for name, text in {"page": SPEED, "bench": BENCH}.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in ("page", "bench", "kept")}


def test_readme_counts_verdicts_and_names_what_is_not_reproduced(build):
    update_readme(**build)
    lines = build["readme"].read_text().splitlines()
    assert any("1 printed numbers, of which 1 round to print" in line and "on A processor." in line for line in lines)
    assert f"- [Q] It is 2. ([`{build['rows'][1]['id']}`](notebooks/quadrature/phases.yaml))" in lines
    assert "old counts" not in lines and lines[0] == "# Title" and lines[-1] == "after"


def test_the_speeds_of_another_processor_stay_and_those_of_this_one_are_replaced(speeds):
    update_speeds(**speeds)
    assert "oldtimes" not in lines_of(speeds["page"]) and "|step|ratio|Intel|" in lines_of(speeds["page"])
    speeds["bench"].write_text(BENCH.replace("Intel", "AMD").replace("12.25", "18.5"))
    update_speeds(**speeds)
    speeds["bench"].write_text(BENCH.replace("12.25", "12.75"))
    update_speeds(**speeds)
    lines = lines_of(speeds["page"])
    assert "|step|ratio|AMD|Intel|" in lines and "|Q|fasterthanpublished|18.50|12.75|" in lines
    assert "|C|fasterthanpublished" not in "".join(lines), "no loop is published"


def test_a_claim_that_was_not_judged_or_a_missing_marker_stops_it(build):
    build["readme"].write_text(README.replace("<!-- end of claims -->", ""))
    with refuses("<!-- end of claims -->", "each once"):
        update_readme(**build)
    build["rows"][0]["verdict"] = "not judged"
    with refuses(f"not judged here: {build['rows'][0]['id']}"):
        update_readme(**build)


def test_the_command_says_in_one_line_what_stands_in_its_way(build, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    build["rows"][2]["verdict"] = "not judged"
    texts = {
        "results/provenance.json": '{"config": {"scale": "laptop"}, "origin": {"processor": "A processor"}}',
        "figures/claims.json": json.dumps(build["rows"]),
        "figures/unseen.json": "{}",
    }
    for name, text in (texts | {"README.md": README}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(
        SystemExit, match=f"^README.md shows a full build .* not judged here: {build['rows'][2]['id']}$"
    ):
        main()
    assert (tmp_path / "README.md").read_text() == README


def test_what_the_readme_says_does_not_come_out_is_not_expected_to():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split("\n## Not reproduced\n")[1].split("\n## ")[0]
    named = re.findall(r"^- .* \(\[`(\w+)`\]", section, re.M)
    expected = {claim["id"]: claim["expected"] for claim in LEDGER["claims"]}
    assert named and {expected[claim] for claim in named} <= {"not_reproduced", "inconsistent"}


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_what_reviewers_check_first_are_claims_with_their_verdict():
    assert set(CHECKS) <= {claim["id"] for claim in LEDGER["claims"]}
    rows = [{"id": "frequencies", "verdict": "statement holds"}]
    assert check_table(rows).splitlines()[2:] == [
        "| [Q]: the key frequencies are the four printed ones | `make check CLAIM=frequencies` | statement holds |"
    ]
