"""The README, its tables and counts, which `workflow/dev/readme.py` writes; what docs say of claims."""

import hashlib
import json
import re
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
import yaml
from kept_rows import Kept, choices_of_c, counted, in_words, kept_tables
from metadata import metadata
from readme import (
    ABOUT_COSTS,
    ABOUT_KEPT,
    PICTURES,
    costs_page,
    kept_page,
    main,
    pages_of,
    readme_page,
    require_judged,
    told,
    with_section,
)
from support import LEDGER, ROOT, refuses

from paper.ledger.judge.verdicts import NOT_REPRODUCED
from paper.page.cards import DRAWINGS, kept_card
from paper.page.told import WORDS, read_words

README = """# Title
<!-- words: written by `workflow/dev/readme.py` -->
<!-- end of words -->
<!-- results: written by `workflow/dev/readme.py` -->
old results
<!-- end of results -->
<!-- guesses: written by `workflow/dev/readme.py` -->
<!-- end of guesses -->
<!-- claims: written by `workflow/dev/readme.py` -->
old counts
<!-- end of claims -->
after
"""
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
TOLD = read_words(LEDGER["papers"])
VERDICTS = [("Q", "number rounds to print"), ("Q", NOT_REPRODUCED), ("B", "ours holds"), ("Z", "not judged")]


def words_of(rows):
    """A data/readme.yaml of one result, on two claims, and one guess."""
    one, two, three = (row["id"] for row in rows[:3])
    says = f"it is {{{one}}} (printed {{{one}.published}}) in {{{one}.holds}} of {{{one}.of}}; {{{two}[0]:.1f}}."
    return {
        "papers": {"Yip et al.": ["Q"]},
        "check_takes": "minutes",
        "words": ["A *word*."],
        "pictures": ["phases/phase_law"],
        "results": [{"says": says, "figure": "phases/phase_law", "claims": {one: "agree", two: "differ"}}],
        "guesses": [{"expected": "Many.", "by": "we", "found": f"{{{three}:%}}.", "claims": {three: "agree"}}],
    }


@pytest.fixture
def rows():
    """What a build with four claims found."""
    judged = [
        {"id": claim["id"], "paper": paper, "verdict": verdict, "kind": "number", "statement": "It is 2 (n = 91)."}
        | {"scales": ["laptop"], "interval": None, "notebook": "phases", "external": None, "counted": None}
        | {
            "measured": 0.25,
            "published": "0.3",
            "of": "published",
            "seeds": {"holds": 4860, "of": 5000, "not_measured": 0},
        }
        for claim, (paper, verdict) in zip(LEDGER["claims"], VERDICTS, strict=False)
    ]
    judged[1]["measured"] = [{"value": 4.868, "low": 4.8, "high": 4.9, "of": 9}]
    judged[3]["interval"] = [[0.1, 0.2]]  # compared, but with too few networks to tell
    return judged


@pytest.fixture
def readme(tmp_path):
    """A README without content between its markers that is of today."""
    path = tmp_path / "readme"
    path.write_text(README)
    return path


def test_the_readme_tells_what_claims_measured_and_counts_verdicts(readme, rows):
    lines = readme_page(readme, rows, words_of(rows), LEDGER).splitlines()
    first, third = rows[0]["id"], rows[2]["id"]
    says = "Yip et al.: it is 0.25 (printed 0.3) in 4,860 of 5,000; 4.9."
    assert f"| ✓ ✗ | {says} | [picture](docs/pictures/phase_law.png) | `{first}` |" in lines
    assert "- A *word*." in lines
    assert f"| Many (we). | 25 %. | `{third}` |" in lines
    assert any(line.startswith("Of the papers' 3 claims, 1 are reproduced, 0 lie within a spread") for line in lines)
    assert "old counts" not in lines and "old results" not in lines and lines[0] == "# Title" and lines[-1] == "after"


def test_a_figure_that_is_not_kept_leads_to_its_notebook(readme, rows):
    words = words_of(rows) | {"pictures": []}
    assert "| [notebook](notebooks/quadrature/phases.py) |" in readme_page(readme, rows, words, LEDGER)
    words["results"][0]["figure"] = "phases/phase_laws"
    with refuses("results.0.figure: unknown figure 'phases/phase_laws'; did you mean 'phases/phase_law'?"):
        readme_page(readme, rows, words, LEDGER)


@pytest.mark.parametrize("place, verdict, must", [(0, NOT_REPRODUCED, "agree"), (1, "not judged", "differ")])
def test_a_sentence_whose_claim_came_out_otherwise_is_refused(readme, rows, place, verdict, must):
    rows[place]["verdict"] = verdict
    with refuses(f"{WORDS}: results.0: expected claim '{rows[place]['id']}' to {must}, its verdict is '{verdict}'"):
        readme_page(readme, rows, words_of(rows), LEDGER)


