import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from support import native_loss, refuses
from train_networks import train_networks
from training_runs import Updates, train

import modadd.training.train
from modadd.core.groups import right_answers
from modadd.core.separable import accuracy
from modadd.networks.initialisation import INITIALISATIONS, batches_of, pizza_transformer, split
from modadd.networks.recipes import RECIPES
from modadd.networks.store import load_networks, save_networks
from modadd.training.network import Learner
from modadd.training.run import TrainingDivergedError
from modadd.training.train import train_ensemble, training_device

pytestmark = pytest.mark.usefixtures("arithmetic")


EMBEDDING = RECIPES["embedding_mlp"]


def test_a_shard_that_got_more_seeds_trains_only_these_and_has_the_same_bits(tiny, tmp_path, monkeypatch):
    def shard(recipe, seeds, name):
        trained_anew = []

        def noted(recipe, seeds, *others):
            trained_anew.extend(seeds)
            return train_ensemble(recipe, seeds, *others)

        monkeypatch.setattr("train_networks.train_ensemble", noted)
        file, checkpoints = tmp_path / f"{name}.safetensors", tmp_path / "checkpoints" / name
        train_networks(recipe, seeds, file, None, None, 0, checkpoints, use_gpu=False, tf32=False)
        return trained_anew, load_networks(file)

    longer = replace(tiny, steps=tiny.steps + 1)
    assert shard(tiny, [0, 2], "seeds0_2")[0] == [0, 2]
    anew, networks = shard(tiny, [0, 1, 2], "seeds0-2")
    assert anew == [1] and [network.seed for network in networks] == [0, 1, 2]
    save_networks(train_ensemble(tiny, [0, 1, 2], tmp_path / "together")[0], tmp_path / "together.whole")
    assert (tmp_path / "seeds0-2.safetensors").read_bytes() == (tmp_path / "together.whole").read_bytes()
    assert shard(tiny, [2], "seeds2")[0] == []
    assert shard(longer, [0, 1], "seeds0-1")[0] == [0, 1], "another recipe is another network"
    (tmp_path / "seeds0-1.safetensors").write_bytes(b"damaged")
    assert shard(longer, [1], "seeds1")[0] == [1]


def test_diverging_run_names_seed_and_step(tiny, checkpoint):
    with pytest.raises(
        TrainingDivergedError, match=r"^seed 3: training loss (nan|inf) at step \d+; lower learning_rate$"
    ) as raised:
        train(replace(tiny, learning_rate=1e6), 3, checkpoint)
    step = int(re.search(r"step (\d+)", str(raised.value))[1])
    assert 0 < step < tiny.steps - 1, "it must stop at once, not at the end"
    _, losses = train(replace(tiny, learning_rate=1e6, steps=step - 1), 3, checkpoint)
    assert np.isfinite(losses[:, 0]).all(), "that is where it diverges"


def test_losses_are_before_each_update_and_held_out_ones_at_their_steps(tiny, checkpoint, monkeypatch):
    monkeypatch.setattr(modadd.training.train, "HELD_OUT_EVERY", 15)
    _, losses = train(tiny, 0, checkpoint)
    assert losses.shape == (41, 2)
    assert np.isfinite(losses[:, 0]).all()
    assert np.flatnonzero(np.isfinite(losses[:, 1])).tolist() == [0, 15, 30, 40]
    initial = pizza_transformer(tiny, 0)
    for column, pairs in enumerate(split(tiny, 0)):
        assert losses[0, column] == pytest.approx(native_loss(initial, pairs, 7)[0], rel=1e-5), (
            "row 0 is before any update"
        )


def test_first_update_is_adamw_with_decay_of_every_parameter_and_no_warm_up(tiny, checkpoint):
    recipe = replace(tiny, steps=1, learning_rate=0.01, weight_decay=3.0)
    updated = train(recipe, 0, checkpoint)[0].parameters
    initial = pizza_transformer(recipe, 0)
    trained_on, _ = split(recipe, 0)
    _, gradient = native_loss(initial, trained_on, 7)
    for name, start in initial.items():
        g = gradient[name].numpy()
        expected = start.numpy() * (1 - 0.01 * 3.0) - 0.01 * g / (np.abs(g) + recipe.epsilon)
        sure = np.abs(g) > 1e-6  # below, float32 may lose the sign of the gradient
        assert sure.mean() > 0.5, f"{name}: almost no gradient reaches it"
        np.testing.assert_allclose(updated[name][sure], expected[sure], atol=2e-6, err_msg=name)


