"""How many kept networks can be trained again to the last bit; and what kept networks say of our choices for [C]."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import project  # noqa: F401

from modadd.core.parquet import read_table
from modadd.networks.recipes import BY_MODULUS, RECIPES
from paper.config import read_config
from paper.ledger.judge.built import how_many_auditable
from paper.page.claims import KERNELS

CONFIGS = ("config/config.yaml", "config/paper.yaml", "config/kept.yaml")
OF_C = "embedding_mlp"  # the recipe of [C]
# What [C] does not state, by the key of the recipe that says it.
CHOICES = {
    "init_scale": "initial weights",
    "steps": "number of updates",
    "reshuffled": "order of batches",
    "beta2": "β₂",
}


class Kept(NamedTuple):
    """Networks of one kept table: their recipe, how many can be trained again, and where the others were trained."""

    table: str
    recipe: str
    networks: int
    again: int
    older: int
    on_gpu: int


class Change(NamedTuple):
    """Networks of one recipe: how many, their mean number of clusters, their largest weight, and the share with fine-tuning."""

    networks: int
    clusters: float
    largest: float
    tuning: float


def kept_tables() -> dict[str, tuple[str, Path]]:
    """The recipe and the file of every table of kept rows, by its name: the tables that `make audit` draws from.

    Of a table that no config of the project plans, the recipe is that of its architecture.
    """
    planned = read_config(*CONFIGS)["datasets"]
    files = sorted(Path("data/populations").glob("*.parquet"))
    found = {}
    for file in files:
        if file.stem in planned:
            recipe = planned[file.stem]["recipe"]
        else:
            recipe = read_table(file, ["architecture"]).architecture[0]
        found[file.stem] = (recipe, file)
    return found


def counted() -> list[Kept]:
    """The networks of every kept table, counted."""
    found = []
    for name, (recipe, file) in kept_tables().items():
        devices = read_table(file, ["device"]).device
        again = how_many_auditable(file)
        on_gpu = int((devices != "cpu").sum())
        found.append(Kept(name, recipe, len(devices), again, len(devices) - again - on_gpu, on_gpu))
    return found


def of_all(kept: list[Kept]) -> list[int]:
    """The numbers of all tables together, in the order of the fields."""
    counts = pd.DataFrame(kept).drop(columns=["table", "recipe"])
    return counts.sum().tolist()


def in_words(kept: list[Kept]) -> str:
    """Two numbers, of all kept rows and of those that can be made again, and what is known of the others."""
    networks, again, older, on_gpu = of_all(kept)
    said = [f"`data/populations` has the rows of {networks:,} networks."]
    if again:
        said.append(f"`make audit` can draw {again:,} of them, train their networks again and compare every bit.")
    else:
        said.append(
            "None of them is of today's arithmetic, so `make audit` cannot draw from them. `data/retrained` has rows of networks "
            "that were trained again, and wait for the others of their table."
        )
    if older:
        said.append(f"{'Another ' if again else ''}{older:,} were trained on processors by an older arithmetic.")
    if on_gpu:
        said.append(f"Another {on_gpu:,} were trained on a GPU.")
    if again < networks:
        said.append("Trained on a processor today, the seed of such a row gives a network with other bits.")
    if again and (none := recipes_without(kept)):
        said.append(f"No kept network of {' or '.join(none)} can be trained again.")
    return " ".join(said)


def recipes_without(kept: list[Kept]) -> list[str]:
    """The recipes of which no kept network can be trained again, each with the mark of its source."""
    again = pd.DataFrame(kept).groupby("recipe").again.sum()
    found = []
    for recipe in again.index[again == 0]:
        recipes = BY_MODULUS.get(recipe) or {"": RECIPES[recipe]}
        mark = re.match(r"\[\w+\]", next(iter(recipes.values())).source)
        found.append(f"`{recipe}`" + (f" {mark[0]}" if mark else ""))
    return found


def choices_of_c() -> dict[str, Any]:
    """What docs/limits.md says of our choices beside the claims: of unstated numbers of [C], and of its penalty.

    `untried` are the unstated numbers that no kept network of its recipe varies. `changes` are the networks of its recipe, mod 91
    in batches of n, and of two other penalties: those that answer every input right, their mean number of clusters, the
    size of their largest embedding weight, and the share of them with fine-tuning neurons that work.
    """
    own = RECIPES[OF_C].as_dict()
    keys = [key for key in own if key not in ("source", "architecture")]
    columns = [*keys, "seed", "accuracy", "clusters", "embedding_largest", "share_fine_tuning_working"]
    rows = pd.concat(read_table(file, columns) for recipe, file in kept_tables().values() if recipe == OF_C)
    changes = {
        "of the recipe": own,
        KERNELS: own | {"decayed": "kernels"},
        "half of it": own | {"weight_decay": own["weight_decay"] / 2},
    }
    found = {}
    for name, recipe in changes.items():
        alike = rows[(rows[keys] == [recipe[key] for key in keys]).all(axis=1)].drop_duplicates("seed")
        right = alike[alike.accuracy == 1]
        if len(right):
            tuning = (right.share_fine_tuning_working > 0).mean()
            found[name] = Change(len(right), right.clusters.mean(), right.embedding_largest.max(), tuning)
    return {
        "untried": [words for key, words in CHOICES.items() if rows[key].nunique() == 1],
        "changes": found,
    }
