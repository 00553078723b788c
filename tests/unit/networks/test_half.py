"""What is kept of a network after half of its updates, and the counts of it in its row."""

from dataclasses import replace

import numpy as np
import pytest
from support import refuses
from training_runs import Updates, assert_same_bits, train

from modadd.networks.store import NetworkError, load_network, read_tensors, save_networks, write_tensors
from modadd.populations.columns.every import row_of_any
from modadd.populations.rows import COUNTS, HALF
from modadd.training.on_gpu import train_stack

pytestmark = pytest.mark.usefixtures("arithmetic")


@pytest.mark.parametrize("name", ["embedding_mlp", "group_mlp", "square_mlp"])
@pytest.mark.parametrize("steps", [60, 61])
def test_a_network_is_kept_as_it_was_after_half_of_its_updates(small, tmp_path, name, steps):
    recipe = replace(small[name], steps=steps)
    network, _ = train(recipe, 0, tmp_path / "whole")
    stopped, _ = train(replace(recipe, steps=30), 0, tmp_path / "stopped")
    before = network.after_half()
    for key, value in stopped.parameters.items():
        assert before.parameters[key].tobytes() == value.tobytes(), key
    (stacked,), _ = train_stack(recipe, [0], tmp_path / "stack", "cpu")
    for key, value in stacked.half.items():
        np.testing.assert_allclose(value, stopped.parameters[key], rtol=1e-2, atol=1e-3)


def test_it_survives_an_interruption_and_a_file(small, tmp_path, monkeypatch):
    monkeypatch.setattr("modadd.training.train.checkpoint_every", lambda recipe: 40)
    recipe = small["embedding_mlp"]
    with pytest.raises(KeyboardInterrupt):
        train(recipe, 0, tmp_path / "run", Updates(interrupt_after=40))
    resumed, whole = train(recipe, 0, tmp_path / "run"), train(recipe, 0, tmp_path / "whole")
    assert_same_bits(resumed, whole)
    save_networks([resumed[0]], tmp_path / "file")
    for network in (resumed[0], load_network(tmp_path / "file")):
        assert {key: value.tobytes() for key, value in network.half.items()} == {
            key: value.tobytes() for key, value in whole[0].half.items()
        }


def test_counts_stand_in_the_row_a_second_time(small, tmp_path):
    network, _ = train(small["embedding_mlp"], 0, tmp_path / "run")
    row, before = row_of_any(network), row_of_any(network.after_half())
    twice = [name for name in COUNTS if name in row]
    assert {"clusters", "cluster_frequencies", "share_simple"} <= set(twice)
    assert [key for key in row if key.startswith(HALF)] == [f"{HALF}{name}" for name in twice]
    for name in twice:
        np.testing.assert_array_equal(row[f"{HALF}{name}"], before[name])
    assert not [key for key in before if key.startswith(HALF)]


def test_a_network_without_it_is_read_and_measured(untrained, tmp_path):
    save_networks([untrained], tmp_path / "file")
    found = load_network(tmp_path / "file", kept=True)
    assert found.half is None is found.after_half()


def test_a_half_of_other_shapes_is_refused(small, tmp_path):
    network, _ = train(small["group_mlp"], 0, tmp_path / "run")
    save_networks([network], tmp_path / "file")
    tensors, metadata = read_tensors(tmp_path / "file")
    del tensors["half.U"]
    write_tensors(tmp_path / "file", tensors, metadata)
    with refuses("tensor 'U' is missing", error=NetworkError):
        load_network(tmp_path / "file")
