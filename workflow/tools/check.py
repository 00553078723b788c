"""Check one claim: build what it needs, judge it, and say what came out (`make check CLAIM=phase_line`).

The status is 0 if the verdict is the expected one, or the claim cannot be judged here; it is 1 if the verdict is another.
"""

import argparse
import difflib
import os
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import own_library  # noqa: F401
from build import build
from command import errors_of, with_build_options, with_configs
from snakemake.utils import validate

from modadd.core.plain import Data
from modadd.ledger.entries import read_ledger
from modadd.ledger.here import judge_built
from modadd.ledger.telling import interval_in_words, measured_in_words, on_which_networks
from modadd.ledger.verdicts import NOT_JUDGED, Verdict
from modadd.ledger.words import show
from modadd.planning.config import check_config, read_config
from modadd.planning.plan import Plan, files_in
from modadd.run.project import copy_project

SCHEMA = Path("workflow/schemas/config.schema.yaml")
APART = {"smoke": Path("results/smoke")}  # by scale: the folder of `make smoke`, so that the real results stay
SUGGESTED = 6  # claims in a message
WIDTH = 100  # letters of a line
SET = {"given": "given by the words", "before": "set before looking", "after": "set after looking"}
USAGE = """make check CLAIM=ID [CONFIG=FILE] [VERBOSE=1]
       python workflow/tools/check.py ID [options]"""
COMPLETION = r"""
`make` goes on from what a check has built.

Tab completion of targets and claims, in bash:
  complete -W "CLAIM= $(sed -nE '/^claims:/,$s/^  ([a-z0-9_]+):$/\1/p; s/^([a-z-]+):.*##.*/\1/p' notebooks/*/*.yaml Makefile)" make"""


