"""The questions of the ledger as the rules of their notebooks take them: what each reads, is given and makes."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from modadd.core.files import Data
from modadd.core.wording import require_known
from modadd.networks.recipes import Recipe, deviations
from paper.config import parameters_of
from paper.datasets import EXHIBIT, Datasets, network_file, place_of
from paper.ledger.read.known import values_to_record
from paper.notebook_files import notebook_file, notebook_parameters
from paper.proofs import proof_files

INPUTS_WITH_ROWS = ("datasets", "seeds", "retrainings")  # inputs of a notebook that are tables of rows
# Of a claim, what a notebook needs to judge networks by it.
KEYS_OF_CLAIM = (
    *("id", "statement", "value", "check", "threshold", "published"),
    *("frequency", "needs_accuracy", "judged_on"),
)
Rows = Mapping[str, Mapping[str, list[str]]]


@dataclass(frozen=True)
class Question:
    """One notebook, executed on the networks that its question names.

    study: the mark of its network's study. shown: the network that it is about. recipes: those of the networks that it
    reads and that are trained alone, by their files. reads: the files that it reads.
    given: what goes into its cell `parameters`: these files, those that it writes, what it is told of the ledger, and what the
    config overrides. figures, tables: the files that it makes. rows: the tables that its claims are judged on, by kind of input
    and dataset. claimed: the values that claims are about.
    """

    name: str
    title: str
    study: str
    notebook: str
    shown: str
    recipes: dict[str, dict[str, Any]]
    reads: list[str]
    given: dict[str, Any]
    figures: list[str]
    tables: list[str]
    rows: Rows
    claimed: list[str]

    @property
    def pictures(self) -> list[str]:
        """Everything that it makes for the reader: its page, figures and tables."""
        return [f"figures/notebooks/{self.name}.html", *self.figures, *self.tables]


def questions_of(config: Data, ledger: Data, datasets: Datasets) -> dict[str, Question]:
    """All questions of the ledger, by name; raises ValueError for a network or an item that is not there."""
    return {name: _question(name, config, ledger, datasets) for name in ledger["notebooks"]}


def _question(name: str, config: Data, ledger: Data, datasets: Datasets) -> Question:
    entry = ledger["notebooks"][name]
    inputs = entry["inputs"]
    notebook = notebook_file(entry["source"])
    declared = notebook_parameters(notebook)
    read = _files_read(entry, declared, config, datasets)
    alone = [network for network in (inputs["shown"], *inputs["others"]) if place_of(network)[1] is not None]
    return Question(
        name=name,
        title=entry["title"],
        study=mark_of(datasets.recipe_of(inputs["shown"])),
        notebook=notebook,
        shown=inputs["shown"],
        recipes={network_file(network): datasets.recipe_of(network).as_dict() for network in alone},
        reads=files_in(read),
        given={
            **read,
            "figures": f"figures/{name}",
            "values_file": f"results/values/{name}.json",
            **_told(name, notebook, declared, ledger, datasets),
            **parameters_of(name, config, ledger),
        },
        figures=[
            f"figures/{name}/{own}.{suffix}"
            for own in entry.get("figures", ())
            for suffix in (*config["figure_formats"], "csv")
        ],
        tables=[f"figures/{name}/{own}.{suffix}" for own in entry.get("tables", ()) for suffix in ("csv", "md", "tex")],
        rows={kind: {dataset: datasets.tables(dataset) for dataset in inputs[kind]} for kind in INPUTS_WITH_ROWS},
        claimed=values_to_record(name, ledger, datasets.imported),
    )


def _files_read(entry: Data, declared: Iterable[str], config: Data, datasets: Datasets) -> dict[str, Any]:
    """Files that a notebook reads, by the parameter that names them: those that it declares, in the order of these.

    A parameter is a file, or files by the name of the network, dataset or proof.
    """
    inputs = entry["inputs"]
    network = network_file(inputs["shown"])
    stem = network.removesuffix(".safetensors")
    offered = {
        "network_file": network,
        "losses_file": f"{stem}.losses.parquet",
        "history_file": f"{stem}.history.safetensors",
        "others": {name: network_file(name) for name in inputs["others"]},
        "datasets": {name: datasets.tables(name) for name in inputs["datasets"]},
        "external": {name: f"results/external/{name}.safetensors" for name in imported(entry, datasets)},
        "proofs": proof_files(inputs["proofs"], datasets, config.get("proofs", False)),
    }
    return {name: files for name, files in offered.items() if name in declared}


def imported(entry: Data, datasets: Datasets) -> list[str]:
    """Imported networks that a notebook can show: those of the formats that its question names, or all."""
    formats = entry.get("formats")
    return [name for name, weights in datasets.imported.items() if formats is None or weights.get("format") in formats]


def _told(name: str, notebook: str, declared: Data, ledger: Data, datasets: Datasets) -> dict[str, Any]:
    """What a notebook is told of the ledger: published values and, if it asks, printed items, and claims on networks."""
    told: dict[str, Any] = {"published": published_values(name, ledger, datasets)}
    own = set(ledger["notebooks"][name]["inputs"]["datasets"])
    if "items" in declared:
        prints = {item["name"]: item["prints"] for item in ledger.get("items", ()) if "prints" in item}
        require_known(f"{notebook}: items", "item that prints a number", declared["items"], prints)
        told["items"] = {item: _as_numbers(prints[item]) for item in declared["items"]}
    if "claims" in declared:
        told["claims"] = [_asked(claim) for claim in ledger["claims"] if own & set(claim["judged_on"])]
    if "claims_elsewhere" in declared:
        others = [claim for claim in ledger["claims"] if claim["judged_on"] and own.isdisjoint(claim["judged_on"])]
        told["claims_elsewhere"] = [_asked(claim) | {"studies": _studies(claim, datasets)} for claim in others]
    return told


def published_values(name: str, ledger: Data, datasets: Datasets) -> dict[str, Any]:
    """Published value of each claim of a notebook, by the name of the value it is compared with.

    Of several claims about one value the first counts. A notebook that reads populations compares them with what is
    printed of its network anywhere. Empty for a network that is not trained by the published recipe, or not for
    long enough.
    """
    inputs = ledger["notebooks"][name]["inputs"]
    recipe = datasets.recipe_of(inputs["shown"])
    differing = set(deviations(recipe.as_dict()))
    if differing - {"steps"}:
        return {}
    sources = [name]
    if any(dataset in datasets.populations for dataset in inputs["datasets"]):
        sources = [other for other, entry in ledger["notebooks"].items() if entry["inputs"]["shown"] == inputs["shown"]]
    published = {}
    for claim in reversed(ledger["claims"]):
        if claim["notebook"] not in sources or "published" not in claim:
            continue
        if not differing or recipe.steps >= claim.get("from_steps", float("inf")):
            published[claim["value"]] = _as_numbers(claim["published"])
    return published


def _asked(claim: Data) -> dict[str, Any]:
    return {key: claim[key] for key in KEYS_OF_CLAIM if key in claim}


def _studies(claim: Data, datasets: Datasets) -> list[str]:
    """The marks of the studies whose populations a claim is judged on, as far as the config has these."""
    own = [datasets.populations[name] for name in claim["judged_on"] if name in datasets.populations]
    return sorted({mark_of(population.shards[0].recipe) for population in own})


def mark_of(recipe: Recipe) -> str:
    """The mark of the study that a recipe is of, the first that its source names: Q, M, C or T; "ours" where it names none."""
    named = re.search(r"\[([QMCT])\d?\]", recipe.source)
    return named[1] if named else "ours"


def explored(ledger: Data, datasets: Datasets) -> list[str]:
    """Files of every watched network, and of the exhibits that notebooks of the ledger read."""
    named = {
        name
        for entry in ledger["notebooks"].values()
        for name in (entry["inputs"]["shown"], *entry["inputs"]["others"])
    }
    return datasets.networks("safetensors") + [network_file(name) for name in sorted(named) if name.endswith(EXHIBIT)]


def files_in(inputs: Any) -> list[str]:
    """Every file of nested mappings and lists, in order."""
    if isinstance(inputs, str):
        return [inputs]
    parts = inputs.values() if isinstance(inputs, Mapping) else inputs
    return [file for part in parts for file in files_in(part)]


def _as_numbers(printed: Any) -> Any:
    """What a source prints, in which numbers are text with their digits, as numbers that can be drawn."""
    if isinstance(printed, list):
        return [_as_numbers(number) for number in printed]
    if isinstance(printed, Mapping):
        return {name: _as_numbers(number) for name, number in printed.items()}
    if isinstance(printed, str):
        return float(printed)
    return printed
