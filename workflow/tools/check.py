"""Check one claim: build what it needs, judge it, and say what came out (`make check CLAIM=phase_line`).

The status is 0 if the verdict is the expected one, or the claim cannot be judged here; it is 1 if the verdict is another.
"""

import argparse
import difflib
import os
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import own_library  # noqa: F401
from build import build, with_build_options
from snakemake.utils import validate

from modadd.ledger.entries import read_ledger
from modadd.ledger.here import judge_built
from modadd.ledger.telling import interval_in_words, measured_in_words, where_it_holds
from modadd.ledger.verdicts import NOT_JUDGED, Verdict, rests_on_one
from modadd.ledger.words import show
from modadd.page.ways import FIGURE, places
from modadd.run.config import check_config, read_config
from modadd.run.plan import Plan
from modadd.run.project import copy_project

SCHEMA = Path("workflow/schemas/config.schema.yaml")
APART = {"smoke": Path("results/smoke")}  # by scale: the folder of `make smoke`, so that the real results stay
SUGGESTED = 6  # claims in a message
SET = {"given": "given by the words", "before": "set before looking", "after": "set after looking"}
USAGE = """make check CLAIM=ID [CONFIG=FILE] [VERBOSE=1]
       python workflow/tools/check.py ID [options]"""
COMPLETION = r"""
`make` goes on from what a check has built.

Tab completion of targets and claims, in bash:
  complete -W "CLAIM= $(sed -nE '/^claims:/,$s/^  ([a-z0-9_]+):$/\1/p; s/^([a-z-]+):.*##.*/\1/p' notebooks/*/*.yaml Makefile)" make"""


