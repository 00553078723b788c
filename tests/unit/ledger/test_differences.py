"""By how much two values differ, in words."""

import numpy as np

from modadd.ledger.differences import difference_in_words


def test_distance_of_values():
    assert difference_in_words(0.5, 0.5) is None and difference_in_words("holds", "holds") is None
    assert difference_in_words([1, 2], [1, 2, 3]) == "[1, 2] → [1, 2, 3]"
    assert difference_in_words(None, 0.5) == "None → 0.5"
    assert difference_in_words(1.5, 1.75) == "1.5 → 1.75 (by 0.25)"
    assert difference_in_words([0.5, np.nan, 1.0], [0.25, np.nan, 1.125]) == "2 of 3 numbers, by at most 0.25"
    assert difference_in_words([np.nan], np.array([np.nan])) is None, "nothing differs where both have no number"
    assert difference_in_words([[1, 2], [3]], [[1, 2], [4]]) == "[[1, 2], [3]] → [[1, 2], [4]]"
    assert difference_in_words("long " * 20, "short") == f"{('long ' * 20)[:39]}… → short"
