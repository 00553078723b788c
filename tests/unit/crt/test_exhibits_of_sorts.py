import numpy as np
import pandas as pd
import pytest
from simple_networks import initial

from modadd.crt.exhibits import (
    APPROXIMATE,
    EXACT,
    FINE_TUNING,
    clusters_by_sort,
    nearest_to_fine_tuning,
    period,
    places,
    read,
    received_by_phase,
    strongest_of_sorts,
    working_neurons,
)


def test_the_strongest_cluster_of_each_sort_is_shown():
    table = pd.DataFrame({"frequency": [1, 7, 2, 3], "weight": [1.0, 2.0, 3.0, 9.0]})
    table["sort"] = [APPROXIMATE, EXACT, APPROXIMATE, FINE_TUNING]
    assert strongest_of_sorts(table) == {APPROXIMATE: 2, EXACT: 7}
    assert strongest_of_sorts(table[3:]) == {"strongest frequency": 3}
    assert strongest_of_sorts(table[:0]) == {"strongest frequency": 1}


def test_residues_of_one_coset_have_one_place():
    assert period(7, 91) == 13 and period(2, 91) == 91
    found = places(7, 91)
    assert sorted(set(found.tolist())) == list(range(13)) and found[5] == found[5 + 13]


@pytest.mark.parametrize("name", ["embedding_mlp"])
def test_neurons_shown_work(small, name):
    reading = read(initial(small[name]))
    table = clusters_by_sort(reading)
    assert set(table["sort"]) <= {APPROXIMATE, EXACT, FINE_TUNING}
    members = working_neurons(reading, int(table.frequency[0]))
    assert (reading.dfts.frequency[members] == table.frequency[0]).all() and not reading.kind.idle[members].any()
    pair, word = nearest_to_fine_tuning(reading)
    tuning = np.flatnonzero(reading.kind.fine_tuning & ~reading.kind.idle)
    strongest = sorted(tuning, key=lambda neuron: -reading.dfts.weight[neuron])[:2]
    assert sorted(pair) == sorted(strongest) and word.endswith(FINE_TUNING)


def test_neurons_of_a_cluster_stand_in_the_order_of_their_phase(small):
    reading = read(initial(small["embedding_mlp"]))
    members = working_neurons(reading, int(clusters_by_sort(reading).frequency[0]))
    for side in "AB":
        rows = received_by_phase(reading, members, side)
        assert sorted(rows.columns) == members.tolist()
        assert (np.diff(getattr(reading.dfts, side).phase[rows.columns]) <= 0).all()
        np.testing.assert_array_equal(rows, getattr(reading.separable, side)[:, rows.columns])
