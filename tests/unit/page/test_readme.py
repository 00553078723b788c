"""What `make readme` writes: counts of the verdicts and speeds into the README."""

import json

import pytest
from readme import update_readme
from support import refuses

README = """# Title
<!-- claims: written by `make readme` -->
old counts
<!-- end of claims -->
between
<!-- bench: written by `make readme` -->
old times
<!-- end of bench -->
after
"""


BENCH = """step,processor,kernel (ms),faster than autograd,faster than published,over the floor,late over early
Q,Intel,9.5,2.5,12.25,2.0,1.01
C,Intel,0.3,5.0,,2.4,1.02
"""


@pytest.fixture
def build(tmp_path):
    """The files of a build with three claims, as the arguments of `update_readme`."""
    rows = [("Q", "number matches"), ("Q", "number matches"), ("B", "ours holds"), ("Z", "not judged")]
    verdicts = [
        {"id": f"claim_{i}", "paper": paper, "verdict": verdict, "scales": ["laptop"], "difference": None}
        for i, (paper, verdict) in enumerate(rows)
    ]
    verdicts[3]["difference"] = 0.1  # compared, but with too few networks to tell
    texts = {
        "readme": README,
        "ledger": "papers: {Q: a paper, Z: published weights, B: beyond}",
        "bench": BENCH,
        "verdicts": json.dumps(verdicts),
        "picture": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in texts} | {"scale": "laptop", "kept": tmp_path / "kept.csv"}


def test_readme_counts_verdicts_by_source_in_the_order_of_the_ledger(build):
    update_readme(**build)
    lines = [line.replace(" ", "") for line in build["readme"].read_text(encoding="utf-8").splitlines()]
    counts = ["|Q|2|0|0|0|0|0|0|", "|Z|0|0|0|0|0|0|1|", "|B|0|0|0|1|0|0|0|", "|all|2|0|0|1|0|0|1|"]
    start = lines.index(counts[0])
    assert lines[start : start + 4] == counts
    assert "oldcounts" not in lines and "oldtimes" not in lines and "|step|ratio|Intel|" in lines
    assert lines[0] == "#Title" and "between" in lines and lines[-1] == "after"


def test_the_speeds_of_another_processor_stay_and_those_of_this_one_are_replaced(build):
    update_readme(**build)
    build["bench"].write_text(BENCH.replace("Intel", "AMD").replace("12.25", "18.5"))
    update_readme(**build)
    build["bench"].write_text(BENCH.replace("12.25", "12.75"))
    update_readme(**build)
    lines = [line.replace(" ", "") for line in build["readme"].read_text(encoding="utf-8").splitlines()]
    assert "|step|ratio|AMD|Intel|" in lines and "|Q|fasterthanpublished|18.50|12.75|" in lines
    assert "|C|fasterthanpublished" not in "".join(lines), "no loop is published"


def test_speeds_that_were_not_measured_here_stay(build, capsys):
    build["bench"].unlink()
    update_readme(**build)
    assert "old times" in build["readme"].read_text(encoding="utf-8") and "make bench" in capsys.readouterr().err


def test_the_picture_goes_to_docs(build, tmp_path):
    update_readme(**build)
    assert (tmp_path / "docs/picture").exists()


def test_writing_twice_changes_nothing(build, tmp_path):
    update_readme(**build)
    first = build["readme"].read_text(encoding="utf-8")
    update_readme(**build)
    assert build["readme"].read_text(encoding="utf-8") == first


def test_a_claim_that_was_not_judged_or_a_missing_marker_stops_it(build):
    build["readme"].write_text(README.replace("<!-- end of bench -->", ""))
    with refuses("<!-- end of bench -->", "each once"):
        update_readme(**build)
    rows = json.loads(build["verdicts"].read_text())
    rows[0]["verdict"] = "not judged"
    build["verdicts"].write_text(json.dumps(rows))
    with refuses("not judged here: claim_0"):
        update_readme(**build)
