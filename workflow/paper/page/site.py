"""Tables of the site: verdicts, recipes, networks and populations."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.networks.overrides import OVERRIDABLE
from modadd.networks.recipes import RECIPES, deviations
from modadd.networks.store import Network
from paper.ledger.judge.verdicts import (
    AGREEING,
    HOLDS,
    HOLDS_NOT_FOR_MOST,
    HOLDS_NOT_FOR_NEARLY_ALL,
    INCONSISTENT,
    NOT_JUDGED,
    NOT_REPRODUCED,
    OURS_FAILS,
    OURS_HOLDS,
    ROUNDS,
    SLIP,
    VERDICTS,
    WITHIN_SPREAD,
    WITHIN_TOLERANCE,
)
from paper.ledger.read.claims import IDENTITY, OURS
from paper.ledger.tell.telling import is_kept
from paper.page.outcomes import OUTCOMES


def mark_of(verdict: str) -> str:
    """The class of a verdict's colour."""
    return OUTCOMES[verdict].style


def cells_of(table: pd.DataFrame) -> dict[str, list]:
    """A table as plain texts, four significant digits: its columns, and its rows."""
    rows = []
    for row in table.astype(object).to_numpy():
        rows.append(list(map(_in_a_cell, row)))
    return {"columns": list(table), "rows": rows}


def _in_a_cell(value: Any) -> str:
    if pd.isna(value):
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


PIXELS = 96 / 72  # of a browser, in a point


def size_of(picture: Path) -> list[int]:
    """Width and height in pixels at which an SVG has letters of the size that they were drawn with."""
    sides = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture.read_text(encoding="utf-8")).groups()
    return [round(PIXELS * float(side)) for side in sides]


def verdict_counts(claims: Iterable[Mapping[str, Any]], papers: Mapping[str, str]) -> pd.DataFrame:
    """Number of claims by source (rows, in the order of the ledger) and verdict (columns), with totals."""
    rows = pd.DataFrame([(claim["paper"], claim["verdict"]) for claim in claims], columns=["paper", "verdict"])
    counts = pd.crosstab(rows.paper, rows.verdict).reindex(columns=VERDICTS, fill_value=0)
    counts = counts.reindex([mark for mark in papers if mark in counts.index])
    counts.loc["all"] = counts.sum()
    return counts


def counts_of_papers(claims: Sequence[Mapping[str, Any]]) -> str:
    """How the papers' claims came out, identities apart, in a sentence."""
    papers = Counter(row["verdict"] for row in claims if row["kind"] != IDENTITY and row["paper"] != OURS)
    within = papers[WITHIN_SPREAD] + papers[WITHIN_TOLERANCE]
    in_part = papers[HOLDS_NOT_FOR_NEARLY_ALL] + papers[HOLDS_NOT_FOR_MOST]
    slips = papers[SLIP] + papers[INCONSISTENT]
    return (
        f"Of the papers' {papers.total()} claims, {papers[ROUNDS] + papers[HOLDS]} are reproduced, {within} lie within a spread or "
        f"tolerance, {in_part} hold in part, {papers[NOT_REPRODUCED]} differ, {slips} are slips or contradictions, and "
        f"{papers[NOT_JUDGED]} could not be judged here."
    )


def counts_of_ours(claims: Sequence[Mapping[str, Any]]) -> str:
    """How the claims of this project came out, identities apart, in a sentence."""
    ours = Counter(row["verdict"] for row in claims if row["kind"] != IDENTITY and row["paper"] == OURS)
    return (
        f"Of our own {ours.total()} claims, {ours[OURS_HOLDS]} hold, {ours[OURS_FAILS]} do not, and {ours[NOT_JUDGED]} could not "
        "be judged here."
    )


def in_a_sentence(claims: Sequence[Mapping[str, Any]]) -> str:
    """What came out, for the page: the papers' claims apart from those of this project, identities apart."""
    judged = [row for row in claims if row["kind"] != IDENTITY]
    papers = Counter(row["verdict"] for row in judged if row["paper"] != OURS)
    in_part = papers[HOLDS_NOT_FOR_NEARLY_ALL] + papers[HOLDS_NOT_FOR_MOST]
    kept = sum(is_kept(row) for row in judged if row["paper"] != OURS and row["verdict"] in AGREEING)
    said = [
        counts_of_papers(claims),
        f"Reproduced are {papers[ROUNDS]} printed numbers, which round to print, and {papers[HOLDS]} statements.",
    ]
    if in_part:
        said.append(f"The {in_part} that hold in part hold for the network shown, and not for nearly all seeds.")
    if kept:
        said.append(f"{kept} of those that agree were measured once on published weights, and kept.")
    said += [
        counts_of_ours(claims),
        f"{len(claims) - len(judged)} mathematical identities only test our code.",
    ]
    return " ".join(said)


def outcome_of(claims: Iterable[Mapping[str, Any]]) -> str:
    """What came out of some claims, in a few words: "4 agree, 1 differs"."""
    verdicts = [row["verdict"] for row in claims]
    unjudged = verdicts.count(NOT_JUDGED)
    agree = sum(verdict in AGREEING for verdict in verdicts)
    differ = len(verdicts) - agree - unjudged
    parts = []
    for word, count in {"agree": agree, "differ": differ}.items():
        if count:
            parts.append(f"{count} {word}{'s' if count == 1 else ''}")
    if unjudged:
        parts.append(f"{unjudged} not judged")
    return ", ".join(parts) or "no claim"


def recipe_table() -> pd.DataFrame:
    """The published recipes side by side, one row per number that a config may override."""
    columns = {}
    for name, recipe in RECIPES.items():
        columns[name] = [str(getattr(recipe, key)) for key in OVERRIDABLE]
    return pd.DataFrame(columns, index=list(OVERRIDABLE)).rename_axis("number").reset_index()


def network_table(networks: Mapping[str, Network]) -> pd.DataFrame:
    """The networks trained one by one: size, results of training, and where they deviate from the published recipe."""
    lines = []
    for name, network in networks.items():
        line = {"network": name, "modulus": network.recipe.modulus, "updates": network.recipe.steps}
        for key, value in network.results.items():
            line[key.replace("_", " ")] = value
        line["deviates in"] = ", ".join(deviations(network.recipe.as_dict()).values()) or "nothing"
        lines.append(line)
    return pd.DataFrame(lines)


POPULATION_COLUMNS = ["architecture", "accuracy", *OVERRIDABLE]  # what the table of populations is made from


def population_table(populations: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The populations: how many networks, of which recipe, how many answer every input right, what sets them apart."""
    lines = []
    for name, rows in populations.items():
        steps = sorted(rows.steps.unique())
        varying = [key for key in OVERRIDABLE if rows[key].nunique() > 1]
        line = {
            "population": name,
            "networks": len(rows),
            "recipe": rows.architecture.iloc[0],
            "accuracy 1": int((rows.accuracy == 1).sum()),
            "steps": ", ".join(map(str, steps)),
            "varies": ", ".join(varying) or "seed",
        }
        lines.append(line)
    return pd.DataFrame(lines)
