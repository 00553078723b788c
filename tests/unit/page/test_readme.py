"""The README and its counts, which `workflow/dev/readme.py` writes; what docs say of packages, rules and claims."""

import json
import re
import tomllib
from itertools import pairwise, product

import pytest
from readme import main, update_readme, with_section
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


def test_readme_counts_verdicts_and_names_what_is_not_reproduced(build):
    update_readme(**build)
    lines = build["readme"].read_text().splitlines()
    assert any(
        "Reproduced are 1 printed numbers (1 round to print" in line and "on A processor." in line for line in lines
    )
    assert f"- [Q] It is 2. ([`{build['rows'][1]['id']}`](notebooks/quadrature/phases.yaml))" in lines
    assert "old counts" not in lines and lines[0] == "# Title" and lines[-1] == "after"


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


def test_a_section_is_replaced_between_its_markers():
    new = with_section(README, "claims", "new counts\n", ROOT / "README.md")
    assert "old counts" not in new and "\n\nnew counts\n\n<!-- end of claims -->" in new
    assert with_section(new, "claims", "new counts\n", ROOT / "README.md") == new


def test_what_reviewers_check_first_are_claims():
    named = re.findall(r"^\| \[.*`make check CLAIM=(\w+)` \|$", (ROOT / "docs/reviewers.md").read_text(), re.MULTILINE)
    assert len(named) > 5 and set(named) <= {claim["id"] for claim in LEDGER["claims"]}


ARCHITECTURE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_the_map_of_packages_is_that_of_their_contract():
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    layers = [re.findall(r"modadd\.(\w+)", layer) for layer in contract["layers"]]
    arrows = {(one, other) for above, below in pairwise(layers) for one, other in product(above, below)}
    picture = ARCHITECTURE.split("## The packages of the library")[1].split("```")[1]
    assert set(re.findall(r"(\w+) --> (\w+)", picture)) == arrows
    table = re.findall(r"^\| `(\w+)` \| ", ARCHITECTURE, re.MULTILINE)
    assert sorted(table) == sorted(name for layer in layers for name in layer)


def test_the_graph_of_rules_names_rules():
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow").rglob("*.smk"))
    known = set(re.findall(r"^rule (\w+):", rules + (ROOT / "workflow/Snakefile").read_text(), re.MULTILINE))
    drawn = set(re.findall(r"^    (\w+) --> \w+", ARCHITECTURE.split("```")[1], re.MULTILINE))
    assert drawn - {"notebooks"} and drawn - {"notebooks"} <= known
