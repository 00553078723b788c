"""Kept networks for notebooks, which read a network of another arithmetic only where it is kept."""

from dataclasses import replace
from pathlib import Path

from modadd.core.bits import ARITHMETIC
from modadd.networks.store import load_network, save_networks


def as_trained_today(kept: Path, file: Path) -> Path:
    """The network of a kept file in another file, which says that today's arithmetic trained it."""
    network = load_network(kept, kept=True)
    save_networks([replace(network, origin={**network.origin, "arithmetic": ARITHMETIC})], file)
    return file
