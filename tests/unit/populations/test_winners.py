import numpy as np
import pandas as pd
import pytest

from modadd.populations.competition import competition_rows
from modadd.populations.winners import (
    WAYS,
    Parting,
    answers,
    mismatches,
    named_winners,
    networks_by_arm,
    parting,
    parting_table,
    winners_table,
)
from modadd.training.competition import ARMS, MOMENTS, RELUS, SMALL, SQUARES


@pytest.fixture(scope="module")
def networks():
    return networks_by_arm(pd.DataFrame(competition_rows([0], changes=False)))


def test_every_kind_of_training_has_its_networks(networks):
    assert [len(rows) for rows in networks.values()] == [1] * len(ARMS)


def test_the_equations_name_winners_from_small_weights(networks):
    named = named_winners(networks)
    assert named[SMALL].equations[0] > 0.9
    assert winners_table(named, {arm: str(arm) for arm in ARMS})["named by"].tolist() == [*WAYS.values()] * len(ARMS)


def test_networks_part_from_the_equations_later_from_small_weights(networks):
    partings = {arm: parting(arm, networks[arm], 2.0) for arm in (SMALL, SQUARES)}
    assert partings[SMALL].parted[0] > partings[SQUARES].parted[0]
    assert partings[SMALL].network.shape == (len(MOMENTS),)
    off, named = mismatches(networks), named_winners(networks)
    assert all((found >= 0).all() for found in off.values())
    table = parting_table(partings, off, named, {arm: str(arm) for arm in ARMS})
    assert table.panel.unique().tolist() == ["amplitude", "|D|", "share named"] and not np.isinf(table.y).any()
    found = answers(named, partings, off)
    assert found["phases_meet"].of == len(ARMS) and found["squares_meet"].of + found["relus_meet"].of == len(ARMS)


def test_a_loss_that_never_falls_keeps_no_equation_true(networks):
    rows = networks[SQUARES].assign(losses=[[1.0] * len(MOMENTS)])
    assert np.isinf(parting(SQUARES, rows, 2.0).fell).all()


def test_what_is_recorded_of_known_partings():
    table = pd.DataFrame({"equations": [0.9, 0.7], "amplitude": 0.5, "phase": [0.25, 0.25], "drive": 0.0})
    nothing = np.zeros(1)
    parted = Parting(np.array([30.0, 5.0, 7.0]), np.array([20.0, 10.0, 7.0]), nothing, nothing)
    off = {arm: np.full((2, 3, 4), 0.0 if arm.activation == "square" else 2.0) for arm in ARMS}
    off[RELUS][:, 1] = 0.5  # they come near the law, and leave it
    found = answers(dict.fromkeys(ARMS, table), {SMALL: parted, SQUARES: parted}, off)
    assert found["named_small"].value == pytest.approx(0.8)
    assert [gain.value for gain in found["gains"]] == pytest.approx(2 * [0.3, 0.55, 0.8])
    kept = found["keeps_until_the_loss_falls"]
    assert (kept.holds, kept.of) == (2, 3)
    squares = sum(arm.activation == "square" for arm in ARMS)
    assert (found["phases_meet"].holds, found["phases_meet"].of) == (2 * squares, 2 * len(ARMS))
    assert (found["squares_meet"].share, found["relus_meet"].share) == (1, 0)
    assert (found["relu_closest"], found["relu_last"]) == (0.5, 2.0)
