import numpy as np
import pandas as pd

from modadd.populations.published_recipe import (
    FEWEST_RIGHT,
    LAUNCHED_UPDATES,
    changes_table,
    growth_by_published_recipe,
    logarithm_in,
    points_table,
    settled_before,
    with_changes,
    with_twice_the_updates,
)

MODULI = (5, 7, 13, 17, 31, 59)


def networks(moduli=MODULI, **changes):
    """Two networks for each modulus, whose frequencies are near ln n: a law that is met exactly has no evidence."""
    own = {"accuracy": 1.0, "share_dead": 0.1, "steps": 100, "init_scale": 1.0, "beta1": 0.9, "beta2": 0.98}
    lines = []
    for n in moduli:
        near = np.log(n) + 0.005 * (n % 4 - 2)
        for seed in range(2):
            lines.append({"modulus": n, "clusters": near + seed / 20, "strong": near + seed / 9} | own | changes)
    return pd.DataFrame(lines)


def test_points_count_networks_that_are_right():
    rows = networks()
    rows.loc[0, "accuracy"] = 0.9
    points = points_table(rows)
    assert points.passing.tolist() == [1, 2, 2, 2, 2, 2] and points.networks.eq(2).all()


def test_a_change_is_named_by_what_differs():
    changed = with_changes(networks(), pd.concat([networks([13], steps=200), networks([13, 997], beta2=0.99)]))
    assert changed.change.value_counts().to_dict() == {"none": 2, "steps 200": 2, "beta2 0.99": 2}
    assert changes_table(changed).modulus.unique() == [13]
    assert with_twice_the_updates(changed).steps.unique() == [200]


def test_the_logarithm_describes_logarithms():
    found = logarithm_in(networks())
    assert found["moduli"] == 6 and found["r_squared"] > 0.99 and found["logarithm_weight"] > 0.9
    assert np.isnan(logarithm_in(networks([5]))["r_squared"])


def test_each_reading_is_judged_and_one_without_networks_is_not():
    readings = {"twice": networks(), "once": networks()[:0]}
    found = growth_by_published_recipe(readings, with_changes(networks(), networks([13], steps=200)), 0)
    judged, without = found["r_squared"]
    assert judged[0].value > 0.99 and np.isnan(without[0].value)
    assert found["at_59"]["passing"] == [2, 0] and found["at_59"]["networks"][0] == 2 and found["moduli"] == 6
    assert found["linear_weight"][0] < 0.01 and found["best_without_one"][0] > 3


def test_a_modulus_has_settled_if_its_means_are_near_each_other():
    many = [networks() for _ in range(FEWEST_RIGHT)]
    chosen = pd.concat(many, ignore_index=True)
    long = pd.concat([networks([13, 31], steps=LAUNCHED_UPDATES) for _ in many], ignore_index=True)
    long.loc[long.modulus == 31, "clusters"] /= 2
    found = settled_before(with_changes(chosen, long))
    assert found["settled_moduli"] == [13, 31]
    near, far = (ratio.value for ratio in found["settled"])
    assert near == 1 and abs(far - 2) < 1e-12
    long.loc[long.modulus == 13, "accuracy"] = 0.9
    assert settled_before(with_changes(chosen, long))["settled_moduli"] == [31], "no network to compare"
