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
    """The entries of one kind, by name, in the order of the config; with `first_seed`, their seeds begin there."""
    found = {}
    for name, settings in config.get("datasets", {}).items():
        if kind_of_dataset(name, settings) == kind:
            found[name] = settings
    first_seed = config.get("first_seed", 0)
    for name in unseen(config) & found.keys():
        seeds = [first_seed + seed for seed in seeds_of(found[name])]
        found[name] = found[name] | {"seeds": seeds}
    return found


def unseen(config: Mapping[str, Any]) -> set[str]:
    """The datasets that `first_seed` gives networks which nobody has seen: every population and experiment.

    Not watched networks, which notebooks and printed numbers are about by their seed, nor trainings of these from weights
    changed in their last bit. None without `first_seed`.
    """
    found = set()
    if "first_seed" not in config:
        return found
    for name, settings in config.get("datasets", {}).items():
        kind = kind_of_dataset(name, settings)
        if kind in (POPULATION, EXPERIMENT) and not _is_retraining(settings):
            found.add(name)
    return found


def _is_retraining(settings: Mapping[str, Any]) -> bool:
    """Whether every network of an entry is one that was trained before, from changed initial weights."""
    variants = settings.get("variants", [{}])
    return all((settings | variant).get("perturbation", 0) for variant in variants)


def seeds_of(settings: Mapping[str, Any]) -> list[int]:
    """The seeds of a dataset; a number N stands for 0 … N − 1."""
    seeds = settings["seeds"]
    if isinstance(seeds, list):
        return list(seeds)
    return list(range(seeds))
