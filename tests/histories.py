"""Histories of training with known tables, for the tests of what the page makes of them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from modadd.core.separable import Separable
from modadd.networks.recipes import RECIPES
from modadd.networks.snapshots import TABLES, History, Snapshots


def history_of(networks: Sequence[Separable], steps: Sequence[int], seed: int = 0) -> History:
    """Snapshots after these updates that are these networks, rounded as training rounds them."""
    snapshots = Snapshots(steps)
    for network in networks:
        tables = [getattr(network, name)[None] for name in TABLES]
        snapshots.keep(tables, np.ones(1))
    arrays = {name.removeprefix("snapshot."): value for name, value in snapshots.arrays().items()}
    rounded = {name: (arrays[name][:, 0], arrays[f"unit.{name}"][:, 0]) for name in TABLES if name in arrays}
    n = networks[0].modulus
    recipe = replace(RECIPES["embedding_mlp"], modulus=n, train_pairs=n, batch_size=0, d_mlp=networks[0].width)
    return History(recipe, seed, {}, np.array(steps), np.ones(len(steps)), rounded)
