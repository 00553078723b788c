"""Write what a full build found into README.md, docs and codecheck.yml (`python workflow/dev/readme.py`).

README.md gets the results, where a good guess is wrong, and the counts; docs get its pictures and the limits.
`python workflow/dev/readme.py kept` writes only what kept rows say of themselves into docs; it needs no build.
"""

import argparse
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kept_rows import choices_of_c, counted, in_words, of_all
from metadata import write_metadata
from project import errors_of

from modadd.core.files import ROOT, json_of, read_json
from modadd.core.wording import unknown
from paper.commands.build import PROVENANCE, require_build
from paper.commands.check import build_of, claim_named, targets_of
from paper.coq import ABSENT
from paper.ledger.judge.held_out import HeldOut, against_held_out
from paper.ledger.judge.verdicts import NOT_JUDGED, with_claims
from paper.ledger.read.entries import read_ledger
from paper.needed import COSTS, costs_in_words, lacking
from paper.notebook_files import notebook_file
from paper.page.cards import kept_card
from paper.page.claims import limits_page
from paper.page.front import captions_of
from paper.page.held_out import in_a_sentence as held_out_in_a_sentence
from paper.page.held_out import refuted_elsewhere
from paper.page.outcomes import outcome
from paper.page.site import counts_of_ours, counts_of_papers, in_a_sentence
from paper.page.told import CARRYING, WORDS, by_whom, filled, read_words
from paper.yaml_files import read_yaml

PICTURES = Path("docs/pictures")
REFERENCE = Path("data/reference")
HELD_OUT = "data/held_out/verdicts.json"
MADE_BY = Path("data/reference/provenance.json")
NOWHERE = Path("no build")  # a folder that lacks every file


def with_section(text: str, name: str, content: str, file: Path) -> str:
    """The text with a section's content replaced; raises ValueError naming the file if a marker is missing."""
    start = f"<!-- {name}: written by `workflow/dev/readme.py` -->"
    end = f"<!-- end of {name} -->"
    before, _, rest = text.partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{file}: expected the markers '{start}' and '{end}', each once")
    return f"{before}{start}\n\n{content}\n{end}{after}"


ABOUT_COSTS = Path("docs/reviewers.md")  # the page that says what a build takes of a machine


def costs_page() -> str:
    """The page with what a build took, and what each central claim takes if nothing is built.

    Raises ValueError if a marker is missing, or the reference build has not the cost of a job.
    """
    text = ABOUT_COSTS.read_text(encoding="utf-8")
    if not COSTS.exists():
        return text
    found = json_of(COSTS)
    words = [
        costs_in_words(found),
        f"\nProcessor time and largest job of each claim, measured on {json_of(MADE_BY)['origin']['processor']}:\n",
        "| claim | processor minutes | memory, GB |",
        "|---|---|---|",
    ]
    ledger = read_ledger()
    full = build_of([])
    for name in re.findall(r"^\| \[.*CLAIM=(\w+)", text, re.MULTILINE):
        claim = claim_named(name, ledger)
        jobs = lacking(targets_of(claim, full.questions[claim["notebook"]]), full, NOWHERE)
        if unknown_jobs := [job for job in jobs if job not in found["jobs"]]:
            raise ValueError(f"{COSTS}: expected the cost of '{unknown_jobs[0]}'; `workflow/dev/reference.py` keeps it")
        took = [found["jobs"][job] for job in jobs]
        minutes = sum(job["cpu_s"] for job in took) / 60
        words.append(f"| `{name}` | {minutes:.1f} | {max(job['memory_mb'] for job in took) / 1000:.1f} |")
    return with_section(text, "costs", "\n".join(words) + "\n", ABOUT_COSTS)


ABOUT_KEPT = Path("docs/running.md")  # the page that says how many kept networks can be trained again


def kept_page() -> str:
    """The page with how many kept networks there are and how many can be trained again; ValueError if a marker is missing."""
    text = ABOUT_KEPT.read_text(encoding="utf-8")
    return with_section(text, "kept", in_words(counted()) + "\n", ABOUT_KEPT)


def told(words: str, claims: Mapping[str, str], rows: Mapping[str, Mapping[str, Any]], where: str) -> str:
    """A sentence of data/readme.yaml with what its claims measured.

    `claims` says of each whether it must agree or differ; `rows` are those of figures/claims.json, by id. Raises ValueError,
    which begins with `where`, if a claim came out otherwise or is unknown, or if the sentence names one that is not in `claims`.
    """
    for name, must in claims.items():
        if name not in rows:
            raise ValueError(unknown(where, "claim", name, rows))
        if rows[name]["verdict"] not in CARRYING[must]:
            raise ValueError(f"{where}: expected claim '{name}' to {must}, its verdict is '{rows[name]['verdict']}'")
    return filled(words, claims, rows, where)


