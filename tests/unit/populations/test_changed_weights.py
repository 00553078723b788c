import numpy as np
import pandas as pd

from modadd.core.statistics import mean_of
from modadd.networks.recipes import CONTROL, FREQUENCY, NOTHING
from modadd.networks.starts import chosen_frequency
from modadd.populations.changed_weights import (
    AS_IT_WAS,
    RAISED,
    answers_of_arms,
    answers_of_studies,
    as_kept,
    complete,
    dose_response,
    dose_response_of_studies,
    final,
    neurons_by_equations,
    tables_by_arm,
    tables_of_study,
)
from modadd.populations.competition import COMPETITION_IDENTITY
from modadd.training.competition import CHANGED, CHANGES, FACTORS, UNCHANGED, N

CHANGES_OF_STUDIES = [
    (NOTHING, 1.0),
    *((plane, f) for plane in (FREQUENCY, CONTROL) for f in (0.5, 0.8, 0.9, 1.1, 1.2, 1.5)),
]


def small_networks():
    """Networks of which ten neurons times the factor are at k, if the frequency is scaled, and ten if not."""
    lines = []
    for seed in range(4):
        for arm in CHANGED:
            for change in (UNCHANGED, *CHANGES):
                many = round(10 * change.factor) if change.plane == FREQUENCY else 10
                neurons = [3] * (many + seed) + [1] * (30 - many)
                row = {**arm._asdict(), **change._asdict(), "seed": seed, "chosen": 3}
                lines.append(row | {"neuron_frequency": neurons, "key_set": [3] if many >= 10 else [1]})
    return pd.DataFrame(lines)


def test_a_seed_without_its_changes_tells_nothing():
    rows = small_networks()
    assert complete(rows[:-1]).seed.unique().tolist() == [0, 1, 2]


def test_the_response_rises_with_the_dose_and_that_of_the_control_does_not():
    arms = tables_by_arm(small_networks())
    equations = {factor: np.full(4, 10 * factor) for factor in (*FACTORS, 1.0)}
    table = dose_response(arms, equations, {arm: arm.activation for arm in arms})
    more = table[table.training == CHANGED[0].activation].set_index(["scaled", "factor"])["more neurons"]
    assert more[FREQUENCY, 1.5] == 5 and more[FREQUENCY, 0.5] == -5 and more[CONTROL, 1.5] == 0
    found, name = answers_of_arms(arms, equations), CHANGED[0].activation
    assert found[f"swing_{name}"].value == found["law"].value == 10
    assert found[f"lost_if_lowered_{name}"].holds == 4 and len(found["responses"]) == 4 * len(CHANGED)


def study(width):
    """Networks mod 91 of Study C; raised, k takes all neurons, and the network errs."""
    lines = []
    for seed in range(3):
        k = chosen_frequency(91, seed)
        for scaled, factor in CHANGES_OF_STUDIES:
            many = width if (scaled, factor) == RAISED else 1 if scaled == NOTHING else 2
            row = {"architecture": "embedding_mlp", "modulus": 91, "seed": seed, "steps": 9, "scaled": scaled}
            row |= {"scaled_by": factor, "accuracy": 0.5 if many == width else 1.0}
            lines.append(row | {"cluster_frequencies": [k, 44 if k != 44 else 43], "cluster_sizes": [many, 9]})
    return tables_of_study(pd.DataFrame(lines))


def test_neurons_at_the_seeds_own_frequency_are_counted():
    tables = study(20)
    assert tables.neurons[RAISED].eq(20).all() and tables.neurons[AS_IT_WAS].eq(1).all()
    assert final(tables, RAISED).holds == 3
    table = dose_response_of_studies({"c_changed": tables}, {"c_changed": "C"}).set_index(["scaled", "factor"])
    assert table["more neurons"][RAISED] == 19 and table["right"][RAISED] == 0 and table["more, low"][AS_IT_WAS] == 0


def test_every_study_has_its_answers():
    found = answers_of_studies({f"{letter}_changed": study(20) for letter in "cqm"}, 20)
    assert found["takes_half_q"].holds == found["left_alone_and_wrong_q"].holds == 3
    assert found["swing_c"].value == 18 and found["ten_per_cent_c"] == mean_of(np.zeros(3), signed=True)


def test_networks_trained_again_are_compared_with_their_kept_rows():
    identity = dict.fromkeys(COMPETITION_IDENTITY, 0)
    here = pd.DataFrame([identity | {"key_set": [1]}, identity | {"seed": 1, "key_set": [2]}])
    kept = here.assign(key_set=[[1], [3]])
    assert (as_kept(here, kept)["again"].holds, as_kept(here, kept[:0])["again"].of) == (1, 0)


def test_what_is_recorded_of_known_arms():
    equations = {factor: np.full(4, 10 * factor) for factor in (*FACTORS, 1.0)}
    found = answers_of_arms(tables_by_arm(small_networks()), equations)
    assert [one.value for one in found["beyond_half_the_law"]] == [5] * len(CHANGED)
    assert [one.value for one in found["responses"]] == [5, 5, 2, 10] * len(CHANGED)
    assert found[f"key_if_raised_{CHANGED[0].activation}"].holds == 4
    other = answers_of_studies({f"{letter}_changed": study(20) for letter in "cqm"}, 20)
    assert other["beyond_control_c"].value == 18 and other["twenty_per_cent_q"].value == 0


def test_the_equations_give_a_frequency_more_neurons_the_larger_its_weights():
    found = neurons_by_equations(pd.DataFrame({"seed": [3], "chosen": [chosen_frequency(N, 3)]}))
    assert list(found) == [*FACTORS, 1.0]
    assert found[max(FACTORS)][0] > found[1.0][0] >= found[min(FACTORS)][0]
