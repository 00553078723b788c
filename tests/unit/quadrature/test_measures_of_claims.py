"""Measures that claims of Study Q are about, on networks with known answers."""

from dataclasses import replace

import numpy as np
import pytest
from simple_networks import silent_network
from support import perfect_network, perfect_scheme

import modadd.certificates.explained_measures
import modadd.quadrature.scheme_measures
from modadd.core.neurons import neurons_of
from modadd.core.separable import centred
from modadd.networks.registry import as_separable, measured, measures_in, neurons_in
from modadd.quadrature import error_measures, following, logit_measures, neuron_measures, transformer
from modadd.quadrature.answers import prove_answers
from modadd.quadrature.bounds import relu_bound
from modadd.quadrature.scheme import INTEGRAL, schemes_of, weighted_sum

OWN = (neuron_measures, error_measures, logit_measures, following)
OF_TABLES = measures_in(*OWN, modadd.quadrature.scheme_measures, modadd.certificates.explained_measures)
KEY = (2, 3, 5)


def with_double(secondary=0.2):
    """The perfect network, each neuron with something of twice its frequency at phase 2φ + π."""
    network = perfect_network(n=11, frequencies=KEY, m=16)
    x = 2 * np.pi / 11 * np.arange(11)[:, None]
    k, phi = np.repeat(KEY, 16), np.tile(0.3 + np.pi / 8 * np.arange(16), 3)
    table = network.A - secondary * np.cos(2 * (k * x + phi))
    return replace(network, A=table, B=table)


@pytest.fixture(scope="module")
def perfect():
    return measured(perfect_network(n=11, frequencies=KEY, m=16), OF_TABLES)


@pytest.fixture(scope="module")
def doubled():
    return measured(with_double(), OF_TABLES)


def test_a_perfect_network_has_the_ideal_numbers(perfect):
    assert perfect["frequencies"] == [2, 3, 5] and perfect["neurons"] == [16, 16, 16]
    assert perfect["smallest_share_preactivation"] == pytest.approx(1)
    assert perfect["phase_line_slope"] == pytest.approx([2, 2, 2])
    for name in ("angle_term", "identity_coefficients"):
        assert perfect[name] == pytest.approx([0, 0, 0], abs=1e-9), name
    assert perfect["interval_mean"] == pytest.approx([np.pi / 8] * 3)
    assert perfect["r2_absolute_pizza"] == pytest.approx(1, abs=0.01)
    assert perfect["certified_share_k_2k"] == 1.0
    for actual, spectral, bound in zip(perfect["worst_case"], perfect["spectral_64"], perfect["whole_bound"]):
        assert actual <= 4 / 3 * spectral <= bound


def test_neurons_of_pure_cosines_have_all_of_what_is_asked(perfect):
    for name in ("weight_of_one_frequency", "weaker_side", "r2_product"):
        assert perfect[name] == pytest.approx(1), name
    for name in ("share_by_weight", "r2_weights_formula"):
        assert perfect[name] == pytest.approx([1, 1]), name
    assert perfect["number_of_key_frequencies"] == 3
    assert perfect["arc_excess"] == pytest.approx([1 / 16] * 3)
    np.testing.assert_allclose(perfect["intervals"], [[np.pi / 8, 0]] * 3, atol=1e-12)


def test_the_printed_sign_holds_where_the_phases_have_it_and_nowhere_else(perfect):
    assert perfect["printed_sign_cosine"] == pytest.approx(0, abs=1e-12)
    network = perfect_network(n=11, frequencies=KEY, m=16)
    turned = replace(network, W=network.W[:, -np.arange(11) % 11])  # c for −c: ψ = −2φ
    assert neuron_measures.printed_sign_cosine(turned) == pytest.approx(1)


def test_a_neuron_that_strays_counts_by_its_weight():
    network = perfect_network(n=11, frequencies=KEY, m=16)
    W = network.W.copy()
    W[0] = 3 * np.cos(2 * np.pi * 4 / 11 * np.arange(11)) + 0.01 * W[0]  # 4 is no frequency of its A
    found = neuron_measures.weight_of_one_frequency(replace(network, W=W))
    assert found == pytest.approx(1 - 0.01 / (47 + 0.01))


