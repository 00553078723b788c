from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from support import refuses
from training_runs import Steps, assert_same_bits, member, train

import modadd.training.train
from modadd.core.bits import of_another_version
from modadd.networks.recipes import RECIPES
from modadd.training import run as runs
from modadd.training.loops import adam
from modadd.training.run import CheckpointError, Optimiser
from modadd.training.train import train_ensemble

pytestmark = pytest.mark.usefixtures("arithmetic")


@pytest.fixture
def interrupted(tiny, checkpoint, monkeypatch):
    """The checkpoint, after 20 steps, of a run of seed 0 that was interrupted at step 25."""
    monkeypatch.setitem(modadd.training.train.CHECKPOINT_EVERY, "cpu", 10)
    with pytest.raises(KeyboardInterrupt):
        train(tiny, 0, checkpoint, progress=Steps(interrupt_at=25))
    assert checkpoint.exists(), "an interrupted run must leave a checkpoint"
    return checkpoint


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
    steps = Steps(interrupt_at=1)
    monkeypatch.setattr(runs, "version", lambda package: "0.0")
    with pytest.raises(KeyboardInterrupt):
        train(tiny, 0, interrupted, progress=steps)
    assert steps.seen == [0], "another version of torch may give other floats"


def test_checkpoint_of_another_processor_is_continued(tiny, interrupted, monkeypatch, tmp_path):
    mine, steps = runs.origin_of("cpu"), Steps()
    monkeypatch.setattr(runs, "origin_of", lambda device: mine | {"processor": "another"})
    found = train(tiny, 0, interrupted, progress=steps)
    assert steps.seen[0] > 0
    assert_same_bits(found, train(tiny, 0, tmp_path / "fresh"))


def test_checkpoint_of_another_device_or_arithmetic_is_refused_and_kept(tiny, interrupted, monkeypatch):
    before, mine = interrupted.read_bytes(), runs.origin_of("cpu")
    for key in ("device", "arithmetic"):
        monkeypatch.setattr(runs, "origin_of", lambda device, key=key: mine | {key: "another"})
        with refuses(str(interrupted), f"{key} {mine[key]}, here another", "delete the file", error=CheckpointError):
            train(tiny, 0, interrupted)
        assert interrupted.read_bytes() == before


def test_a_network_says_what_trained_it(tiny, checkpoint):
    origin = train(tiny, 0, checkpoint)[0].origin
    assert origin == runs.origin_of("cpu") and origin["device"] == "cpu"
    assert set(origin) == {"processor", "device", "torch", "numpy", "numba", "arithmetic", "code"}
    assert len(origin["code"]) == 64


@pytest.mark.parametrize("tf32", [False, True])
def test_a_network_of_a_gpu_is_one_of_this_version(monkeypatch, tf32):
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "a GPU")
    monkeypatch.setattr(torch.backends.cuda, "matmul", SimpleNamespace(allow_tf32=tf32))
    assert of_another_version(runs.origin_of("cuda")) is None is of_another_version(runs.origin_of("cpu"))


@pytest.mark.parametrize("name", ["adamw", "adam"])
def test_the_optimiser_is_torchs(small, name):
    recipe = replace(small["embedding_mlp"], optimiser=name, weight_decay=0.3)
    generator = torch.Generator().manual_seed(0)
    ours, theirs = ({"w": torch.linspace(-2, 2, 21).view(3, 7)} for _ in range(2))
    kind = {"adamw": torch.optim.AdamW, "adam": torch.optim.Adam}[name]
    betas = (recipe.beta1, recipe.beta2)
    theirs["w"].requires_grad_()
    expected = kind(theirs.values(), recipe.learning_rate, betas, recipe.epsilon, recipe.weight_decay)
    found = Optimiser(recipe, ours)
    for _ in range(50):
        slope = torch.randn(3, 7, generator=generator)
        theirs["w"].grad = slope.clone()
        expected.step()
        found.step({"w": slope})
    torch.testing.assert_close(ours["w"], theirs["w"].detach(), rtol=1e-5, atol=1e-6)


def test_subnormals_are_flushed_by_torch_numpy_and_the_loops():
    tiny = np.full(4, 1.2e-38, np.float32)
    assert not (torch.from_numpy(tiny) / 2).any() and not (tiny / 2).any()
    values, zeros = tiny.copy(), np.zeros(4, np.float32)
    adam(values, zeros, zeros.copy(), zeros.copy(), np.array([0.5, 0, 0.9, 0.99, 1, 1, 1], np.float32))
    assert not values.any(), "a dead neuron's weights must end at zero"


@pytest.mark.parametrize("kept", [0, 100])
def test_truncated_checkpoint_is_ignored(tiny, interrupted, tmp_path, kept):
    interrupted.write_bytes(interrupted.read_bytes()[:kept])
    steps = Steps()
    found = train(tiny, 0, interrupted, progress=steps)
    assert steps.seen[0] == 0
    assert_same_bits(found, train(tiny, 0, tmp_path / "fresh"))


def test_a_finished_run_is_read_and_not_trained_again(tiny, checkpoint):
    finished, steps = train(tiny, 0, checkpoint), Steps()
    assert_same_bits(train(tiny, 0, checkpoint, progress=steps), finished)
    assert steps.seen == []


@pytest.mark.parametrize("name", RECIPES)
def test_an_interrupted_ensemble_resumes_with_the_bits_of_an_uninterrupted_one(small, checkpoint, monkeypatch, name):
    monkeypatch.setitem(
        modadd.training.train.CHECKPOINT_EVERY, "cpu", 22
    )  # in the middle of a pass over the five batches
    recipe, seeds, steps = small[name], [3, 0, 8], Steps()
    with pytest.raises(KeyboardInterrupt):
        train_ensemble(recipe, seeds, checkpoint, progress=Steps(interrupt_at=25))
    resumed = train_ensemble(recipe, seeds, checkpoint, progress=steps)
    assert steps.seen == list(range(22, 60))
    uninterrupted = train_ensemble(recipe, seeds, checkpoint.with_name("uninterrupted"))
    for index in range(3):
        assert_same_bits(member(resumed, index), member(uninterrupted, index))


@pytest.mark.parametrize("others", [[0, 3, 8], [3, 0], [3], [3, 0, 8, 9]])
def test_checkpoint_of_other_seeds_is_not_continued(small, checkpoint, monkeypatch, others):
    monkeypatch.setitem(modadd.training.train.CHECKPOINT_EVERY, "cpu", 10)
    with pytest.raises(KeyboardInterrupt):
        train_ensemble(small["embedding_mlp"], [3, 0, 8], checkpoint, progress=Steps(interrupt_at=25))
    steps = Steps(interrupt_at=1)
    with pytest.raises(KeyboardInterrupt):
        train_ensemble(small["embedding_mlp"], others, checkpoint, progress=steps)
    assert steps.seen == [0], "a row of the checkpoint would go to another seed"
