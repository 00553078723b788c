import numpy as np
import pandas as pd
import pytest

from modadd.populations.cluster_scaling import (
    evidence_for_laws,
    growth_of_clusters,
    laws_table,
    networks_of_points,
    points_table,
    shares_by_count,
    strong_counts,
    wide_against_narrow,
)

MODULI = (11, 23, 31, 47, 59, 71)


def row(seed, **changes):
    """A network of Study C that answers every input right, but for what is changed."""
    own = {"modulus": 59, "d_mlp": 512, "batch_size": 59, "learning_rate": 0.01, "steps": 100, "accuracy": 1.0}
    own |= {"train_pairs": 100, "trained": "here", "clusters": 4, "cluster_weights": [0.5, 0.495, 0.005]}
    return own | {"seed": seed, "share_dead": 0.1, "share_simple_of_alive": 0.9} | changes


def networks(*rows):
    return networks_of_points(pd.DataFrame(rows), 0.01, 0.01, most=2)


def growing():
    """Six moduli with three networks each, whose clusters grow in proportion to n."""
    noise = np.random.default_rng(0)
    lines = [row(seed, modulus=n, clusters=n / 10 + noise.normal() / 50) for n in MODULI for seed in range(3)]
    return networks_of_points(pd.DataFrame(lines), 0.01, 0.01, most=3)


def test_a_point_has_its_longest_training_and_its_first_seeds():
    rows = networks(
        *(row(seed) for seed in range(3)), row(9, steps=50), row(0, batch_size=0), row(0, learning_rate=0.001)
    )
    assert rows.regime.value_counts().to_dict() == {"batch": 2, "full": 1, "slow": 1}
    assert rows.steps.unique() == [100] and rows.strong_clusters.unique() == [2]


def test_weak_clusters_are_not_strong():
    assert strong_counts(pd.Series([[0.99, 0.01], [], [0.001]]), 0.01) == [2, 0, 0]


def test_of_networks_that_do_not_pass_only_the_number_is_told():
    table = points_table(networks(row(0, clusters=4), row(1, clusters=40, accuracy=0.9)))
    point = table.loc["batch", 59, 512]
    assert (point.networks, point.passing, point["mean"], point.lowest_accuracy) == (2, 1, 4, 0.9)


def test_shares_are_of_all_networks_of_a_width_and_regime():
    shares = shares_by_count(networks(row(0, clusters=4), row(1, clusters=3)), [512], 5)
    of_batches = shares[(shares.regime == "batch") & (shares.kind == "clusters")].set_index("clusters").share
    assert of_batches[4] == 0.5 and of_batches[5] == 0 and len(shares) == 2 * 2 * 5


def test_growth_in_proportion_to_n_has_the_evidence():
    found = evidence_for_laws(growing(), 0, "batch")
    assert found["linear_weight_batch"].value > 0.9 and found["logarithm_weight_batch"].value < 0.1
    laws = laws_table(growing(), ["batch"])
    assert laws[laws.counted == "clusters"].set_index("law").weight.idxmax() == "a + b n"


def test_wide_networks_are_compared_with_the_narrow_ones():
    rows = pd.DataFrame({"d_mlp": [512, 512, 512, 1024, 1024, 1024], "clusters": [4, 5, 4, 8, 9, 8]})
    found = wide_against_narrow(rows, 512)
    assert found["difference"].value == pytest.approx(4) and found["largest_ratio"] > 2


def test_of_no_networks_nothing_is_recorded_but_names():
    found = growth_of_clusters(growing()[:0], 59, 512, 0)
    assert found["moduli"] == {"batch": 0, "full": 0, "slow": 0}
    assert np.isnan(found["largest_ratio_to_narrow"]).all() and np.isnan(found["linear_weights"][0].value)


def test_what_grows_in_each_regime_is_recorded_under_its_name():
    noise, lines = np.random.default_rng(0), []
    for batch_size, law in ((59, lambda n: n / 10), (0, lambda n: 2 + np.log(n))):
        for n in MODULI:
            own = {"modulus": n, "batch_size": batch_size}
            lines += [row(seed, **own, clusters=law(n) + noise.normal() / 50) for seed in range(3)]
        wide = {"modulus": 59, "batch_size": batch_size, "d_mlp": 1024}
        lines += [
            row(seed, **wide, clusters=law(59) + (7 if batch_size else 1) + noise.normal() / 50) for seed in range(3)
        ]
    found = growth_of_clusters(networks_of_points(pd.DataFrame(lines), 0.01, 0.01, most=3), 59, 512, 0)
    assert found["moduli"] == {"batch": 6, "full": 6, "slow": 0}
    assert [one.value > 0.9 for one in found["linear_weights"]] == [True, False]
    assert found["logarithm_weight_full"].value > 0.9 > found["logarithm_weight_batch"].value
    in_batches, in_full = (one.value for one in found["logarithm_r_squared"])
    assert in_batches < 0.99 < in_full
    assert found["widest_less_narrow_batch"].value == pytest.approx(7, abs=0.1)
    assert found["widest_less_narrow_full"].value == pytest.approx(1, abs=0.1)
    assert found["largest_ratio_to_narrow"][0] > 2 > found["largest_ratio_to_narrow"][1]
