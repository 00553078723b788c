from support import refuses

from modadd.core.wording import require_known, unknown


def test_sentence_names_place_kind_and_nearest_name():
    sentence = unknown("config: datasets", "dataset", "piza", ["clock", "pizza"])
    assert sentence == "config: datasets: unknown dataset 'piza'; did you mean 'pizza'? expected one of clock, pizza"


def test_nothing_is_guessed_where_nothing_is_near():
    assert unknown("x", "key", "qqq", ["pizza"]) == "x: unknown key 'qqq'; expected one of pizza"
    assert unknown("x", "key", "qqq", []) == "x: unknown key 'qqq'; expected one of (none)"


def test_the_first_name_that_is_not_valid_is_refused():
    require_known("x", "key", ["pizza", "clock"], ["clock", "pizza"])
    with refuses("x: unknown key 'piza'; did you mean 'pizza'?"):
        require_known("x", "key", ["clock", "piza", "qqq"], ["clock", "pizza"])
