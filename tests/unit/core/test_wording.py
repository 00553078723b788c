from modadd.core.wording import unknown


def test_sentence_names_place_kind_and_nearest_name():
    sentence = unknown("config: datasets", "dataset", "piza", ["clock", "pizza"])
    assert sentence == "config: datasets: unknown dataset 'piza'; did you mean 'pizza'? expected one of clock, pizza"


def test_nothing_is_guessed_where_nothing_is_near():
    assert unknown("x", "key", "qqq", ["pizza"]) == "x: unknown key 'qqq'; expected one of pizza"
    assert unknown("x", "key", "qqq", []) == "x: unknown key 'qqq'; expected one of (none)"
