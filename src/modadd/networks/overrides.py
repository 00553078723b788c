"""Recipes of the config: published ones, with the numbers that an entry overrides."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from modadd.core.wording import unknown
from modadd.networks.recipes import BY_MODULUS, RECIPES, Recipe, same_share

TRAINING_GB = 8  # what a training job asks for, and the largest estimate that is accepted
PAIR = 80  # bytes of every pair while they are sorted
OVERRIDABLE = tuple(f.name for f in fields(Recipe) if f.name not in ("architecture", "source"))


def _given(settings: Mapping[str, Any], published: Recipe) -> dict[str, Any]:
    """Numbers that an entry of the config gives. Another modulus keeps what the entry does not give: batches of n, the share of pairs."""
    n = int(settings.get("modulus", published.modulus))
    given = {key: settings[key] for key in OVERRIDABLE if key in settings}
    share = same_share(published, n)
    if published.batch_size == published.modulus and "batch_size" not in settings:
        given["batch_size"] = n
        share = max(1, round(share / n)) * n  # as many pairs as whole batches hold
    pairs = settings.get("train_pairs", share)
    return given | {"train_pairs": n**2 if pairs == "all" else pairs}


def _at_modulus(name: str, settings: Mapping[str, Any]) -> Recipe:
    """The recipe that is printed for the modulus of an entry; raises ValueError with the moduli that have one."""
    table, n = BY_MODULUS[name], settings.get("modulus", "none")
    if n not in table:
        listed = ", ".join(map(str, table))
        raise ValueError(f"modulus: expected one for which {name} is printed, {listed}; got {n}")
    return table[n]


def recipe_of(where: str, settings: Mapping[str, Any]) -> Recipe:
    """The recipe of a dataset of the config: that of its `recipe` key, with the keys it overrides.

    `where` is the entry's place, such as datasets.two_layer_mlp; its last part is the recipe's name if there is no key.
    Raises ValueError naming the key, what was expected and the nearest valid name.
    """
    name = settings.get("recipe", where.rpartition(".")[2])
    if name not in (known := RECIPES | BY_MODULUS):
        key = where + (".recipe" if "recipe" in settings else "")
        hint = "" if "recipe" in settings else ", or another name with a `recipe:` key"
        raise ValueError(unknown(key, "recipe", name, known) + hint)
    try:
        published = RECIPES[name] if name in RECIPES else _at_modulus(name, settings)
        overrides = {key: type(getattr(published, key))(value) for key, value in _given(settings, published).items()}
        for key, part in (("n_heads", "attention"), ("d_model", "embeddings")):
            own = getattr(published, key)
            if bool(overrides.get(key, own)) != bool(own):
                expected = "at least 1" if own else f"0, for an architecture without {part}"
                raise ValueError(f"{key}: expected {expected}, got {overrides[key]}")
        n = overrides["modulus"] if "modulus" in overrides else published.modulus
        if (needed := PAIR * n**2 / 1e9) > TRAINING_GB:  # before any table of all pairs is made
            raise ValueError(
                f"modulus: {n} would take about {needed:.3g} GB to train; expected at most {TRAINING_GB} GB"
            )
        return replace(published, **overrides)
    except ValueError as error:
        raise ValueError(f"{where}.{error}") from error
