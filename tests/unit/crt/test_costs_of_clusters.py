import numpy as np
import pytest
from simple_networks import initial

from modadd.crt.contributions import loss_and_accuracy
from modadd.crt.robustness import costs_table, noise_on_groups, removal_from_groups

GROUPS = {"2": np.arange(4), "3": np.arange(4, 9)}


@pytest.fixture(scope="module")
def network(small):
    return initial(small["embedding_mlp"])


def test_without_noise_nothing_is_lost_and_without_a_cluster_its_part(network):
    whole = loss_and_accuracy(network.separable().logits())
    noisy = noise_on_groups(network, GROUPS, [0.0, 0.5], 2, 0)
    removed = removal_from_groups(network, GROUPS, {"2": 4, "3": 5}, 2, 0)
    costs = costs_table(GROUPS, noisy, removed, whole, {"flat": 0.0, "printed": 0.5})
    assert costs.frequency.tolist() == [2, 3] and costs.neurons.tolist() == [4, 5]
    assert costs["loss at flat"].tolist() == pytest.approx([whole["loss"]] * 2)
    assert costs["relative rise at flat"].tolist() == pytest.approx([0, 0], abs=1e-9)
    assert removed[removed.cluster == "2"].share.max() == 1


def test_a_part_of_a_group_has_no_share(network):
    removed = removal_from_groups(network, {"all": np.arange(9)}, {"all": 2}, 1, 0)
    assert removed.removed.tolist() == [0, 1, 2] and removed.share.isna().all()


def test_without_clusters_there_are_no_costs(network):
    nothing = noise_on_groups(network, {}, [0.0], 1, 0)
    assert nothing.empty and costs_table({}, nothing, nothing, {"loss": 1.0}, {}).empty
