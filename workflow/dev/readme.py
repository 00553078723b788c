"""Put the counts of a full build into README.md, its picture, the slips and the limits into docs (`python workflow/dev/readme.py`).

`python workflow/dev/readme.py kept` writes only what kept rows say of themselves into README.md and docs; it needs no build.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

import project  # noqa: F401
from kept_rows import choices_of_c, counted, in_words, of_all

from modadd.core.files import json_of
from paper.commands.build import PROVENANCE, require_build
from paper.coq import ABSENT
from paper.ledger.judge.verdicts import NOT_JUDGED, with_claims
from paper.ledger.read.entries import read_ledger
from paper.notebook_files import question_file
from paper.page.claims import limits_page, slips_page
from paper.page.front import brief, what_differs
from paper.page.site import in_a_sentence
from paper.page.unseen import in_a_sentence as unseen_in_a_sentence
from paper.page.unseen import refuted_elsewhere
from paper.yaml_files import read_yaml


def with_section(text: str, name: str, content: str, file: Path) -> str:
    """The text with a section's content replaced; raises ValueError naming the file if a marker is missing."""
    start = f"<!-- {name}: written by `workflow/dev/readme.py` -->"
    end = f"<!-- end of {name} -->"
    before, _, rest = text.partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{file}: expected the markers '{start}' and '{end}', each once")
    return f"{before}{start}\n\n{content}\n{end}{after}"


ABOUT_KEPT = (Path("README.md"), Path("docs/running.md"))  # pages that say how many kept networks can be trained again


def update_kept() -> None:
    """Say in the pages how many kept networks there are and how many can be trained again; ValueError if a marker is missing."""
    words = in_words(counted()) + "\n"
    for page in ABOUT_KEPT:
        text = page.read_text(encoding="utf-8")
        page.write_text(with_section(text, "kept", words, page), encoding="utf-8")


def lacks_rows(row: dict[str, Any]) -> bool:
    """Whether a claim about many networks asks for a number that came after most kept rows."""
    seeds = row.get("seeds")
    return seeds is not None and seeds["not_measured"] > seeds["of"]


def update_readme(readme: Path, rows: list[dict[str, Any]], scale: str, unseen: str = "") -> None:
    """Count the verdicts in the README, and name what is not reproduced.

    `unseen` says how claims fare on networks that nobody had seen. Raises ValueError if a marker is missing or a claim could
    not be judged on these networks; that they are too few to tell, or that most kept rows lack the number, is a result, and a
    claim may need Coq.
    """
    unjudged = []
    for row in rows:
        if scale not in row["scales"] or row["verdict"] != NOT_JUDGED:
            continue
        is_told_why = row["interval"] is not None or row.get("note") == ABSENT or lacks_rows(row)
        if not is_told_why:
            unjudged.append(row["id"])
    if unjudged:
        names = ", ".join(unjudged)
        raise ValueError(f"{readme} shows a full build of the published recipes; not judged here: {names}")
    missed = ""
    for row in what_differs(rows):
        missed += f"- [{row['paper']}] {brief(row['statement'])} ([`{row['id']}`]({question_file(row['notebook'])}))\n"
    text = readme.read_text(encoding="utf-8")
    said = [in_a_sentence(rows), unseen]
    text = with_section(text, "claims", " ".join(filter(None, said)) + "\n", readme)
    readme.write_text(with_section(text, "missed", missed, readme), encoding="utf-8")


def main() -> None:
    """Write all of it from the build in this folder; exits with one line where something stands in the way."""
    require_build("readme")
    scale = json_of(PROVENANCE)["config"]["scale"]
    ledger = read_ledger()
    rows = with_claims(json_of("figures/claims.json"), ledger)
    found = json_of("figures/unseen.json")
    try:
        update_readme(Path("README.md"), rows, scale, unseen_in_a_sentence(found))
        update_kept()
    except ValueError as error:
        sys.exit(str(error))
    picture = Path("figures/quadrature/rectangles.png")
    if picture.exists():  # its study may be dropped
        shutil.copyfile(picture, "docs/rectangles.png")
    tables = counted()
    kept = {"words": in_words(tables), "tables": tables, "all": of_all(tables)}
    Path("docs/slips.md").write_text(slips_page(rows, ledger["items"]), encoding="utf-8")
    dropped = read_yaml("data/dropped_claims.yaml")
    Path("docs/limits.md").write_text(
        limits_page(rows, ledger["papers"], scale, dropped, kept, choices_of_c(), refuted_elsewhere(found)),
        encoding="utf-8",
    )


if __name__ == "__main__":
    update_kept() if sys.argv[1:] == ["kept"] else main()
