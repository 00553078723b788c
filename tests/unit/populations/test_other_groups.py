import numpy as np
import pandas as pd
import pytest

from modadd.populations.other_groups import product_beside_cyclic, summary_of_group

NETWORKS = pd.DataFrame(
    {
        "accuracy": [1.0, 1.0, 0.9],
        "spectral_count": [4, 6, 9],
        "character_neurons": [[8, 9], [10], [1]],
        "character_orders": [[5, 25], [5], [25]],
        "share_pure": [1.0, 0.5, 0.0],
        "scheme_mismatch": [0.01, 2.0, 3.0],
        "scheme_error": [0.1, 0.2, 0.3],
        "scheme_r_squared": [0.95, 0.8, 0.1],
    }
)


def test_a_group_is_summed_up():
    found = summary_of_group(NETWORKS)
    assert found["networks"] == 3 and found["orders of the characters"] == "5, 25"
    assert found["error, median"] == pytest.approx(0.2)
    assert found["neurons per character, median"] == 8.5, "of 8, 9, 10 and 1, whatever network they are of"


def test_of_no_networks_there_is_a_summary_without_numbers():
    assert np.isnan(summary_of_group(NETWORKS[:0])["N, mean"])


def test_lawful_and_explained_are_counted_among_the_networks_that_are_right():
    found = product_beside_cyclic(NETWORKS, NETWORKS[:2], NETWORKS, 0.9)
    right, lawful = found["shares_right_and_lawful"]
    assert (right.holds, right.of, lawful.holds, lawful.of) == (2, 3, 1, 2)
    assert found["share_explained"].holds == 1
    assert (found["error"], found["cyclic_error"]) == pytest.approx((0.15, 0.2))
    assert (found["r_squared"], found["cyclic_r_squared"]) == pytest.approx((0.875, 0.8))
    assert (found["mismatch"], found["cyclic_mismatch"]) == pytest.approx((1.005, 2.0))
    assert found["more_characters"].value == pytest.approx(5 - 19 / 3)
