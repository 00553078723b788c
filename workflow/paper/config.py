"""Configs: read strictly, and everything wrong with one found before anything runs."""

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from snakemake.utils import update_config

from modadd.core.groups import ADDITION, as_addition, cyclic_factors
from modadd.core.wording import require_known
from modadd.networks.architectures import ARCHITECTURES, RELU
from modadd.networks.foreign import LARGEST
from modadd.networks.formats import FORMATS, OF_A_PERCEPTRON, A, B
from modadd.networks.recipes import Recipe
from modadd.networks.transformers import ATTENTIONS, NAMES
from paper.code import require_python
from paper.datasets import EXPERIMENTS, Datasets, datasets_of, place_of
from paper.notebook_files import notebook_file, require_parameters
from paper.proofs import is_kept
from paper.schemas import SCHEMAS, require_valid
from paper.yaml_files import read_text, read_yaml

ALWAYS_TEXT = ("path", "sha256")  # keys whose values may be digits alone
# Parameters that the rule which executes a notebook fills in: what it reads, is told of the ledger, and writes.
FILLED_IN = (
    *("network_file", "losses_file", "history_file", "others", "datasets", "external", "proofs"),
    *("published", "claims"),
    *("figures", "values_file"),
)
# A figure or table that a notebook saves, as its text has it.
SAVED = re.compile(r'save_(figure|table)\(.*?f"\{figures\}/(\w+)"', re.DOTALL)


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


def with_numbers(data: Any) -> Any:
    """The same data with every text that spells a number or a truth value as that, and whole numbers as integers.

    Snakemake hands nested values of `--config` over as text, YAML reads 1e-3 as text, and a seed 1.0 would name a file.
    """
    if isinstance(data, Mapping):
        return {key: value if key in ALWAYS_TEXT else with_numbers(value) for key, value in data.items()}
    if isinstance(data, list):
        return [with_numbers(value) for value in data]
    if isinstance(data, float) and data.is_integer():
        return int(data)
    if not isinstance(data, str):
        return data
    for read in (int, float, {"true": True, "false": False}.__getitem__):
        try:
            return with_numbers(read(data.lower()))
        except (ValueError, KeyError):
            continue
    return data


def check_config(config: Mapping[str, Any], ledger: Mapping[str, Any]) -> Datasets:
    """The datasets of a config; raises ValueError, one line, for the first bad key, dataset, seed list or notebook parameter.

    Also for a figure or table of the ledger that its notebook does not save: it would fail only after training.
    """
    require_valid(config, SCHEMAS / "config.schema.yaml", "config")
    try:
        datasets = datasets_of(config)
        for name, watched in datasets.watched.items():
            _require_analysed(f"datasets.{name}", watched.recipe, watched.recipe.activation == RELU)
            _require_own_activation(f"datasets.{name}", watched.recipe)
        for name, recipe in _recipes(datasets):
            _require_analysed(f"datasets.{name}", recipe, recipe.d_model > 0 or not recipe.has_own_activation)
        for name, entry in datasets.imported.items():
            _require_readable(f"datasets.{name}", entry)
    except ValueError as error:
        raise ValueError(f"config: {error}") from error
    notebooks = ledger["notebooks"]
    for notebook, entry in notebooks.items():
        _require_inputs(notebook, entry["inputs"], datasets)
        _require_saved(notebook, entry)
        _require_own(entry.get("less", {}), entry, f"ledger: notebooks.{notebook}.less")
    for notebook, parameters in config.get("notebooks", {}).items():
        require_known("config: notebooks", "notebook", [notebook], notebooks)
        _require_own(parameters, notebooks[notebook], f"config: notebooks.{notebook}")
    return datasets


def _recipes(datasets: Datasets) -> Iterator[tuple[str, Recipe]]:
    """The recipes of every population, each once."""
    for name, population in datasets.populations.items():
        for recipe in {shard.recipe for shard in population.shards}:
            yield name, recipe


