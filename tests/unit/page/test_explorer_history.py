"""The snapshots that go to the explorer page: which ones, and that the browser reads what the history has."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from histories import history_of
from javascript import in_node, needs_node
from simple_networks import random_network
from support import perfect_network

from modadd.core.neurons import three_dfts
from modadd.networks.snapshots import LARGEST, History
from modadd.quadrature.scheme import schemes_of
from paper.page.explorer import edges, half_angles, measured_scheme
from paper.page.explorer_history import data_of, histories_within, is_shown, packed_snapshot


def sent(history: History, every: int = 1) -> dict:
    return data_of(history, every, lambda index: packed_snapshot(history, index))


def random_history(n: int, count: int = 4, h: int = 6) -> History:
    return history_of([random_network(n, h, seed) for seed in range(count)], [0, 1, 4, 9][:count])


def test_only_networks_that_add_are_shown() -> None:
    history = random_history(6)
    assert is_shown(history)
    assert not is_shown(replace(history, recipe=replace(history.recipe, operation="subtraction")))


def test_every_so_many_snapshots_are_sent_and_the_trained_network_is_not() -> None:
    history = random_history(5)
    assert sent(history)["steps"] == [0, 1, 4] and sent(history, 2)["steps"] == [0, 4]
    assert sent(history, 3)["steps"] == [0], "the first is always there"
    found = sent(history, 2)
    assert (found["kept"], found["every"], found["updates"]) == (4, 2, 9)
    assert len(found["packed"]) == len(found["units"]["A"]) == 2 and found["tables"]["W"] == [5, 6]


def test_as_many_snapshots_are_sent_as_there_is_room_for() -> None:
    histories = {"x/seed0": random_history(7), "y/seed0": random_history(5, count=3)}
    whole = histories_within(histories, 10**6)
    sizes = {}
    for every in (1, 2, 3):
        data = {name: sent(history, every) for name, history in histories.items()}
        sizes[every] = len(json.dumps(data))
    assert sizes[1] > sizes[2] > sizes[3] and len(whole) == sizes[1]
    for room, expected in {sizes[1]: 1, sizes[1] - 1: 2, sizes[2] - 1: 3}.items():
        text = histories_within(histories, room)
        assert len(text) <= room and {one["every"] for one in json.loads(text).values()} == {expected}
    assert histories_within(histories, sizes[3] - 1) == "{}" == histories_within({}, 100)
    assert histories_within(histories, -5) == "{}", "a page that is too large without snapshots has none"


def in_browser(history: History, index: int, code: str) -> list:
    """What a function body returns of `then`, the network at a snapshot as the page's JavaScript has it."""
    trained = history.separable(len(history.steps) - 1)
    return in_node(trained, f"const then = await moments.at(net, history, {index}); {code}", history=sent(history))


@needs_node
@pytest.mark.parametrize("n", [10, 11])
def test_the_browser_unpacks_the_tables_of_the_history(n: int) -> None:
    history = random_history(n)
    history.rounded["A"][0][2, 1] = LARGEST, -LARGEST, -1, 0, 1, -2
    for index in (0, 2):
        found = in_browser(history, index, "return ['A', 'B', 'W', 'C', 'D'].map(name => [...then[name]]);")
        for name, values in zip("ABWCD", found, strict=True):
            expected = getattr(history.separable(index), name)
            np.testing.assert_allclose(np.reshape(values, expected.shape), expected, atol=1e-12, err_msg=name)


@needs_node
def test_a_table_that_is_another_or_one_row_is_rebuilt() -> None:
    A, W = perfect_network().A, perfect_network().W
    tables = {"W": W, "C": np.zeros((7, 7)), "D": np.arange(7.0)[None], "modulus": 7, "width": 24}
    both = [SimpleNamespace(A=scale * A, B=scale * A, **tables) for scale in (1.0, 2.0)]
    history = history_of(both, [0, 1])
    assert "B" not in history.rounded and history.rounded["D"][0].shape[1:] == (7, 1)
    same, D = in_browser(history, 0, "return [then.A === then.B, [...then.D]];")
    assert same, "what B is A for stays so: half of the inputs are mirror images"
    np.testing.assert_allclose(np.reshape(D, (7, 7)), history.separable(0).D, atol=1e-12)


@needs_node
@pytest.mark.parametrize("n", [10, 11])
def test_the_browser_reads_the_neurons_as_the_library_does(n: int) -> None:
    history = random_history(n, h=24)
    network = history.separable(1)
    dfts = three_dfts(network)
    schemes = schemes_of(dfts)
    names = ("frequency", "r", "sigma", "delta", "psi", "left", "right")
    trained = history.separable(3)
    code = f"return [{json.dumps(names)}.map(name => [...then[name]]), neurons.keyFrequencies(then),"
    code += "then.keys.map(key => [key.k, key.members, neurons.measured(then, key)]), then.others];"
    found, key, own, others = in_browser(history, 1, code)
    read = dict(zip(names, map(np.array, found), strict=True))
    np.testing.assert_array_equal(read["frequency"], dfts.frequency)
    np.testing.assert_allclose(read["r"], dfts.weight, atol=1e-12)
    sigma, delta = half_angles(dfts.A.phase, dfts.B.phase)
    for name, expected in {"delta": delta, "sigma": sigma, "psi": dfts.W.phase}.items():
        apart = np.abs(np.exp(1j * read[name]) - np.exp(1j * expected))
        np.testing.assert_allclose(apart, 0, atol=1e-9, err_msg=name)
    assert key == list(schemes), "the key frequencies at that moment"
    final = list(schemes_of(three_dfts(trained)))
    assert [k for k, _, _ in own] == final, "the pictures keep those of the trained network"
    left, right = edges(dfts, sigma, [k for k in final if (dfts.frequency == k).any()])
    inside = np.isin(dfts.frequency, final)
    np.testing.assert_allclose(read["left"][inside], left[inside], atol=1e-9)
    np.testing.assert_allclose(read["right"][inside], right[inside], atol=1e-9)
    assert others == np.flatnonzero(~inside).tolist()
    for k, members, of in own:
        assert members == np.flatnonzero(dfts.frequency == k).tolist()
        if k in schemes:
            expected = measured_scheme(schemes[k])
            assert (of["rms"], of["error"]) == pytest.approx((expected["rms"], expected["error"]), abs=1e-9)
