from math import comb

import numpy as np
import pandas as pd
import pytest

from modadd.core.parquet import write_table
from modadd.core.statistics import kolmogorov_smirnov
from modadd.populations.tables import by_frequency, faultless_or_all, over_frequencies, read_population, regime_of
from modadd.populations.unmeasured import NOT_MEASURED, stacked, was_measured


@pytest.fixture
def rows(untrained):
    """Rows of three networks of one recipe."""
    common = {key: value for key, value in untrained.recipe.as_dict().items() if key != "source"}
    return [common | {"seed": seed, "accuracy": 1.0, "angle_term": [0.1 * seed, 0.2]} for seed in (0, 3, 5)]


def test_rows_are_written_with_equal_bytes_and_read_as_they_were(rows, tmp_path):
    for name in ("first", "second"):
        write_table(rows, tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    found = read_population(tmp_path / "first")
    assert found.seed.tolist() == [0, 3, 5]
    np.testing.assert_array_equal(found.angle_term.iloc[1], rows[1]["angle_term"])
    assert set(found.trained) == {"here"}


def test_a_network_trained_here_replaces_its_kept_row_and_the_others_are_added(rows, tmp_path):
    write_table(rows[:2], tmp_path / "here")
    write_table([row | {"accuracy": 0.5} for row in rows[1:]], tmp_path / "kept")
    found = read_population(tmp_path / "here", tmp_path / "kept")
    assert found[["seed", "trained", "accuracy"]].values.tolist() == [
        [0, "here", 1.0],
        [3, "here", 1.0],
        [5, "kept", 0.5],
    ]


def test_networks_of_another_activation_are_other_networks(rows, tmp_path):
    other = [row | {"activation": "gelu"} for row in rows[1:2]]
    write_table(rows[:1] + other, tmp_path / "here")
    write_table(rows, tmp_path / "kept")
    found = read_population(tmp_path / "here", tmp_path / "kept")
    assert found[["seed", "activation", "trained"]].values.tolist() == [
        [3, "gelu", "here"],
        [0, "relu", "here"],
        [3, "relu", "kept"],
        [5, "relu", "kept"],
    ]


def test_kept_rows_from_before_a_key_of_recipes_are_refused(rows, tmp_path):
    write_table(rows[:1], tmp_path / "here")
    write_table([{key: value for key, value in row.items() if key != "scaled_by"} for row in rows], tmp_path / "kept")
    with pytest.raises(ValueError, match="/kept: its rows lack 'scaled_by', which recipes have today; train these"):
        read_population(tmp_path / "here", tmp_path / "kept")


def test_a_table_without_networks_is_refused(tmp_path):
    for name, table in {"empty": pd.DataFrame({"architecture": []}), "other": pd.DataFrame({"x": [1]})}.items():
        write_table(table, tmp_path / name)
        with pytest.raises(ValueError, match=f"/{name}: expected rows of networks, found none"):
            read_population(tmp_path / name)


def test_networks_that_err_are_dropped_and_where_every_one_does_it_is_said(capsys):
    rows = pd.DataFrame({"seed": [0, 1, 2], "modulus": 7, "accuracy": [1.0, 0.99, 1.0]})
    assert faultless_or_all(rows).seed.tolist() == [0, 2] and not capsys.readouterr().err
    assert faultless_or_all(rows[rows.accuracy < 1]).seed.tolist() == [1]
    assert capsys.readouterr().err == "None of 1 networks mod 7 answers every input right: all of them are shown.\n"


def test_a_batch_size_of_zero_is_called_full_batch():
    rows = pd.DataFrame({"modulus": [91], "batch_size": [0]})
    assert regime_of(rows) == "n = 91, full batch"
    assert regime_of(rows.assign(batch_size=91)) == "n = 91, batch n"


def test_one_number_is_chosen_from_each_networks_key_frequencies():
    found = over_frequencies([[3.0, 1.0], [2.0], [], [np.nan, 1.0]], np.min)
    np.testing.assert_array_equal(found, [1, 2, np.nan, np.nan])


def test_lists_become_a_line_for_each_key_frequency(rows):
    table = pd.DataFrame(rows).assign(frequencies=[[2, 5], [], [3, 6]], angle_term=[[0.1, 0.2], [], [0.3, 0.4]])
    found = by_frequency(table, ["seed", "angle_term"])
    assert found.frequency.tolist() == [2, 5, 3, 6] and found.frequency.dtype == int
    assert found.seed.tolist() == [0, 0, 5, 5], "a network without key frequencies has no line"
    assert found.angle_term.tolist() == [0.1, 0.2, 0.3, 0.4]


def test_groups_without_a_common_value_are_told_apart():
    one, other = np.arange(5.0), 10 + np.arange(5.0)
    found = kolmogorov_smirnov(one, other)
    assert found.distance == 1 and found.p == pytest.approx(2 / comb(10, 5))  # two of all arrangements are as extreme
    assert kolmogorov_smirnov(one, one).distance == 0 and kolmogorov_smirnov(one, one).p == 1


def test_what_could_not_be_measured_is_left_out_of_a_comparison():
    one, other = np.array([1.0, 2.0]), np.array([1.0, 5.0])
    assert kolmogorov_smirnov(np.array([1.0, np.nan, 2.0]), other) == kolmogorov_smirnov(one, other)
    assert np.isnan(kolmogorov_smirnov(np.array([np.nan]), np.array([1.0])).p)


def test_kept_rows_lack_measures_that_came_later(rows, tmp_path):
    write_table([rows[0] | {"table_radius": 0.25}], tmp_path / "here")
    write_table(rows[1:2], tmp_path / "kept")
    found = read_population(tmp_path / "here", tmp_path / "kept")
    assert found.table_radius.isna().tolist() == [False, True]
    assert was_measured(found, "table_radius").tolist() == [True, False]
    assert was_measured(found, "angle_term").all() and not was_measured(found, "of_tomorrow").any()


def test_what_was_not_measured_is_told_from_what_a_network_cannot_have(rows, tmp_path):
    first = pd.DataFrame(rows[:2]).assign(radius=[0.25, np.nan], costly=[1.0, 2.0])
    kept = stacked([first, pd.DataFrame(rows[2:])])
    write_table(kept, tmp_path / "kept")
    again = stacked([read_population(tmp_path / "kept"), pd.DataFrame(rows[:1]).assign(later=3.0, radius=1.0)])
    for name, measured in {
        "radius": [True, True, False, True],
        "costly": [True, True, False, False],
        "later": [False, False, False, True],
        "seed": [True] * 4,
    }.items():
        assert was_measured(again, name).tolist() == measured, name
    assert stacked([again])[NOT_MEASURED].tolist() == again[NOT_MEASURED].tolist(), "told once"
    assert was_measured(pd.DataFrame(rows).assign(radius=np.nan), "radius").all(), (
        "a table that names nothing lacks nothing"
    )
