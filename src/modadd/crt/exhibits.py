"""The clusters and neurons of one network that are shown as examples of their sort ([C] §4.1, §5.2)."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Int

from modadd.core.neurons import ThreeDFTs, three_dfts
from modadd.core.separable import Separable
from modadd.crt.clusters import MOSTLY, cluster_table
from modadd.crt.cosets import coset_order, relabelling
from modadd.crt.simple_neurons import Kinds, SimpleFit, fit_simple, kinds
from modadd.networks.store import Network

EXACT, APPROXIMATE, FINE_TUNING = "exact cosets", "approximate cosets", "fine-tuning"


class Reading(NamedTuple):
    """A network's tables, the DFTs of its neurons, their kinds, and the simple neurons that fit them."""

    separable: Separable
    dfts: ThreeDFTs
    kind: Kinds
    fit: SimpleFit


def read(network: Network) -> Reading:
    """All that is shown of a network's neurons is read off this."""
    separable = network.separable()
    dfts = three_dfts(separable)
    return Reading(separable, dfts, kinds(dfts), fit_simple(dfts))


def clusters_by_sort(reading: Reading) -> pd.DataFrame:
    """`cluster_table` with the sort of each cluster: on EXACT or APPROXIMATE cosets, or mostly of FINE_TUNING neurons."""
    table = cluster_table(reading.dfts, reading.kind)
    sort = np.where(table.order > 1, EXACT, APPROXIMATE)
    return table.assign(sort=np.where(table.fine_tuning >= MOSTLY, FINE_TUNING, sort))


def strongest_of_sorts(table: pd.DataFrame) -> dict[str, int]:
    """The frequency of the strongest cluster on approximate and on exact cosets; of the strongest of all, if there is none."""
    by_weight = table.sort_values("weight", ascending=False, kind="stable")
    of_sort = by_weight.drop_duplicates("sort").set_index("sort").frequency
    found = {sort: int(of_sort[sort]) for sort in (APPROXIMATE, EXACT) if sort in of_sort}
    return found or {"strongest frequency": int(of_sort.iloc[0]) if len(of_sort) else 1}


def working_neurons(reading: Reading, f: int) -> Int[np.ndarray, "neurons"]:
    """The neurons of a frequency that are alive and not idle; dead ones too, if all neurons are."""
    kind = reading.kind
    return np.flatnonzero((reading.dfts.frequency == f) & (kind.alive | kind.dead.all()) & ~kind.idle)


def nearest_to_fine_tuning(reading: Reading) -> tuple[Int[np.ndarray, "2"], str]:
    """The two strongest working fine-tuning neurons; if there is none, the simple ones with the largest further line."""
    kind, dfts = reading.kind, reading.dfts
    tuning = kind.fine_tuning & ~kind.idle
    if tuning.any():
        return np.argsort(-(dfts.weight * tuning), kind="stable")[:2], FINE_TUNING
    further = np.where(kind.simple & ~kind.idle, np.maximum(dfts.beside_A, dfts.beside_B), 0)
    return np.argsort(-further, kind="stable")[:2], f"nearest to {FINE_TUNING}"


def period(f: int, n: int) -> int:
    """After how many places the cosine of f repeats, once residues are relabelled: n/g."""
    return n // coset_order(f, n)


def places(f: int, n: int) -> Int[np.ndarray, "n"]:
    """Where relabelling puts each residue x: u·x mod n/g, so that residues of one coset fall on one place."""
    return relabelling(f, n) * np.arange(n) % period(f, n)


def received_by_phase(reading: Reading, neurons: Int[np.ndarray, "neurons"], side: str) -> pd.DataFrame:
    """What some neurons receive from one number, side A or B: a row for each residue, a column for each neuron, by phase."""
    by_phase = neurons[np.argsort(-getattr(reading.dfts, side).phase[neurons], kind="stable")]
    return pd.DataFrame(getattr(reading.separable, side)[:, by_phase], columns=by_phase)