def results_table(words: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]], ledger: Mapping[str, Any]) -> str:
    """What came out, a line for each entry: the marks of its claims, its sentence, its picture or notebook, and its first claim.

    Raises ValueError as `told` does, and for an unknown figure.
    """
    figures = captions_of(ledger["notebooks"])
    lines = ["| | what came out | see | `make check CLAIM=…` |", "|---|---|---|---|"]
    for place, entry in enumerate(words["results"]):
        where = f"{WORDS}: results.{place}"
        says = told(entry["says"], entry["claims"], rows, where)
        says = by_whom(entry["claims"], rows, words["papers"]) + says
        figure = entry["figure"]
        if figure not in figures:
            raise ValueError(unknown(f"{where}.figure", "figure", figure, figures))
        question, _, name = figure.partition("/")
        see = f"[notebook]({notebook_file(ledger['notebooks'][question]['source'])})"
        if figure in words["pictures"]:
            see = f"[picture]({PICTURES}/{name}.png)"
        elif "card" in entry:
            see = f"[picture]({REFERENCE}/{kept_card(figure)})"
        marks = " ".join(outcome(rows[claim]).sign for claim in entry["claims"])
        lines.append(f"| {marks} | {says} | {see} | `{next(iter(entry['claims']))}` |")
    return "\n".join(lines) + "\n"


def guesses_table(words: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> str:
    """What one would expect, what the networks do, and the claim that says so; raises ValueError as `told` does."""
    lines = ["| one would expect | the networks | `make check CLAIM=…` |", "|---|---|---|"]
    for place, entry in enumerate(words["guesses"]):
        found = told(entry["found"], entry["claims"], rows, f"{WORDS}: guesses.{place}")
        expected = f"{entry['expected'].removesuffix('.')} ({entry['by']})."
        lines.append(f"| {expected} | {found} | `{next(iter(entry['claims']))}` |")
    return "\n".join(lines) + "\n"


def lacks_rows(row: dict[str, Any]) -> bool:
    """Whether a claim about many networks asks for a number that came after most kept rows."""
    seeds = row.get("seeds")
    return seeds is not None and seeds["not_measured"] > seeds["of"]


def require_judged(rows: Sequence[Mapping[str, Any]], scale: str) -> None:
    """Raise ValueError if a claim could not be judged on these networks.

    That they are too few to tell, or that most kept rows lack the number, is a result, and a claim may need Coq.
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
        raise ValueError(f"README.md shows a full build of the published recipes; not judged here: {names}")


def readme_page(
    readme: Path, rows: Sequence[Mapping[str, Any]], words: Mapping[str, Any], ledger: Mapping[str, Any]
) -> str:
    """README.md with the tables of data/readme.yaml and how many claims of the papers are reproduced, of these rows.

    Raises ValueError as `told` does, or if a marker is missing.
    """
    by_id = {row["id"]: row for row in rows}
    dropped = sum(map(len, read_yaml("data/dropped_claims.yaml").values()))
    counts = [
        counts_of_papers(rows),
        counts_of_ours(rows),
        f"{dropped} more of ours were dropped ([which](docs/limits.md#claims-of-ours-that-were-dropped)).",
    ]
    sections = {
        "words": "\n".join(f"- {line}" for line in words["words"]) + "\n",
        "results": results_table(words, by_id, ledger),
        "guesses": guesses_table(words, by_id),
        "claims": "\n".join(counts) + "\n",
    }
    text = readme.read_text(encoding="utf-8")
    for name, content in sections.items():
        text = with_section(text, name, content, readme)
    return text


def pages_of(claims: Sequence[Mapping[str, Any]], scale: str) -> dict[str, str]:
    """By file, the pages that tell of a build with these rows of figures/claims.json; raises ValueError as `readme_page` does."""
    ledger = read_ledger()
    rows = with_claims(claims, ledger)
    found = against_held_out(ledger["claims"], claims, HeldOut(**read_json(HELD_OUT)))
    tables = counted()
    limits = limits_page(
        rows,
        ledger["papers"],
        ledger["items"],
        scale,
        dropped=read_yaml("data/dropped_claims.yaml"),
        kept={"words": in_words(tables), "tables": tables, "all": of_all(tables)},
        choices=choices_of_c(),
        elsewhere=refuted_elsewhere(found),
        counted=[in_a_sentence(rows), held_out_in_a_sentence(found)],
    )
    readme = readme_page(Path("README.md"), rows, read_words(ledger["papers"]), ledger)
    return {"README.md": readme, "docs/limits.md": limits, str(ABOUT_KEPT): kept_page(), str(ABOUT_COSTS): costs_page()}


def copy_pictures(figures: Sequence[str]) -> None:
    """Copy those pictures to docs that this build made: a study may be dropped."""
    for figure in figures:
        picture = Path(f"figures/{figure}.png")
        if picture.exists():
            shutil.copyfile(picture, PICTURES / picture.name)


def main() -> None:
    """Write all of it from the build in this folder; exits with one line where something stands in the way."""
    require_build("readme")
    scale = json_of(PROVENANCE)["config"]["scale"]
    claims = json_of("figures/claims.json")
    with errors_of("readme"):
        require_judged(with_claims(claims, read_ledger()), scale)
        pages = pages_of(claims, scale)
        for name, text in pages.items():
            Path(name).write_text(text, encoding="utf-8")
        write_metadata()
    copy_pictures(read_words(read_ledger()["papers"])["pictures"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["kept"], help="default: all, from a full build")
    asked = parser.parse_args().what
    os.chdir(ROOT)
    if asked == "kept":
        with errors_of("readme"):
            ABOUT_KEPT.write_text(kept_page(), encoding="utf-8")
    else:
        main()
