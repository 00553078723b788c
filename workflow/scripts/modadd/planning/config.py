"""Everything wrong with a config, found before anything runs; and how its populations are cut into jobs."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snakemake.utils import update_config

from modadd.core.groups import ADDITION, as_addition, cyclic_factors
from modadd.core.wording import require_known
from modadd.networks.architectures import ARCHITECTURES, RELU
from modadd.networks.overrides import OVERRIDABLE, TRAINING_GB, recipe_of
from modadd.networks.recipes import RECIPES, Recipe
from modadd.planning.datasets import POPULATION, WATCHED, datasets_of, seeds_of
from modadd.planning.memory import training_gb
from modadd.planning.paths import EXPERIMENTS, is_kept, place_of
from modadd.planning.root import notebook_file
from modadd.planning.settings import parsed, require_parameters, require_valid, with_numbers
from modadd.planning.yaml_files import read_yaml


@dataclass(frozen=True)
class Shard:
    """Networks of one recipe, one per seed, that are trained in one job; `name` says what is in its files.

    costly: of how many of them, the first ones, costly measures are taken.
    """

    name: str
    recipe: Recipe
    seeds: tuple[int, ...]
    costly: int = 0


def shards_of(population: str, settings: Mapping[str, Any]) -> list[Shard]:
    """The shards of a population, variant by variant, in the order of its seeds.

    Raises ValueError naming the key, as `recipe_of` does.
    """
    seeds = seeds_of(settings)
    size = settings.get("shard", 1)
    costly = settings.get("costly", 0)
    shards = []
    for variant in settings.get("variants", [{}]):
        recipe = recipe_of(f"datasets.{population}", settings | variant)
        numbers = []
        for key in OVERRIDABLE:
            if key in variant:
                value = getattr(recipe, key)
                numbers.append(f"{key}-{_short(value)}")
        for start in range(0, len(seeds), size):
            block = tuple(seeds[start : start + size])
            name = "_".join([*numbers, name_of_seeds(block)])
            of_these = min(max(costly - start, 0), size)
            shards.append(Shard(name, recipe, block, of_these))
    return shards


def _short(value: float | int | str) -> str:
    """2 for 2.0, as long as no digit is lost."""
    if isinstance(value, float):
        short = f"{value:g}"
        if float(short) == value:
            return short
    return str(value)


LONGEST_LIST = 40  # letters of a list of seeds in the name of a file


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
    parts = []
    for first, last in runs:
        part = f"{first}-{last}" if last > first else f"{first}"
        parts.append(part)
    listed = "_".join(parts)
    if len(listed) <= LONGEST_LIST:
        return f"seeds{listed}"
    digest = hashlib.sha256(listed.encode()).hexdigest()[:6]
    return f"{len(seeds)}seeds{min(seeds)}-{max(seeds)}_{digest}"


def snapshots_of(recipe: Recipe, settings: Mapping[str, Any]) -> int:
    """How many snapshots are kept of each watched run: as many as its entry asks for, at most one an update."""
    return min(settings["snapshots"], recipe.steps + 1)


def read_config(*files: Path | str) -> dict[str, Any]:
    """Config files laid over one another, as by Snakemake; the first is whole. Raises ValueError for a bad file."""
    config: dict[str, Any] = {}
    for file in files:
        content = read_yaml(file)
        if not isinstance(content, dict):
            found = "nothing" if content is None else repr(content)
            raise ValueError(f"{file}: expected keys and their values, such as `scale: smoke`, found {found}")
        update_config(config, content)
    return with_numbers(config)


# Parameters that the rule which executes a notebook fills in: what it reads, is told of the ledger, and writes.
FILLED_IN = (
    *("network_file", "losses_file", "history_file", "others", "datasets", "external", "proofs"),
    *("published", "claims"),
    *("figures", "values_file"),
)


def check_config(config: Mapping[str, Any], schema: Path | str, ledger: Mapping[str, Any]) -> None:
    """Raise ValueError, one line, for the first bad key, dataset, seed list or notebook parameter of a config.

    Also for a figure or table of the ledger that its notebook does not save: it would fail only after training.
    """
    require_valid(config, schema, "config")
    watched = datasets_of(config, WATCHED)
    populations = datasets_of(config, POPULATION)
    try:
        for name, settings in watched.items():
            where = f"datasets.{name}"
            recipe = recipe_of(where, settings)
            _require_memory(where, recipe, 1, snapshots_of(recipe, settings))
            _require_measured(where, recipe, recipe.activation == RELU)
            _require_own_activation(where, recipe)
        for name, settings in populations.items():
            where = f"datasets.{name}"
            for shard in shards_of(name, settings):
                recipe = shard.recipe
                _require_memory(where, recipe, len(shard.seeds))
                cyclic = recipe.d_model > 0 or not recipe.has_own_activation
                _require_measured(where, recipe, cyclic)
    except ValueError as error:
        raise ValueError(f"config: {error}") from error
    notebooks = ledger["notebooks"]
    for notebook, entry in notebooks.items():
        _require_inputs(notebook, entry["inputs"], watched, populations)
        _require_saved(notebook, entry)
    for notebook, parameters in config.get("notebooks", {}).items():
        require_known("config: notebooks", "notebook", [notebook], notebooks)
        _require_own(parameters, notebooks[notebook], f"config: notebooks.{notebook}")
    for notebook, entry in notebooks.items():
        if "less" in entry:
            _require_own(entry["less"], entry, f"ledger: notebooks.{notebook}.less")


def _require_inputs(
    notebook: str, inputs: Mapping[str, Any], watched: Mapping[str, Any], populations: Mapping[str, Any]
) -> None:
    """Raise ValueError for networks, datasets or populations that a notebook needs and the config does not name."""
    needs = f"config: datasets: notebook '{notebook}' needs"
    alone = [inputs["shown"], *inputs["others"]]
    whole = [*inputs["seeds"], *inputs["retrainings"]]
    for name in inputs["proofs"]:
        if "/" in name:
            alone.append(name)
        elif not is_kept(name):  # what is kept of published weights needs no population
            whole.append(name)
    exhibits = []
    for name in alone:
        dataset, seed = place_of(name)
        if seed is None:
            exhibits.append(dataset)
            continue
        require_known(needs, "dataset with snapshots", [dataset], watched)
        require_seed(dataset, seed, watched[dataset], f", which notebook '{notebook}' needs")
    known = (*watched, *populations, *EXPERIMENTS)
    require_known(needs, "dataset", inputs["datasets"], known)
    for dataset in inputs["datasets"]:
        _require_addition(dataset, watched, notebook)
    require_known(needs, "population", exhibits + whole, populations)


def parameters_of(notebook: str, config: Mapping[str, Any], ledger: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters passed to a notebook: where the config asks for less, those of its question; over them the config's."""
    less = {}
    if config["less"]:
        less = ledger["notebooks"][notebook].get("less", {})
    return less | config["notebooks"].get(notebook, {})


