"""How claims fare on networks that nobody had seen, in words: of figures/unseen.json, as `ledger.unseen` writes it."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from modadd.ledger.telling import measured_in_words
from modadd.ledger.unseen import EVERY, KINDS
from modadd.ledger.verdicts import AGREEING

Found = Mapping[str, Any]  # the content of figures/unseen.json


def in_a_sentence(found: Found) -> str:
    """The one number for page and README; empty where there are no such networks."""
    if not found:
        return ""
    every = found["counts"][EVERY]
    by_kind = [f"{kind} {_of(found['counts'][kind])}" for kind in KINDS if found["counts"][kind]["of"]]
    when = "in this build, from seeds that nobody had used" if found["own"] else "after everything was fixed"
    if not every["of"]:
        return f"None of {every['undecided']} statements about networks could be judged on networks trained {when}."
    undecided = f"; {every['undecided']} more could not be judged on these" if every["undecided"] else ""
    sentence = (
        f"Of {every['of']} statements about networks, {every['holds']} also hold on networks trained {when} "
        f"({_interval(every)}; by threshold: {', '.join(by_kind)}{undecided})."
    )
    reverse = sum(bool(line["turned"]) and line["kept"] not in AGREEING for line in found["lines"])
    if reverse:
        agree = "agrees" if reverse == 1 else "agree"
        sentence += f" Of the claims that differ on kept networks, {reverse} {agree} on these."
    return sentence


def counts_table(found: Found) -> pd.DataFrame:
    """A line for each kind of threshold, and one for tables of changed recipes, if there are any."""
    lines = {kind: found["counts"][kind] for kind in (EVERY, *KINDS)}
    elsewhere = found["elsewhere"]
    if elsewhere["of"] + elsewhere["undecided"]:
        lines["another modulus or number of updates, each statement and each table once"] = elsewhere
    return pd.DataFrame(
        {
            "threshold": name,
            "hold on kept networks": line["of"] + line["undecided"],
            "also on these": line["holds"],
            "not on these": line["of"] - line["holds"],
            "not judged on these": line["undecided"],
            "95 % interval of the share": f"{line['low']:.2f}–{line['high']:.2f}" if line["of"] else "–",
        }
        for name, line in lines.items()
    )


def part_in_words(part: Mapping[str, Any]) -> str:
    """For how many networks of a table a claim holds: "60 of 64 in q_seeds (95 %: …), 2 have no such number"."""
    where = f"{part['table']} ({part['other']})" if part["other"] else part["table"]
    networks = part["networks"]
    if networks is None:
        return f"no network of {where} has this number"
    without = f", {networks['without']} have no such number" if networks["without"] else ""
    return f"{_of(networks)} in {where} ({_interval(networks)}{without})"


def evidence_in_words(line: Mapping[str, Any], claim: Mapping[str, Any]) -> list[str]:
    """What a claim is judged by: its number, or the networks of each table."""
    if line["parts"]:
        return [part_in_words(part) for part in line["parts"]]
    row = {"published": None, **claim, "measured": line["measured"], "interval": None}
    return [] if line["measured"] is None else [measured_in_words(row)]


def turned_in_words(found: Found, claims: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Of each claim that turns on networks held out, by id, what its own verdict says of it; nothing of a build's own networks."""
    if not found or found["own"]:
        return {}
    words = {}
    for line in found["lines"]:
        if line["turned"]:
            did = "Did not hold" if line["kept"] in AGREEING else "Did hold"
            evidence = "; ".join(evidence_in_words(line, claims[line["id"]]))
            words[line["id"]] = f"{did} on held-out networks: {evidence or line['note']}."
    return words


def _of(share: Mapping[str, Any]) -> str:
    return f"{share['holds']} of {share['of']}"


def _interval(share: Mapping[str, Any]) -> str:
    return f"95 %: {share['low']:.2f}–{share['high']:.2f}"
