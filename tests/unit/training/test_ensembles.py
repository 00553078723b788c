import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from training_runs import Steps, assert_same_bits, member, train

from modadd.networks.initialisation import INITIALISATIONS
from modadd.networks.recipes import RECIPES
from modadd.networks.store import load_networks, save_networks
from modadd.training.train import TrainingDivergedError, networks_at_once, train_ensemble, train_groups

pytestmark = pytest.mark.usefixtures("arithmetic")


ENSEMBLES = [(name, size) for name in RECIPES for size in (0, 26)]  # full batch, and five batches of 26


def test_groups_are_the_networks_trained_at_once_and_an_interruption_costs_no_finished_group(small, tmp_path):
    recipe, seeds = replace(small["embedding_mlp"], steps=20), [4, 0, 7, 2, 9]
    one_by_one = [train(recipe, seed, tmp_path / f"seed{seed}") for seed in seeds]
    folder, first, second = tmp_path / "groups", Steps(), Steps(interrupt_at=3)
    several = iter([first, second])
    with pytest.raises(KeyboardInterrupt):
        train_groups(recipe, seeds, 2, folder, progress=lambda steps: next(several)(steps))
    again = Steps()
    found = train_groups(recipe, seeds, 2, folder, progress=again)
    left = 2 * list(range(recipe.steps))
    assert len(first.seen) == recipe.steps and again.seen == left, "two groups of three were left"
    for index, alone in enumerate(one_by_one):
        assert_same_bits(member(found, index), alone)


def test_diverging_member_of_an_ensemble_is_named(small, checkpoint, monkeypatch):
    recipe = small["two_layer_mlp"]
    draw = INITIALISATIONS[recipe.architecture]

    def with_a_bad_seed(recipe, seed):
        return {name: value * (np.nan if seed == 4 else 1.0) for name, value in draw(recipe, seed).items()}

    monkeypatch.setitem(INITIALISATIONS, recipe.architecture, with_a_bad_seed)
    with pytest.raises(TrainingDivergedError, match=r"seed 4: training loss nan at step 0"):
        train_ensemble(recipe, [1, 4, 2], checkpoint)


@pytest.mark.parametrize(("name", "batch_size"), ENSEMBLES)
def test_a_network_has_the_same_bits_alone_and_in_any_ensemble(small, checkpoint, name, batch_size):
    recipe = replace(small[name], batch_size=batch_size, steps=10)  # two passes over the batches of 26
    sizes = [int(np.prod(value.shape)) for value in INITIALISATIONS[name](recipe, 0).values()]
    assert any(size % 16 for size in sizes), "the optimiser should have leftovers behind its last whole vector"
    four, sixteen = [5, 0, 7, 2], [*range(8, 14), 2, *range(20, 25), 7, 5, 30, 0]
    beside_3, beside_15 = (train_ensemble(recipe, seeds, checkpoint) for seeds in (four, sixteen))
    assert len(beside_15[0]) == 16 and beside_15[1].shape == (11, 16, 2)
    for seed in (5, 2):
        alone = train(recipe, seed, checkpoint)
        assert alone[0].seed == seed
        for ensemble, seeds in ((beside_3, four), (beside_15, sixteen)):
            assert_same_bits(member(ensemble, seeds.index(seed)), alone)


@pytest.mark.parametrize("name", RECIPES)
def test_bits_do_not_depend_on_the_ensemble_at_the_published_sizes(name, checkpoint):
    recipe = replace(RECIPES[name], steps=2)
    seeds = [4, 0, 9, 1, 2, 3]
    ensemble = train_ensemble(recipe, seeds[: 2 if recipe.batch_size == 0 else 6], checkpoint)
    for index in (0, 1):
        assert_same_bits(member(ensemble, index), train(recipe, seeds[index], checkpoint))


@pytest.mark.skipif(sys.platform != "linux", reason="reads a process's peak memory from /proc")
def test_networks_at_once_on_a_gpu_need_the_memory_that_they_are_counted_with():
    """Growth of a process's peak memory by an ensemble on the GPU's implementation, run on the CPU."""
    measure = """
import re, sys, tempfile
from dataclasses import replace
from pathlib import Path
from modadd.training import kernel
from modadd.networks.recipes import RECIPES
from modadd.training.train import networks_at_once, train_ensemble
kernel._OnCpu = lambda m, gradient, slopes, alike: kernel._Batched(gradient, slopes, "relu")
recipe = replace(RECIPES["embedding_mlp"], batch_size=0, steps=2)
peak = lambda: 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
with tempfile.TemporaryDirectory() as folder:
    train_ensemble(recipe, [0], Path(folder, "checkpoint"))
    before = peak()
    train_ensemble(recipe, list(range(int(sys.argv[1]))), Path(folder, "checkpoint"))
print(peak() - before)
"""
    recipe = replace(RECIPES["embedding_mlp"], batch_size=0, steps=2)
    memory = 2**28
    count = networks_at_once(recipe, memory)
    assert networks_at_once(recipe, 0) == 1, "at least one, however little memory is free"
    done = subprocess.run([sys.executable, "-c", measure, str(count)], capture_output=True, text=True, check=True)
    grown = int(done.stdout)
    assert 0.4 * memory < grown < memory, f"{count} networks counted as {memory} bytes take {grown}"


def test_a_network_that_trains_on_all_pairs_has_no_held_out_loss(tiny, tmp_path):
    networks, losses = train_ensemble(replace(tiny, train_pairs=49), [0, 1], tmp_path / "run.safetensors")
    assert np.isnan(losses[..., 1]).all() and np.isfinite(losses[..., 0]).all()
    assert all(np.isnan(network.results["held_out_loss"]) for network in networks)
    save_networks(networks, tmp_path / "networks.safetensors")
    assert (
        load_networks(tmp_path / "networks.safetensors")[1].results["train_loss"] == networks[1].results["train_loss"]
    )