def test_a_neuron_without_weight_decides_nothing_and_one_of_weight_does():
    network = with_double()
    W = network.W.copy()
    W[0] = 1e-3 * np.cos(2 * np.pi * 4 / 11 * np.arange(11))
    unpaid = neuron_measures.share_by_weight(replace(network, W=W))
    assert unpaid == pytest.approx([1.5**2 / (1.5**2 + 0.2**2), 1])
    W[0] = network.W[0] + 0.5 * np.cos(2 * np.pi * 4 / 11 * np.arange(11))
    assert neuron_measures.share_by_weight(replace(network, W=W))[1] == pytest.approx(0.5)


def test_the_formula_for_the_weights_fails_where_output_phases_are_not_twice_the_input_ones():
    network = perfect_network(n=11, frequencies=KEY, m=16)
    turned = replace(network, W=network.W[:, -np.arange(11) % 11])  # psi = -2 phi
    of_A, of_W = neuron_measures.r2_weights_formula(turned)
    assert of_A == pytest.approx(1) and of_W < 0.1


def test_all_that_is_beside_k_stands_at_the_double(doubled):
    assert doubled["secondary_share_of_rest"] == pytest.approx([1, 1])


def test_half_of_an_amplitude_is_the_weaker_side_on_either_side():
    network = perfect_network(n=11, frequencies=KEY, m=16)
    for sides in ({"A": network.A / 2}, {"B": network.B / 2}):
        assert neuron_measures.weaker_side(replace(network, **sides)) == pytest.approx(0.5)


def test_the_product_leaves_what_is_no_cosine_of_the_own_frequency(doubled):
    assert doubled["r2_product"] == pytest.approx(1 - 0.2**2 / (1.5**2 + 0.2**2))


def test_r2_of_the_product_is_that_over_all_inputs():
    network = replace(with_double(), B=with_double(0.5).B)
    neurons = neurons_in(network)
    a, b = np.indices((11, 11))[..., None]
    w = 2 * np.pi * neurons.frequency / 11
    product = 2 * neurons.alpha * np.cos(w * (a - b) / 2) * np.cos(w * (a + b) / 2 + neurons.phi)
    pre = network.preactivations() - network.preactivations().mean(axis=(0, 1))
    written_out = 1 - np.square(pre - product).sum() / np.square(pre).sum()
    assert neuron_measures.r2_product(network) == pytest.approx(written_out)


def test_equal_weights_at_uneven_angles_are_worse_than_those_of_the_gaps():
    network = perfect_network(n=11, frequencies=(3,), m=16)
    kept = [i for i in range(16) if i not in (1, 2)]  # a hole in the circle
    holed = replace(network, A=network.A[:, kept], B=network.B[:, kept], W=network.W[kept])
    assert error_measures.equal_widths_over_trained(holed) == pytest.approx([1])
    assert error_measures.gap_widths_over_trained(holed)[0] < 0.9
    assert error_measures.gap_boxes_over_trained(holed)[0] < 0.9


def test_bounds_of_many_even_nodes_say_something(perfect):
    assert perfect["angle_over_lipschitz"] == pytest.approx([0, 0, 0], abs=1e-12)
    assert all(0 < ratio < 1 for ratio in perfect["relu_bound_over_integral"])
    assert all(0 < ratio <= 1 for ratio in perfect["folded_over_unfolded"])
    assert all(0 < ratio < 1 for ratio in perfect["error_over_chance"])


def test_one_cosines_unproven_answer_takes_infinitely_many_operations():
    good, poor = perfect_network(n=11, frequencies=KEY, m=64), perfect_network(n=11, frequencies=(1,), m=3)
    proof = prove_answers(neurons_in(good), exact=True)
    assert proof.share(11) == 1
    assert error_measures.cosines_operations(good) == pytest.approx(proof.operations / (11 * good.width))
    assert error_measures.cosines_operations(poor) == np.inf


def test_the_sweep_is_counted_as_in_the_table_of_work(perfect):
    m, n, search = 16, 11, 5  # a search among 17 places takes 5 comparisons
    counted = (m * search + 2 * m + n * (search + 2)) / (n * m)
    assert perfect["sweep_over_brute_operations"] == pytest.approx([counted] * 3)


