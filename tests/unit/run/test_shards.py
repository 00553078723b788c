from support import refuses

from modadd.networks.recipes import RECIPES
from modadd.run.config import shards_of


def test_a_population_is_cut_into_shards_variant_by_variant():
    settings = {
        "recipe": "pizza_transformer",
        "seeds": [4, 0, 9],
        "shard": 2,
        "steps": 10,
        "variants": [{"weight_decay": 0.5}, {"weight_decay": 2, "steps": 20}],
    }
    found = [(s.recipe.weight_decay, s.recipe.steps, s.seeds) for s in shards_of("decay", settings)]
    assert found == [(0.5, 10, (4, 0)), (0.5, 10, (9,)), (2.0, 20, (4, 0)), (2.0, 20, (9,))]


def test_a_number_of_seeds_stands_for_the_first_ones_and_a_shard_is_one_network_by_default():
    shards = shards_of("pizza_transformer", {"seeds": 3})
    assert [shard.seeds for shard in shards] == [(0,), (1,), (2,)]
    assert {shard.recipe for shard in shards} == {RECIPES["pizza_transformer"]}


def test_an_impossible_variant_is_named():
    with refuses("populations.mine.batch_size:", "divisor of the 2784 training pairs"):
        shards_of("mine", {"recipe": "pizza_transformer", "seeds": 1, "variants": [{"batch_size": 100}]})
