"""What Coq said of networks, as tables: of each network the entry in the file of its proof."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from modadd.core.statistics import Share, share

Checked = Mapping[str, Any]  # of one network: whether it is accepted, and the numbers that the theorem speaks of
NUMBERS = {  # of an entry, by the column that has it
    "n": "modulus",
    "neurons": "neurons",
    "parameters": "parameters",
    "accepted": "accepted",
    "accepted as it runs": "runs",
    "margin": "margin",
    "ball": "allowance",
    "rounding": "rounding",
}
COSTS = ("n", "neurons", "parameters", "accepted", "margin", "ball", "rounding", "accepted as it runs")

PUBLISHED = ("kissane", "zhong_model_a")  # names in the config of weights of others that proofs are about


def runs(found: Checked) -> bool:
    """Whether the network is accepted as it runs, too: with every rounding of float32."""
    return found["accepted"] and found["runs"]


def networks_table(networks: Mapping[str, Checked]) -> pd.DataFrame:
    """A line for each network: what it costs to accept it by trying every input, and by walking from flip to flip."""
    lines = []
    for name, found in networks.items():
        line = {column: found[NUMBERS[column]] for column in COSTS} | {"accepted as it runs": runs(found)}
        operations = found["operations"]
        ratio = operations["walked"] / operations["tried"]
        lines.append({"network": name} | line | operations | {"walked over tried": ratio})
    return pd.DataFrame(lines, columns=["network", *COSTS, "tried", "walked", "walked over tried"])


def datasets_table(datasets: Mapping[str, Sequence[Checked]]) -> pd.DataFrame:
    """A line for each dataset: how many networks it has, how many are right by our arithmetic, and how many are accepted."""
    lines = []
    for name, networks in datasets.items():
        margins = [found["margin"] for found in networks if found["margin"] > 0]
        accepted = sum(found["accepted"] for found in networks)
        running = sum(runs(found) for found in networks)
        lines.append((name, len(networks), len(margins), accepted, running, min(margins, default=float("nan"))))
    columns = ["dataset", "networks", "right", "accepted", "accepted as they run", "smallest margin"]
    return pd.DataFrame(lines, columns=columns)


def weights_table(networks: Mapping[str, Checked]) -> pd.DataFrame:
    """A line for each network whose weights others have published."""
    lines = [
        {"network": name} | {column: found[NUMBERS[column]] for column in NUMBERS} for name, found in networks.items()
    ]
    return pd.DataFrame(lines, columns=["network", *NUMBERS])


def theorems_table(theorems: Iterable[Checked], in_words: Mapping[str, str]) -> pd.DataFrame:
    """A line for each theorem about every modulus, in words and in Coq, with its axioms, without the names of their files."""
    lines = []
    for theorem in theorems:
        axioms = ", ".join(axiom.split(".")[-1] for axiom in theorem["axioms"]) or "none"
        name = theorem["name"]
        lines.append((name, in_words[name], theorem["statement"], theorem["lines"], axioms))
    return pd.DataFrame(lines, columns=["theorem", "in words", "statement", "lines", "axioms"])


def share_accepted(datasets: Mapping[str, Sequence[Checked]]) -> Share:
    """The share of the networks that are right by our arithmetic that Coq accepts; each counts once, by its bits."""
    networks = {found["checksum"]: found for dataset in datasets.values() for found in dataset}  # an exhibit is in two
    return share([found["accepted"] for found in networks.values() if found["margin"] > 0])


def read_exactly(
    titles: Mapping[str, str], datasets: Mapping[str, Sequence[Checked]], checksums: Mapping[str, str]
) -> dict[str, Checked]:
    """The first entry of each network's dataset, by the network's title, if Coq read exactly the bits of the network at hand.

    All mappings are by the name of a network; a checksum is that of its parameters.
    """
    first = {name: datasets[name][0] for name in titles if datasets.get(name)}
    return {titles[name]: found for name, found in first.items() if found["checksum"] == checksums.get(name)}


def answers(
    mainlines: Mapping[str, Checked],
    named: int,
    datasets: Mapping[str, Sequence[Checked]],
    published_weights: Mapping[str, Checked],
    asked_here: bool,
) -> dict[str, Share | float | None]:
    """What claims ask: shares of the `named` mainlines that are accepted, of all networks, and whether published weights are.

    None where nothing is known: of the mainlines, unless Coq was asked here or has read every one, as a kept proof says
    nothing of other bits; of all networks, unless it was asked here; of published weights that are not given.
    """
    table = networks_table(mainlines)
    every_one = asked_here or len(table) == named
    found = {
        "mainlines_accepted": table.accepted.sum() / named if every_one else None,
        "mainlines_accepted_as_they_run": table["accepted as it runs"].sum() / named if every_one else None,
        "networks_accepted": share_accepted(datasets) if asked_here else None,
        "walked_over_tried": table["walked over tried"].max() if every_one and len(table) else None,
    }
    for name in PUBLISHED:
        given = name in published_weights
        found[f"{name}_accepted"] = float(published_weights[name]["accepted"]) if given else None
    return found
