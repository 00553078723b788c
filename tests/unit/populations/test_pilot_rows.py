"""Rows of the pilot: measures of networks with known answers, and tables that are read together."""

import numpy as np
import pandas as pd
import pytest
from keep import keep_rows
from simple_networks import squares_of
from support import ROOT

from modadd.core.groups import right_answers
from modadd.core.parquet import read_table, write_table
from modadd.core.representations import inverses, representations
from modadd.populations import pilot
from modadd.populations.witnesses import different
from modadd.training.pilot import CONFIGURATIONS, Configuration, Trained

C5 = Configuration("addition", 5, "square", 16, 0.0)


def test_gromovs_closed_form_has_its_frequencies_and_pure_neurons():
    found = pilot.pilot_measures(C5, squares_of(5, 2))
    assert found["key_set"] == ["±2"] and found["spectral_count"] == 1 and found["pure"] == [0, 16]
    np.testing.assert_allclose(found["spectral_weights"], [0, 1], atol=1e-12)
    both = pilot.pilot_measures(C5, squares_of(5, 1, 2))
    assert both["key_set"] == ["±1", "±2"] and both["spectral_count"] == 2 and both["pure"] == [16, 16]
    assert found["accuracy"] == both["accuracy"] == 1


@pytest.mark.parametrize("of", CONFIGURATIONS[::3], ids=str)
def test_a_network_of_nothing_or_next_to_nothing_has_no_key_set_and_no_pure_neuron(of):
    nothing = np.zeros((3, of.n, of.neurons))
    for weights in (nothing, nothing + 1e-8 * np.random.default_rng(0).normal(size=nothing.shape)):
        found = pilot.pilot_measures(of, weights)
        assert (found["key_set"], found["spectral_count"], sum(found["pure"])) == ([], 0, 0)
    assert found["largest_logit"] < pilot.FLAT


def test_a_neuron_of_two_frequencies_is_pure_for_neither():
    mixed = squares_of(5, 1) + 0.5 * squares_of(5, 2)
    assert pilot.pilot_measures(C5, mixed)["pure"] == [0, 0]
    nearly = squares_of(5, 1) + 0.1 * squares_of(5, 2)
    assert pilot.pilot_measures(C5, nearly)["pure"] == [16, 0]


def test_neurons_of_s3_are_pure_for_a_representation():
    table = right_answers("S3", 6)
    of = Configuration("S3", 6, "relu", 2, 0.0)
    functions = [character.characters[0].real[inverses(table)] for character in representations("S3", 6)[1:]]
    found = pilot.pilot_measures(of, np.stack([np.stack(functions, axis=1)] * 3))
    assert found["pure"] == [1, 1] and pilot.nontrivial("S3", 6) == ["sign", "standard"]


@pytest.fixture
def rows(monkeypatch):
    """Rows of two seeds of every configuration, not trained at all."""
    monkeypatch.setattr(pilot, "train_pilot", lambda of, seed: Trained(np.ones((3, of.n, of.neurons)), 1.0, 5, False))
    return pd.DataFrame(pilot.pilot_rows([0, 1]))


def test_every_network_has_a_row_with_its_weights_and_its_origin(rows):
    assert len(rows) == 2 * len(CONFIGURATIONS) and not rows.duplicated(pilot.PILOT_IDENTITY).any()
    assert (rows.weights.map(len) == 3 * rows.n * rows.neurons).all()
    assert {"processor", "numpy", "numba", "code"} <= set(rows) and rows.code.str.len().eq(64).all()


def test_kept_rows_give_way_to_those_trained_here(rows, tmp_path):
    here, kept = tmp_path / "here", tmp_path / "pilot"
    write_table(rows.assign(loss=2.0), kept)
    write_table(rows[rows.seed == 1], here)
    both = pilot.read_pilot([here, kept])
    assert len(both) == len(rows) and (both.loss == np.where(both.seed == 1, 1.0, 2.0)).all()
    again = pilot.same_key_sets(pilot.read_pilot([here]), pilot.read_pilot([kept]))
    assert len(again) == len(CONFIGURATIONS) and again.all()
    other = rows.assign(key_set=[["±1"]] * len(rows))
    assert not pilot.same_key_sets(rows, other).any()
    keep_rows([here], kept, pilot.read_pilot)
    assert pilot.read_pilot([kept]).loss.tolist() == both.loss.tolist()


def test_probabilities_of_key_sets_add_up_to_one(rows):
    sets = [["±1"] if seed == 0 else [] for seed in rows.seed]
    found = pilot.key_set_probabilities(rows.assign(key_set=sets))
    assert set(found["key set"]) == {"±1", "none"} and (found.share == 0.5).all()
    assert (found.low < 0.5).all() and (found.high > 0.5).all()
    assert (found.groupby(list(Configuration._fields)).networks.sum() == 2).all()


def test_kept_rows_are_measured_today_as_they_say():
    kept = read_table(ROOT / "data/pilot.parquet")
    assert len(kept) == 100 * len(CONFIGURATIONS) and not kept.duplicated(pilot.PILOT_IDENTITY).any()
    for _, row in kept.iloc[::97].iterrows():
        of = Configuration(*row[list(Configuration._fields)])
        again = pilot.pilot_measures(of, row.weights.reshape(3, of.n, of.neurons))
        assert list(row.key_set) == again.pop("key_set") and not list(different(row, again))