def test_the_formula_of_both_kinds_of_term_explains_what_each_leaves(doubled):
    assert doubled["r2_full_formula"] > max(doubled["r2_full"])
    assert doubled["r2_full"] == [doubled["r2_full_pizza"], doubled["r2_full_clock"]]
    assert doubled["r2_absolute"] == [doubled["r2_absolute_pizza"], doubled["r2_absolute_clock"]]
    assert doubled["pizza_leads_absolute"] == -np.diff(doubled["r2_absolute"])[0]
    assert doubled["clock_leads_full"] == np.diff(doubled["r2_full"])[0]


def test_equal_tables_have_no_second_path_and_half_of_the_coefficient_in_the_first(doubled):
    assert doubled["second_path_over_first"] == 0
    assert max(doubled["identity_coefficients"]) < 0 and doubled["identity_mass"] > 0.9
    assert doubled["path_off_identity"] == pytest.approx(0.5, abs=0.01)  # the printed sum lacks a factor 2
    assert doubled["cos_squared_coefficients"] == pytest.approx(2 * np.array(doubled["identity_coefficients"]))


def test_a_second_path_is_the_difference_of_the_numbers():
    network = perfect_network(n=11, frequencies=KEY, m=16)
    identity = with_double()
    tripled = replace(identity, B=3 * identity.A)
    assert logit_measures.second_path_over_first(tripled) == pytest.approx(2)
    assert np.isnan(logit_measures.second_path_over_first(replace(network, W=0 * network.W)))


def test_the_identity_part_adds_where_cosines_are_small_and_takes_where_they_are_large(doubled):
    added, taken = doubled["identity_evens_out"]
    assert added > 0 and taken > 0
    opposite = logit_measures.identity_evens_out(with_double(-0.2))
    assert opposite[0] < 0 and opposite[1] < 0


def test_margin_and_loss_of_the_absolute_part_follow_the_strength(perfect):
    assert all(0.9 < one <= 1 for one in perfect["margin_and_loss_follow_strength"])


def test_without_residual_stream_nothing_changes_where_there_is_none(perfect):
    assert perfect["change_without_residual"] == pytest.approx(0, abs=1e-12)


def test_a_network_without_neurons_that_do_anything_has_these_measures_too(perfect):
    with np.errstate(divide="ignore", invalid="ignore"):
        found = measured(silent_network(), OF_TABLES)
    assert set(found) == set(perfect) and found["certified_share_k_2k"] == 0


def test_an_output_bias_is_measured_beside_the_logits(untrained):
    rng = np.random.default_rng(0)
    drawn = {name: rng.normal(size=untrained.parameters[name].shape) for name in ("b_in", "b_out")}
    network = replace(untrained, parameters=untrained.parameters | drawn)
    both, (inward, outward), plain = (
        as_separable(network),
        transformer.biases(network),
        transformer.without_biases(network),
    )
    np.testing.assert_allclose(both.B - plain.B, np.broadcast_to(inward, both.B.shape), atol=1e-12)
    np.testing.assert_allclose(both.logits(), replace(plain, B=both.B).logits() + outward, atol=1e-12)
    np.testing.assert_allclose(plain.logits(), untrained.separable().logits(), atol=1e-12, err_msg="it starts without")
    varies, logits = outward - outward.mean(), both.logits() - both.logits().mean(axis=-1, keepdims=True)
    assert transformer.output_bias(network) == pytest.approx(varies.std() / np.sqrt(np.square(logits).mean()))


def test_even_angles_have_the_widths_of_the_gaps(perfect):
    for name in ("equal_widths_over_trained", "gap_widths_over_trained", "gap_boxes_over_trained"):
        assert perfect[name] == pytest.approx([1, 1, 1]), name


def test_the_norm_of_the_weights_is_that_of_all_parameters_together(untrained):
    together = np.concatenate([parameter.ravel() for parameter in untrained.parameters.values()]).astype(np.float64)
    assert transformer.weight_norm(untrained) == pytest.approx(np.linalg.norm(together))


def test_the_readings_of_the_naive_error_are_those_of_the_integral_where_the_sum_is_one():
    found = error_measures.naive_readings(perfect_scheme(m=64, n=101))
    integral, over_circle = 4 / 3, 2 / np.pi
    expected = {
        "modulus": integral,
        "sine": integral * over_circle,
        "root mean square": integral / np.sqrt(2),
        "difference": integral * over_circle**2,
        "ReLU": integral * over_circle / 2,
    }
    assert list(found) == list(expected)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=2e-3), name


