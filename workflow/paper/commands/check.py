"""Check one claim: build what it needs, judge it, and say what came out (`make check CLAIM=phase_line`).

The status is 0 if the verdict is the expected one, or the claim cannot be judged here; it is 1 if the verdict is another.
"""

import argparse
import difflib
import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from modadd.core.files import Data, in_project
from paper import needed
from paper.build import PUBLISHED, Build, read_build
from paper.commands.build import build
from paper.commands.options import with_build_options, with_configs
from paper.config import read_config
from paper.ledger.judge.built import judge_built
from paper.ledger.judge.verdicts import NOT_JUDGED, Verdict
from paper.ledger.read.words import show
from paper.ledger.tell.telling import interval_in_words, measured_in_words, on_which_networks
from paper.questions import Question, files_in

APART = {"smoke": Path("results/smoke")}  # by scale: the folder of `make smoke`, so that the real results stay
SUGGESTED = 6  # claims in a message
WIDTH = 100  # letters of a line
SET = {"given": "given by the words", "before": "set before looking", "after": "set after looking"}
USAGE = """make check CLAIM=ID [CONFIG=FILE] [VERBOSE=1]
       python -m paper check ID [options]"""
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


def build_of(files: Sequence[str]) -> Build:
    """The build of config files over the default one; raises ValueError, one line, as the workflow does."""
    return read_build(read_config(in_project("config/config.yaml"), *files), in_project(PUBLISHED))


def targets_of(claim: Data, question: Question) -> list[str]:
    """The values of the claim's notebook, and the tables of further networks that are made here, counted or not."""
    rows = question.rows
    tables = files_in([rows["retrainings"], _seeds_of(claim, question), rows["datasets"]])
    targets = [f"results/values/{question.name}.json"]
    for file in dict.fromkeys(tables):
        if file.startswith("results/"):
            targets.append(file)
    return targets


def _seeds_of(claim: Data, question: Question) -> dict[str, list[str]]:
    """Tables of the populations that the claim is about: all of its question, or those that it names."""
    seeds = question.rows["seeds"]
    return {name: seeds[name] for name in claim["judged_on"]}


def pictures_of(claim: Data, question: Question, items: Sequence[Data]) -> list[str]:
    """Figures and tables that show what a claim is about, by the items that it answers; else all of its notebook."""
    figures = [file for file in question.figures if file.endswith(".svg")]
    tables = [file for file in question.tables if file.endswith(".md")]
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


def in_words(verdict: Verdict, claim: Data, pictures: Sequence[Path], notebook: Path, rows: Sequence[str] = ()) -> str:
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
        lines["expected"] = "yes" if verdict.as_expected else f"no, but: {verdict.expected}"
    lines["why"] = verdict.note
    tables = [str(picture) for picture in pictures if picture.suffix == ".md"]
    figures = [str(picture) for picture in pictures if picture.suffix != ".md"]
    lines |= {"figure": "\n".join(figures), "table": "\n".join(tables), "notebook": str(notebook)}
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
    asked = build_of(files)
    claim = claim_named(name, asked.ledger)
    question = asked.questions[claim["notebook"]]
    folder = folder or APART.get(asked.config["scale"], Path("."))
    log = folder / "results/logs/check.log"
    targets = targets_of(claim, question)
    print(needed.in_words(needed.lacking(targets, asked, folder), asked.config), flush=True)
    build(folder, log, files, *targets, "--cores", cores, verbose=verbose)
    (verdict,) = judge_built([claim], weights=PUBLISHED, folder=folder, **asked.judged)
    pictures = [folder / file for file in pictures_of(claim, question, asked.ledger["items"])]
    rows = [
        str(folder / file) if file.startswith("results/") else file for file in files_in(_seeds_of(claim, question))
    ]
    print(in_words(verdict, claim, pictures, folder / f"results/notebooks/{question.name}.ipynb", rows))
    return verdict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The claim, the configs, the folder."""
    parser.usage = USAGE
    parser.epilog = COMPLETION
    with_configs(with_build_options(parser))
    parser.add_argument("claim", nargs="?", help="the id of a claim")
    parser.add_argument("--folder", type=Path, help="where to build; default: here, and results/smoke at scale smoke")
    parser.set_defaults(parser=parser)


def run(options: argparse.Namespace) -> int:
    """Check the claim; 0 if its verdict is the expected one, or it cannot be judged here, else 1."""
    if not options.claim:
        options.parser.print_help()
        return 2
    verdict = check(options.claim, options.configfile, options.folder, options.cores, options.verbose)
    return int(not verdict.as_expected)
