"""What a build reads and makes: every path that the rules name, from the config and the ledger."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from modadd.core.wording import require_known
from modadd.networks.recipes import Recipe, deviations
from modadd.planning.dataset_files import DatasetFiles
from modadd.planning.paths import (
    EXHIBIT,
    KEPT_THEOREMS,
    THEOREMS,
    caption_file,
    is_kept,
    kept_proof,
    network_file,
    place_of,
    proof_file,
)
from modadd.planning.root import notebook_file, own
from modadd.planning.settings import notebook_parameters
from modadd.run.coq import KEPT_PROOFS, wanted

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
    "judged_on",
)  # of a claim, by a notebook


def _asked(claim: Mapping[str, Any]) -> dict[str, Any]:
    """What a notebook needs of a claim to judge networks by it."""
    return {key: claim[key] for key in KEYS_OF_CLAIM if key in claim}


def _mark(recipe: Recipe) -> str:
    """The mark of the study that a recipe is of: Q, M, C or T."""
    mark, _, _ = recipe.source.strip("[").partition("]")
    return mark


def files_in(inputs: Any) -> list[str]:
    """Every file of nested mappings and lists, in order."""
    if isinstance(inputs, str):
        return [inputs]
    parts = inputs.values() if isinstance(inputs, Mapping) else inputs
    found = []
    for part in parts:
        found += files_in(part)
    return found


class Plan(DatasetFiles):
    """A checked config and the ledger, and the paths that follow from them: those of its datasets, and those of notebooks."""

    def __init__(self, config: Mapping[str, Any], ledger: Mapping[str, Any]) -> None:
        super().__init__(config)
        self.formats = config["figure_formats"]
        self.scale = config.get("scale")
        self.proves = wanted(config.get("proofs", False))
        self.shows_kept = config.get("proofs") == KEPT_PROOFS
        self.notebooks = ledger["notebooks"]
        self.claims = ledger["claims"]
        self.prints: dict[str, Any] = {}
        for item in ledger.get("items", []):
            if "prints" in item:
                self.prints[item["name"]] = item["prints"]

    def source(self, notebook: str) -> str:
        """The file in notebooks/ that is executed for an entry of the ledger."""
        return notebook_file(self.notebooks[notebook]["source"])

    def inputs(self, notebook: str) -> dict[str, Any]:
        """Files that a notebook reads, by the parameter that names them: those that it declares, in the order of these.

        A parameter is a file, or files by the name of the network, dataset or proof.
        """
        inputs = self.notebooks[notebook]["inputs"]
        declared = notebook_parameters(self.source(notebook))
        network = inputs["shown"]
        offered = {
            "network_file": network_file(network),
            "losses_file": f"results/networks/{network}.losses.parquet",
            "history_file": f"results/networks/{network}.history.safetensors",
            "others": {name: network_file(name) for name in inputs["others"]},
            "datasets": {name: self.dataset(name) for name in inputs["datasets"]},
            "external": {name: f"results/external/{name}.safetensors" for name in self.imported(notebook)},
            "proofs": self.proofs(inputs["proofs"]),
        }
        return {name: files for name, files in offered.items() if name in declared}

    def imported(self, notebook: str) -> list[str]:
        """Imported networks that a notebook can show: those of the formats that its question names, or all."""
        formats = self.notebooks[notebook].get("formats")
        names = []
        for name, entry in self.external.items():
            if formats is None or entry["format"] in formats:
                names.append(name)
        return names

    def told(self, notebook: str) -> dict[str, Any]:
        """What a notebook is told of the ledger: published values and, if it asks, printed items, and claims on networks.

        It asks for items by the keys of its parameter `items`. Raises ValueError for one that no source has.
        """
        asked = notebook_parameters(self.source(notebook))
        datasets = self.notebooks[notebook]["inputs"]["datasets"]
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
        where = f"{self.source(notebook)}: items"
        require_known(where, "item that prints a number", [item], self.prints)
        return _as_numbers(self.prints[item])

    def proofs(self, names: Iterable[str]) -> dict[str, list[str]]:
        """What Coq says of every modulus, and of each network or population named, or has said of those that are kept.

        Of published weights it is what Coq has said: `make proof PUBLISHED=yes` asks it again. Nothing if it is not asked.
        """
        if not names:
            return {}
        kept = {}
        for name in filter(is_kept, names):
            kept[name] = [own(kept_proof(name))]
        if self.shows_kept and os.path.exists(own(KEPT_THEOREMS)):
            return {"theorems": [own(KEPT_THEOREMS)]} | kept
        if not self.proves:
            return {}
        files = {"theorems": [THEOREMS]}
        for name in names:
            if name in kept and not self.is_built(name):
                files[name] = kept[name]
                continue
            if "/" in name:
                networks = [network_file(name)]
            else:
                networks = self.shard_files(name, "safetensors")
            files[name] = list(map(proof_file, networks))
        return files

    def figures(self, notebook: str) -> list[str]:
        """Figure files of a notebook."""
        return self._pictures(notebook, "figures", *self.formats, "csv")

    def tables(self, notebook: str) -> list[str]:
        """Table files of a notebook."""
        return self._pictures(notebook, "tables", "csv", "md", "tex")

    def _pictures(self, notebook: str, kind: str, *suffixes: str) -> list[str]:
        files = []
        for name in self.notebooks[notebook].get(kind, {}):
            for suffix in suffixes:
                files.append(f"figures/{notebook}/{name}.{suffix}")
        return files

    def captions(self) -> list[str]:
        """The file of the caption of every figure and table."""
        files = []
        for notebook, entry in self.notebooks.items():
            for kind in PICTURES:
                for name in entry.get(kind, {}):
                    files.append(caption_file(notebook, name))
        return files

    def outputs(self, study: str | None = None) -> list[str]:
        """Everything that the notebooks make for the reader; those of one study if its mark is given: Q, M, C or T."""
        files = []
        for notebook in self.notebooks:
            if study in (None, self.study(notebook)):
                files.append(f"figures/notebooks/{notebook}.html")
                files += [*self.figures(notebook), *self.tables(notebook)]
        return files

    def recipe(self, notebook: str) -> Recipe:
        """The recipe of the network that a notebook reads; a population's first, for its exhibit."""
        shown = self.notebooks[notebook]["inputs"]["shown"]
        place, seed = place_of(shown)
        if seed is not None:
            return self.recipe_of_watched(place)
        first = self.populations[place][0]
        return first.recipe

    def values_of_watched(self) -> dict[str, tuple[str, dict[str, Any], dict[str, str]]]:
        """By file of values: that of the watched network that they are about, its recipe, its deviations from the published."""
        found = {}
        for notebook, entry in self.notebooks.items():
            shown = entry["inputs"]["shown"]
            place, seed = place_of(shown)
            if seed is not None:
                recipe = self.recipe_of_watched(place).as_dict()
                made_of = network_file(shown), recipe, deviations(recipe)
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
        sources = [notebook]
        if self.networks_in(inputs["datasets"]):
            sources = self._showing(inputs["shown"])
        published = {}
        for claim in reversed(self.claims):
            if claim["notebook"] not in sources or "published" not in claim:
                continue
            enough = claim.get("from_steps", float("inf"))
            if not differing or recipe.steps >= enough:
                published[claim["value"]] = _as_numbers(claim["published"])
        return published

    def _showing(self, network: str) -> list[str]:
        """The notebooks about a network."""
        names = []
        for name, entry in self.notebooks.items():
            if entry["inputs"]["shown"] == network:
                names.append(name)
        return names

    def rows(self, notebook: str) -> dict[str, dict[str, list[str]]]:
        """What the claims of a notebook are judged on: tables of rows, trained here and kept, by kind of input and dataset."""
        return {kind: self._tables(notebook, kind) for kind in INPUTS_WITH_ROWS}

    def _tables(self, notebook: str, kind: str) -> dict[str, list[str]]:
        names = self.notebooks[notebook]["inputs"][kind]
        return {name: self.dataset(name) for name in names}

    def judged(self) -> dict[str, Any]:
        """What claims are judged on, as `judge_built` takes it."""
        return {
            "scale": self.scale,
            "external": sorted(self.external),
            "rows": {notebook: self.rows(notebook) for notebook in self.notebooks},
        }

    def claims_on(self, populations: Iterable[str]) -> list[dict[str, Any]]:
        """What a notebook needs of the claims that are judged on the networks of some populations."""
        names = set(populations)
        return [_asked(claim) for claim in self.claims if names & set(claim["judged_on"])]

    def claims_elsewhere(self, populations: Iterable[str]) -> list[dict[str, Any]]:
        """The same of claims that are judged on other populations alone, with the marks of the studies of these."""
        names = set(populations)
        others = []
        for claim in self.claims:
            judged_on = claim["judged_on"]
            if judged_on and names.isdisjoint(judged_on):
                studies = self._studies_of(judged_on)
                others.append(_asked(claim) | {"studies": studies})
        return others

    def _studies_of(self, populations: Iterable[str]) -> list[str]:
        """The marks of the studies of some populations, as far as the config has these."""
        marks = set()
        for name in populations:
            if name in self.populations:
                first = self.populations[name][0]
                marks.add(_mark(first.recipe))
        return sorted(marks)

    def explored(self) -> list[str]:
        """Files of every network of the config, and of the exhibits that notebooks of the ledger read."""
        named = set()
        for entry in self.notebooks.values():
            inputs = entry["inputs"]
            named |= {inputs["shown"], *inputs["others"]}
        files = self.networks("safetensors")
        for name in sorted(named):
            if name.endswith(EXHIBIT):
                files.append(network_file(name))
        return files


def _as_numbers(printed: Any) -> Any:
    """What a source prints, in which numbers are text with their digits, as numbers that can be drawn."""
    if isinstance(printed, list):
        return [_as_numbers(number) for number in printed]
    if isinstance(printed, Mapping):
        return {name: _as_numbers(number) for name, number in printed.items()}
    if isinstance(printed, str):
        return float(printed)
    return printed
