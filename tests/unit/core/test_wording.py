import pytest
from support import refuses

from modadd.core.wording import require_known, unknown


def test_sentence_names_place_kind_and_nearest_name():
    sentence = unknown("config: datasets", "dataset", "piza", ["clock", "pizza"])
    assert sentence == "config: datasets: unknown dataset 'piza'; did you mean 'pizza'? expected one of clock, pizza"


def test_nothing_is_guessed_where_nothing_is_near():
    assert unknown("x", "key", "qqq", ["pizza"]) == "x: unknown key 'qqq'; expected one of pizza"
    assert unknown("x", "key", "qqq", []) == "x: unknown key 'qqq'; expected one of (none)"


@pytest.mark.parametrize(
    ("name", "valid", "meant"),
    [
        ("AdamW", ["adam", "adamw", "sgd"], "adamw"),
        ("adamw", ["Adam", "AdamW"], "AdamW"),
        ("GELU", ["gelu", "relu"], "gelu"),
        ("QR", ["C", "M", "Q"], "Q"),
        ("lwa", ["law"], "law"),
        ("train_fraction", ["steps", "train_pairs"], "train_pairs"),
        ("weight", ["weight_decay"], "weight_decay"),
    ],
)
def test_another_spelling_or_the_same_first_word_is_taken_for_a_name(name, valid, meant):
    assert f"; did you mean '{meant}'? expected" in unknown("x", "key", name, valid)


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("division", ["addition", "multiplication", "subtraction"]),
        ("n_layers", ["n_heads"]),
        ("SiLU", ["relu", "softplus"]),
        ("NAdam", ["adam", "adamw"]),
        ("elu", ["gelu", "relu"]),
        ("lr", ["learning_rate"]),
    ],
)
def test_what_means_something_else_is_no_slip(name, valid):
    assert "did you mean" not in unknown("x", "key", name, valid)


def test_the_first_name_that_is_not_valid_is_refused():
    require_known("x", "key", ["pizza", "clock"], ["clock", "pizza"])
    with refuses("x: unknown key 'piza'; did you mean 'pizza'?"):
        require_known("x", "key", ["clock", "piza", "qqq"], ["clock", "pizza"])
