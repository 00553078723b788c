"""The datasets of a config: named sets of networks of one recipe, trained here or imported, and their files.

What an entry holds decides its kind. Watched networks are trained one by one, with their losses and snapshots; those of a
population many in a job, and each becomes a row of measures; an experiment has a training loop, or training pairs, of its
own; weights are imported from a file.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from modadd.core.files import in_project
from modadd.core.wording import require_known
from modadd.networks.overrides import OVERRIDABLE, recipe_of
from modadd.networks.recipes import Recipe

# Datasets whose networks have a training loop, or training pairs, of their own.
EXPERIMENTS = ("competition", "published_log", "symmetric_sets")
EXHIBIT, WITNESS = "exhibit", "witness"  # networks of a population: the one that a rule chooses, and the kept one
LONGEST_LIST = 40  # letters of a list of seeds in the name of a file


@dataclass(frozen=True)
class Watched:
    """Networks of one recipe that are trained one by one; `snapshots` of each training are kept, at most one an update."""

    name: str
    recipe: Recipe
    seeds: tuple[int, ...]
    snapshots: int

    def files(self, *suffixes: str) -> list[str]:
        """Files of every network: its parameters (safetensors), losses, history."""
        networks = [network_file(f"{self.name}/seed{seed}").removesuffix(".safetensors") for seed in self.seeds]
        return [f"{network}.{suffix}" for network in networks for suffix in suffixes]

    def require_seed(self, seed: int, why: str = "") -> None:
        """Raise ValueError for a seed that the config does not list."""
        if seed not in self.seeds:
            listed = ", ".join(map(str, self.seeds))
            where = f"config: datasets.{self.name}.seeds"
            raise ValueError(f"{where}: expected seed {seed}{why}, among {listed}; add it to the list")


@dataclass(frozen=True)
class Shard:
    """Networks of one recipe, one per seed, that are trained in one job; `name` says what is in its files.

    costly: of how many of them, the first ones, costly measures are taken.
    """

    name: str
    recipe: Recipe
    seeds: tuple[int, ...]
    costly: int = 0


@dataclass(frozen=True)
class Population:
    """Networks of one recipe, or of several variants of it, in shards."""

    name: str
    shards: tuple[Shard, ...]

    @property
    def architecture(self) -> str:
        """That of all its networks: no variant changes it."""
        return self.shards[0].recipe.architecture

    def shard(self, name: str) -> Shard:
        """The shard of this name; raises ValueError for one that the config does not name."""
        shards = {shard.name: shard for shard in self.shards}
        require_known(f"config: datasets.{self.name}", "shard", [name], shards)
        return shards[name]

    def files(self, suffix: str) -> list[str]:
        """A file of every shard: its networks (safetensors), or their rows (parquet)."""
        return [f"results/populations/{self.name}/{shard.name}.{suffix}" for shard in self.shards]


@dataclass(frozen=True)
class Datasets:
    """The datasets of a checked config, by kind and name."""

    watched: Mapping[str, Watched]
    populations: Mapping[str, Population]
    experiments: Mapping[str, Mapping[str, Any]]
    imported: Mapping[str, Mapping[str, Any]]

    def watched_one(self, name: str) -> Watched:
        """The watched networks of this name; raises ValueError for a dataset that the config does not name."""
        require_known("config: datasets", "dataset with snapshots", [name], self.watched)
        return self.watched[name]

    def population(self, name: str) -> Population:
        """The population of this name; raises ValueError for a dataset that the config does not name."""
        require_known("config: datasets", "population", [name], self.populations)
        return self.populations[name]

    def recipe_of(self, network: str) -> Recipe:
        """The recipe of a network by its name; of an exhibit the first of its population."""
        place, seed = place_of(network)
        if seed is not None:
            return self.watched_one(place).recipe
        return self.population(place).shards[0].recipe

    def tables(self, name: str) -> list[str]:
        """The tables of rows of a dataset: what is built here, then what is committed.

        Of watched networks they have a row for each snapshot, of others a row for each network.
        """
        if name not in self.watched:
            return [table_of(name), *kept_rows(name)]
        seeds = self.watched[name].seeds
        return [*(f"results/stages/{name}/seed{seed}.parquet" for seed in seeds), *kept_stages(name)]

    def networks(self, *suffixes: str) -> list[str]:
        """Files of every network that is trained alone."""
        return [file for watched in self.watched.values() for file in watched.files(*suffixes)]

    @cached_property
    def trained(self) -> list[str]:
        """Files of everything that is trained."""
        shards = [file for population in self.populations.values() for file in population.files("safetensors")]
        return self.networks("safetensors", "losses.parquet") + shards

    @cached_property
    def kept(self) -> list[str]:
        """Committed rows of everything that is trained here, as far as there are any."""
        rows = [file for name in (*self.populations, *self.experiments) for file in kept_rows(name)]
        return rows + [file for name in self.watched for file in kept_stages(name)]


def datasets_of(config: Mapping[str, Any]) -> Datasets:
    """The datasets of a config; raises ValueError naming the key of a bad recipe."""
    watched, populations, experiments, imported = {}, {}, {}, {}
    for name, settings in config.get("datasets", {}).items():
        if name in EXPERIMENTS:
            experiments[name] = settings
        elif "path" in settings:
            path = settings["path"]
            imported[name] = settings | {"path": path if os.path.isabs(path) else in_project(path)}
        elif "snapshots" in settings:
            recipe = recipe_of(f"datasets.{name}", settings)
            snapshots = min(settings["snapshots"], recipe.steps + 1)
            watched[name] = Watched(name, recipe, tuple(seeds_of(settings)), snapshots)
        else:
            populations[name] = Population(name, tuple(_shards(name, settings)))
    return Datasets(watched, populations, experiments, imported)


def seeds_of(settings: Mapping[str, Any]) -> list[int]:
    """The seeds of an entry; a number N stands for 0 … N − 1."""
    seeds = settings["seeds"]
    return list(seeds) if isinstance(seeds, list) else list(range(seeds))


def _shards(population: str, settings: Mapping[str, Any]) -> Iterator[Shard]:
    """The shards of a population, variant by variant, in the order of its seeds; ValueError for a recipe that comes twice."""
    seeds = seeds_of(settings)
    size = settings.get("shard", 1)
    costly = settings.get("costly", 0)
    recipes = []
    for variant in settings.get("variants", [{}]):
        recipe = recipe_of(f"datasets.{population}", settings | variant)
        if recipe in recipes:
            where = f"config: datasets.{population}.variants"
            raise ValueError(f"{where}: expected another recipe in each, found that of {variant} twice")
        recipes.append(recipe)
        changed = [f"{key}-{_short(getattr(recipe, key))}" for key in OVERRIDABLE if key in variant]
        for start in range(0, len(seeds), size):
            block = tuple(seeds[start : start + size])
            name = "_".join([*changed, name_of_seeds(block)])
            yield Shard(name, recipe, block, min(max(costly - start, 0), size))


def _short(value: float | int | str) -> str:
    """2 for 2.0, as long as no digit is lost."""
    if isinstance(value, float) and float(f"{value:g}") == value:
        return f"{value:g}"
    return str(value)


def name_of_seeds(seeds: Sequence[int]) -> str:
    """Seeds as part of a file's name: seeds0-3, seeds7_50-52.

    Of a long list number, range and a digest: 38seeds0-2549_1f6c09.
    """
    runs: list[tuple[int, int]] = []  # first and last seed of each
    for seed in sorted(seeds):
        first = seed
        if runs and seed == runs[-1][1] + 1:
            first, _ = runs.pop()
        runs.append((first, seed))
    listed = "_".join(f"{first}-{last}" if last > first else f"{first}" for first, last in runs)
    if len(listed) <= LONGEST_LIST:
        return f"seeds{listed}"
    digest = hashlib.sha256(listed.encode()).hexdigest()[:6]
    return f"{len(seeds)}seeds{min(seeds)}-{max(seeds)}_{digest}"


def place_of(name: str) -> tuple[str, int | None]:
    """What the ledger means by the name of a network: dataset and seed of dataset/seedN; the others have no seed."""
    place, which = name.split("/")
    return place, None if which in (EXHIBIT, WITNESS) else int(which.removeprefix("seed"))


def network_file(name: str) -> str:
    """The file of a network that the ledger names."""
    place, seed = place_of(name)
    if seed is not None:
        return f"results/networks/{place}/seed{seed}.safetensors"
    if name.endswith(EXHIBIT):
        return f"results/exhibits/{place}.safetensors"
    return in_project(f"data/populations/witnesses/{place}.safetensors")


def table_of(dataset: str) -> str:
    """The table of a population or an experiment that is trained here."""
    return f"results/{dataset}.parquet" if dataset in EXPERIMENTS else f"results/populations/{dataset}.parquet"


def kept_rows(dataset: str) -> list[str]:
    """The committed table of a population or an experiment, if there is one."""
    return _existing(table_of(dataset).replace("results/", "data/", 1))


def kept_stages(dataset: str) -> list[str]:
    """The committed table of watched networks, with a row for each snapshot, if there is one."""
    return _existing(f"data/stages/{dataset}.parquet")


def _existing(file: str) -> list[str]:
    path = in_project(file)
    return [path] if os.path.exists(path) else []