def test_first_update_of_adam_adds_the_decay_to_the_gradient(small, checkpoint):
    assert (EMBEDDING.optimiser, EMBEDDING.weight_decay) == ("adam", 2e-4), (
        "L2 penalty 1e-4 · ‖θ‖² has gradient 2e-4 · θ"
    )
    # An epsilon far above the gradient makes the update proportional to it, so that the small L2 term shows.
    recipe = replace(small["embedding_mlp"], steps=1, learning_rate=1.0, epsilon=1.0)
    updated = train(recipe, 0, checkpoint)[0].parameters
    initial = INITIALISATIONS["embedding_mlp"](recipe, 0)
    first_batch = split(recipe, 0)[0][: recipe.batch_size]
    _, gradient = native_loss(initial, first_batch, 13, "embedding_mlp")
    for name, start in initial.items():
        g = gradient[name] + 2e-4 * start.double()
        expected = (start - g / (g.abs() + 1.0)).numpy()
        np.testing.assert_allclose(updated[name], expected, atol=2e-6, err_msg=name)
        without = (start - gradient[name] / (gradient[name].abs() + 1.0)).numpy()
        assert name.startswith("b_") or np.abs(without - expected).max() > 2e-5, "the test should see the L2 term"


def test_batches_are_visited_in_the_same_order_in_every_pass(small, checkpoint):
    recipe = replace(small["embedding_mlp"], steps=11, learning_rate=0.0)  # nothing is learnt: the loss names the batch
    _, losses = train(recipe, 0, checkpoint)
    initial = INITIALISATIONS["embedding_mlp"](recipe, 0)
    batches = split(recipe, 0)[0].reshape(5, 26, 2)
    expected = [native_loss(initial, batch, 13, "embedding_mlp")[0] for batch in batches]
    assert len({round(loss, 4) for loss in expected}) == 5, "the batches should differ in their loss"
    np.testing.assert_allclose(losses[:5, 0], expected, rtol=1e-6)
    assert losses[5:10, 0].tolist() == losses[:5, 0].tolist()
    assert losses[10:, 0].tolist() == losses[:2, 0].tolist(), "the row behind the last update is on the next batch"


def test_reshuffled_batches_are_those_that_are_trained_on_and_resumed(small, checkpoint, monkeypatch):
    recipe = replace(small["embedding_mlp"], batch_size=26, reshuffled=True, learning_rate=0.0, steps=13)
    monkeypatch.setattr(
        modadd.training.train, "checkpoint_every", lambda recipe: 7
    )  # in the middle of the second pass of five
    with pytest.raises(KeyboardInterrupt):
        train(recipe, 3, checkpoint, progress=Updates(interrupt_after=8))
    _, losses = train(recipe, 3, checkpoint)
    initial = INITIALISATIONS["embedding_mlp"](recipe, 3)
    batches = np.concatenate([batches_of(recipe, 3, epoch) for epoch in (0, 1, 2)])[:13]
    expected = [native_loss(initial, batch, 13, "embedding_mlp")[0] for batch in batches]
    np.testing.assert_allclose(losses[:13, 0], expected, rtol=1e-6)


def test_a_run_resumed_after_its_last_update_records_the_same_losses(small, tmp_path):
    """Where the last update ends a pass, the loss behind it is on the next one."""
    recipe = replace(small["embedding_mlp"], batch_size=26, reshuffled=True, steps=10)  # two passes of five
    _, whole = train(recipe, 3, tmp_path / "run")
    updates = Updates()
    _, again = train(recipe, 3, tmp_path / "run", progress=updates)
    assert updates.made == 0 and again.tobytes() == whole.tobytes()


@pytest.mark.parametrize("name", RECIPES)
def test_decay_of_kernels_leaves_embeddings_and_biases_to_the_gradient(small, checkpoint, name):
    recipe = replace(small[name], steps=1, weight_decay=0.5)
    everything, kernels, none = (
        train(replace(recipe, **change), 0, checkpoint.with_name(str(i)))[0].parameters
        for i, change in enumerate(({}, {"decayed": "kernels"}, {"weight_decay": 0.0}))
    )
    embeddings = {"W_E", "W_pos", "E_a", "E_b", "U", "V"}
    for key, value in kernels.items():
        kernel = key not in embeddings and not key.startswith("b_")
        assert (value == (everything if kernel else none)[key]).all(), key
        assert not kernel or (value != none[key]).any(), f"{key}: the test should see the decay"


