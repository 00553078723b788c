"""The numbers of networks with other weight decays, and their change from seed to seed."""

import numpy as np
import pandas as pd
import pytest

from modadd.populations.weight_decay import NUMBERS, READ, change, changes, compared, extremes, one_number_each
from modadd.quadrature.scheme import INTEGRAL


def networks():
    """Two seeds at three weight decays; the norm falls by a half at each, and there is a frequency less."""
    lists = {"rms_mismatch": [0.1, 0.3], "phase_line_r_squared": [0.9, 0.99], "actual_modulus": [INTEGRAL, 0]}
    lists |= {"whole_bound": [0, 2 * INTEGRAL], "secondary_share": [0.2, 0.1]}
    rows = []
    for place, decay in enumerate((0.1, 1.0, 10.0)):
        for seed in (0, 1):
            row = dict.fromkeys([*NUMBERS, *READ], 1.0) | lists | {"frequencies": [1, 2, 3, 4][place:]}
            rows.append(row | {"weight_norm": 8.0 / 2**place + seed, "weight_decay": decay, "seed": seed})
    return pd.DataFrame(rows)


def test_the_worst_key_frequency_counts():
    first = one_number_each(networks()).iloc[0]
    assert first[["largest_rms_mismatch", "phase_line_off"]].tolist() == pytest.approx([0.3, 0.1])
    assert first[["largest_error", "largest_bound"]].tolist() == pytest.approx([1, 2])
    assert first[["smallest_secondary_share", "largest_secondary_share", "key_frequencies"]].tolist() == [0.1, 0.2, 4]


def test_a_norm_changes_by_a_ratio_and_other_numbers_by_a_difference():
    swept = one_number_each(networks())
    assert change(swept, "key_frequencies", 10.0, 0.1).value == -2
    assert change(swept, "weight_norm", 1.0, 0.1).value == pytest.approx(np.sqrt(4 / 8 * 5 / 9))


def test_changes_are_against_the_published_decay_and_extremes_against_both_ends():
    swept = one_number_each(networks())
    table = changes(swept, base=1.0)
    assert table.weight_decay.unique().tolist() == [0.1, 10.0]
    assert len(table) == 2 * len(NUMBERS)
    found = extremes(swept, base=1.0)
    assert (found["smallest_decay"], found["largest_decay"]) == (0.1, 10.0)
    assert found["frequencies_of_large_decay"].value == -1
    assert found["norm_of_largest_decay"] == change(swept, "weight_norm", 10.0, 1.0)


def test_the_extremes_are_those_of_the_largest_and_of_the_smallest_decay():
    rows = networks()
    rows["rms_mismatch"] = [[decay, 0.0] for decay in rows.weight_decay]
    found = extremes(one_number_each(rows), base=1.0)
    assert found["norm_of_large_decay"].value == pytest.approx(np.sqrt(4 / 8 * 5 / 9))
    assert found["mismatch_of_small_decay"].value == pytest.approx(0.1 - 1.0)


def rows_of(*lines):
    """Rows of networks: seed, weight decay and number of updates of each."""
    return pd.DataFrame(lines, columns=["seed", "weight_decay", "steps"])


def test_each_seed_with_another_weight_decay_stands_beside_itself_at_the_published_one():
    decays = rows_of((0, 0.1, 50), (0, 1.0, 50), (2, 9.0, 50), (3, 0.1, 20))
    seeds = rows_of((0, 1.0, 50), (1, 1.0, 50), (2, 1.0, 50), (2, 1.0, 20), (2, 5.0, 50), (3, 1.0, 50))
    found = compared(decays, seeds, steps=50, base=1.0)
    assert found.others.to_numpy().tolist() == [[0, 0.1, 50], [2, 9.0, 50]]
    assert found.seeds.seed.tolist() == [0, 1, 2, 3]
    assert found.both[["seed", "weight_decay"]].to_numpy().tolist() == [[0, 1.0], [2, 1.0], [0, 0.1], [2, 9.0]]
