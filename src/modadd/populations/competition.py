"""Networks in which frequencies compete, as rows: what each neuron and each frequency ended with, and where."""

from collections.abc import Iterable, Sequence
from functools import partial
from importlib.metadata import version
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.core.code import code_behind
from modadd.core.fourier import variance_by_frequency
from modadd.core.groups import ADDITION, right_answers
from modadd.core.parquet import read_tables
from modadd.core.processor import processor
from modadd.core.separable import accuracy
from modadd.networks.architectures import ACTIVATIONS
from modadd.networks.starts import chosen_frequency
from modadd.populations.mode_equations import amplitude, blow_up, mismatch, modes_of
from modadd.populations.spectra import KEY_WEIGHT, spectral_weights
from modadd.training.competition import (
    ARMS,
    CHANGED,
    CHANGES,
    MOMENTS,
    PENALTY,
    UNCHANGED,
    Arm,
    Change,
    N,
    competition_weights,
    follow,
)

IDLE = 1e-6  # centred energy below which a neuron has no frequency
COMPETITION_IDENTITY = ["activation", "optimiser", "scale", "plane", "factor", "seed"]
read_competition = partial(read_tables, identity=COMPETITION_IDENTITY)  # of several files


def networks(changes: bool = True) -> list[tuple[Arm, Change]]:
    """Of each seed: every arm, unchanged, and with `changes` two of them with each change of the initial weights."""
    return [*product(ARMS, [UNCHANGED]), *(product(CHANGED, CHANGES) if changes else ())]


def competition_rows(seeds: Sequence[int], changes: bool = True) -> Iterable[dict[str, Any]]:
    """Train the networks of every seed; one row each.

    neuron_frequency: of each neuron's u, v and w together; 0 for an idle one. An unchanged network's row also has, for
    each of MOMENTS, the loss and every neuron's amplitude and mismatch at that frequency, the neurons side by side.
    """
    origin = {
        "processor": processor(),
        **{package: version(package) for package in ("numpy", "numba")},
        "code": code_behind(__file__),
    }
    for seed, (arm, change) in product(seeds, networks(changes)):
        watched = change == UNCHANGED
        found = follow(arm, competition_weights(arm.scale, seed, change), MOMENTS if watched else MOMENTS[-1:])
        measured = ends(arm.activation, found.weights[-1])
        lists = courses(found.weights, np.array(measured["neuron_frequency"])) if watched else ([], [])
        yield {
            **arm._asdict(),
            **change._asdict(),
            "seed": seed,
            "chosen": chosen_frequency(N, seed),
            **origin,
            **measured,
            "losses": found.losses.tolist(),
            **dict(zip(("amplitude", "mismatch"), lists, strict=True)),
        }


def ends(activation: str, weights: Float[np.ndarray, "3 n m"]) -> dict[str, Any]:
    """For a row: accuracy, the shares b_k² of the logits, the key set, and the frequency of every neuron."""
    u, v, w = weights
    logits = ACTIVATIONS[activation](u[:, None] + v[None]) @ w.T
    shares = spectral_weights(logits, (len(u),))[: len(u) // 2 + 1]
    energy = sum(len(u) * variance_by_frequency(table) for table in weights)[1:]
    return {
        "accuracy": accuracy(logits, right_answers(ADDITION, len(u))),
        "spectral_weights": shares[1:].tolist(),
        "key_set": np.flatnonzero(shares >= KEY_WEIGHT).tolist(),
        "neuron_frequency": ((1 + energy.argmax(axis=0)) * (energy.sum(axis=0) > IDLE)).tolist(),
    }


def courses(
    weights: Float[np.ndarray, "moments 3 n m"], frequency: Int[np.ndarray, "m"]
) -> tuple[list[np.float32], list[np.float32]]:
    """Amplitude and mismatch of every neuron's mode at this frequency (at 1 where it is 0), moment by moment."""
    own = np.maximum(frequency, 1) - 1, np.arange(len(frequency))
    z = np.stack([modes_of(at)[:, *own] for at in weights], axis=1)
    return tuple([*measured.ravel().astype(np.float32)] for measured in (amplitude(z), mismatch(z)))


class Predicted(NamedTuple):
    """The frequency that wins each neuron, by what the initial weights hold, and the time of the equations for it."""

    equations: Int[np.ndarray, "m"]
    amplitude: Int[np.ndarray, "m"]
    phase: Int[np.ndarray, "m"]
    drive: Int[np.ndarray, "m"]
    time: Float[np.ndarray, "m"]


def predicted_frequencies(scale: float, seed: int, change: Change = UNCHANGED) -> Predicted:
    """By the earliest blow-up, the largest α_u α_v α_w, the smallest |mismatch|, the largest α_u α_v α_w cos(mismatch)."""
    z = modes_of(competition_weights(scale, seed, change))
    time, size, off = blow_up(z, N, PENALTY), amplitude(z), mismatch(z)
    winners = (1 + score.argmax(axis=0) for score in (-time, size, -np.abs(off), size**3 * np.cos(off)))
    return Predicted(*winners, time.min(axis=0))
