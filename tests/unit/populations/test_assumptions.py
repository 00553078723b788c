import pytest
from simple_networks import initial

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
