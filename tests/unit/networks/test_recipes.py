from dataclasses import replace

import pytest
import yaml
from support import CONFIG_SCHEMA, refuses

from modadd.networks.overrides import OVERRIDABLE, recipe_of
from modadd.networks.recipes import BY_MODULUS, RECIPES, Recipe, deviations

PIZZA = RECIPES["pizza_transformer"]


def test_study_named_like_a_recipe_follows_it():
    assert recipe_of("datasets.pizza_transformer", {"seeds": [0]}) == PIZZA


def test_study_of_another_name_takes_the_recipe_it_names_and_overrides_single_numbers():
    changes = {"modulus": 31, "train_pairs": 768, "weight_decay": 0.5, "batch_size": 768 // 4, "optimiser": "adam"}
    settings = {"seeds": [0], "recipe": "pizza_transformer"} | changes
    assert recipe_of("datasets.less_decay", settings) == replace(PIZZA, **changes)


def test_every_number_of_a_recipe_can_be_overridden_in_the_config_and_nothing_else():
    kinds = yaml.safe_load(CONFIG_SCHEMA.read_text(encoding="utf-8"))["$defs"]
    assert set(kinds["variant"]["properties"]) == set(OVERRIDABLE)
    assert set(kinds["watched"]["properties"]) == {"seeds", "snapshots", "recipe", *OVERRIDABLE}
    population = {"seeds", "snapshots", "recipe", "shard", "costly", "variants", *OVERRIDABLE}
    assert set(kinds["population"]["properties"]) == population


@pytest.mark.parametrize(
    ("name", "train_pairs", "per_update"),
    [("pizza_transformer", 2784, 2784), ("two_layer_mlp", 3830, 3830), ("embedding_mlp", 5096, 91)],
)
def test_published_recipes_train_on_the_stated_number_of_pairs(name, train_pairs, per_update):
    assert (RECIPES[name].train_pairs, RECIPES[name].pairs_per_update) == (train_pairs, per_update)


@pytest.mark.parametrize(
    ("study", "settings", "fragments"),
    [
        ("pizza_transfomer", {}, ("datasets.pizza_transfomer:", "unknown recipe", "did you mean 'pizza_transformer'?")),
        ("mine", {"recipe": "piza_transformer"}, ("datasets.mine.recipe:", "did you mean 'pizza_transformer'?")),
        ("mine", {}, ("datasets.mine:", "or another name with a `recipe:` key")),
        ("pizza_transformer", {"n_heads": 3}, ("datasets.pizza_transformer.n_heads:", "divisor of d_model = 128", "3")),
        (
            "pizza_transformer",
            {"train_pairs": 0},
            ("datasets.pizza_transformer.train_pairs:", "1 to 59² = 3481, got 0"),
        ),
        ("pizza_transformer", {"modulus": 31, "train_pairs": 962}, ("train_pairs:", "got 962")),
        (
            "pizza_transformer",
            {"batch_size": 2 * 2784},
            ("datasets.pizza_transformer.batch_size:", "divisor of the 2784", "5568"),
        ),
        ("embedding_mlp", {"batch_size": 90}, ("datasets.embedding_mlp.batch_size:", "got 90")),
        (
            "embedding_mlp",
            {"optimiser": "adamww"},
            ("datasets.embedding_mlp.optimiser:", "unknown optimiser 'adamww'", "did you mean 'adamw'?"),
        ),
        (
            "group_mlp",
            {"d_model": 16},
            ("datasets.group_mlp.d_model: expected 0, for an architecture without", "got 16"),
        ),
        ("group_mlp", {"n_heads": 2}, ("datasets.group_mlp.n_heads: expected 0, for an architecture without", "got 2")),
        (
            "embedding_mlp_8n",
            {"modulus": 58},
            ("datasets.embedding_mlp_8n.modulus: expected one for", "17, 59", "got 58"),
        ),
        ("mine", {"recipe": "one_hot_mlp_1024"}, ("datasets.mine.modulus: expected one for", "59, 60", "got none")),
        ("embedding_mlp_8", {"modulus": 59}, ("unknown recipe", "did you mean 'embedding_mlp_8n'?")),
        ("two_layer_mlp", {"d_model": 0}, ("datasets.two_layer_mlp.d_model: expected at least 1, got 0",)),
    ],
)
def test_impossible_recipe_is_refused_in_one_line(study, settings, fragments):
    with refuses(*fragments):
        recipe_of(f"datasets.{study}", settings)


@pytest.mark.parametrize("name", BY_MODULUS)
def test_a_recipe_by_modulus_has_the_numbers_printed_for_it_and_can_be_overridden(name):
    for n, recipe in BY_MODULUS[name].items():
        assert recipe_of("datasets.mine", {"recipe": name, "modulus": n}) == recipe
        assert recipe.d_mlp == (8 * n if name == "embedding_mlp_8n" else 1024) and not deviations(recipe.as_dict())
    assert recipe_of("datasets.mine", {"recipe": name, "modulus": 59, "steps": 7}).steps == 7


def test_table_4_has_the_printed_numbers():
    """Penalty L2 · ‖θ‖² is decay 2 L2."""
    found = BY_MODULUS["embedding_mlp_8n"][59]
    assert (found.learning_rate, found.weight_decay, found.train_pairs, found.batch_size) == (0.008, 0.002, 1770, 59)


def test_the_networks_of_table_5_differ_in_the_embedding_alone():
    for n, one_hot in BY_MODULUS["one_hot_mlp_1024"].items():
        embedded = BY_MODULUS["embedding_mlp_1024"][n].as_dict()
        differing = {key for key, value in one_hot.as_dict().items() if value != embedded[key]}
        assert differing == {"architecture", "d_model", "source"} and embedded["d_model"] == 128


def test_another_modulus_keeps_the_share_of_training_pairs_and_all_of_them_may_be_asked_for():
    assert recipe_of("datasets.two_layer_mlp", {"modulus": 31}).train_pairs == int(0.3 * 31**2)
    assert recipe_of("datasets.pizza_transformer", {"modulus": 31}).train_pairs == int(0.8 * 31**2)
    assert recipe_of("datasets.pizza_transformer", {"modulus": 31, "train_pairs": "all"}).train_pairs == 31**2
    assert (
        recipe_of("datasets.pizza_transformer", {"modulus": 31, "train_pairs": 60, "batch_size": 20}).train_pairs == 60
    )


def test_numbers_in_which_rows_differ_are_left_out_of_the_deviations():
    common = {"architecture": "pizza_transformer", "modulus": 31, "train_pairs": 768, "weight_decay": 1.0}
    assert deviations(common) == {"modulus": "modulus 31 (published 59)"}
    assert deviations({"architecture": "pizza_transformer"}) == {}


def test_the_activation_is_the_architectures_own_unless_another_is_named():
    assert {name: recipe.activation for name, recipe in RECIPES.items()} == {
        name: "square" if name == "square_mlp" else "relu" for name in RECIPES
    }
    from_before = {key: value for key, value in PIZZA.as_dict().items() if key != "activation"}
    assert Recipe(**from_before) == PIZZA == replace(PIZZA, activation="relu")
    other = recipe_of("datasets.pizza_transformer", {"activation": "gelu"})
    assert not other.has_own_activation and deviations(other.as_dict()) == {
        "activation": "activation gelu (published relu)"
    }
    with refuses("unknown activation 'gelo'", "did you mean 'gelu'?"):
        replace(PIZZA, activation="gelo")


def test_multiplication_by_its_modulus_is_told_how_many_units_that_has():
    given = {"recipe": "pizza_transformer", "operation": "multiplication", "modulus": 97}
    with refuses("98 is not prime", "multiplication mod 97, if that is a prime, has modulus 96"):
        recipe_of("datasets.products", given)
