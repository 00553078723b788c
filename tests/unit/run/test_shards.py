import pytest
from support import refuses

from modadd.networks.recipes import RECIPES
from modadd.run.config import shards_of
from modadd.run.plan import Plan


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


@pytest.fixture
def plan():
    config = {
        "studies": {"pizza_transformer": {"seeds": [0, 5]}},
        "populations": {"q": {"recipe": "pizza_transformer"}},
    }
    config["populations"]["q"]["seeds"] = 3
    return Plan(config | {"external_networks": {}, "figure_formats": ["svg"]}, {"notebooks": {}, "claims": []})


def test_a_seed_or_shard_outside_the_config_is_refused_with_its_key(plan):
    assert plan.inputs_of_network("pizza_transformer", 5) == []
    with refuses("config: studies.pizza_transformer.seeds: expected seed 7, among 0, 5; add it to the list"):
        plan.inputs_of_network("pizza_transformer", 7)
    with refuses("config: studies: unknown study 'pizza_transfomer'", "did you mean 'pizza_transformer'?"):
        plan.inputs_of_network("pizza_transfomer", 0)
    with refuses("config: populations.q: its seeds and variants make shards 0 to 2, not 3"):
        plan.shard("q", 3)


def test_published_weights_whose_file_is_missing_are_named(plan):
    plan.external = {"theirs": {"path": "nowhere/w.pt"}}
    with refuses("config: external_networks.theirs.path: nowhere/w.pt does not exist"):
        plan.external_source("theirs")
