from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from support import refuses
from training_runs import Updates, assert_same_bits, member, train

import modadd.training.train
from modadd.core.bits import of_another_version
from modadd.networks.recipes import RECIPES
from modadd.training import run as runs
from modadd.training.run import CheckpointError
from modadd.training.train import train_ensemble

pytestmark = pytest.mark.usefixtures("arithmetic")


@pytest.fixture
def interrupted(tiny, checkpoint, monkeypatch):
    """The checkpoint, after 20 updates, of a run of seed 0 that was interrupted there."""
    monkeypatch.setattr(modadd.training.train, "checkpoint_every", lambda recipe: 10)
    with pytest.raises(KeyboardInterrupt):
        train(tiny, 0, checkpoint, progress=Updates(interrupt_after=20))
    assert checkpoint.exists(), "an interrupted run must leave a checkpoint"
    return checkpoint


def test_resumed_run_starts_at_the_checkpoint_and_ends_with_the_bits_of_an_uninterrupted_one(
    tiny, interrupted, tmp_path
):
    updates = Updates()
    resumed = train(tiny, 0, interrupted, progress=updates)
    assert updates.made == 20
    assert_same_bits(resumed, train(tiny, 0, tmp_path / "uninterrupted"))


@pytest.mark.parametrize(
    ("seed", "changes"), [(1, {}), (0, {"weight_decay": 0.5}), (0, {"steps": 41})], ids=["seed", "recipe", "steps"]
)
def test_checkpoint_of_another_run_is_not_continued(tiny, interrupted, tmp_path, seed, changes):
    other, updates = replace(tiny, **changes), Updates()
    found = train(other, seed, interrupted, progress=updates)
    assert updates.made == other.steps
    assert_same_bits(found, train(other, seed, tmp_path / "fresh"))


def test_checkpoint_of_another_torch_is_not_continued(tiny, interrupted, monkeypatch):
    updates = Updates()
    monkeypatch.setattr(runs, "version", lambda package: "0.0")
    train(tiny, 0, interrupted, progress=updates)
    assert updates.made == tiny.steps, "another version of torch may draw other initial weights"


def test_checkpoint_of_another_processor_is_continued(tiny, interrupted, monkeypatch, tmp_path):
    mine, updates = runs.origin_of("cpu"), Updates()
    monkeypatch.setattr(runs, "origin_of", lambda device: mine | {"processor": "another"})
    found = train(tiny, 0, interrupted, progress=updates)
    assert updates.made < tiny.steps
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


def test_a_checkpoint_of_older_code_and_arithmetic_is_refused_with_the_version_that_made_it(
    tiny, interrupted, monkeypatch
):
    mine = runs.origin_of("cpu")
    newer = {"arithmetic": "another", "code": "0" * 64, "torch": "99"}
    monkeypatch.setattr(runs, "origin_of", lambda device: mine | newer)
    with refuses(
        str(interrupted),
        f"arithmetic {mine['arithmetic']}, here another",
        f"torch {mine['torch']}",
        error=CheckpointError,
    ):
        train(tiny, 0, interrupted)


@pytest.mark.parametrize("kept", [0, 100])
def test_truncated_checkpoint_is_ignored(tiny, interrupted, tmp_path, kept):
    interrupted.write_bytes(interrupted.read_bytes()[:kept])
    updates = Updates()
    found = train(tiny, 0, interrupted, progress=updates)
    assert updates.made == tiny.steps
    assert_same_bits(found, train(tiny, 0, tmp_path / "fresh"))


def test_a_finished_run_is_read_and_not_trained_again(tiny, checkpoint):
    finished, updates = train(tiny, 0, checkpoint), Updates()
    assert_same_bits(train(tiny, 0, checkpoint, progress=updates), finished)
    assert updates.made == 0


@pytest.mark.parametrize("name", RECIPES)
def test_interrupted_networks_resume_with_the_bits_of_uninterrupted_ones(small, tmp_path, monkeypatch, name):
    # In the middle of a pass over the five batches
    monkeypatch.setattr(modadd.training.train, "checkpoint_every", lambda recipe: 22)
    recipe, seeds, updates = small[name], [3, 0, 8], Updates()
    with pytest.raises(KeyboardInterrupt):
        train_ensemble(recipe, seeds, tmp_path / "run", progress=Updates(interrupt_after=60 + 44))
    resumed = train_ensemble(recipe, seeds, tmp_path / "run", progress=updates)
    assert updates.made == 16 + 60, "the first was done, and the second at its 44th update"
    uninterrupted = train_ensemble(recipe, seeds, tmp_path / "whole")
    for index in range(3):
        assert_same_bits(member(resumed, index), member(uninterrupted, index))
