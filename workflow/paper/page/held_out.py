"""How claims fare on networks held out, in words: of figures/unseen.json, as `ledger.judge.held_out` has it."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from paper.ledger.judge.held_out import EVERY, HOLDS, KINDS, REFUTED, UNDECIDED, WITHOUT
from paper.ledger.judge.verdicts import AGREEING
from paper.ledger.tell.telling import measured_in_words

Found = Mapping[str, Any]  # the content of figures/unseen.json


def in_a_sentence(found: Found) -> str:
    """The one number for page and README."""
    every = found["counts"][EVERY]
    when = "after these claims were fixed"
    asked = sum(every.values()) - every[WITHOUT]
    if not asked:
        return f"No statement about networks could be asked of networks trained {when}."
    by_kind = [f"{kind} {_of(found['counts'][kind])}" for kind in KINDS if _asked(found["counts"][kind])]
    refuted = f"{every[REFUTED]} {'is' if every[REFUTED] == 1 else 'are'}" if every[REFUTED] else "none is"
    undecided = f"{every[UNDECIDED]} {'is' if every[UNDECIDED] == 1 else 'are'} undecided"
    sentence = (
        f"Of {asked} statements about networks, {every[HOLDS]} hold again on networks trained {when}, {undecided}, and {refuted} "
        f"refuted (hold again, by threshold: {', '.join(by_kind)}). {every[WITHOUT]} more came later, have no such networks, or were changed since."
    )
    elsewhere = found["elsewhere"][REFUTED]
    if elsewhere:
        sentence += f" At another modulus or number of updates {elsewhere} {'is' if elsewhere == 1 else 'are'} refuted."
    reverse = sum(bool(line["turned"]) and line["kept"] not in AGREEING for line in found["lines"])
    if reverse:
        agree = "agrees" if reverse == 1 else "agree"
        sentence += f" Of the claims that differ on kept networks, {reverse} {agree} on these."
    return sentence


def counts_table(found: Found) -> pd.DataFrame:
    """A line for each kind of threshold, and one for tables of changed recipes, if there are any."""
    lines = {kind: found["counts"][kind] for kind in (EVERY, *KINDS)}
    elsewhere = found["elsewhere"]
    if sum(elsewhere.values()):
        lines["another modulus or number of updates, each statement and each table once"] = elsewhere
    return pd.DataFrame(
        {
            "threshold": name,
            "hold on kept networks": sum(line.values()),
            "hold on these": line[HOLDS],
            "refuted": line[REFUTED],
            "undecided": line[UNDECIDED],
            "no such networks, or changed since": line[WITHOUT],
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
    return f"{networks['holds']} of {networks['of']} in {where} ({_interval(networks)}{without})"


def evidence_in_words(line: Mapping[str, Any], claim: Mapping[str, Any]) -> list[str]:
    """What a claim is judged by: its number, or the networks of each table."""
    if line["parts"]:
        return [part_in_words(part) for part in line["parts"]]
    row = {"published": None, **claim, "measured": line["measured"], "interval": None}
    return [] if line["measured"] is None else [measured_in_words(row)]


def refuted_elsewhere(found: Found) -> dict[str, str]:
    """Of each statement that holds on kept networks and is refuted at another modulus or number of updates, by id, in which."""
    words = {}
    for line in found["lines"]:
        refuted = [part_in_words(part) for part in line["parts"] if part["other"] and part["agrees"] is False]
        if refuted and line["kept"] in AGREEING:
            words[line["id"]] = "; ".join(refuted)
    return words


def turned_in_words(found: Found, claims: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Of each claim that turns on networks held out, by id, what its own verdict says of it."""
    words = {}
    for line in found["lines"]:
        if line["turned"]:
            did = "Did not hold" if line["kept"] in AGREEING else "Did hold"
            evidence = "; ".join(evidence_in_words(line, claims[line["id"]]))
            words[line["id"]] = f"{did} on held-out networks: {evidence or line['note']}."
    return words


def _asked(counts: Mapping[str, int]) -> int:
    return sum(counts.values()) - counts[WITHOUT]


def _of(counts: Mapping[str, int]) -> str:
    return f"{counts[HOLDS]} of {_asked(counts)}"


def _interval(share: Mapping[str, Any]) -> str:
    return f"95 %: {share['low']:.2f}–{share['high']:.2f}"