def _require_inputs(notebook: str, inputs: Mapping[str, Any], datasets: Datasets) -> None:
    """Raise ValueError for networks, datasets or populations that a notebook needs and the config does not name."""
    needs = f"config: datasets: notebook '{notebook}' needs"
    alone = [inputs["shown"], *inputs["others"]]
    whole = [*inputs["seeds"], *inputs["retrainings"]]
    for name in inputs["proofs"]:
        if "/" in name:
            alone.append(name)
        elif not is_kept(name):  # what is kept of published weights needs no population
            whole.append(name)
    for dataset, seed in map(place_of, alone):
        if seed is None:
            whole.append(dataset)
            continue
        require_known(needs, "dataset with snapshots", [dataset], datasets.watched)
        datasets.watched[dataset].require_seed(seed, f", which notebook '{notebook}' needs")
    known = (*datasets.watched, *datasets.populations, *EXPERIMENTS)
    require_known(needs, "dataset", inputs["datasets"], known)
    for dataset in inputs["datasets"]:
        _require_addition(dataset, datasets, notebook)
    require_known(needs, "population", whole, datasets.populations)


def parameters_of(notebook: str, config: Mapping[str, Any], ledger: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters passed to a notebook: where the config asks for less, those of its question; over them the config's."""
    less = ledger["notebooks"][notebook].get("less", {}) if config["less"] else {}
    return less | config["notebooks"].get(notebook, {})


def _require_own(parameters: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> None:
    """Raise ValueError for a parameter that the entry's notebook does not declare, or that the workflow fills in."""
    for parameter in sorted(parameters.keys() & set(FILLED_IN)):
        raise ValueError(f"{where}.{parameter}: the workflow fills this in; it cannot be overridden")
    if parameters:
        require_parameters(parameters, notebook_file(entry["source"]), where)


def _require_addition(dataset: str, datasets: Datasets, notebook: str) -> None:
    """Raise ValueError for watched networks of another operation: their snapshots are measured as adding mod n."""
    if dataset in datasets.watched and (found := datasets.watched[dataset].recipe.operation) != ADDITION:
        where = f"config: datasets.{dataset}.operation"
        raise ValueError(f"{where}: expected {ADDITION}, as notebook '{notebook}' watches this training, got {found}")


def _require_analysed(where: str, recipe: Recipe, cyclic: bool) -> None:
    """Raise ValueError for an operation that no analysis reads; `cyclic`: whether they read the network as adding mod n.

    The pages show networks of ReLUs so, and rows of networks with embeddings are measured so; others are read by the
    characters of any abelian group.
    """
    read = as_addition if cyclic else cyclic_factors
    try:
        read(recipe.operation, recipe.modulus)
    except ValueError as error:
        raise ValueError(f"{where}.{error}") from error


def _require_readable(where: str, entry: Mapping[str, Any]) -> None:
    """Raise ValueError for an operation, a role of a tensor or a token by which no file of weights is read."""
    operation, tokens = entry.get("operation", ADDITION), entry.get("tokens", (A, B))
    orders = re.findall(r"\d+", operation)
    n = math.prod(map(int, orders)) if orders else 4  # any modulus: 4 + 1 is a prime, as multiplication asks
    if n > LARGEST:
        raise ValueError(f"{where}.operation: expected a group of at most {LARGEST} elements, got {operation}")
    try:
        as_addition(operation, n)
    except ValueError as error:
        raise ValueError(f"{where}.{error}") from error
    is_transformer = FORMATS[entry["format"]][0] in ATTENTIONS
    roles = NAMES if is_transformer else OF_A_PERCEPTRON
    require_known(f"{where}.tensors", "role", entry.get("tensors", ()), roles)
    require_known(f"{where}.tokens", "token", [token for token in tokens if isinstance(token, str)], (A, B))
    if not {A, B} <= {*tokens}:
        raise ValueError(f"{where}.tokens: expected {A} and {B} among them, got {', '.join(map(str, tokens))}")


def _require_own_activation(where: str, recipe: Recipe) -> None:
    """Raise ValueError for watched networks with another activation than their architecture's: notebooks would misread them."""
    if not recipe.has_own_activation:
        own = ARCHITECTURES[recipe.architecture].activation
        raise ValueError(
            f"{where}.activation: expected {own}, got {recipe.activation}; networks with another activation than their "
            "recipe's are measured in datasets without snapshots"
        )


def _require_saved(notebook: str, entry: Mapping[str, Any]) -> None:
    """Raise ValueError for a notebook that is not Python, and for a figure or table of its entry that it does not save."""
    path = notebook_file(entry["source"])
    require_python(path)
    text = read_text(path)
    for kind in ("figure", "table"):
        saved = [name for saved_kind, name in SAVED.findall(text) if saved_kind == kind]
        where = f"ledger: notebooks.{notebook}.{kind}s: {path} never calls save_{kind} with it"
        require_known(where, kind, entry.get(f"{kind}s", {}), saved)
