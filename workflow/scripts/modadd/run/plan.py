"""What a build reads and makes: every path that the rules name, from the config and the ledger."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from modadd.core.wording import unknown
from modadd.networks.overrides import recipe_of
from modadd.networks.recipes import Recipe, deviations
from modadd.networks.settings import settings_file
from modadd.run.config import Shard, require_seed, shards_of
from modadd.run.coq import KEPT_PROOFS, wanted
from modadd.run.datasets import EXPERIMENT, IMPORTED, POPULATION, WATCHED, datasets_of, seeds_of
from modadd.run.paths import (
    KEPT_THEOREMS,
    THEOREMS,
    caption_file,
    kept_proof,
    kept_rows,
    network_file,
    place_of,
    proof_file,
    table_of,
)
from modadd.run.root import notebook_file, own
from modadd.run.settings import notebook_parameters

PICTURES = ("figures", "tables")
INPUTS_WITH_ROWS = ("datasets", "seeds", "retrainings")  # inputs of a notebook that are tables of rows
KEYS_OF_CLAIM = (
    "id",
    "value",
    "check",
    "threshold",
    "published",
    "frequency",
    "needs_accuracy",
)  # of a claim, by a notebook


def _asked(claim: Mapping[str, Any]) -> dict[str, Any]:
    """What a notebook needs of a claim to judge networks by it."""
    return {key: claim[key] for key in KEYS_OF_CLAIM if key in claim}


def _mark(recipe: Recipe) -> str:
    """The mark of the study that a recipe is of: Q, M, C or T."""
    return recipe.source.strip("[").partition("]")[0]


class Plan:
    """A checked config and the ledger, and the paths that follow from them."""

    def __init__(self, config: Mapping[str, Any], ledger: Mapping[str, Any]) -> None:
        self.watched, self.external = datasets_of(config, WATCHED), datasets_of(config, IMPORTED)
        self.experiments = datasets_of(config, EXPERIMENT)
        self.formats, self.scale = config["figure_formats"], config.get("scale")
        self.proves, self.shows_kept = wanted(config.get("proofs", False)), config.get("proofs") == KEPT_PROOFS
        self.notebooks, self.claims = ledger["notebooks"], ledger["claims"]
        self.prints = {item["name"]: item["prints"] for item in ledger.get("items", []) if "prints" in item}
        self.populations = {
            name: shards_of(name, settings) for name, settings in datasets_of(config, POPULATION).items()
        }

    # Training

    def recipe_of_watched(self, dataset: str) -> Recipe:
        """The recipe of watched networks; raises ValueError for a dataset that the config does not name."""
        if dataset not in self.watched:
            raise ValueError(unknown("config: datasets", "dataset with snapshots", dataset, self.watched))
        return recipe_of(f"datasets.{dataset}", self.watched[dataset])

    def trained_alone(self, dataset: str, seed: int) -> tuple[str, dict[str, Any]]:
        """The file of a watched network, and its recipe; raises ValueError for one that the config does not name."""
        recipe = self.recipe_of_watched(dataset)
        require_seed(dataset, seed, self.watched[dataset])
        return network_file(f"{dataset}/seed{seed}"), recipe.as_dict()

    def trained_together(self, population: str, shard: str) -> tuple[str, dict[str, Any]]:
        """The file of the networks of a shard, and their recipe; raises ValueError for one that the config does not name."""
        recipe = self.shard(population, shard).recipe
        return f"results/populations/{population}/{shard}.safetensors", recipe.as_dict()

    def shard(self, population: str, name: str) -> Shard:
        """What a job of a population trains; raises ValueError for one that the config does not name."""
        shards = {shard.name: shard for shard in self._shards(population)}
        if name not in shards:
            raise ValueError(unknown(f"config: datasets.{population}", "shard", name, shards))
        return shards[name]

    def shard_files(self, population: str, suffix: str = "parquet") -> list[str]:
        """Rows of every shard of a population, or its networks; raises ValueError for an unknown one."""
        return [f"results/populations/{population}/{shard.name}.{suffix}" for shard in self._shards(population)]

    def _shards(self, population: str) -> list[Shard]:
        if population not in self.populations:
            raise ValueError(unknown("config: datasets", "population", population, self.populations))
        return self.populations[population]

    def dataset(self, name: str) -> list[str]:
        """The tables of rows of a dataset: what is built here, then what is committed.

        Of watched networks they have a row for each snapshot, of others a row for each network.
        """
        if name in self.watched:
            here = [f"results/stages/{name}/seed{seed}.parquet" for seed in seeds_of(self.watched[name])]
            return [*here, *kept_rows(name, watched=True)]
        return [table_of(name), *kept_rows(name)]

    def networks_in(self, datasets: Iterable[str]) -> int:
        """How many networks of some datasets are trained here, as far as they are populations."""
        return sum(len(shard.seeds) for name in datasets for shard in self.populations.get(name, []))

    def external_source(self, name: str) -> str:
        """The file of published weights that the config names; raises ValueError if it does not exist."""
        path = self.external[name]["path"]
        if not os.path.isfile(path):
            raise ValueError(f"config: datasets.{name}.path: {path} does not exist")
        return path

    def external_settings(self, name: str) -> list[str]:
        """The settings beside that file, which decide how it is read; no file if there are none."""
        file = settings_file(Path(self.external[name]["path"]))
        return [str(file)] if file.is_file() else []

    def networks(self, *suffixes: str) -> list[str]:
        """Files of every network that is trained alone: the network, its losses, its history."""
        seeds = [(dataset, seed) for dataset, settings in self.watched.items() for seed in seeds_of(settings)]
        return [f"results/networks/{dataset}/seed{seed}.{suffix}" for dataset, seed in seeds for suffix in suffixes]

    def trained(self) -> list[str]:
        """Files of everything that is trained."""
        shards = [file for population in self.populations for file in self.shard_files(population, "safetensors")]
        return [*self.networks("safetensors", "losses.parquet"), *shards]

    def kept(self) -> list[str]:
        """Committed rows of everything that is trained here, as far as there are any."""
        watched = [path for name in self.watched for path in kept_rows(name, watched=True)]
        return [path for name in (*self.populations, *self.experiments) for path in kept_rows(name)] + watched

    # Notebooks

    def source(self, notebook: str) -> str:
        """The file in notebooks/ that is executed for an entry of the ledger."""
        return notebook_file(self.notebooks[notebook]["source"])

    def inputs(self, notebook: str) -> dict[str, Any]:
        """Files that a notebook reads, by the parameter that names them: those that it declares, in the order of these.

        A parameter is a file, or files by the name of the network, dataset or proof.
        """
        inputs, declared = self.notebooks[notebook]["inputs"], notebook_parameters(self.source(notebook))
        network = inputs["shown"]
        offered = {
            "network_file": network_file(network),
            "losses_file": f"results/networks/{network}.losses.parquet",
            "history_file": f"results/networks/{network}.history.safetensors",
            "others": {name: network_file(name) for name in inputs["others"]},
            "datasets": self._tables(notebook, "datasets"),
            "external": {name: f"results/external/{name}.safetensors" for name in self.imported(notebook)},
            "proofs": self.proofs(inputs["proofs"]),
        }
        return {name: files for name, files in offered.items() if name in declared}

    def imported(self, notebook: str) -> list[str]:
        """Imported networks that a notebook can show: those of the formats that its question names, or all."""
        formats = self.notebooks[notebook].get("formats")
        return [name for name, entry in self.external.items() if formats is None or entry["format"] in formats]

    def told(self, notebook: str) -> dict[str, Any]:
        """What a notebook is told of the ledger: published values and, if it asks, printed items, and claims on networks.

        It asks for items by the keys of its parameter `items`. Raises ValueError for one that no source has.
        """
        asked, datasets = notebook_parameters(self.source(notebook)), self.notebooks[notebook]["inputs"]["datasets"]
        told = {"published": self.published(notebook)}
        if "items" in asked:
            told["items"] = {item: self._prints(item, notebook) for item in asked["items"]}
        if "claims" in asked:
            told["claims"] = self.claims_on(datasets)
        if "claims_elsewhere" in asked:
            told["claims_elsewhere"] = self.claims_elsewhere(datasets)
        return told

    def _prints(self, item: str, notebook: str) -> Any:
        """What an item of a source prints."""
        if item not in self.prints:
            raise ValueError(unknown(f"{self.source(notebook)}: items", "item that prints a number", item, self.prints))
        return _as_numbers(self.prints[item])

    def proofs(self, names: Iterable[str]) -> dict[str, list[str]]:
        """What Coq says of every modulus, and of each network or population named, or has said of those that are kept.

        Nothing if it is not asked.
        """
        if self.shows_kept and names and os.path.exists(own(KEPT_THEOREMS)):
            kept = {name: own(kept_proof(name)) for name in names if os.path.exists(own(kept_proof(name)))}
            return {"theorems": [own(KEPT_THEOREMS)]} | {name: [file] for name, file in kept.items()}
        if not (self.proves and names):
            return {}
        files = {name: [network_file(name)] if "/" in name else self.shard_files(name, "safetensors") for name in names}
        return {"theorems": [THEOREMS]} | {name: [*map(proof_file, networks)] for name, networks in files.items()}

    def figures(self, notebook: str) -> list[str]:
        """Figure files of a notebook."""
        names = self.notebooks[notebook].get("figures", {})
        return [f"figures/{notebook}/{name}.{suffix}" for name in names for suffix in (*self.formats, "csv")]

    def tables(self, notebook: str) -> list[str]:
        """Table files of a notebook."""
        names = self.notebooks[notebook].get("tables", {})
        return [f"figures/{notebook}/{name}.{suffix}" for name in names for suffix in ("csv", "md", "tex")]

    def captions(self) -> list[str]:
        """The file of the caption of every figure and table."""
        entries = [(notebook, entry.get(kind, {})) for notebook, entry in self.notebooks.items() for kind in PICTURES]
        return [caption_file(notebook, name) for notebook, names in entries for name in names]

    def outputs(self, study: str | None = None) -> list[str]:
        """Everything that the notebooks make for the reader; those of one study if its mark is given: Q, M, C or T."""
        chosen = [notebook for notebook in self.notebooks if study in (None, self.study(notebook))]
        page = "figures/notebooks/{}.html".format
        return [file for name in chosen for file in (page(name), *self.figures(name), *self.tables(name))]

    def recipe(self, notebook: str) -> Recipe:
        """The recipe of the network that a notebook reads; a population's first, for its exhibit."""
        place, seed = place_of(self.notebooks[notebook]["inputs"]["shown"])
        return self.populations[place][0].recipe if seed is None else self.recipe_of_watched(place)

    def values_of_watched(self) -> dict[str, tuple[str, dict[str, Any], dict[str, str]]]:
        """By file of values: that of the watched network that they are about, its recipe, its deviations from the published."""
        found = {}
        for notebook, entry in self.notebooks.items():
            place, seed = place_of(entry["inputs"]["shown"])
            if seed is not None:
                recipe = self.recipe_of_watched(place).as_dict()
                made_of = network_file(entry["inputs"]["shown"]), recipe, deviations(recipe)
                found[f"results/values/{notebook}.json"] = made_of
        return found

    def study(self, notebook: str) -> str:
        """The mark of the study that a notebook belongs to: that of its network's published recipe."""
        return _mark(self.recipe(notebook))

    def published(self, notebook: str) -> dict[str, Any]:
        """Published value of each claim of a notebook, by the name of the value it is compared with.

        Of several claims about one value the first counts. A notebook that reads populations compares them with what is
        printed of its network anywhere. Empty for a network that is not trained by the published recipe, or not for
        long enough.
        """
        recipe = self.recipe(notebook)
        differing = set(deviations(recipe.as_dict()))
        if differing - {"steps"}:
            return {}
        inputs = self.notebooks[notebook]["inputs"]
        alike = [name for name, entry in self.notebooks.items() if entry["inputs"]["shown"] == inputs["shown"]]
        sources = alike if self.networks_in(inputs["datasets"]) else [notebook]
        claims = [claim for claim in reversed(self.claims) if claim["notebook"] in sources and "published" in claim]
        long_enough = [c for c in claims if not differing or recipe.steps >= c.get("from_steps", float("inf"))]
        return {claim["value"]: _as_numbers(claim["published"]) for claim in long_enough}

    def rows(self, notebook: str) -> dict[str, dict[str, list[str]]]:
        """What the claims of a notebook are judged on: tables of rows, trained here and kept, by kind of input and dataset."""
        return {kind: self._tables(notebook, kind) for kind in INPUTS_WITH_ROWS}

    def _tables(self, notebook: str, kind: str) -> dict[str, list[str]]:
        return {name: self.dataset(name) for name in self.notebooks[notebook]["inputs"][kind]}

    def judged(self) -> dict[str, Any]:
        """What claims are judged on, as `judge_built` takes it."""
        rows = {notebook: self.rows(notebook) for notebook in self.notebooks}
        return {"scale": self.scale, "external": sorted(self.external), "rows": rows}

    def claims_on(self, populations: Iterable[str]) -> list[dict[str, Any]]:
        """What a notebook needs of the claims that are judged on the networks of some populations."""
        return [_asked(claim) for claim in self.claims if set(populations) & set(claim["judged_on"])]

    def claims_elsewhere(self, populations: Iterable[str]) -> list[dict[str, Any]]:
        """The same of claims that are judged on other populations alone, with the marks of the studies of these."""
        others = [c for c in self.claims if c["judged_on"] and not set(populations) & set(c["judged_on"])]
        return [_asked(claim) | {"studies": self._studies_of(claim["judged_on"])} for claim in others]

    def _studies_of(self, populations: Iterable[str]) -> list[str]:
        """The marks of the studies of some populations, as far as the config has these."""
        return sorted({_mark(self.populations[name][0].recipe) for name in populations if name in self.populations})

    def explored(self) -> list[str]:
        """Files of every network of the config, and of the exhibits that notebooks of the ledger read."""
        named = {
            name for entry in self.notebooks.values() for name in (entry["inputs"]["shown"], *entry["inputs"]["others"])
        }
        exhibits = [network_file(name) for name in sorted(named) if place_of(name)[1] is None]
        return [*self.networks("safetensors"), *exhibits]


def _as_numbers(printed: Any) -> Any:
    """What a source prints, in which numbers are text with their digits, as numbers that can be drawn."""
    if isinstance(printed, list):
        return [_as_numbers(number) for number in printed]
    if isinstance(printed, Mapping):
        return {name: _as_numbers(number) for name, number in printed.items()}
    return float(printed) if isinstance(printed, str) else printed
