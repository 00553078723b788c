"""An operation that no analysis reads is refused before anything is trained."""

from copy import deepcopy

import pytest
from support import CONFIG_SCHEMA, ROOT, refuses

from modadd.ledger.entries import read_ledger
from modadd.run.config import check_config, read_config

pytestmark = pytest.mark.usefixtures("in_root")
FIVES, S3 = {"modulus": 25, "operation": "5x5"}, {"modulus": 6, "operation": "S3"}


@pytest.fixture(scope="module")
def config():
    return read_config(ROOT / "config/config.yaml", ROOT / "config/smoke.yaml")


@pytest.fixture(scope="module")
def ledger():
    return read_ledger()


def with_population(config, recipe, **settings):
    return config | {"datasets": {**config["datasets"], "mine": {"recipe": recipe, "seeds": 1} | settings}}


def with_study(config, name, **settings):
    changed = deepcopy(config)
    changed["datasets"].setdefault(name, {"seeds": [0], "snapshots": 2}).update(settings)
    return changed


@pytest.mark.parametrize(
    ("recipe", "settings", "fragments"),
    [
        ("group_mlp", S3, ["S3 is not abelian", "expected an abelian group"]),
        ("square_mlp", {"variants": [{"d_mlp": 5}, S3], **S3}, ["S3 is not abelian"]),
        ("pizza_transformer", FIVES, ["5x5 is not a cyclic group", "expected one that is, such as addition"]),
        ("embedding_mlp", FIVES | {"batch_size": 0}, ["5x5 is not a cyclic group"]),
        ("group_mlp", FIVES | {"activation": "gelu"}, ["5x5 is not a cyclic group"]),
    ],
)
def test_a_population_whose_rows_cannot_be_measured_is_refused(config, ledger, recipe, settings, fragments):
    with refuses("config: datasets.mine.operation:", *fragments):
        check_config(with_population(config, recipe, **settings), CONFIG_SCHEMA, ledger)


def test_a_study_with_another_activation_than_its_recipes_is_refused(config, ledger):
    with refuses("config: datasets.pizza_transformer.activation: expected relu, got gelu", "without snapshots"):
        check_config(with_study(config, "pizza_transformer", activation="gelu"), CONFIG_SCHEMA, ledger)


def test_an_activation_that_is_not_known_is_refused(config, ledger):
    with refuses("datasets.mine.activation", "gelu"):
        check_config(with_population(config, "pizza_transformer", activation="gelo"), CONFIG_SCHEMA, ledger)


@pytest.mark.parametrize(
    ("recipe", "settings"),
    [
        ("pizza_transformer", {"activation": "gelu"}),
        ("square_mlp", {"activation": "square"} | FIVES),
        ("group_mlp", FIVES),
        ("square_mlp", FIVES),
        ("group_mlp", {"operation": "subtraction"}),
        ("pizza_transformer", {"modulus": 15, "operation": "3x5"}),
    ],
)
def test_a_population_that_can_be_measured_is_accepted(config, ledger, recipe, settings):
    check_config(with_population(config, recipe, **settings), CONFIG_SCHEMA, ledger)


def test_a_study_whose_training_is_watched_has_to_learn_addition(config, ledger):
    for study in ("pizza_transformer", "two_layer_mlp"):
        with refuses(f"config: datasets.{study}.operation: expected addition, as notebook '", "got subtraction"):
            check_config(with_study(config, study, operation="subtraction"), CONFIG_SCHEMA, ledger)


def test_a_study_that_the_pages_cannot_show_is_refused(config, ledger):
    with refuses("config: datasets.group_mlp.operation: 5x5 is not a cyclic group"):
        check_config(with_study(config, "group_mlp", **FIVES), CONFIG_SCHEMA, ledger)
    check_config(with_study(config, "group_mlp", operation="subtraction"), CONFIG_SCHEMA, ledger)
    check_config(with_study(config, "own", recipe="square_mlp", **FIVES), CONFIG_SCHEMA, ledger)


@pytest.mark.parametrize(("content", "found"), [("", "nothing"), ("- scale: smoke\n", "[{'scale': 'smoke'}]")])
def test_a_config_without_keys_is_refused_with_its_file(tmp_path, content, found):
    (tmp_path / "mine.yaml").write_text(content)
    with refuses(f"{tmp_path}/mine.yaml: expected keys and their values", f"found {found}"):
        read_config(ROOT / "config/config.yaml", tmp_path / "mine.yaml")
