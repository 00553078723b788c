"""What chance makes of a network on the explorer page: phases shuffled, neurons drawn at random, by fixed seeds."""

import numpy as np
import pytest
from javascript import in_node, needs_node
from simple_networks import random_network
from support import perfect_network

from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable, margins
from modadd.crt.interventions import phases, with_psi
from modadd.quadrature.scheme import schemes_of
from paper.page.explorer import entry, measured_scheme

SHUFFLE = "const s = neurons.phasesShuffled(net);"
RANDOM = random_network(10, 40, seed=3)


@needs_node
@pytest.mark.parametrize("network", [RANDOM, perfect_network()], ids=["random", "perfect"])
def test_phases_are_exchanged_within_a_frequency_and_nothing_else_changes(network: Separable) -> None:
    code = (
        SHUFFLE
        + "return [[...s.W], [...s.psi], [...net.psi], s.A === net.A, s.keys.map(key => [key.k, key.members, neurons.measured(s, key)])];"
    )
    W, psi, before, same, keys = in_node(network, code)
    frequency = np.array(entry(network, [])["neurons"]["frequency"])
    assert same
    moved = np.zeros(network.width, bool)
    for k, members, _ in keys:
        assert sorted(np.take(psi, members)) == sorted(np.take(before, members)), "the same phases, of other neurons"
        moved[members] = True
    assert (np.array(psi) != before)[moved].mean() > 0.5 and (np.array(psi) == before)[~moved].all()
    to = np.where(moved, psi, phases(network.W.T, frequency))
    np.testing.assert_allclose(np.reshape(W, network.W.shape), with_psi(network, frequency, to).W, atol=1e-5)


@needs_node
def test_a_shuffled_network_is_measured_as_the_library_measures_it() -> None:
    network = perfect_network()
    code = SHUFFLE + "return [[...s.W], s.keys.map(key => [key.k, key.rms ?? null, neurons.measured(s, key)])];"
    W, keys = in_node(network, code)
    shuffled = Separable(network.A, network.B, np.reshape(W, network.W.shape), network.C, network.D)
    np.testing.assert_allclose(three_dfts(shuffled).weight, three_dfts(network).weight, atol=1e-5)
    for (k, scheme), (found, old, of) in zip(schemes_of(three_dfts(shuffled)).items(), keys, strict=True):
        expected = measured_scheme(scheme)
        assert (k, None) == (found, old), "what the workflow measured of the trained network is not said of this one"
        assert (of["rms"], of["error"]) == pytest.approx((expected["rms"], expected["error"]), abs=1e-4)
        assert of["rms"] > 0.1, "the law ψ = 2φ is broken"


@needs_node
def test_the_same_seed_gives_the_same_order_and_every_order_is_as_likely() -> None:
    code = """const counts = {}, same = [0, 1].map(() => neurons.shuffled([..."abcdefgh"], 5).join(""));
      for (let seed = 0; seed < 6000; seed++) { const order = neurons.shuffled([0, 1, 2], seed).join(""); counts[order] = (counts[order] ?? 0) + 1; }
      return [same, counts, neurons.shuffled([], 1), neurons.shuffled("ab", 3).length];"""
    same, counts, nothing, two = in_node(RANDOM, code)
    assert same[0] == same[1] and sorted(same[0]) == list("abcdefgh") != list(same[0])
    assert len(counts) == 6 and all(850 < count < 1150 for count in counts.values()), (
        "a thousand each, give or take 5 σ"
    )
    assert nothing == [] and two == 2


@needs_node
def test_removing_neurons_in_steps_ends_where_removing_them_at_once_does() -> None:
    code = """const { value: cache } = (steps => { let step; do step = steps.next(); while (!step.done); return step; })(every.filled(net));
      const present = gone => Uint8Array.from({ length: net.h }, (_, i) => +!gone.includes(i)), all = [...Array(net.h).keys()];
      return [[], [1, 2], [1, 2, 3, 9], all.slice(1), all, all.slice(30), [5], []].map(gone => {
        every.change(cache, net, present(gone));
        return [gone, cache.margins.right, cache.margins.smallest, [...(cache.logits ?? cache.whole)]];
      });"""
    for gone, right, smallest, logits in in_node(RANDOM, code):
        W = RANDOM.W.copy()
        W[gone] = 0
        expected = Separable(RANDOM.A, RANDOM.B, W, RANDOM.C, RANDOM.D).logits()
        np.testing.assert_allclose(np.reshape(logits, expected.shape), expected, atol=1e-4)
        assert right == (margins(expected) > 0).sum()
        assert smallest == pytest.approx(margins(expected).min(), abs=1e-4)
