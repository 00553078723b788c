"""What only a GPU can show; skipped without one."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from modadd.networks.recipes import RECIPES
from modadd.training.train import train_ensemble

pytestmark = [
    pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no GPU on this machine"),
    # Two steps run as they are before one is recorded; torch remarks that they need not be capturable.
    pytest.mark.filterwarnings("ignore:This instance was constructed with capturable=True:UserWarning"),
    pytest.mark.filterwarnings("ignore:Attempting to run cuBLAS:UserWarning"),
]
STEPS = 50  # from here on rounding grows into other networks


@pytest.mark.parametrize("batch_size", [0, 91], ids=["full batch", "batches"])
def test_a_gpu_trains_the_networks_of_the_cpu_within_rounding(tmp_path, batch_size):
    recipe = replace(RECIPES["embedding_mlp"], batch_size=batch_size, steps=STEPS)
    _, on_cpu = train_ensemble(recipe, [0, 1, 2], tmp_path / "cpu")
    _, on_gpu = train_ensemble(recipe, [0, 1, 2], tmp_path / "gpu", device="cuda", at_once=3)
    np.testing.assert_allclose(on_gpu, on_cpu, rtol=1e-3)


@pytest.mark.parametrize("name", RECIPES)
def test_on_a_gpu_the_other_seeds_change_a_network_within_rounding_only(tmp_path, name):
    recipe = replace(RECIPES[name], steps=STEPS)
    _, alone = train_ensemble(recipe, [3], tmp_path / "alone", device="cuda")
    _, beside = train_ensemble(recipe, [7, 3, 8], tmp_path / "beside", device="cuda", at_once=3)
    np.testing.assert_allclose(beside[:, 1], alone[:, 0], rtol=1e-3)


@pytest.mark.parametrize("name", RECIPES)
def test_a_gpu_gives_the_same_bits_twice(tmp_path, name):
    recipe = replace(RECIPES[name], steps=STEPS)
    first, second = (
        train_ensemble(recipe, [3, 7], tmp_path / run, device="cuda", at_once=2)[0] for run in ("first", "second")
    )
    for one, other in zip(first, second, strict=True):
        for parameter, value in one.parameters.items():
            np.testing.assert_array_equal(value, other.parameters[parameter])