@pytest.fixture(scope="module")
def noisy():
    """A network whose numbers are all its own: doubled, with noise in its tables, and with phases off the law."""
    network, rng = with_double(), np.random.default_rng(0)
    x = 2 * np.pi / 11 * np.arange(11)[:, None]
    k, phi = np.repeat(KEY, 16), np.tile(0.3 + np.pi / 8 * np.arange(16), 3)
    table = network.A + 1e-3 * rng.standard_normal(network.A.shape)
    psi = 2 * phi + 0.3 * rng.standard_normal(48)
    W = (rng.uniform(0.5, 1, 48) * np.cos(k * x + psi)).T + 1e-3 * rng.standard_normal(network.W.shape)
    return replace(network, A=table, B=table, W=W)


def test_errors_and_bounds_are_those_of_the_sums_of_each_scheme(noisy):
    found = measured(noisy, OF_TABLES)
    for at, scheme in enumerate(schemes_of(neurons_of(noisy)).values()):
        sums, right = weighted_sum(scheme), INTEGRAL * np.exp(-1j * scheme.thetas)
        bound, naive = found["angle_term"][at] + found["lipschitz_bound"][at], np.abs(sums.real).mean()
        assert found["naive_error"][at] == pytest.approx(naive)
        assert found["actual_error"][at] == pytest.approx(np.abs((sums - right).real).max())
        assert found["actual_over_bound"][at] == pytest.approx(np.abs(sums - right).max() / bound)
        assert found["bound_over_naive"][at] == pytest.approx(bound / naive)
        assert found["error_over_chance"][at] == max(error_measures.over_chance(scheme).values())
        assert found["relu_bound_over_integral"][at] == pytest.approx(relu_bound(scheme) / (2 / 3))
        assert found["identity_part"][at] == pytest.approx(np.abs(weighted_sum(scheme, np.positive)).max())


def test_the_identity_part_and_shares_are_those_of_the_transforms(noisy):
    found = measured(noisy, OF_TABLES)
    coefficients = found["identity_coefficients"]
    assert found["largest_identity_coefficient"] == max(coefficients) > min(coefficients)
    lines = np.array([np.fft.fft2(noisy.A @ noisy.W / 2)[2 * one % 11, -one % 11] for one in KEY])
    assert found["identity_imaginary_ratio"] == pytest.approx(max(abs(lines.imag) / abs(lines.real)))
    identity, absolute = (np.linalg.norm(centred(part)) for part in (noisy.identity_part(), noisy.absolute_part()))
    assert found["identity_over_absolute"] == pytest.approx(identity / absolute)
    assert found["median_share_preactivation"] == pytest.approx(1.5**2 / (1.5**2 + 0.2**2), rel=1e-3)
    assert found["share_one_frequency"] == 1


def test_the_law_is_off_least_at_the_own_frequency(noisy):
    inward, outward = np.fft.fft(noisy.A, axis=0).T, np.fft.fft(noisy.W, axis=1)  # a line for each neuron
    off = np.angle(outward * np.conj(inward) ** 2)[:, 1:6]
    rms = {k: np.sqrt(np.square(off[np.repeat(KEY, 16) == k]).mean(axis=0)) for k in KEY}
    expected = [np.delete(of, k - 1).min() / of[k - 1] for k, of in rms.items()]
    found = measured(noisy, ["mismatch_elsewhere_over_own"])["mismatch_elsewhere_over_own"]
    assert found == pytest.approx(expected)


def test_a_third_and_half_of_the_modulus_have_no_double_of_their_own():
    network = perfect_network(n=12, frequencies=(4,), m=16)
    other = network.A + 0.2 * np.cos(2 * np.pi / 12 * np.arange(12)[:, None])
    third = measured(replace(network, A=other, B=other), OF_TABLES)
    assert third["secondary_share_of_rest"] == [0, 0]
    half = measured(perfect_network(n=12, frequencies=(5, 6), m=16), OF_TABLES)
    assert 0 <= half["identity_mass"] <= 1