def claim_named(name: str, ledger: Mapping[str, Any]) -> dict[str, Any]:
    """The claim of this id, in which blanks may stand for underscores.

    Raises ValueError, one line, with the nearest ids, and with those of a notebook, of words, or of a place such as `C Fig. 5b`.
    """
    claims = {claim["id"]: claim for claim in ledger["claims"]}
    if (id := name.strip().replace(" ", "_")) in claims:
        return claims[id]
    near = difflib.get_close_matches(id, claims, n=SUGGESTED // 2, cutoff=0.6)
    near += [other for other, claim in claims.items() if id in other or id == claim["notebook"]]
    near = _about_a_figure(name, ledger) or near + [other for other, claim in claims.items() if _is_meant(name, claim)]
    listed = ", ".join(list(dict.fromkeys(near))[:SUGGESTED])
    guess = (
        f"; did you mean {listed}?"
        if near
        else f"; the .yaml beside each notebook has its claims, {len(claims)} in all"
    )
    raise ValueError(f"unknown claim '{name}'{guess}")


def _about_a_figure(name: str, ledger: Mapping[str, Any]) -> list[str]:
    """The claims that the page lists under a figure of a source, such as `C Fig. 5b`."""
    mark, _, words = name.strip().replace("[", "").replace("]", "").partition(" ")
    figure = FIGURE.fullmatch(words.rstrip(ascii_lowercase))
    title = figure and f"Fig. {figure[1]}"
    of_source = places([item for item in ledger["items"] if item["source"] == mark], ledger["claims"])
    return [claim for place in of_source if place.title == title for claim in place.claims]


def _is_meant(words: str, claim: Mapping[str, Any]) -> bool:
    """Whether all words stand in the claim's statement, or in its source and place."""
    told = f"{claim['paper']} {claim['place']} {claim['statement']}".lower()
    return all(
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", told)
        for word in words.lower().replace("[", "").replace("]", "").split()
    )


def checked_config(files: Sequence[str], ledger: Mapping[str, Any]) -> dict[str, Any]:
    """A config with its defaults; raises ValueError, one line, as the workflow does."""
    config = read_config("config/config.yaml", *files)
    check_config(config, SCHEMA, ledger)
    validate(config, os.path.abspath(SCHEMA))  # fills in the defaults
    return config


def targets_of(claim: Mapping[str, Any], plan: Plan) -> list[str]:
    """The values of the claim's notebook, and the tables of further networks that are made here, counted or not."""
    notebook = claim["notebook"]
    rows = plan.rows(notebook)
    tables = [*rows["retrainings"].values(), *_seeds_of(claim, plan).values(), *rows["datasets"].values()]
    made = [file for files in tables for file in files if file.startswith("results/")]
    return [f"results/values/{notebook}.json", *dict.fromkeys(made)]


def _seeds_of(claim: Mapping[str, Any], plan: Plan) -> dict[str, list[str]]:
    """Tables of the populations that the claim is about: all of its question, or those that it names."""
    return {name: plan.rows(claim["notebook"])["seeds"][name] for name in claim["judged_on"]}


def pictures_of(claim: Mapping[str, Any], plan: Plan, items: Sequence[Mapping[str, Any]]) -> list[str]:
    """Figures and tables that show what a claim is about, by the items that it answers; else all of its notebook."""
    notebook = claim["notebook"]
    shown = {name for item in items if claim["id"] in item["claims"] for name in item["shown"]}
    files = [file for file in (*plan.figures(notebook), *plan.tables(notebook)) if not file.endswith((".csv", ".tex"))]
    by_name = {file.rpartition(".")[0]: file for file in reversed(files)}  # the first format: SVG
    named = [by_name[f"figures/{name}"] for name in sorted(shown) if f"figures/{name}" in by_name]
    drawn = [file for file in files if file in by_name.values() and not file.endswith(".md")]
    return named or drawn or files


def in_words(
    verdict: Verdict, claim: Mapping[str, Any], pictures: Sequence[Path], page: Path, rows: Sequence[str] = ()
) -> str:
    """What a reader compares, a line each; `rows` are the tables that have the number of each other network."""
    ours, row = "threshold" in claim, {"external": None, **claim, **asdict(verdict)}
    lines = {
        "source": f"[{verdict.paper}] {verdict.place}",
        "published": "" if verdict.published is None else show(verdict.published),
        "threshold": f"{show(claim['threshold'])}, ours, {SET[claim['threshold_set']]}" if ours else "",
        "measured": measured_in_words(row),
        "interval": interval_in_words(row),
        "check": verdict.criterion,
        "networks": where_it_holds(row) or ("one training only" if rests_on_one(row) else ""),
        "each one": f"column {claim['value']} of {', '.join(rows)}" if verdict.seeds and rows else "",
        "verdict": verdict.verdict,
        "reference": _as_in_the_reference(verdict),
        "why": verdict.note,
        **{
            kind: "\n".join(str(picture) for picture in pictures if (picture.suffix == ".md") == (kind == "table"))
            for kind in ("figure", "table")
        },
        "page": str(page),
    }
    rows = [f"{key:11}{line}" for key, words in lines.items() for line in _folded(words)]
    return "\n".join([*textwrap.wrap(f"{verdict.id}: {verdict.statement}", 100), "", *rows])


def _as_in_the_reference(verdict: Verdict) -> str:
    """Whether the verdict is that of the reference build."""
    if verdict.verdict == NOT_JUDGED:
        return ""
    return "the same verdict" if verdict.as_expected else f"another verdict: {verdict.expected}"


def _folded(words: str) -> list[str]:
    return [part for line in words.splitlines() for part in textwrap.wrap(line, 100, break_long_words=False)]


def check(name: str, files: list[str], folder: Path | None, cores: str, verbose: bool) -> Verdict:
    """Build, judge and print; raises ValueError, one line, for a bad name or config."""
    ledger = read_ledger()
    claim = claim_named(name, ledger)
    config = checked_config(files, ledger)
    folder = folder or APART.get(config["scale"], Path("."))
    if folder != Path("."):
        copy_project(Path("."), folder)
    plan, paths = Plan(config, ledger), [os.path.abspath(file) for file in files]
    targets = targets_of(claim, plan)
    build(folder, folder / "results/logs/check.log", paths, *targets, "--cores", cores, verbose=verbose)
    (verdict,) = judge_built([claim], published="data/published/values.json", folder=folder, **plan.judged())
    pictures = [folder / file for file in pictures_of(claim, plan, ledger["items"])]
    rows = [str(folder / file) for files in _seeds_of(claim, plan).values() for file in files]
    print(in_words(verdict, claim, pictures, folder / f"figures/notebooks/{claim['notebook']}.html", rows))
    return verdict


if __name__ == "__main__":
    form = {"usage": USAGE, "description": __doc__, "epilog": COMPLETION}
    parser = argparse.ArgumentParser(**form, formatter_class=argparse.RawDescriptionHelpFormatter)
    with_build_options(parser)
    parser.add_argument("claim", nargs="?", help="the id of a claim")
    parser.add_argument("--configfile", nargs="*", default=[], help="laid over config/config.yaml, as snakemake does")
    parser.add_argument("--folder", type=Path, help="where to build; default: here, and results/smoke at scale smoke")
    options = parser.parse_args()
    if not options.claim:
        parser.print_help()
        sys.exit(2)
    try:
        verdict = check(options.claim, options.configfile, options.folder, options.cores, options.verbose)
    except (ValueError, OSError) as error:
        sys.exit(f"check: {error}")
    sys.exit(not verdict.as_expected)
