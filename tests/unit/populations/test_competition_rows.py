"""Rows of the networks in which frequencies compete: measures with known answers, predictions, and tables read together."""

import numpy as np
import pandas as pd
import pytest
from simple_networks import squares_of
from support import ROOT

from modadd.core.parquet import read_table, write_table
from modadd.networks.starts import chosen_frequency
from modadd.populations import competition as p
from modadd.populations.mode_equations import modes_of
from modadd.training.competition import ARMS, CHANGES, FREQUENCY, MOMENTS, NEURONS, Change, Followed, N, follow


def test_gromovs_closed_form_has_its_frequencies():
    found = p.ends("square", squares_of(5, 1, 2))
    assert found["key_set"] == [1, 2] and found["accuracy"] == 1
    assert found["neuron_frequency"] == [1] * 16 + [2] * 16
    np.testing.assert_allclose(found["spectral_weights"], [0.5, 0.5])
    idle = squares_of(5, 2)
    idle[:, :, 3] = 1.0
    assert p.ends("square", idle)["neuron_frequency"][3] == 0


def test_courses_are_read_at_the_neurons_frequency():
    weights = squares_of(5, 1, 2)
    amplitudes, off = p.courses(np.stack([weights, 2 * weights]), np.repeat([1, 2], 16))
    np.testing.assert_allclose(amplitudes, np.repeat([1, 2], 32), rtol=1e-5)
    np.testing.assert_allclose(off, 0, atol=1e-6)


def test_predictions_are_what_they_say():
    z = modes_of(p.competition_weights(1.0, 5))
    found = p.predicted_frequencies(1.0, 5)
    assert found.amplitude.tolist() == (1 + np.abs(z).prod(axis=0).argmax(axis=0)).tolist()
    raised = p.predicted_frequencies(1.0, 5, Change(FREQUENCY, 20.0))
    assert (raised.equations == chosen_frequency(N, 5)).all(), "so large a start wins everywhere"
    assert (p.predicted_frequencies(0.1, 5).equations == found.equations).mean() > 0.8, (
        "a smaller start only loses to the penalty"
    )


@pytest.fixture
def rows(monkeypatch):
    """Rows of two seeds, not trained at all."""
    still = lambda arm, weights, moments: Followed(np.stack([weights] * len(moments)), np.zeros(len(moments)))
    monkeypatch.setattr(p, "follow", still)
    return pd.DataFrame(p.competition_rows([0, 1]))


def test_every_network_has_a_row_and_unchanged_ones_their_course(rows):
    assert len(rows) == 2 * len(p.networks()) and not rows.duplicated(p.COMPETITION_IDENTITY).any()
    watched = rows.plane == "none"
    assert watched.sum() == 2 * len(ARMS) and (~watched).sum() == 2 * 2 * len(CHANGES)
    assert (rows.amplitude.map(len) == np.where(watched, len(MOMENTS) * NEURONS, 0)).all()
    assert {"processor", "numpy", "numba", "code"} <= set(rows) and rows.chosen.between(1, N // 2).all()


def test_kept_rows_give_way_to_those_trained_here(rows, tmp_path):
    here, kept = tmp_path / "here", tmp_path / "kept"
    write_table(rows.assign(accuracy=2.0), kept)
    write_table(rows[rows.seed == 1], here)
    both = p.read_competition([here, kept])
    assert len(both) == len(rows) and ((both.accuracy == 2.0) == (both.seed == 0)).all()


def test_kept_rows_are_whole_and_are_trained_today_as_they_say():
    kept = read_table(ROOT / "data/competition.parquet")
    assert len(kept) == kept.seed.nunique() * len(p.networks()) and not kept.duplicated(p.COMPETITION_IDENTITY).any()
    early = 12  # moments: these rows are of a version that rounded otherwise, and later the difference grows
    first = kept[(kept.seed == 7) & (kept.plane == "none")].set_index(["activation", "optimiser", "scale"]).losses
    for arm in ARMS:
        again = follow(arm, p.competition_weights(arm.scale, 7), MOMENTS[:early])
        np.testing.assert_allclose(again.losses, first[arm.activation, arm.optimiser, arm.scale][:early], rtol=1e-6)


def test_without_changes_only_unchanged_networks_are_trained(rows):
    shorter = pd.DataFrame(p.competition_rows([0, 1], changes=False))
    assert len(shorter) == 2 * len(ARMS) and (shorter.plane == "none").all()
    assert [*shorter.losses] == [*rows.losses[rows.plane == "none"]]
