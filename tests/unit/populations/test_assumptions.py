import pandas as pd
import pytest
from simple_networks import initial

from modadd.networks.registry import measured
from modadd.populations.assumptions import accuracies_of_closed_form, answers, assumptions_of, neurons_by_kind


def test_wide_closed_forms_are_right_and_narrow_ones_are_not():
    table = accuracies_of_closed_form(7, {4: 3, 400: 2})
    assert table[table.neurons == 400].accuracy.eq(1).all() and table[table.neurons == 4].accuracy.lt(1).all()


@pytest.mark.parametrize("name", ["group_mlp", "square_mlp"])
def test_every_neuron_has_a_frequency_and_pure_ones_work(small, name):
    network = initial(small[name])
    table = neurons_by_kind(network)
    assert (table.pure <= table.working).all() and (table.working <= table["idle too"]).all()
    found = assumptions_of(network)
    assert found["neurons"] == network.recipe.d_mlp and 0 <= found["pure"] <= 1


def test_the_answers_name_both_networks(small):
    networks = {name: initial(small[name]) for name in ("group_mlp", "square_mlp")}
    closed_form = accuracies_of_closed_form(7, {small["square_mlp"].d_mlp: 3})
    found = answers(networks, closed_form, list(networks))
    assert found["closed_form_right"].of == 3
    assert {"group_mlp_spectral_count", "square_mlp_explained", "phases_uniform_p"} <= set(found)


def test_what_is_recorded_is_what_is_measured(small):
    networks = {name: initial(small[name]) for name in ("group_mlp", "square_mlp")}
    closed_form = pd.DataFrame({"neurons": [small["square_mlp"].d_mlp] * 3 + [9], "accuracy": [1.0, 0.5, 1.0, 0.0]})
    found = answers(networks, closed_form, list(networks))
    names = ["spectral_weights", "spectral_count", "key_set", "phases_uniform_p"]
    own = {name: measured(network, names) for name, network in networks.items()}
    for name, numbers in own.items():
        assert found[f"{name}_explained"] == pytest.approx(sum(numbers["spectral_weights"]))
        assert found[f"{name}_spectral_count"] == numbers["spectral_count"]
        assert found[f"{name}_key_set"] == len(numbers["key_set"])
    assert found["phases_uniform_p"] == pytest.approx(own["group_mlp"]["phases_uniform_p"], nan_ok=True)
    assert (found["closed_form_right"].holds, found["closed_form_right"].of) == (2, 3)
    assert not neurons_by_kind(networks["group_mlp"]).pure.any() and assumptions_of(networks["group_mlp"])["pure"] == 0