def test_decay_of_tables_is_that_of_all_parameters_where_they_are_the_tables(small, checkpoint):
    everything, tables = (
        train(replace(small["group_mlp"], weight_decay=0.5, decayed=decayed), 0, checkpoint.with_name(decayed))[0]
        for decayed in ("all", "tables")
    )
    for key, value in everything.parameters.items():
        assert (value == tables.parameters[key]).all(), key


def test_decay_of_tables_goes_through_their_factors(small):
    """The penalty on ‖E W‖² has the gradient E·WWᵀ, and Adam's first step only follows signs."""
    recipe = replace(small["factored_mlp"], weight_decay=1e6, decayed="tables")  # nothing but the penalty
    initial = {name: value.numpy() for name, value in INITIALISATIONS["factored_mlp"](recipe, 0).items()}
    learner = Learner(recipe, initial)
    learner.update(learner.task(batches_of(recipe, 0), right_answers("addition", 13)), 0, 1)
    E, W = initial["E_a"].astype(float), initial["W_a"].astype(float)
    moved = initial["E_a"] - learner.parameter("E_a")
    assert (np.sign(moved) == np.sign(E @ W @ W.T)).all()
    assert not any(recipe.decays(name) for name in initial)


def test_decay_of_tables_needs_a_penalty(small):
    with pytest.raises(ValueError, match="^decayed: expected all or kernels with the optimiser adamw, got tables"):
        replace(small["two_layer_mlp"], decayed="tables")


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_learn(small, checkpoint, name):
    _, losses = train_ensemble(small[name], [0, 1], checkpoint)
    assert (losses[-5:, :, 0].mean(0) < losses[:5, :, 0].mean(0)).all()


def test_results_are_those_of_the_returned_network(tiny, checkpoint):
    network, losses = train(tiny, 0, checkpoint)
    assert network.results == {
        "accuracy": accuracy(network.separable().logits()),
        "train_loss": losses[-1, 0],
        "held_out_loss": losses[-1, 1],
    }
    for column, pairs in enumerate(split(tiny, 0)):
        parameters = {name: torch.from_numpy(value) for name, value in network.parameters.items()}
        assert losses[-1, column] == pytest.approx(native_loss(parameters, pairs, 7)[0], rel=1e-5)
    save_networks([network], checkpoint.with_name("network.safetensors"))  # raises if it is not of its recipe


@pytest.mark.parametrize(("architecture", "operation"), [("group_mlp", "S3"), ("square_mlp", "2x3")])
def test_networks_learn_any_operation_of_a_group(small, checkpoint, architecture, operation):
    sizes = {"modulus": 6, "train_pairs": 36, "d_mlp": 24, "steps": 800, "learning_rate": 1e-2}
    network, losses = train(replace(small[architecture], operation=operation, **sizes), 0, checkpoint)
    assert network.results["accuracy"] == 1 and losses[-1, 0] < 0.1
    with pytest.raises(ValueError, match="^operation: S3 is not abelian|^square_mlp: the separable form needs ReLU"):
        network.separable()


@pytest.mark.parametrize("operation", ["subtraction", "multiplication"])
def test_a_network_of_a_cyclic_group_is_read_as_adding(small, checkpoint, operation):
    sizes = {"modulus": 6, "train_pairs": 36, "d_mlp": 24, "steps": 800, "learning_rate": 1e-2}
    network, _ = train(replace(small["group_mlp"], operation=operation, **sizes), 0, checkpoint)
    assert network.results["accuracy"] == 1 == accuracy(network.separable().logits())


@pytest.mark.skipif(torch.cuda.is_available(), reason="torch sees a GPU on this machine")
def test_a_job_without_the_gpu_that_it_was_given_says_what_reaches_a_node():
    with refuses("`--set-resources train_network:gpu=0 train_shard:gpu=0`", error=RuntimeError):
        training_device(True, tf32=False)
