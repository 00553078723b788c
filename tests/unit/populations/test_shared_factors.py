import numpy as np
import pandas as pd
import pytest
from support import ROOT

from modadd.core.statistics import Estimate
from modadd.populations.shared_factors import (
    FEWEST_NETWORKS,
    INDEX,
    NEURONS,
    OFTEN,
    answers_to_fig_9,
    clusters_of_rows,
    halves,
    numbers_by_class,
    numbers_by_frequency,
    preferred,
    shared_against_coprime,
    with_half,
)
from paper.yaml_files import read_yaml

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


def even(networks, frequencies, neurons=(4, 9), accuracy=1.0, n=66):
    """Rows of one even modulus whose networks have the same clusters."""
    return pd.DataFrame(
        {
            "modulus": n,
            "accuracy": accuracy,
            "cluster_frequencies": [list(frequencies)] * networks,
            "cluster_working": [list(neurons)] * networks,
            "cluster_phase_spread": [[1.0] * len(frequencies)] * networks,
        }
    )


def test_half_of_an_even_modulus_is_looked_for_in_each_network():
    others = even(10, (32, 5)), even(5, (33, 5), accuracy=0.9), even(40, (45, 1, 2), (4, 9, 11), n=90)
    rows = pd.concat([even(30, (33, 5)), *others])
    table = with_half(rows).set_index("modulus")
    assert (table.networks[66], table.right[66], table.with_half[66], table.number[66]) == (45, 40, 30, 2)
    assert (table.of_half[90], table.of_others[90]) == (4, 10) and table.by_chance[66] == pytest.approx(2 / 33)
    found = halves(rows)
    assert [(one.holds, one.of) for one in found["half_of_n"]] == [(30, 40), (40, 40)]
    assert [(one.value, one.of) for one in found["half_needs_fewer"]] == [(-5, 30), (-6, 40)]


def test_an_even_modulus_with_few_networks_is_not_judged():
    announced = read_yaml(ROOT / "data/shared_factors/predictions.yaml")
    assert (announced["fewest_networks"], announced["least_share"]) == (FEWEST_NETWORKS, 0.75)
    for (judged,) in halves(even(FEWEST_NETWORKS - 1, (33, 5))).values():
        assert np.isnan(judged.value) and judged.of == 0


def test_fig_9_is_answered_by_one_hot_inputs_and_by_an_embedding_each():
    names = ("c91_batch", "c91_full", "c1_one_hot", "c1_embedding")
    kinds = ("preferred", "fewer_neurons", "less_even", "fewer_of_largest")
    comparisons = {
        kind: {name: Estimate(float(10 * i + j), 0.0, 99.0, 3) for j, name in enumerate(names)}
        for i, kind in enumerate(kinds)
    }
    clusters = dict.fromkeys(names, pd.DataFrame({"frequency": [33, 22, 22]}))
    found = answers_to_fig_9(comparisons, clusters, dict.fromkeys(names, 3))
    assert (found["preferred_mod_66"].value, found["fewer_neurons_at_22_and_33"].value) == (3, 32)
    assert (found["with_33"], found["with_22"]) == (1, 2)
