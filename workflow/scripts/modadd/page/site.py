"""Tables of the site: verdicts, recipes, networks and populations."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from modadd.ledger.claims import IDENTITY, OURS
from modadd.ledger.telling import is_kept
from modadd.ledger.verdicts import (
    AGREEING,
    HOLDS,
    INCONSISTENT,
    NOT_JUDGED,
    NOT_REPRODUCED,
    OURS_FAILS,
    OURS_HOLDS,
    ROUNDS,
    SLIP,
    STATEMENTS,
    VERDICTS,
    WITHIN_SPREAD,
    WITHIN_TOLERANCE,
)
from modadd.networks.overrides import OVERRIDABLE
from modadd.networks.recipes import RECIPES, deviations
from modadd.networks.store import Network


def mark_of(verdict: str) -> str:
    """The class of a verdict's colour: good, bad, or none for what is not judged."""
    return "good" if verdict in AGREEING else "" if verdict == NOT_JUDGED else "bad"


def table_html(table: pd.DataFrame, anchors: str = "") -> Markup:
    """A table as HTML, four significant digits; with `anchors`, each row has an id of that word and its first cell."""
    html = table.to_html(index=False, border=0, float_format=lambda x: f"{x:.4g}", na_rep="–")
    html = re.sub(r"^ +", "", html, flags=re.MULTILINE)
    if anchors:
        html = re.sub(
            r"<tr>(\s*)<td>(.+?)</td>",
            lambda row: f'<tr id="{anchors}-{row[2].replace("/", "-")}">{row[1]}<th scope="row">{row[2]}</th>',
            html,
        )
    return Markup(html)


def size_of(picture: Path) -> Markup:
    """Width and height of an SVG as attributes of its <img>, so that the page keeps its place before it is loaded."""
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture.read_text(encoding="utf-8")).groups()
    return Markup(f'width="{float(width):.0f}" height="{float(height):.0f}"')


def verdict_counts(claims: Iterable[Mapping[str, Any]], papers: Mapping[str, str]) -> pd.DataFrame:
    """Number of claims by source (rows, in the order of the ledger) and verdict (columns), with totals."""
    rows = pd.DataFrame([(claim["paper"], claim["verdict"]) for claim in claims], columns=["paper", "verdict"])
    counts = pd.crosstab(rows.paper, rows.verdict).reindex(columns=VERDICTS, fill_value=0)
    counts = counts.reindex([mark for mark in papers if mark in counts.index])
    counts.loc["all"] = counts.sum()
    return counts


def in_a_sentence(claims: Sequence[Mapping[str, Any]]) -> str:
    """What came out, for page, README and terminal: the papers' claims apart from those of this project, identities apart."""
    papers, ours = (
        Counter(row["verdict"] for row in claims if (row["paper"] == OURS) == own and row["kind"] != IDENTITY)
        for own in (False, True)
    )
    numbers = papers[ROUNDS] + papers[WITHIN_SPREAD] + papers[WITHIN_TOLERANCE]
    kept = Counter(row["verdict"] for row in claims if is_kept(row) and row["paper"] != OURS)
    slips = papers[SLIP] + papers[INCONSISTENT]
    statements = sum(papers[verdict] for verdict in STATEMENTS)
    apart = f", of which {statements - papers[HOLDS]} hold for the network shown and not for nearly all seeds"
    identities = sum(row["kind"] == IDENTITY for row in claims)
    return (
        f"Of the papers' {papers.total()} claims, {numbers + statements} are reproduced ({numbers} printed numbers, of which "
        f"{papers[ROUNDS]} round to print{_of_them(kept[ROUNDS])}, {papers[WITHIN_SPREAD]} lie within the spread of trainings and "
        f"{papers[WITHIN_TOLERANCE]} within a tolerance of ours{_of_them(kept[WITHIN_TOLERANCE])}, and {statements} "
        f"statements{_of_them(kept[HOLDS])}{apart if statements > papers[HOLDS] else ''}), {papers[NOT_REPRODUCED]} are not, {slips} are slips or contradictions of a paper, and "
        f"{papers[NOT_JUDGED]} could not be judged here. Of our own {ours.total()}, {ours[OURS_HOLDS]} hold, {ours[OURS_FAILS]} do "
        f"not, and {ours[NOT_JUDGED]} could not be judged here. {identities} mathematical identities only test our code."
    )


def _of_them(count: int) -> str:
    """How many of some claims rest on kept values of published weights, which this build did not measure."""
    return f" ({count} of them measured once on published weights, and kept)" if count else ""


def outcome_of(claims: Iterable[Mapping[str, Any]]) -> str:
    """What came out of some claims, in a few words: "4 agree, 1 differs"."""
    words = {True: "agree", False: "differ", None: "not judged"}
    found = Counter(
        True if row["verdict"] in AGREEING else None if row["verdict"] == NOT_JUDGED else False for row in claims
    )
    parts = [
        f"{found[key]} {word}{'s' * (key is not None and found[key] == 1)}" for key, word in words.items() if found[key]
    ]
    return ", ".join(parts) or "no claim"


def recipe_table() -> pd.DataFrame:
    """The published recipes side by side, one row per number that a config may override."""
    rows = {key: [str(getattr(recipe, key)) for recipe in RECIPES.values()] for key in OVERRIDABLE}
    return pd.DataFrame(rows, index=list(RECIPES)).T.rename_axis("number").reset_index()


def network_table(networks: Mapping[str, Network]) -> pd.DataFrame:
    """The networks trained one by one: size, results of training, and where they deviate from the published recipe."""
    return pd.DataFrame(
        {
            "network": name,
            "modulus": network.recipe.modulus,
            "updates": network.recipe.steps,
            **{key.replace("_", " "): value for key, value in network.results.items()},
            "deviates in": ", ".join(deviations(network.recipe.as_dict()).values()) or "nothing",
        }
        for name, network in networks.items()
    )


POPULATION_COLUMNS = ["architecture", "accuracy", *OVERRIDABLE]  # what the table of populations is made from


def population_table(populations: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The populations: how many networks, of which recipe, how many answer every input right, what sets them apart."""
    return pd.DataFrame(
        {
            "population": name,
            "networks": len(rows),
            "recipe": rows.architecture.iloc[0],
            "accuracy 1": int((rows.accuracy == 1).sum()),
            "steps": ", ".join(str(steps) for steps in sorted(rows.steps.unique())),
            "varies": ", ".join(key for key in OVERRIDABLE if rows[key].nunique() > 1) or "seed",
        }
        for name, rows in populations.items()
    )
