import re

import pytest
from support import refuses

from modadd.networks.recipes import RECIPES
from paper.datasets import datasets_of, name_of_seeds


def shards_of(name, settings):
    """The shards of an entry of a config."""
    return datasets_of({"datasets": {name: settings}}).populations[name].shards


def test_a_population_is_cut_into_shards_variant_by_variant():
    settings = {
        "recipe": "pizza_transformer",
        "seeds": [4, 0, 9],
        "shard": 2,
        "steps": 10,
        "variants": [{"weight_decay": 0.5}, {"weight_decay": 2, "steps": 20}],
    }
    found = {s.name: (s.recipe.weight_decay, s.recipe.steps, s.seeds) for s in shards_of("decay", settings)}
    assert found == {
        "weight_decay-0.5_seeds0_4": (0.5, 10, (4, 0)),
        "weight_decay-0.5_seeds9": (0.5, 10, (9,)),
        "weight_decay-2_steps-20_seeds0_4": (2.0, 20, (4, 0)),
        "weight_decay-2_steps-20_seeds9": (2.0, 20, (9,)),
    }


POPULATION = {"recipe": "embedding_mlp", "seeds": 2, "shard": 4, "variants": [{"init_scale": 2.0}, {"steps": 60}]}


@pytest.mark.parametrize(
    ("changes", "jobs"),
    [
        ({"seeds": [7, 0, 1]}, 2),
        ({"seeds": 8, "shard": 2}, 6),
        ({"variants": [*POPULATION["variants"], {"init_scale": 0.5}]}, 1),
        ({"variants": POPULATION["variants"][::-1]}, 0),
        ({"seeds": [0]}, 2),
    ],
    ids=["a seed", "full shards", "a variant", "the order of variants", "a seed less"],
)
def test_what_is_there_keeps_its_name_when_a_population_changes(changes, jobs):
    before, after = ({shard.name for shard in shards_of("c", POPULATION | more)} for more in ({}, changes))
    assert len(after - before) == jobs


@pytest.mark.parametrize(
    ("seeds", "name"),
    [([0, 1, 2, 3], "seeds0-3"), ([50], "seeds50"), ([52, 7, 51, 50], "seeds7_50-52"), (range(2000), "seeds0-1999")],
)
def test_seeds_are_named_by_runs(seeds, name):
    assert name_of_seeds(seeds) == name


def test_a_long_list_of_seeds_has_a_short_name_of_its_own():
    names = {name_of_seeds([*range(0, 200, 2), last]) for last in (300, 301)} | {name_of_seeds(range(0, 602, 6))}
    assert len(names) == 3 and all(re.fullmatch(r"101seeds0-\d+_[0-9a-f]{6}", name) for name in names)


def test_a_number_of_seeds_stands_for_the_first_ones_and_a_shard_is_one_network_by_default():
    shards = shards_of("pizza_transformer", {"seeds": 3})
    assert [shard.seeds for shard in shards] == [(0,), (1,), (2,)]
    assert {shard.recipe for shard in shards} == {RECIPES["pizza_transformer"]}


def test_costly_measures_are_of_the_first_networks_of_every_variant():
    settings = {"seeds": [7, 5, 3, 1, 0], "shard": 2, "costly": 3, "variants": [{"steps": 10}, {"steps": 20}]}
    shards = shards_of("q", {"recipe": "pizza_transformer", **settings})
    assert [(shard.seeds, shard.costly) for shard in shards] == 2 * [((7, 5), 2), ((3, 1), 1), ((0,), 0)]


def test_a_seed_or_shard_outside_the_config_is_refused_with_its_key():
    watched = {"pizza_transformer": {"seeds": [0, 5], "snapshots": 2}}
    datasets = datasets_of({"datasets": watched | {"q": {"recipe": "pizza_transformer", "seeds": 3}}})
    mainline = datasets.watched_one("pizza_transformer")
    mainline.require_seed(5)
    assert mainline.files("safetensors")[1] == "results/networks/pizza_transformer/seed5.safetensors"
    with refuses("config: datasets.pizza_transformer.seeds: expected seed 7, among 0, 5; add it to the list"):
        mainline.require_seed(7)
    with refuses(
        "config: datasets: unknown dataset with snapshots 'pizza_transfomer'", "did you mean 'pizza_transformer'?"
    ):
        datasets.watched_one("pizza_transfomer")
    with refuses("config: datasets.q: unknown shard 'seeds3'", "expected one of seeds0, seeds1, seeds2"):
        datasets.population("q").shard("seeds3")
    with refuses("config: datasets: unknown population 'p'", "expected one of q"):
        datasets.population("p")
