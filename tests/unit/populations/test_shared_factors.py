import numpy as np
import pandas as pd
import pytest

from modadd.populations.shared_factors import (
    INDEX,
    NEURONS,
    OFTEN,
    answers_to_fig_9,
    clusters_of_rows,
    numbers_by_class,
    numbers_by_frequency,
    preferred,
    shared_against_coprime,
)

ROWS = pd.DataFrame(
    {
        "cluster_frequencies": [[7, 1], [13], []],
        "cluster_working": [[6, 2], [8], []],
        "cluster_phase_spread": [[1.5, np.nan], [1.1], []],
    }
)
CLUSTERS = clusters_of_rows(ROWS, 91)


def test_every_cluster_is_a_line():
    assert CLUSTERS.frequency.tolist() == [7, 1, 13]
    assert CLUSTERS.g.tolist() == [7, 1, 13] and CLUSTERS.network.tolist() == [0, 0, 1]


def test_characters_stand_for_clusters_mod_66_and_have_no_index():
    rows = pd.DataFrame({"characters": [[22, 33]], "character_neurons": [[4, 5]]})
    clusters = clusters_of_rows(rows, 66)
    assert clusters.g.tolist() == [22, 33] and clusters["index"].isna().all()


def test_numbers_stand_at_every_frequency():
    table = numbers_by_frequency(CLUSTERS, 3, 91, fewest=5)
    assert len(table) == 45 and table.loc[7, OFTEN] == pytest.approx(1 / 3) and table.loc[2, OFTEN] == 0
    assert table.loc[1, NEURONS] == 2 and np.isnan(table.loc[1, INDEX]) and table.loc[7, INDEX] == 1.5


def test_classes_have_all_frequencies_and_clusters():
    table = numbers_by_class(CLUSTERS, 3, 91, fewest=5)
    assert table.g.tolist() == [1, 7, 13] and table.frequencies.sum() == 45 and table.clusters.sum() == 3
    assert table["clusters a frequency"][1] == pytest.approx(1 / 3 / table.frequencies[1])


def test_preference_is_by_frequency_not_by_cluster():
    assert preferred(CLUSTERS, 3, 91).value == pytest.approx((2 / 9) / (1 / 36))


def test_the_answers_take_each_question_from_the_networks_that_can_tell():
    names = ("c91_batch", "c91_full", "c1_one_hot", "c1_embedding")
    clusters, networks = dict.fromkeys(names, CLUSTERS), dict.fromkeys(names, 3)
    comparisons = shared_against_coprime(clusters, networks, dict.fromkeys(names, 91), fewest=5)
    assert comparisons["fewer_neurons"]["c91_full"].value == pytest.approx(5)
    assert np.isnan(comparisons["less_even"]["c91_full"].value)
    values = answers_to_fig_9(comparisons, clusters, networks)
    assert values["with_33"] == 0 and values["networks_mod_66"] == 3 and len(values["preferred"]) == 2