def claim_named(name: str, ledger: Data) -> dict[str, Any]:
    """The claim of this id, in which blanks may stand for underscores.

    Raises ValueError, one line, with the nearest ids and those that contain the name, or with all of the notebook of this name.
    """
    id = name.strip().replace(" ", "_")
    claims = {claim["id"]: claim for claim in ledger["claims"]}
    if id in claims:
        return claims[id]
    suggested = [other for other, claim in claims.items() if claim["notebook"] == id]
    if not suggested:
        near = difflib.get_close_matches(id, claims, n=SUGGESTED // 2)
        near += [other for other in claims if id in other]
        suggested = list(dict.fromkeys(near))[:SUGGESTED]
    if suggested:
        raise ValueError(f"unknown claim '{name}'; did you mean {', '.join(suggested)}?")
    raise ValueError(f"unknown claim '{name}'; the .yaml beside each notebook has its claims, {len(claims)} in all")


def checked_config(files: Sequence[str], ledger: Data) -> dict[str, Any]:
    """A config with its defaults; raises ValueError, one line, as the workflow does."""
    config = read_config("config/config.yaml", *files)
    check_config(config, SCHEMA, ledger)
    validate(config, os.path.abspath(SCHEMA))  # fills in the defaults
    return config


def targets_of(claim: Data, plan: Plan) -> list[str]:
    """The values of the claim's notebook, and the tables of further networks that are made here, counted or not."""
    notebook = claim["notebook"]
    rows = plan.rows(notebook)
    tables = files_in([rows["retrainings"], _seeds_of(claim, plan), rows["datasets"]])
    targets = [f"results/values/{notebook}.json"]
    for file in dict.fromkeys(tables):
        if file.startswith("results/"):
            targets.append(file)
    return targets


def _seeds_of(claim: Data, plan: Plan) -> dict[str, list[str]]:
    """Tables of the populations that the claim is about: all of its question, or those that it names."""
    seeds = plan.rows(claim["notebook"])["seeds"]
    return {name: seeds[name] for name in claim["judged_on"]}


def pictures_of(claim: Data, plan: Plan, items: Sequence[Data]) -> list[str]:
    """Figures and tables that show what a claim is about, by the items that it answers; else all of its notebook."""
    notebook = claim["notebook"]
    figures = [file for file in plan.figures(notebook) if file.endswith(plan.formats[0])]
    tables = [file for file in plan.tables(notebook) if file.endswith(".md")]
    shown = set()
    for item in items:
        if claim["id"] in item["claims"]:
            for name in item["shown"]:
                shown.add(f"figures/{name}")
    named = []
    for file in figures + tables:
        name, _, _ = file.rpartition(".")
        if name in shown:
            named.append(file)
    return named or figures or tables


def in_words(verdict: Verdict, claim: Data, pictures: Sequence[Path], page: Path, rows: Sequence[str] = ()) -> str:
    """What a reader compares, a line each; `rows` are the tables that have the number of each other network."""
    row = {"external": None, **claim, **asdict(verdict)}
    lines = {"source": f"[{verdict.paper}] {verdict.place}"}
    if verdict.published is not None:
        lines["published"] = show(verdict.published)
    if "threshold" in claim:
        lines["threshold"] = f"{show(claim['threshold'])}, ours, {SET[claim['threshold_set']]}"
    lines |= {
        "measured": measured_in_words(row),
        "interval": interval_in_words(row),
        "check": verdict.criterion,
        "networks": on_which_networks(row),
    }
    if verdict.seeds and rows:
        lines["each one"] = f"column {claim['value']} of {', '.join(rows)}"
    lines["verdict"] = verdict.verdict
    if verdict.verdict != NOT_JUDGED:
        other = f"another verdict: {verdict.expected}"
        lines["reference"] = "the same verdict" if verdict.as_expected else other
    lines["why"] = verdict.note
    tables = [str(picture) for picture in pictures if picture.suffix == ".md"]
    figures = [str(picture) for picture in pictures if picture.suffix != ".md"]
    lines |= {"figure": "\n".join(figures), "table": "\n".join(tables), "page": str(page)}
    said = [*_folded(f"{verdict.id}: {verdict.statement}"), ""]
    for key, words in lines.items():
        said += [f"{key:11}{line}" for line in _folded(words)]
    return "\n".join(said)


def _folded(words: str) -> list[str]:
    folded = []
    for line in words.splitlines():
        folded += textwrap.wrap(line, WIDTH, break_long_words=False)
    return folded


def check(name: str, files: list[str], folder: Path | None, cores: str, verbose: bool) -> Verdict:
    """Build, judge and print; raises ValueError, one line, for a bad name or config."""
    ledger = read_ledger()
    claim = claim_named(name, ledger)
    config = checked_config(files, ledger)
    folder = folder or APART.get(config["scale"], Path("."))
    if folder != Path("."):
        copy_project(Path("."), folder)
    plan = Plan(config, ledger)
    log = folder / "results/logs/check.log"
    build(folder, log, files, *targets_of(claim, plan), "--cores", cores, verbose=verbose)
    (verdict,) = judge_built([claim], published="data/published/values.json", folder=folder, **plan.judged())
    pictures = [folder / file for file in pictures_of(claim, plan, ledger["items"])]
    rows = [str(folder / file) for file in files_in(_seeds_of(claim, plan))]
    page = folder / f"figures/notebooks/{claim['notebook']}.html"
    print(in_words(verdict, claim, pictures, page, rows))
    return verdict


if __name__ == "__main__":
    form = {"usage": USAGE, "description": __doc__, "epilog": COMPLETION}
    parser = argparse.ArgumentParser(**form, formatter_class=argparse.RawDescriptionHelpFormatter)
    with_configs(with_build_options(parser))
    parser.add_argument("claim", nargs="?", help="the id of a claim")
    parser.add_argument("--folder", type=Path, help="where to build; default: here, and results/smoke at scale smoke")
    options = parser.parse_args()
    if not options.claim:
        parser.print_help()
        sys.exit(2)
    with errors_of("check"):
        verdict = check(options.claim, options.configfile, options.folder, options.cores, options.verbose)
    sys.exit(not verdict.as_expected)
