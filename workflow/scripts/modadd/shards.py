"""Cutting a population of the config into shards: the networks of one recipe that one job trains together."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modadd.recipes import Recipe, recipe_of


@dataclass(frozen=True)
class Shard:
    """Networks of one recipe, one per seed."""

    recipe: Recipe
    seeds: tuple[int, ...]


def shards_of(population: str, settings: Mapping[str, Any]) -> list[Shard]:
    """The shards of a population, variant by variant, in the order of its seeds.

    Raises ValueError naming the key, as `recipe_of` does.
    """
    seeds = settings["seeds"] if isinstance(settings["seeds"], list) else list(range(settings["seeds"]))
    size, where = settings.get("shard", 1), f"populations.{population}"
    recipes = [recipe_of(where, {**settings, **variant}) for variant in settings.get("variants", [{}])]
    return [
        Shard(recipe, tuple(seeds[start : start + size])) for recipe in recipes for start in range(0, len(seeds), size)
    ]
