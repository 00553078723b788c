"""Claims judged network by network: the number that decides, where it stands, and the ledger's limits."""

import numpy as np
import pandas as pd
import pytest

from modadd.core.statistics import compare
from modadd.ledger.entries import read_ledger
from modadd.populations.criteria import CRITERIA, OF_FREQUENCY, OF_NETWORK, Criterion, exceptions, spread
from modadd.populations.rows import row_of

CLAIMS = {claim["id"]: claim for claim in read_ledger()["claims"]}
# The claims of the mainline that a criterion repeats, where the ledger has one.
OF_THE_MAINLINE = {
    "one_frequency": ["same_frequency_on_both_sides"],
    "variance_everywhere": ["variance_preactivation", "variance_neuron_logit_map"],
    "phase_line": ["phase_line"],
    "law_only_at_own_frequency": ["law_only_at_own_frequency"],
    "bound_is_valid": ["bound_is_valid"],
    "bound_beats_naive": ["bound_beats_naive"],
    "absolute_part_suffices": ["absolute_part_suffices"],
    "identity_negative": ["identity_coefficients_negative"],
    "identity_spectrum": ["identity_spectrum"],
    "identity_phase": ["identity_phase"],
    "identity_part_helps": ["identity_part_helps"],
    "certified_k_2k": ["certified_k_and_2k"],
    "spectral_bound": ["spectral_bound_64"],
}
AT_LEAST = Criterion("slope", "[Q]", "slope", ">", 1)
AT_MOST = Criterion("slope", "[Q]", "slope", "≤", 1)


@pytest.fixture
def rows(untrained):
    """Three networks with the numbers of an untrained one; the second has two key frequencies, the third none."""
    row = row_of(untrained)
    several = [name for name, value in row.items() if isinstance(value, list | np.ndarray)]
    lists = [{name: [row[name][0]] * count for name in several} for count in (1, 2, 0)]
    return pd.DataFrame([row | {"seed": 9 - seed, "trained": "here"} | own for seed, own in enumerate(lists)])


@pytest.mark.parametrize("name", OF_THE_MAINLINE)
def test_limits_are_those_of_the_ledger(name):
    for claim in (CLAIMS[claim] for claim in OF_THE_MAINLINE[name]):
        limit = claim.get("tolerance", claim.get("threshold", claim.get("published")))
        assert CRITERIA[name].limit == limit, claim["id"]
        assert CRITERIA[name].at_least == (claim["check"] == "at_least"), claim["id"]


@pytest.mark.parametrize(
    ("criterion", "worst", "place", "holds"),
    [(AT_LEAST, [2, 0.5, np.nan], [0, 1, np.nan], [1, 0, 0]), (AT_MOST, [2, 3, np.nan], [0, 0, np.nan], [0, 0, 0])],
)
def test_the_worst_key_frequency_decides(criterion, worst, place, holds):
    rows = pd.DataFrame({"slope": [[2.0], [3.0, 0.5], []]})
    np.testing.assert_array_equal(criterion.worst(rows), worst)
    np.testing.assert_array_equal(criterion.worst_place(rows), place)
    assert criterion.holds(rows).tolist() == holds


def test_a_number_of_the_whole_network_decides_alone_and_holds_at_the_limit_or_not():
    rows = pd.DataFrame({"slope": [1.0, 2.0, np.nan]})
    assert AT_LEAST.holds(rows).tolist() == [False, True, False]
    assert AT_MOST.holds(rows).tolist() == [True, False, False]
    assert np.isnan(AT_MOST.worst_place(rows)).all()
    assert (str(AT_LEAST), str(AT_MOST)) == ("slope > 1", "slope ≤ 1")


def test_every_number_in_words_and_every_criterion_is_measured(rows):
    assert set(OF_NETWORK) | set(OF_FREQUENCY) <= set(rows)
    for criterion in CRITERIA.values():
        assert len(criterion.worst(rows)) == 3


def test_differences_of_two_numbers_have_the_sign_of_the_claim(rows):
    better = rows.assign(r2_absolute_pizza=0.9, r2_absolute_clock=0.8, r2_full_pizza=0.7, r2_full_clock=0.9)
    assert CRITERIA["absolute_part_is_pizza"].worst(better) == pytest.approx([0.1] * 3)
    assert CRITERIA["whole_is_clock"].worst(better) == pytest.approx([0.2] * 3)
    uneven = rows.assign(smallest_share_preactivation=[0.9, 0.5, 1.0], smallest_share_neuron_logit=[0.8, 0.6, 1.0])
    assert CRITERIA["variance_everywhere"].worst(uneven) == pytest.approx([0.8, 0.5, 1.0])


def test_exceptions_name_the_worst_key_frequency_and_its_rank(rows):
    changed = rows.assign(
        frequencies=[[2], [1, 3], []],
        neurons=[[16], [4, 12], []],
        absolute_coefficients=[[5.0], [3.0, 7.0], []],
        identity_coefficients=[[-1.0], [0.5, -2.0], []],
    )
    found = exceptions(changed)
    assert len(found) == sum((~criterion.holds(changed)).sum() for criterion in CRITERIA.values())
    assert found.seed.is_monotonic_increasing
    (line,) = found[(found.claim == "largest D_k < 0") & (found.seed == 8)].to_dict("records")
    assert line["value"] == 0.5 and line["key frequencies"] == 2
    assert (line["worst at k"], line["rank of C_k"], line["neurons there"]) == (1, 2, 4)
    nowhere = found[(found.claim == "largest D_k < 0") & (found.seed == 7)]
    assert nowhere["worst at k"].isna().all() and len(nowhere) == 1


def test_spread_takes_medians_over_key_frequencies_and_places_the_exhibit(rows):
    changed = rows.iloc[:2].assign(neurons=[[16], [4, 12]], held_out_loss=[1.0, 3.0])
    found = spread(changed, changed.iloc[1:], np.array([True, False])).set_index("number")
    assert list(found.index) == [*OF_NETWORK, *OF_FREQUENCY, "key_frequencies"]
    quantiles = ["least", "quarter", "median", "three quarters", "most"]
    assert found.loc["neurons", quantiles].tolist() == [8, 10, 12, 14, 16]
    assert found.loc["held_out_loss", ["mainline", "below"]].tolist() == [3, 0.5]
    assert found.loc["key_frequencies", "mainline"] == 2
    expected = compare(np.array([1.0]), np.array([3.0]))
    assert found.loc["held_out_loss", ["distance", "p"]].tolist() == [expected.distance, expected.p]
