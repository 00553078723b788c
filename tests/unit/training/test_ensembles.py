"""Networks trained one after the other: none has to do with another."""

from dataclasses import replace

import numpy as np
import pytest
from training_runs import Updates, assert_same_bits, member, train

from modadd.networks.initialisation import INITIALISATIONS
from modadd.networks.recipes import RECIPES
from modadd.networks.store import load_networks, save_networks
from modadd.training.run import TrainingDivergedError
from modadd.training.train import train_ensemble

pytestmark = pytest.mark.usefixtures("arithmetic")


def test_an_interruption_costs_no_finished_network(small, tmp_path):
    recipe, seeds = replace(small["embedding_mlp"], steps=20), [4, 0, 7, 2, 9]
    alone = [train(recipe, seed, tmp_path / f"seed{seed}") for seed in seeds]
    folder, again = tmp_path / "networks", Updates()
    with pytest.raises(KeyboardInterrupt):
        train_ensemble(recipe, seeds, folder, progress=Updates(interrupt_after=60))
    found = train_ensemble(recipe, seeds, folder, progress=again)
    assert again.made == 2 * recipe.steps, "three were trained, the third to its end"
    for index, own in enumerate(alone):
        assert_same_bits(member(found, index), own)


def test_a_diverging_network_is_named(small, tmp_path, monkeypatch):
    recipe = small["two_layer_mlp"]
    draw = INITIALISATIONS[recipe.architecture]

    def with_a_bad_seed(recipe, seed):
        return {name: value * (np.nan if seed == 4 else 1.0) for name, value in draw(recipe, seed).items()}

    monkeypatch.setitem(INITIALISATIONS, recipe.architecture, with_a_bad_seed)
    with pytest.raises(TrainingDivergedError, match=r"seed 4: training loss nan at step 0"):
        train_ensemble(recipe, [1, 4, 2], tmp_path)


@pytest.mark.parametrize("name", RECIPES)
def test_a_network_has_the_same_bits_alone_and_among_others(small, tmp_path, name):
    recipe = replace(small[name], batch_size=26, steps=10)
    several = train_ensemble(recipe, [5, 0, 2], tmp_path / "several")
    assert several[1].shape == (11, 3, 2)
    assert_same_bits(member(several, 2), train(recipe, 2, tmp_path / "alone"))


def test_a_network_that_trains_on_all_pairs_has_no_held_out_loss(tiny, tmp_path):
    networks, losses = train_ensemble(replace(tiny, train_pairs=49), [0, 1], tmp_path / "run")
    assert np.isnan(losses[..., 1]).all() and np.isfinite(losses[..., 0]).all()
    assert all(np.isnan(network.results["held_out_loss"]) for network in networks)
    save_networks(networks, tmp_path / "networks.safetensors")
    assert (
        load_networks(tmp_path / "networks.safetensors")[1].results["train_loss"] == networks[1].results["train_loss"]
    )
