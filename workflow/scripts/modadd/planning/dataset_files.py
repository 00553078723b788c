"""The files that a build makes of each dataset of its config: networks, and the rows that are measured of them."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from modadd.core.wording import require_known
from modadd.networks.foreign import settings_file
from modadd.networks.overrides import recipe_of
from modadd.networks.recipes import Recipe
from modadd.planning.config import Shard, require_seed, shards_of
from modadd.planning.datasets import (
    EXPERIMENT,
    IMPORTED,
    POPULATION,
    WATCHED,
    datasets_of,
    seeds_of,
    unseen,
)
from modadd.planning.kept_recipes import what_differs
from modadd.planning.paths import kept_rows, network_file, table_of


class DatasetFiles:
    """The datasets of a checked config, by kind, and the files that are made of each."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.watched = datasets_of(config, WATCHED)
        self.external = datasets_of(config, IMPORTED)
        self.experiments = datasets_of(config, EXPERIMENT)
        self.populations: dict[str, list[Shard]] = {}
        for name, settings in datasets_of(config, POPULATION).items():
            self.populations[name] = shards_of(name, settings)
        self.unseen: set[str] = set()
        for name in unseen(config):
            if not self._of_another_recipe(name):
                self.unseen.add(name)

    def _of_another_recipe(self, name: str) -> bool:
        """Whether all networks of a population judge no claim: then only kept rows do."""
        recipes = {shard.recipe for shard in self.populations.get(name, [])}
        if not recipes:
            return False
        return all(what_differs([recipe], name) for recipe in recipes)

    def is_built(self, name: str) -> bool:
        """Whether a network or population is trained here: published weights are not."""
        return "/" in name or name in self.populations

    def recipe_of_watched(self, dataset: str) -> Recipe:
        """The recipe of watched networks; raises ValueError for a dataset that the config does not name."""
        require_known("config: datasets", "dataset with snapshots", [dataset], self.watched)
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
        require_known(f"config: datasets.{population}", "shard", [name], shards)
        return shards[name]

    def shard_files(self, population: str, suffix: str = "parquet") -> list[str]:
        """Rows of every shard of a population, or its networks; raises ValueError for an unknown one."""
        folder = f"results/populations/{population}"
        return [f"{folder}/{shard.name}.{suffix}" for shard in self._shards(population)]

    def _shards(self, population: str) -> list[Shard]:
        require_known("config: datasets", "population", [population], self.populations)
        return self.populations[population]

    def read(self, name: str) -> list[str]:
        """The tables of a dataset that a notebook reads: of networks that nobody has seen, those built here alone."""
        if name in self.unseen:
            return [table_of(name)]
        return self.dataset(name)

    def dataset(self, name: str) -> list[str]:
        """The tables of rows of a dataset: what is built here, then what is committed.

        Of watched networks they have a row for each snapshot, of others a row for each network.
        """
        if name not in self.watched:
            return [table_of(name), *kept_rows(name)]
        files = []
        for seed in seeds_of(self.watched[name]):
            files.append(f"results/stages/{name}/seed{seed}.parquet")
        return files + kept_rows(name, watched=True)

    def networks_in(self, datasets: Iterable[str]) -> int:
        """How many networks of some datasets are trained here, as far as they are populations."""
        count = 0
        for name in datasets:
            for shard in self.populations.get(name, []):
                count += len(shard.seeds)
        return count

    def external_source(self, name: str) -> str:
        """The file of published weights that the config names; raises ValueError if it does not exist."""
        path = self.external[name]["path"]
        if not os.path.isfile(path):
            raise ValueError(f"config: datasets.{name}.path: {path} does not exist")
        return path

    def external_settings(self, name: str) -> list[str]:
        """The settings beside that file, which decide how it is read; no file if there are none."""
        weights = Path(self.external[name]["path"])
        file = settings_file(weights)
        return [str(file)] if file.is_file() else []

    def networks(self, *suffixes: str) -> list[str]:
        """Files of every network that is trained alone: the network, its losses, its history."""
        files = []
        for dataset, settings in self.watched.items():
            for seed in seeds_of(settings):
                network = f"results/networks/{dataset}/seed{seed}"
                for suffix in suffixes:
                    files.append(f"{network}.{suffix}")
        return files

    def trained(self) -> list[str]:
        """Files of everything that is trained."""
        files = self.networks("safetensors", "losses.parquet")
        for population in self.populations:
            files += self.shard_files(population, "safetensors")
        return files

    def kept(self) -> list[str]:
        """Committed rows of everything that is trained here, as far as there are any."""
        files = []
        for name in (*self.populations, *self.experiments):
            files += kept_rows(name)
        for name in self.watched:
            files += kept_rows(name, watched=True)
        return files
