"""Pairs of residues, their labels, train splits, and the seeds derived from one integer by label."""

import hashlib
import json

import numpy as np
from jaxtyping import Int


def seed_for(seed: int, label: str) -> int:
    """The sub-seed that `label` draws from one integer seed, in [0, 2³²).

    Little-endian integer of the first four bytes of a zero byte followed by md5 of the JSON list [seed,"label"],
    which is how the quadrature study derives its model and data seeds ([Q]).
    """
    message = json.dumps([seed, label], separators=(",", ":")).encode()
    return int.from_bytes((b"\x00" + hashlib.md5(message, usedforsecurity=False).digest())[:4], "little")


def pairs(n: int) -> Int[np.ndarray, "n_squared 2"]:
    """All ordered pairs (a, b) of residues mod n in product order, a major."""
    a, b = np.divmod(np.arange(n * n), n)
    return np.stack([a, b], axis=1)


def n_train(n: int, train_share: float) -> int:
    """Number of training pairs, ⌊train_share · n²⌋."""
    return int(train_share * n**2)


def shuffled_split(n: int, train_share: float, seed: int) -> tuple[Int[np.ndarray, "m 2"], Int[np.ndarray, "q 2"]]:
    """Training and held-out pairs: product order shuffled by NumPy's default generator, the first ⌊share·n²⌋ train ([Q])."""
    order = np.arange(n * n)
    np.random.default_rng(seed).shuffle(order)
    everything, cut = pairs(n)[order], n_train(n, train_share)
    return everything[:cut], everything[cut:]
