"""The networks of the pilot O61 as rows: what each has learned, its weights, and where it was trained."""

from collections.abc import Iterable, Sequence
from functools import partial
from importlib.metadata import version
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from modadd.core.code import code_behind
from modadd.core.groups import right_answers
from modadd.core.parquet import read_tables
from modadd.core.processor import processor
from modadd.core.representations import energies_in, representations, shares_along
from modadd.core.separable import accuracy, centred
from modadd.core.statistics import share
from modadd.networks.architectures import ACTIVATIONS
from modadd.populations.spectra import IMPURE, KEY_WEIGHT, spectral_count
from modadd.training.pilot import CONFIGURATIONS, Configuration, train_pilot

FLAT = 1e-3  # no centred logit is larger: the network has collapsed, and its shares are those of rounding
IDLE = 1e-6  # centred energy below which a neuron is pure for nothing
PILOT_IDENTITY = [*Configuration._fields, "seed"]
read_pilot = partial(read_tables, identity=PILOT_IDENTITY)  # of several files


def pilot_rows(seeds: Sequence[int]) -> Iterable[dict[str, Any]]:
    """Train every configuration with every seed; one row each: configuration, seed, what trained it, results, weights.

    The weights are u, v and w on the elements a, b and c, the neurons of an element side by side: 3 · n · m numbers.
    """
    origin = {
        "processor": processor(),
        **{package: version(package) for package in ("numpy", "numba")},
        "code": code_behind(definitions=["modadd.populations.pilot.pilot_rows"]),
    }
    for of, seed in product(CONFIGURATIONS, seeds):
        weights, loss, updates, converged = train_pilot(of, seed)
        ends = {"loss": loss, "updates": updates, "converged": converged}
        row = {**of._asdict(), "seed": seed, **origin, **ends, **pilot_measures(of, weights)}
        yield {**row, "weights": weights.ravel().tolist()}


def pilot_measures(of: Configuration, weights: Float[np.ndarray, "3 n m"]) -> dict[str, Any]:
    """For a row: accuracy, largest centred logit, key set K_ε, spectral count N_δ, shares b², pure neurons.

    Lists run over the nontrivial representations; a neuron is pure for one that holds 1 − δ of the energy of its centred
    u, v and w. A network of flat logits has no key set.
    """
    u, v, w = weights
    logits = ACTIVATIONS[of.activation](u[:, None] + v[None]) @ w.T
    largest = float(np.abs(centred(logits)).max())
    shares = shares_along(logits, of.operation)[1:] * (largest > FLAT)
    energy = sum(energies_in(table, of.operation)[1:] for table in weights)
    total = energy.sum(axis=0)
    names = np.array(nontrivial(of.operation, of.n))
    return {
        "accuracy": accuracy(logits, right_answers(of.operation, of.n)),
        "largest_logit": largest,
        "key_set": names[shares >= KEY_WEIGHT].tolist(),
        "spectral_count": spectral_count(shares),
        "spectral_weights": shares.tolist(),
        "pure": ((energy >= (1 - IMPURE) * total) & (total > IDLE)).sum(axis=1).tolist(),
    }


def nontrivial(operation: str, n: int) -> list[str]:
    """Names of the nontrivial representations, in the order of the lists of a row."""
    return [of.name for of in representations(operation, n)[1:]]


def same_key_sets(one: pd.DataFrame, other: pd.DataFrame) -> Bool[np.ndarray, "networks"]:
    """Of every network with a row in both tables: whether both have the same key set."""
    both = one.merge(other, on=PILOT_IDENTITY, suffixes=("", "_other"))
    pairs = zip(both.key_set, both.key_set_other, strict=True)
    return np.array([list(here) == list(there) for here, there in pairs], bool)


def key_set_probabilities(rows: pd.DataFrame) -> pd.DataFrame:
    """One line for each configuration and each key set seen in it: networks, share, 95 % interval (Wilson)."""
    words = rows.key_set.map(lambda names: ", ".join(names) or "none")
    lines = []
    for of, own in words.groupby([rows[name] for name in Configuration._fields]):
        for key_set in sorted(set(own)):
            found = share((own == key_set).to_numpy())
            line = {"key set": key_set, "networks": found.holds, "of": found.of, "share": found.share}
            lines.append(
                dict(zip(Configuration._fields, of, strict=True)) | line | {"low": found.low, "high": found.high}
            )
    return pd.DataFrame(lines)