def _require_own(parameters: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a parameter that the entry's notebook does not declare, or that the workflow fills in."""
    for parameter in sorted(parameters.keys() & set(FILLED_IN)):
        raise ValueError(f"{where}.{parameter}: the workflow fills this in; it cannot be overridden")
    require_parameters(parameters, notebook_file(entry["source"]), where)


def _require_addition(dataset: str, watched: Mapping[str, Any], notebook: str) -> None:
    """Raise ValueError for watched networks of another operation: their snapshots are measured as adding mod n."""
    if dataset not in watched:
        return
    recipe = recipe_of(f"datasets.{dataset}", watched[dataset])
    if recipe.operation != ADDITION:
        raise ValueError(
            f"config: datasets.{dataset}.operation: expected {ADDITION}, as notebook '{notebook}' watches this training, "
            f"got {recipe.operation}"
        )


def require_seed(dataset: str, seed: int, settings: Mapping[str, Any], why: str = "") -> None:
    """Raise ValueError for a seed that a dataset of watched networks does not list."""
    seeds = seeds_of(settings)
    if seed not in seeds:
        listed = ", ".join(map(str, seeds))
        raise ValueError(
            f"config: datasets.{dataset}.seeds: expected seed {seed}{why}, among {listed}; add it to the list"
        )


_SIZES = ("modulus", "d_model", "d_mlp", "steps")  # keys of a recipe that memory grows with


def _require_memory(where: str, recipe: Recipe, networks: int, snapshots: int = 0) -> None:
    """Raise ValueError for networks that need more memory than a training job asks for."""
    needed = training_gb(recipe, networks, snapshots)
    published = RECIPES[recipe.architecture]
    if needed > TRAINING_GB:
        growth = {}
        for size in _SIZES:
            usual = max(1, getattr(published, size))
            growth[size] = getattr(recipe, size) / usual
        key = max(growth, key=growth.get)
        cause = f"{key}: {getattr(recipe, key)}"
        if training_gb(recipe, networks) <= TRAINING_GB:
            cause = f"snapshots: {snapshots}"
        elif training_gb(recipe, 1) <= TRAINING_GB:
            cause = f"shard: {networks} networks at once"
        raise ValueError(
            f"{where}.{cause} would take about {needed:.3g} GB to train; expected at most {TRAINING_GB} GB"
        )


def _require_measured(where: str, recipe: Recipe, cyclic: bool) -> None:
    """Raise ValueError for an operation that no analysis reads; `cyclic`: whether they read the network as adding mod n.

    The pages show networks of ReLUs so, and rows of networks with embeddings are measured so; others are read by the
    characters of any abelian group.
    """
    read = as_addition if cyclic else cyclic_factors
    try:
        read(recipe.operation, recipe.modulus)
    except ValueError as error:
        raise ValueError(f"{where}.{error}") from error


def _require_own_activation(where: str, recipe: Recipe) -> None:
    """Raise ValueError for watched networks with another activation than their architecture's.

    Notebooks would misread them.
    """
    if not recipe.has_own_activation:
        own = ARCHITECTURES[recipe.architecture].activation
        raise ValueError(
            f"{where}.activation: expected {own}, got {recipe.activation}; networks with another activation than their "
            "recipe's are measured in datasets without snapshots"
        )


# A figure or table that a notebook saves, as its text has it.
SAVED = re.compile(r'save_(figure|table)\(.*?f"\{figures\}/(\w+)"', re.DOTALL)


def _require_saved(notebook: str, entry: Mapping[str, Any]) -> None:
    """Raise ValueError for a notebook that is not Python, and for a figure or table of its entry that it does not save."""
    path = Path(notebook_file(entry["source"]))
    text = path.read_text(encoding="utf-8")
    parsed(text, path)
    for kind in ("figure", "table"):
        saved = [name for saved_kind, name in SAVED.findall(text) if saved_kind == kind]
        where = f"ledger: notebooks.{notebook}.{kind}s: {path} never calls save_{kind} with it"
        require_known(where, kind, entry.get(f"{kind}s", {}), saved)
