"""Measures by name, and steps that they share."""

import gc
import weakref

import pytest
from support import perfect_network, refuses

from modadd.networks.registry import MEASURES, as_separable, measure, measured, measures_in, named, once


@pytest.fixture
def registered(monkeypatch):
    """Measures of a test are gone after it."""
    monkeypatch.setattr("modadd.networks.registry.MEASURES", dict(MEASURES))


@pytest.mark.usefixtures("registered")
def test_a_measure_is_found_by_its_name_with_what_an_axis_says():
    @measure("width of\nthe network", "neurons")
    def neurons_in_all(network):
        """How many neurons a network has (ours). More is said here."""
        return network.width

    found = named("neurons_in_all")
    assert (found.name, found.label) == ("neurons_in_all", "width of\nthe network (neurons)")
    assert (found.unit, found.each) == ("neurons", None)
    assert found.meaning == "How many neurons a network has (ours)."
    assert measured(perfect_network(), ["neurons_in_all"]) == {found.name: 24}
    assert neurons_in_all(perfect_network()) == 24


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("name", "doc", "unit", "words"),
    [
        ("of_nothing", None, "1", ["measure 'of_nothing'", "expected a docstring"]),
        ("of_nothing", "A number (ours).", "", ["measure 'of_nothing'", "expected a unit"]),
        (
            "worst_case",
            "A number (ours).",
            "1",
            ["measure 'worst_case'", "the name is taken", "quadrature.scheme_measures"],
        ),
    ],
)
def test_what_is_no_measure_is_refused_in_one_line(name, doc, unit, words):
    function = lambda network: 0
    function.__name__, function.__doc__ = name, doc
    with refuses(*words):
        measure("number", unit)(function)


def test_an_unknown_name_is_answered_with_the_nearest_one():
    with refuses("unknown measure 'angel_term'", "did you mean 'angle_term'?"):
        measured(perfect_network(), ["angel_term"])


def test_a_step_is_computed_once_for_every_network_and_forgotten_with_it():
    calls = []

    @once
    def width(network):
        calls.append(network.width)
        return [network.width]

    one, other = perfect_network(m=2), perfect_network(m=3)
    assert width(one) is width(one) and width(other) == [9] and calls == [6, 9]
    result = weakref.ref(as_separable(untracked := perfect_network(m=4)))
    width(untracked)
    del untracked
    gc.collect()
    assert result() is None and calls == [6, 9, 12]
    assert width(perfect_network(m=5)) == [15], "not what was known of a network that had its place in memory"


def test_what_measured_computes_goes_with_its_copy():
    calls, network = [], perfect_network()
    step = once(lambda network: calls.append(1))
    for _ in range(2):
        step(network)
    assert measured(network, []) == {} and len(calls) == 1


def test_measures_of_modules_come_in_the_order_of_their_definition():
    import modadd.attention.pizza_measures
    import modadd.two_layer.basis_measures

    found = measures_in(modadd.two_layer.basis_measures, modadd.attention.pizza_measures)
    of_attention = ["distance_irrelevance", "gradient_symmetricity", "circularity"]
    of_readout = ["neurons_of_nine_terms", "quadratic_over_linear_logits", "W_U_frequencies", "frequencies_agree"]
    of_readout += ["products_agree", "norm_ratio", "norm_ratio_of_W_neur", "fve_sin", "fve_cos"]
    assert list(found) == [*of_readout, *of_attention]


def test_every_measure_says_what_it_means_where_it_is_from_and_in_which_unit():
    for name, found in MEASURES.items():
        described = found.function.__doc__
        assert found.label.strip() and found.unit.strip() and found.meaning.endswith("."), name
        assert "[" in described or "ours" in described, f"{name}: no source"
        assert found.each is None or found.each.strip(), name
