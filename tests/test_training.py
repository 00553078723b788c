from dataclasses import replace

import numpy as np
import pytest
import torch
from modadd import training
from modadd.initialisation import pizza_transformer
from modadd.networks import save_network
from modadd.residues import seed_for, shuffled_split
from modadd.separable import accuracy
from modadd.training import TrainingDivergedError, train
from support import native_loss


class Steps:
    """A progress callback that remembers the steps it saw and, like a user's Ctrl-C, may interrupt at one of them."""

    def __init__(self, interrupt_at=None):
        self.seen, self.interrupt_at = [], interrupt_at

    def __call__(self, steps):
        for step in steps:
            if step == self.interrupt_at:
                raise KeyboardInterrupt
            self.seen.append(step)
            yield step


def assert_same_bits(found, expected):
    (network, losses), (right, right_losses) = found, expected
    assert losses.tobytes() == right_losses.tobytes(), "the losses differ"
    for name, value in right.parameters.items():
        assert network.parameters[name].tobytes() == value.tobytes(), f"{name} differs"
    assert network.results == right.results


@pytest.fixture
def checkpoint(tmp_path):
    return tmp_path / "run.safetensors"


@pytest.fixture
def interrupted(tiny, checkpoint, monkeypatch):
    """The checkpoint, after 20 steps, of a run of seed 0 that was interrupted at step 25."""
    monkeypatch.setattr(training, "CHECKPOINT_EVERY", 10)
    with pytest.raises(KeyboardInterrupt):
        train(tiny, 0, checkpoint, progress=Steps(interrupt_at=25))
    assert checkpoint.exists(), "an interrupted run must leave a checkpoint"
    return checkpoint


def test_training_twice_gives_equal_bits(tiny, tmp_path):
    assert_same_bits(train(tiny, 0, tmp_path / "first"), train(tiny, 0, tmp_path / "second"))


def test_seeds_give_different_networks(tiny, checkpoint):
    first, second = train(tiny, 0, checkpoint)[0], train(tiny, 1, checkpoint)[0]
    assert not np.array_equal(first.parameters["W_E"], second.parameters["W_E"])


def test_resumed_run_starts_at_the_checkpoint_and_ends_with_the_bits_of_an_uninterrupted_one(
    tiny, interrupted, tmp_path
):
    steps = Steps()
    resumed = train(tiny, 0, interrupted, progress=steps)
    assert steps.seen == list(range(20, 40))
    assert_same_bits(resumed, train(tiny, 0, tmp_path / "uninterrupted"))


@pytest.mark.parametrize(
    ("seed", "changes"), [(1, {}), (0, {"weight_decay": 0.5}), (0, {"steps": 41})], ids=["seed", "recipe", "steps"]
)
def test_checkpoint_of_another_run_is_not_continued(tiny, interrupted, tmp_path, seed, changes):
    other, steps = replace(tiny, **changes), Steps()
    found = train(other, seed, interrupted, progress=steps)
    assert steps.seen[0] == 0
    assert_same_bits(found, train(other, seed, tmp_path / "fresh"))


def test_checkpoint_of_another_torch_is_not_continued(tiny, interrupted, monkeypatch):
    steps = Steps()
    monkeypatch.setattr(torch, "__version__", "0.0")
    train(tiny, 0, interrupted, progress=steps)
    assert steps.seen[0] == 0, "another version of torch may give other floats"


@pytest.mark.parametrize("kept", [0, 7, 100, -1])
def test_truncated_checkpoint_is_ignored(tiny, interrupted, tmp_path, kept):
    interrupted.write_bytes(interrupted.read_bytes()[:kept])
    steps = Steps()
    found = train(tiny, 0, interrupted, progress=steps)
    assert steps.seen[0] == 0
    assert_same_bits(found, train(tiny, 0, tmp_path / "fresh"))


def test_no_checkpoint_is_written_at_the_end(tiny, checkpoint, monkeypatch):
    monkeypatch.setattr(training, "CHECKPOINT_EVERY", tiny.steps)
    train(tiny, 0, checkpoint)
    assert not checkpoint.exists(), "a finished run needs none"


def test_diverging_run_names_seed_and_step(tiny, checkpoint):
    steps = Steps()
    with pytest.raises(TrainingDivergedError) as raised:
        train(replace(tiny, learning_rate=1e6), 3, checkpoint, progress=steps)
    assert 0 < steps.seen[-1] < tiny.steps - 1, "it must stop at once, not at the end"
    for part in ("seed 3", f"at step {steps.seen[-1]};", "learning_rate"):
        assert part in str(raised.value), f"the message should say '{part}'"


def test_losses_are_before_each_update_and_held_out_ones_at_their_steps(tiny, checkpoint, monkeypatch):
    monkeypatch.setattr(training, "HELD_OUT_EVERY", 15)
    _, losses = train(tiny, 0, checkpoint)
    assert losses.shape == (41, 2)
    assert np.isfinite(losses[:, 0]).all()
    assert np.flatnonzero(np.isfinite(losses[:, 1])).tolist() == [0, 15, 30, 40]
    drawn = pizza_transformer(tiny, 0)
    for column, pairs in enumerate(shuffled_split(7, 0.8, seed_for(0, "dataset_seed"))):
        assert losses[0, column] == pytest.approx(
            native_loss(drawn, pairs, 7)[0], rel=1e-5
        ), "row 0 is before any update"


def test_training_lowers_the_loss(tiny, checkpoint):
    _, losses = train(replace(tiny, learning_rate=0.01), 0, checkpoint)
    assert losses[-1, 0] < 0.8 * losses[0, 0]


def test_first_update_is_adamw_with_decay_of_every_parameter_and_no_warm_up(tiny, checkpoint):
    recipe = replace(tiny, steps=1, learning_rate=0.01, weight_decay=3.0)
    updated = train(recipe, 0, checkpoint)[0].parameters
    drawn = pizza_transformer(recipe, 0)
    trained_on, _ = shuffled_split(7, 0.8, seed_for(0, "dataset_seed"))
    _, gradient = native_loss(drawn, trained_on, 7)
    for name, start in drawn.items():
        g = gradient[name].numpy()
        expected = start.numpy() * (1 - 0.01 * 3.0) - 0.01 * g / (np.abs(g) + recipe.epsilon)
        sure = np.abs(g) > 1e-6  # below, float32 may lose the sign of the gradient
        assert sure.mean() > 0.5, f"{name}: almost no gradient reaches it"
        np.testing.assert_allclose(updated[name][sure], expected[sure], atol=2e-6, err_msg=name)


def test_results_are_those_of_the_returned_network(tiny, checkpoint):
    network, losses = train(tiny, 0, checkpoint)
    assert network.results == {
        "accuracy": accuracy(network.separable().logits()),
        "train_loss": losses[-1, 0],
        "held_out_loss": losses[-1, 1],
    }
    for column, pairs in enumerate(shuffled_split(7, 0.8, seed_for(0, "dataset_seed"))):
        parameters = {name: torch.from_numpy(value) for name, value in network.parameters.items()}
        assert losses[-1, column] == pytest.approx(native_loss(parameters, pairs, 7)[0], rel=1e-5)
    save_network(network, checkpoint.with_name("network.safetensors"))  # raises if it is not of its recipe