def test_a_sentence_that_names_a_claim_which_is_not_asked_for_is_refused(rows):
    by_id = {row["id"]: row for row in rows}
    first, second = list(by_id)[:2]
    with refuses(f"guesses.0.claims: unknown claim '{second}'", f"expected one of {first}"):
        told(f"{{{second}}}", {first: "agree"}, by_id, "guesses.0")
    with refuses("guesses.0: unknown claim 'no_claim'"):
        told("", {"no_claim": "agree"}, by_id, "guesses.0")
    by_id[first]["seeds"] = None
    with refuses(f"claim '{first}': expected a number of networks for which it holds, found none"):
        told(f"{{{first}.holds}}", {first: "agree"}, by_id, "guesses.0")


def test_a_claim_that_was_not_judged_or_a_missing_marker_stops_it(readme, rows):
    require_judged(rows, "laptop")
    readme.write_text(README.replace("<!-- end of claims -->", ""))
    with refuses("<!-- end of claims -->", "each once"):
        readme_page(readme, rows, words_of(rows), LEDGER)
    rows[0]["verdict"] = "not judged"
    with refuses(f"not judged here: {rows[0]['id']}"):
        require_judged(rows, "laptop")


def test_the_command_says_in_one_line_what_stands_in_its_way(rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows[2]["verdict"] = "not judged"
    texts = {
        "results/provenance.json": '{"config": {"scale": "laptop"}}',
        "figures/claims.json": json.dumps(rows),
    }
    for name, text in (texts | {"README.md": README}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(SystemExit, match=f"^readme: README.md shows a full build .* not judged here: {rows[2]['id']}$"):
        main()
    assert (tmp_path / "README.md").read_text() == README


def test_the_readme_asks_for_the_claims_that_it_is_written_from():
    commands = re.findall(r"^\|.*\| `(\w+)` \|$", TEXT, re.M)
    assert commands == [next(iter(entry["claims"])) for entry in TOLD["results"] + TOLD["guesses"]]


def test_what_the_readme_tells_is_what_the_ledger_expects():
    expected = {claim["id"]: claim["expected"] for claim in LEDGER["claims"]}
    for entry in TOLD["results"] + TOLD["guesses"]:
        for claim, must in entry["claims"].items():
            assert (must == "agree") == (expected[claim] == "agrees"), claim


KEPT_ROWS = json.loads((ROOT / "data/reference/numbers.json").read_text(encoding="utf-8"))
SCALE = json.loads((ROOT / "data/reference/provenance.json").read_text(encoding="utf-8"))["config"]["scale"]


def stale(folder, pages):
    """The pages of a folder that do not say what they should say today."""
    return [name for name, text in pages.items() if (folder / name).read_text(encoding="utf-8") != text]


@pytest.fixture(scope="module")
def told_pages():
    """What README and docs say of the reference build, by file, written again from its rows."""
    if "interval" not in next(iter(KEPT_ROWS.values())):
        pytest.skip("data/reference/numbers.json has no intervals; `workflow/dev/reference.py` keeps them")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(ROOT)
        claims = [{"id": claim["id"], **KEPT_ROWS[claim["id"]]} for claim in LEDGER["claims"]]
        return pages_of(claims, SCALE)


def test_every_number_of_readme_and_docs_is_of_the_reference_build(told_pages):
    assert not stale(ROOT, told_pages), "run `python workflow/dev/readme.py` after `python workflow/dev/reference.py`"


def test_codecheck_and_what_archives_read_say_what_citation_and_readme_say():
    assert not stale(ROOT, metadata()), "run `python workflow/dev/metadata.py`"


@pytest.mark.parametrize("name", ["README.md", "docs/limits.md", "codecheck.yml"])
def test_one_wrong_digit_is_found(request, name, tmp_path):
    pages = metadata() if name == "codecheck.yml" else request.getfixturevalue("told_pages")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    right = (ROOT / name).read_text(encoding="utf-8")
    place = right.index("151 of 152") if "151 of 152" in right else right.index("7")
    for text, found in ((right, []), (right[:place] + "8" + right[place + 1 :], [name])):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert stale(tmp_path, {name: pages[name]}) == found


def test_the_figures_of_codecheck_are_made_by_a_build():
    listed = {line.split()[1] for line in (ROOT / "data/reference/sha256.txt").read_text().splitlines()}
    files = [entry["file"] for entry in yaml.safe_load(metadata()["codecheck.yml"])["manifest"]]
    assert len(files) > 5 and {f"laptop/{file}" for file in files} <= listed


def test_the_papers_of_the_readme_are_all_that_state_claims():
    stating = {claim["paper"] for claim in LEDGER["claims"]} - {"B"}
    named = [mark for marks in TOLD["papers"].values() for mark in marks]
    assert sorted(named) == sorted(stating)
    with refuses("data/readme.yaml: papers.Yip et al.: unknown source 'Q'; expected one of M"):
        read_words(["M"])


def test_every_card_of_the_page_has_a_drawing_and_is_kept_of_the_reference_build():
    figures = [entry["figure"] for entry in TOLD["results"] if "card" in entry]
    assert len(figures) == 4 and set(figures) <= set(DRAWINGS)
    folder = ROOT / "data/reference/cards"
    if not folder.exists():
        pytest.skip("data/reference has no cards; `workflow/dev/reference.py` keeps them")
    assert {path.name for path in folder.iterdir()} == {kept_card(figure).removeprefix("cards/") for figure in figures}


def test_how_long_a_check_takes_is_what_reviewers_are_told():
    assert TOLD["check_takes"] in (ROOT / "docs/reviewers.md").read_text(encoding="utf-8").replace("\n", " ")


def test_the_lines_of_the_readme_are_short():
    as_read = re.sub(r"\]\([^)]*\)", "]", TEXT)  # without the addresses of links
    assert max(map(len, as_read.splitlines())) <= 200


def test_the_pictures_of_docs_are_those_of_the_reference_build():
    listed = dict(line.split()[::-1] for line in (ROOT / "data/reference/sha256.txt").read_text().splitlines())
    kept = {f"{figure.partition('/')[2]}.png": figure for figure in TOLD["pictures"]}
    assert {path.name for path in (ROOT / PICTURES).iterdir()} == set(kept) and len(kept) == len(TOLD["pictures"])
    for name, figure in kept.items():
        found = hashlib.sha256((ROOT / PICTURES / name).read_bytes()).hexdigest()
        assert found == listed[f"laptop/figures/{figure}.png"], name


def test_a_section_is_replaced_between_its_markers():
    new = with_section(README, "claims", "new counts\n", ROOT / "README.md")
    assert "old counts" not in new and "\n\nnew counts\n\n<!-- end of claims -->" in new
    assert with_section(new, "claims", "new counts\n", ROOT / "README.md") == new


def test_docs_count_the_kept_rows_that_are_there_today(monkeypatch):
    monkeypatch.chdir(ROOT)
    text = ABOUT_KEPT.read_text(encoding="utf-8")
    now = with_section(text, "kept", f"{in_words(counted())}\n", ABOUT_KEPT)
    assert text == now, f"{ABOUT_KEPT}: run `python workflow/dev/readme.py kept`"


def test_the_counts_of_kept_rows_are_written_without_a_build(monkeypatch, tmp_path):
    monkeypatch.setattr("readme.counted", lambda: [Kept("q_seeds", "pizza_transformer", 9, 9, 0, 0)])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    ABOUT_KEPT.write_text("before\n<!-- kept: written by `workflow/dev/readme.py` -->\n<!-- end of kept -->\nafter\n")
    text = kept_page()
    assert "\n\n`data/populations` has the rows of 9 networks. `make audit` can draw 9 of them" in text
    assert "bit.\n\n<!-- end of kept -->\nafter\n" in text, "nothing is said of others: there are none"


def test_each_central_claim_has_what_its_jobs_took(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("readme.COSTS", tmp_path / "costs.json")
    assert costs_page() == ABOUT_COSTS.read_text(encoding="utf-8"), "nothing is said before a build was measured"
    costs = defaultdict(lambda: {"cpu_s": 90.0, "memory_mb": 500.0})
    for name in ("train_network/pizza_transformer/seed0", "notebooks/phases"):
        (tmp_path / "costs.json").write_text(json.dumps({"disk_mb": 1.0, "jobs": costs | {name: costs[name]}}))
        with refuses("costs.json: expected the cost of '"):
            costs_page()
    monkeypatch.setattr("readme.lacking", lambda *_: ["train_network/pizza_transformer/seed0", "notebooks/phases"])
    (tmp_path / "costs.json").write_text(json.dumps({"disk_mb": 1.0, "jobs": costs}))
    assert "| `phase_line` | 3.0 | 0.5 |" in costs_page()


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


def test_kept_rows_of_a_config_of_ones_own_are_counted_by_their_architecture(monkeypatch, tmp_path):
    monkeypatch.setattr("kept_rows.read_config", lambda *files: {"datasets": {}})
    (tmp_path / "data/populations").mkdir(parents=True)
    shutil.copy(ROOT / "data/populations/c89_full.parquet", tmp_path / "data/populations/my_own.parquet")
    monkeypatch.chdir(tmp_path)
    assert kept_tables() == {"my_own": ("embedding_mlp", Path("data/populations/my_own.parquet"))}


def test_what_the_limits_say_of_choices_is_what_kept_rows_vary(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = choices_of_c()
    assert set(found["untried"]) < {"initial weights", "number of updates", "order of batches", "β₂"}
    assert all(change.networks for change in found["changes"].values())


def test_what_reviewers_check_first_are_claims():
    named = re.findall(r"^\| \[.*`make check CLAIM=(\w+)` \|$", (ROOT / "docs/reviewers.md").read_text(), re.MULTILINE)
    assert len(named) > 5 and set(named) <= {claim["id"] for claim in LEDGER["claims"]}
