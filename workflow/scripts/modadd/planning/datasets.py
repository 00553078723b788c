"""The datasets of a config: named sets of networks of one recipe, trained here or imported.

What an entry holds decides its kind. Watched networks are trained one by one, with their losses and snapshots; those of a
population many at once, and each becomes a row of measures; an experiment has a training loop of its own; weights are
imported from a file.
"""

from collections.abc import Mapping
from typing import Any

from modadd.planning.paths import EXPERIMENTS

WATCHED = "watched"
POPULATION = "population"
EXPERIMENT = "experiment"
IMPORTED = "imported"


def kind_of_dataset(name: str, settings: Mapping[str, Any]) -> str:
    """Which kind an entry of the config's `datasets` is."""
    if name in EXPERIMENTS:
        return EXPERIMENT
    if "path" in settings:
        return IMPORTED
    return WATCHED if "snapshots" in settings else POPULATION


def datasets_of(config: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The entries of one kind, by name, in the order of the config."""
    found = {}
    for name, settings in config.get("datasets", {}).items():
        if kind_of_dataset(name, settings) == kind:
            found[name] = settings
    return found


def seeds_of(settings: Mapping[str, Any]) -> list[int]:
    """The seeds of a dataset; a number N stands for 0 … N − 1."""
    seeds = settings["seeds"]
    if isinstance(seeds, list):
        return list(seeds)
    return list(range(seeds))
