import pandas as pd
import pytest

from modadd.populations.criteria import CRITERIA


def rows(**columns):
    return pd.DataFrame({name: [value] for name, value in columns.items()})


@pytest.mark.parametrize(
    ("name", "columns", "worst", "holds"),
    [
        ("folding", {"lipschitz_bound": [0.4, 0.9], "lipschitz_unfolded": [0.5, 1.0]}, 0.9, True),
        ("folding", {"lipschitz_bound": [0.4, 1.2], "lipschitz_unfolded": [0.5, 1.0]}, 1.2, False),
        ("angles_add_less", {"angle_term": [0.1, 0.2], "lipschitz_bound": [1.0, 0.4]}, 0.5, True),
        ("angles_add_less", {"angle_term": [0.1, 0.3], "lipschitz_bound": [1.0, 0.4]}, 0.75, False),
        ("pizza_by_distance", {"distance_irrelevance": 0.2}, 0.2, True),
        ("pizza_by_distance", {"distance_irrelevance": 0.85}, 0.85, False),
        ("absolute_part_is_pizza", {"r2_absolute_pizza": 0.99, "r2_absolute_clock": 0.85}, 0.14, True),
        ("absolute_part_is_pizza", {"r2_absolute_pizza": 0.8, "r2_absolute_clock": 0.85}, -0.05, False),
        ("whole_is_clock", {"r2_full_pizza": 0.86, "r2_full_clock": 0.98}, 0.12, True),
        ("whole_is_clock", {"r2_full_pizza": 0.98, "r2_full_clock": 0.86}, -0.12, False),
    ],
)
def test_the_worst_key_frequency_decides_for_the_network(name, columns, worst, holds):
    found = rows(**columns)
    assert CRITERIA[name].worst(found) == pytest.approx(worst)
    assert CRITERIA[name].holds(found).tolist() == [holds]
