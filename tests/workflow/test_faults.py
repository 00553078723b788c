"""Faults in short: what `make faults` tries at length."""

import numpy as np
from disturbed_builds import flips, kills
from support import SMOKE, copy_tree, snakemake

FEW = ("results/values/simple_neurons_89.json", "results/networks/pizza_transformer/seed0.safetensors")


def test_a_build_that_is_killed_ends_with_the_same_bytes_and_no_flipped_bit_is_read(tmp_path):
    undisturbed = copy_tree(tmp_path / "undisturbed")
    snakemake(undisturbed, *FEW, "--cores", "2", *SMOKE)
    rng = np.random.default_rng(1)
    killed = kills(copy_tree(tmp_path / "killed"), undisturbed, 4, rng, *FEW)
    assert killed["passed"], killed
    flipped = flips(undisturbed, 60, rng)
    assert flipped["passed"], flipped
