"""What the explorer page computes in JavaScript, against the library."""

import numpy as np
import pytest
from javascript import in_node, needs_node
from simple_networks import random_network
from support import perfect_network

from modadd.core.fourier import angular_frequency
from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable, centred, margins
from modadd.crt.contributions import contribution
from modadd.quadrature.scheme import quadrature_sum, read_at_inputs, schemes_of
from modadd.quadrature.torus import own_factor
from paper.page.explorer import entry

ALL = "const all = new Uint8Array(net.h).fill(1), each = [...Array(net.h).keys()];"
LOGITS = (
    ALL
    + "const L = new Float64Array(net.n ** 3); m.writeResidual(net, L, 0, net.n); m.addNeurons(net, L, each, 1, 0, net.n);"
)


@needs_node
@pytest.mark.parametrize("network", [random_network(11, 13, seed=7), perfect_network()], ids=["random", "perfect"])
def test_javascript_logits_and_margins_are_the_library_s(network: Separable) -> None:
    n, logits = network.modulus, network.logits()
    found = in_node(
        network,
        LOGITS
        + "const { map, smallest, right } = m.margins(L, net.n);"
        + "return [[...L], [...map], smallest, right, net.A === net.B];",
    )
    np.testing.assert_allclose(np.reshape(found[0], (n, n, n)), logits, atol=1e-5)  # tables are sent in float32
    np.testing.assert_allclose(np.reshape(found[1], (n, n)).T, margins(logits), atol=1e-5)
    assert found[2] == pytest.approx(margins(logits).min(), abs=1e-5)
    assert found[3] == (margins(logits) > 0).sum()
    assert found[4] == np.array_equal(network.A, network.B), "half of the inputs are then mirror images, and filled in"


@needs_node
def test_removed_neurons_are_subtracted_and_come_back() -> None:
    network, gone = random_network(11, 13, seed=7), [2, 5, 6]
    code = "const whole = [...L]; m.addNeurons(net, L, [2, 5, 6], -1, 0, net.n); const less = [...L];"
    found = in_node(
        network, LOGITS + code + "m.addNeurons(net, L, [6, 2, 5], 1, 0, net.n); return [whole, less, [...L]];"
    )
    expected = network.logits() - contribution(network, np.array(gone))
    np.testing.assert_allclose(found[1], expected.ravel(), atol=1e-5)
    np.testing.assert_allclose(found[2], found[0], atol=1e-12)


@needs_node
def test_parts_of_one_input_add_up_to_its_centred_logits() -> None:
    network = random_network(11, 13, seed=7)
    a, b = 4, 9
    found = in_node(
        network,
        ALL + f"const p = m.parts(net, m.preactivations(net, {a}, {b}), all, {a}, {b});"
        "return [p.clusters.map(one => [...one]), [...p.others], [...p.residual], [...p.logits]];",
    )
    frequency = np.array(entry(network, [])["neurons"]["frequency"])
    for cluster, k in zip(found[0], schemes_of(three_dfts(network)), strict=True):
        expected = contribution(network, np.flatnonzero(frequency == k))[a, b]
        np.testing.assert_allclose(cluster, centred(expected), atol=1e-5)
    np.testing.assert_allclose(found[2], centred(network.residual()[a, b]), atol=1e-5)
    np.testing.assert_allclose(found[3], centred(network.logits()[a, b]), atol=1e-5)
    np.testing.assert_allclose(np.sum(found[0], axis=0) + found[1] + found[2], found[3], atol=1e-12)


@needs_node
@pytest.mark.parametrize("network", [random_network(11, 13, seed=7), perfect_network()], ids=["random", "perfect"])
def test_rectangles_cosines_and_integral_of_every_frequency(network: Separable) -> None:
    a, b, c = 3, 6, 1
    frequency = np.array(entry(network, [])["neurons"]["frequency"])
    rows = in_node(
        network,
        ALL + f"const pre = m.preactivations(net, {a}, {b}); return net.keys.map(key => {{"
        f"const r = m.rectangles(net, key, pre, all, {c});"
        "const area = r.top.reduce((sum, top, i) => sum + top * (r.right[i] - r.left[i]), 0);"
        f"return [r.sum, area, r.identity, m.cosines(net, key, all, {a}, {b}, {c}), m.integral(net, key, {a}, {b}, {c})]; }});",
    )
    for (k, scheme), (rectangles, area, identity, cosines, integral) in zip(
        schemes_of(three_dfts(network)).items(), rows, strict=True
    ):
        own = np.flatnonzero(frequency == k)
        pre, W = (network.A[a] + network.B[b])[own], centred(network.W[own])[:, c]
        assert rectangles == pytest.approx(np.abs(pre) @ W / 2, abs=1e-5)
        assert area == pytest.approx(rectangles, abs=1e-4), "the drawn areas are the sum"
        assert identity == pytest.approx(pre @ W / 2, abs=1e-5)
        turn, unit = np.exp(1j * angular_frequency(k, network.modulus) * c), scheme.total / (2 * np.pi)
        if np.allclose(network.A, network.B):  # the scheme leaves a difference of amplitudes out, as does `cosines`
            assert cosines == pytest.approx(rectangles, abs=1e-5), "a perfect network is nothing but its cosines"
        expected = quadrature_sum(scheme, read_at_inputs(scheme), np.abs)[a, b]
        assert cosines == pytest.approx(unit * (expected * turn).real, abs=1e-5)
        factor = own_factor(scheme)[(a - b) % network.modulus]
        phase = angular_frequency(k, network.modulus) * (a + b - c)
        assert integral == pytest.approx(unit * 4 / 3 * factor * np.cos(phase), abs=1e-5)


@needs_node
def test_the_curve_integrates_to_the_integral() -> None:
    code = (
        "const phi = Array.from({ length: 20000 }, (_, i) => -Math.PI + (i + 0.5) * Math.PI / 10000);"
        "return net.keys.map(key => [m.curve(net, key, 3, 6, 1, phi).reduce((x, y) => x + y) * Math.PI / 10000,"
        "m.integral(net, key, 3, 6, 1)]);"
    )
    for area, integral in in_node(perfect_network(), code):
        assert area == pytest.approx(integral, abs=1e-5)
