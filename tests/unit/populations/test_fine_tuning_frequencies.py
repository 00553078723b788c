import numpy as np
import pandas as pd
import pytest

from modadd.core.statistics import ratio_of
from modadd.populations.fine_tuning_frequencies import (
    BESIDE_OWN,
    IN_BAND,
    OF_CLUSTERS,
    additive_relations,
    answers,
    answers_on_counts,
    counts_of,
    kinds_beside,
    kinds_table,
    least_likely,
    lines_of_simple_networks,
    multiples_table,
    named_table,
    pools_of,
    second_lines,
    shares_table,
    uniformity_table,
)

ODD = [3, 5]


def row(seed, **changes):
    """A network mod 91 with clusters 2 and 15; a neuron of 2 has a further line at 6, one of 15 at 20."""
    own = {"modulus": 91, "seed": seed, "clusters": 2, "fine_tuning_clusters": 0, "share_fine_tuning_working": 0.0}
    own |= {"cluster_frequencies": np.array([2, 15]), "fine_tuning_frequencies": [2, 5, 6, 15, 20]}
    own |= {"second_lines_of": np.array([2, 15]), "second_lines_at": np.array([6, 20])}
    return own | {"working_fine_tuning_frequencies": []} | changes


NETWORKS = {"batch": pd.DataFrame([row(seed) for seed in range(40)])}


def test_every_count_is_a_number_of_each_network():
    counts = counts_of(NETWORKS["batch"])
    assert (counts[IN_BAND][0], counts[BESIDE_OWN][0], counts[OF_CLUSTERS][0]) == (5, 2, 0)
    table = shares_table(NETWORKS).set_index("count")
    assert table["over clusters"][BESIDE_OWN] == 1 and np.isnan(table["over the others"][BESIDE_OWN])


def test_lines_at_the_same_places_are_uneven():
    assert uniformity_table(NETWORKS).set_index(["counted", "groups"]).p[IN_BAND, "frequencies"] < 1e-6
    found = named_table(NETWORKS, {91: [[13, 26, 39]]})
    assert found["count"].eq(0).all() and found.frequencies.unique() == ["13, 26, 39"]


def test_odd_multiples_are_told_from_other_multiples():
    kinds = kinds_beside(91, 15, 5, ODD).set_index("frequency")
    assert kinds.multiple[5] and kinds.odd[5]  # 15/3
    assert kinds.multiple[20] and not kinds.odd[20]
    assert kinds.odd[3] and not kinds.multiple[3] and not kinds.multiple[15]


def test_relations_are_counted_for_all_seeds_and_for_later_ones():
    pool = pools_of(NETWORKS, IN_BAND)[91]
    relations, drawn = additive_relations(pool, {15: 5}, ODD, 32, 5, 0)
    assert relations.seeds.unique().tolist() == ["all", "from 32 on"] and len(drawn[15]) == 45
    counts = relations.set_index(["seeds", "at"])["count"]
    assert counts["all", "multiples of 5"] == pytest.approx(5 * counts["from 32 on", "multiples of 5"])
    assert least_likely(relations, 15).ratio == 0


def test_a_line_is_named_by_its_smallest_multiple():
    lines = second_lines(NETWORKS, ODD)
    assert len(lines) == 80 and lines.multiple.tolist()[0] == 3 and lines["at odd"].sum() == 40
    assert not lines.elsewhere.any()
    assert multiples_table(lines, NETWORKS).set_index("multiple")["pairs per network"][3] == 1
    table = kinds_table(lines_of_simple_networks(lines, NETWORKS)).set_index("kind").share
    assert table["at 3f or 5f"] == 0.5 and table["at other clusters"] == 0


def test_networks_with_fine_tuning_are_not_simple():
    tuning = {"batch": NETWORKS["batch"].assign(share_fine_tuning_working=0.1)}
    assert lines_of_simple_networks(second_lines(tuning, ODD), tuning)["batch"].empty


def test_the_answers_have_a_number_for_every_question():
    relations, _ = additive_relations(pools_of(NETWORKS, IN_BAND)[91], {15: 5, 7: 7}, ODD, 32, 5, 0)
    named = named_table(NETWORKS, {91: [[13, 26, 39]]})
    found = answers(NETWORKS, named, [13, 26, 39], relations, second_lines(NETWORKS, ODD), 32)
    assert found["at_13_26_39"]["value"] == 0 and found["additive_given_15"]["of"] == 40
    assert found["second_lines_at_odd"].value == 0.5 and found["fine_tuning_as_counted"] == []
    assert found["second_lines_on_cosets"].of == 0


def test_how_much_of_the_count_is_of_fine_tuning_neurons():
    half = [row(seed, working_fine_tuning_frequencies=[2, 15]) for seed in range(20)]
    networks = {"batch": pd.DataFrame(half + [row(seed) for seed in range(20, 40)])}
    assert answers_on_counts(networks)["lines_of_fine_tuning"][0].value == pytest.approx(20 * 2 / (40 * 5))


def test_what_is_recorded_of_known_networks():
    relations, _ = additive_relations(pools_of(NETWORKS, IN_BAND)[91], {15: 5, 7: 7}, ODD, 32, 5, 0)
    named = named_table(NETWORKS, {91: [[13, 26, 39]]})
    found = answers(NETWORKS, named, [13, 26, 39], relations, second_lines(NETWORKS, ODD), 32)
    assert found["elsewhere_less_chance"][0].value == pytest.approx(-1 / 44)
    assert found["odd_less_elsewhere"][0].value == 0.5
    assert found["lines_in_band_each"][0].value == pytest.approx(100 * 5 / 45)
    assert found["lines_for_each_cluster"] == [2.5] and found["additive_given_7"]["given"] == 7
    none = ratio_of(np.zeros(40), np.full(40, 2.0)).high
    assert found["fine_tuning_at_most"] == pytest.approx([none, none])
