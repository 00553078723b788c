import numpy as np
import pandas as pd
import pytest

from modadd.crt.embedding_weights import EDGES
from modadd.populations.cluster_populations import (
    answers,
    answers_table,
    clusters_table,
    even_from,
    evenly_spread,
    numbers_of_population,
    numbers_table,
    right_alone,
    shares_of_ranks,
    shares_of_weights,
    spreads_of_phases,
    standing_table,
    weights_table,
)


def row(seed, **changes):
    """A network mod 13 of two clusters: one that is right at every input, one at none."""
    own = {"modulus": 13, "batch_size": 13, "seed": seed, "accuracy": 1.0, "trained": "here", "clusters": 2}
    own |= {"embedding_counts": np.ones(len(EDGES) - 1), "embedding_outside_one": 0.3, "embedding_largest": 2.0}
    own |= {"rank_counts": np.array([3, 1, 0]), "cluster_rank_zero": [1.0, 0.0], "cluster_orders": [1, 13]}
    own |= {"cluster_working": [20, 2], "cluster_phase_spread": [1.9, 1.0], "share_fine_tuning": 0.0}
    return own | {"share_fine_tuning_working": 0.0, "fine_tuning_clusters": 0} | changes


BATCH = pd.DataFrame([row(0), row(1, share_fine_tuning_working=0.1, accuracy=0.9, trained="kept")])
NETWORKS = {"batch": BATCH, "full": BATCH.assign(batch_size=0)}


def test_networks_that_err_are_counted():
    line = standing_table(NETWORKS).iloc[0]
    assert (line.networks, line.dropped, line["trained here"], line.worst) == (2, 1, 1, 0.9)


def test_weights_are_shares_of_all():
    assert shares_of_weights(BATCH).share.sum() == pytest.approx(1 - 2 / (len(EDGES) - 1))
    table = weights_table(NETWORKS)
    assert table["outside 2"][0] == pytest.approx(1 / 3) and table["inside 0.025"][0] < table["outside 2"][0]


def test_clusters_are_compared_with_ln_n():
    assert clusters_table(NETWORKS)["ln n"].tolist() == pytest.approx([np.log(13)] * 2)


def test_a_cluster_alone_is_right_where_its_rank_is_zero():
    assert shares_of_ranks(BATCH).tolist() == [0.75, 0.25, 0] and right_alone(BATCH).tolist() == [1, 0, 1, 0]
    line = answers_table(NETWORKS).iloc[0]
    assert (line["rank 0"], line["median rank"], line["95 % rank"]) == (0.75, 0, 1)
    assert line["alone, median"] == 0.5 and line["median, exact cosets"] == 0


def test_phases_are_even_if_they_keep_further_apart_than_random_ones():
    spreads = spreads_of_phases(NETWORKS, 3)
    assert len(spreads) == 4
    limit = even_from(spreads, 0.95, 200, 0)
    assert limit.index.tolist() == [20] and 1 < limit[20] < 1.9


def test_a_cluster_is_even_above_the_limit_of_its_own_number_of_neurons():
    clusters = pd.DataFrame(
        {"cluster_working": [3.0, 3, 3, 20, 20], "cluster_phase_spread": [1.5, 1.51, np.nan, 1.3, 1.1]}
    )
    found = evenly_spread(clusters, pd.Series({3: 1.5, 20: 1.2}))
    assert found.tolist() == [False, True, False, True, False]


def test_what_is_recorded_is_apart_by_regime():
    spreads = spreads_of_phases(NETWORKS, 3).assign(even=True)
    numbers = {
        name: numbers_of_population(rows, spreads[spreads.population == name], 4.5) for name, rows in NETWORKS.items()
    }
    assert numbers["full"]["from_ln_n"].value == 2.5 and numbers["full"]["even_from_half"].value == 0.5
    assert numbers_table(numbers, NETWORKS)["with fine-tuning neurons"].tolist() == [0.5, 0.5]
    found = answers(NETWORKS, NETWORKS, numbers)
    assert found["share_right"].holds == 2 and found["without_fine_tuning_neurons"] == [1, 1]
    assert len(found["clusters_per_network"]) == len(found["clusters_per_network_full"]) == 1


def test_numbers_of_each_regime_stand_under_its_own_name():
    rising = np.arange(len(EDGES) - 1.0)
    full = [row(seed, batch_size=0, clusters=3, rank_counts=np.array([1, 1, 2])) for seed in (0, 1)]
    networks = {
        "batch": BATCH.assign(embedding_counts=[rising[::-1] ** 2] * 2),
        "full": pd.DataFrame(full).assign(embedding_counts=[rising] * 2),
    }
    spreads = spreads_of_phases(networks, 3)
    spreads = spreads.assign(even=(spreads.population == "full") & (spreads.seed == 0))
    numbers = {
        name: numbers_of_population(rows, spreads[spreads.population == name], 4.5) for name, rows in networks.items()
    }
    found = answers(networks, networks, numbers)
    weights, alone = weights_table(networks).set_index("population"), answers_table(networks)
    assert len({weights[bound][name] for bound in ("outside 1.5", "outside 2") for name in networks}) == 4
    assert found["outside_one_and_a_half_full"].tolist() == [weights["outside 1.5"]["full"]]
    assert found["outside_two_batch"].tolist() == [weights["outside 2"]["batch"]]
    assert (found["alone_spread"] == (alone["alone, 95 %"] - alone["alone, 5 %"]) / alone["alone, median"]).all()
    assert (found["alone_spread"] > 0).all()
    recorded = {name: [one.value for one in of] for name, of in found.items() if name in RECORDED}
    assert recorded == RECORDED


RECORDED = {  # of these two populations
    "clusters_per_network": [2],
    "clusters_per_network_full": [3],
    "clusters_from_ln_n": [2.5],
    "evenly_spread": [0, 0.5],
    "evenly_spread_from_half": [0.5],
    "evenly_spread_from_half_full": [0],
}
