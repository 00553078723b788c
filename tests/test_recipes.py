from dataclasses import replace

import pytest
import yaml
from modadd.recipes import OVERRIDABLE, RECIPES, recipe_of
from support import CONFIG_SCHEMA, refuses

PIZZA = RECIPES["pizza_transformer"]


def test_study_named_like_a_recipe_follows_it():
    assert recipe_of("pizza_transformer", {"seeds": [0]}) == PIZZA


def test_study_of_another_name_takes_the_recipe_it_names_and_overrides_single_numbers():
    settings = {"seeds": [0], "recipe": "pizza_transformer", "modulus": 31, "weight_decay": 0.5}
    assert recipe_of("less_decay", settings) == replace(PIZZA, modulus=31, weight_decay=0.5)


def test_every_number_of_a_recipe_can_be_overridden_in_the_config_and_nothing_else():
    keys = set(yaml.safe_load(CONFIG_SCHEMA.read_text())["$defs"]["study"]["properties"])
    assert keys == {"seeds", "recipe", *OVERRIDABLE}


def test_published_split_trains_on_2784_pairs():
    assert PIZZA.n_train == 2784


@pytest.mark.parametrize(
    ("study", "settings", "fragments"),
    [
        ("pizza_transfomer", {}, ("studies.pizza_transfomer:", "unknown recipe", "did you mean 'pizza_transformer'?")),
        ("mine", {"recipe": "piza_transformer"}, ("studies.mine.recipe:", "did you mean 'pizza_transformer'?")),
        ("mine", {}, ("studies.mine:", "a study of another name with a `recipe:` key")),
        ("pizza_transformer", {"n_heads": 3}, ("studies.pizza_transformer.n_heads:", "divisor of d_model = 128", "3")),
        ("pizza_transformer", {"d_model": 130}, ("n_heads:", "divisor of d_model = 130", "got 4")),
        (
            "pizza_transformer",
            {"modulus": 3, "train_share": 0.1},
            ("train_share:", "3² pairs", "leaves 0", "at least one"),
        ),
        ("pizza_transformer", {"train_share": 0.0}, ("studies.pizza_transformer.train_share:", "leaves 0")),
        ("pizza_transformer", {"train_share": 1.0}, ("train_share:", "leaves 3481", "fewer than all")),
        ("pizza_transformer", {"train_share": 1.5}, ("train_share:", "fewer than all")),
    ],
)
def test_impossible_recipe_is_refused_in_one_line(study, settings, fragments):
    with refuses(*fragments):
        recipe_of(study, settings)
