"""The README and its counts, which `workflow/dev/readme.py` writes; what docs say of claims."""

import json
import re

import pytest
from kept_rows import Kept, choices_of_c, counted, in_words
from readme import ABOUT_KEPT, main, update_kept, update_readme, with_section
from support import LEDGER, ROOT, refuses

from paper.ledger.judge.held_out import counts
from paper.ledger.judge.verdicts import NOT_REPRODUCED

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
    return {"readme": tmp_path / "readme", "rows": judged, "scale": "laptop"}


def test_readme_counts_verdicts_and_names_what_is_not_reproduced(build):
    update_readme(**build)
    lines = build["readme"].read_text().splitlines()
    assert any("Reproduced are 1 printed numbers (1 round to print" in line for line in lines)
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
        "results/provenance.json": '{"config": {"scale": "laptop"}}',
        "figures/claims.json": json.dumps(build["rows"]),
        "figures/unseen.json": json.dumps({"counts": counts([]), "elsewhere": {}, "lines": []}),
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


def test_a_section_is_replaced_between_its_markers():
    new = with_section(README, "claims", "new counts\n", ROOT / "README.md")
    assert "old counts" not in new and "\n\nnew counts\n\n<!-- end of claims -->" in new
    assert with_section(new, "claims", "new counts\n", ROOT / "README.md") == new


def test_the_pages_count_the_kept_rows_that_are_there_today(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    words = in_words(counted())
    monkeypatch.chdir(tmp_path)
    for page in ABOUT_KEPT:
        text = (ROOT / page).read_text(encoding="utf-8")
        now = with_section(text, "kept", f"{words}\n", page)
        assert text == now, f"{page}: run `python workflow/dev/readme.py kept`"


def test_the_counts_of_kept_rows_are_written_without_a_build(monkeypatch, tmp_path):
    monkeypatch.setattr("readme.counted", lambda: [Kept("q_seeds", "pizza_transformer", 9, 9, 0, 0)])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for page in ABOUT_KEPT:
        page.write_text("before\n<!-- kept: written by `workflow/dev/readme.py` -->\n<!-- end of kept -->\nafter\n")
    update_kept()
    for page in ABOUT_KEPT:
        assert "\n\n`data/populations` has the rows of 9 networks. `make audit` can draw 9 of them" in page.read_text()
        assert "bit.\n\n<!-- end of kept -->\nafter\n" in page.read_text(), "nothing is said of others: there are none"


def test_rows_of_another_arithmetic_and_of_a_gpu_are_counted_apart():
    words = in_words(
        [Kept("q_seeds", "pizza_transformer", 1500, 1500, 0, 0), Kept("c91_full", "embedding_mlp", 30, 0, 20, 10)]
    )
    assert "has the rows of 1,530 networks" in words and "can draw 1,500 of them" in words
    assert "Another 20 were trained on processors" in words and "Another 10 were trained on a GPU" in words
    assert words.endswith("No kept network of `embedding_mlp` [C] can be trained again.")


def test_every_kept_row_is_counted_once(monkeypatch):
    monkeypatch.chdir(ROOT)
    kept = counted()
    assert {one.table for one in kept} == {path.stem for path in (ROOT / "data/populations").glob("*.parquet")}
    assert all(one.networks == one.again + one.older + one.on_gpu for one in kept)


def test_what_the_limits_say_of_choices_is_what_kept_rows_vary(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = choices_of_c()
    assert set(found["untried"]) < {"initial weights", "number of updates", "order of batches", "β₂"}
    assert all(change.networks for change in found["changes"].values())


def test_what_reviewers_check_first_are_claims():
    named = re.findall(r"^\| \[.*`make check CLAIM=(\w+)` \|$", (ROOT / "docs/reviewers.md").read_text(), re.MULTILINE)
    assert len(named) > 5 and set(named) <= {claim["id"] for claim in LEDGER["claims"]}
