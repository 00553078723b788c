"""Snapshots of a run: when they are taken, what they hold, how exactly."""

from dataclasses import replace

import numpy as np
import pytest
from training_runs import Updates

from modadd.networks.recipes import RECIPES
from modadd.networks.snapshots import LEVELS, read_history, schedule, write_history
from modadd.networks.store import NetworkError, read_tensors, write_tensors
from modadd.training.train import train_network

pytestmark = pytest.mark.usefixtures("arithmetic")


@pytest.mark.parametrize(("updates", "count"), [(10_000, 200), (199, 200), (3, 200), (50, 2), (250, 200)])
def test_the_schedule_is_dense_early_and_holds_start_and_end(updates, count):
    steps = schedule(updates, count)
    assert steps[0] == 0 and steps[-1] == updates and len(steps) == min(count, updates + 1)
    gaps = np.diff(steps)
    assert gaps.min() >= 1 and gaps[-1] == gaps.max()


def error(found, expected):
    return np.linalg.norm(found - expected) / max(np.linalg.norm(expected), 1e-30)


@pytest.mark.parametrize("name", [name for name in RECIPES if name != "square_mlp"])
def test_snapshots_are_the_networks_of_runs_stopped_then(small, tmp_path, name):
    checkpoint, wanted = tmp_path / "run.safetensors", schedule(small[name].steps, 5)
    network, losses = train_network(small[name], 3, checkpoint, snapshots=wanted)
    write_history(tmp_path / "history", checkpoint)
    history = read_history(tmp_path / "history")
    assert history.steps.tolist() == wanted and (history.recipe, history.seed) == (small[name], 3)
    for index, step in enumerate(wanted[1:], 1):
        stopped = train_network(replace(small[name], steps=step), 3, tmp_path / f"{step}.safetensors")[0]
        exact, found = stopped.separable(), history.separable(index)
        for table in "ABWCD":
            assert error(getattr(found, table), getattr(exact, table)) <= 1 / LEVELS / 2, "half a unit"
        norm = np.sqrt(sum((value.astype(float) ** 2).sum() for value in stopped.parameters.values()))
        assert history.norms[index] == pytest.approx(norm, rel=1e-6)
    plain, plain_losses = train_network(small[name], 3, tmp_path / "plain.safetensors")
    assert plain_losses.tobytes() == losses.tobytes(), "snapshots change no bit of the network"
    assert all((plain.parameters[key] == network.parameters[key]).all() for key in plain.parameters)


def test_an_interrupted_run_has_the_same_snapshots(small, tmp_path, monkeypatch):
    recipe, wanted = small["two_layer_mlp"], schedule(60, 9)
    monkeypatch.setattr("modadd.training.train.checkpoint_every", lambda recipe: 20)
    whole = tmp_path / "whole.safetensors"
    train_network(recipe, 0, whole, snapshots=wanted)

    halves = tmp_path / "halves.safetensors"
    with pytest.raises(KeyboardInterrupt):
        train_network(recipe, 0, halves, progress=Updates(interrupt_after=45), snapshots=wanted)
    train_network(recipe, 0, halves, snapshots=wanted)
    assert whole.read_bytes() == halves.read_bytes()


def test_files_of_another_version_are_refused(tmp_path):
    write_tensors(tmp_path / "history", {"norms": np.zeros(2)}, {"steps": [0, 1]})
    with pytest.raises(NetworkError, match="history: snapshots of another version"):
        read_history(tmp_path / "history")
    write_tensors(tmp_path / "history", {"norms": np.zeros(2)}, {"origin": {"products": "openblas", "torch": "2.12.0"}})
    with pytest.raises(NetworkError, match=r"history: expected a network .* another version .*torch 2.12.0.*delete"):
        read_history(tmp_path / "history")


def test_equal_tables_are_kept_once(small, tmp_path):
    checkpoint = tmp_path / "run.safetensors"
    train_network(replace(small["two_layer_mlp"], steps=2), 0, checkpoint, snapshots=[0, 2])
    kept = {name for name in read_tensors(checkpoint)[0] if name.startswith("snapshot.")}
    assert kept == {"snapshot.A", "snapshot.W", "snapshot.unit.A", "snapshot.unit.W", "snapshot.norms"}
