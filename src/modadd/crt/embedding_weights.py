"""How large the weights of the two embeddings of a network of Study C are: counts in bins, and what is read off them."""

import numpy as np
from jaxtyping import Float, Shaped

from modadd.networks.registry import measure, once
from modadd.networks.store import Network

LEFT_OUT = 0.025  # weights of a smaller magnitude are those that [C] leaves out of its figure
WIDTH = LEFT_OUT  # of a bin: they lie in the two in the middle
_LARGEST = 3.0  # what lies further out is counted in the outermost bins; [C] sees weights up to 2
EDGES = WIDTH * np.arange(-round(_LARGEST / WIDTH), round(_LARGEST / WIDTH) + 1)


@once
def _weights_in(network: Network) -> Float[np.ndarray, "weights"]:
    """All 2·n·d_model of them; raises KeyError for an architecture that has one embedding for both numbers."""
    return np.concatenate([network.parameters[name].ravel() for name in ("E_a", "E_b")]).astype(np.float64)


@measure("weights of the embeddings", "1", "bin")
def embedding_counts(network: Network) -> list[int]:
    """How many weights of the two embeddings lie between EDGES, those further out in the outermost bins ([C] §4.1)."""
    return np.histogram(np.clip(_weights_in(network), EDGES[0], EDGES[-1]), EDGES)[0].tolist()


@measure("share of embedding weights\noutside [−1, 1]", "share")
def embedding_outside_one(network: Network) -> float:
    """Share of the weights of the two embeddings of a magnitude above 1 ([C] §4.1)."""
    return float((np.abs(_weights_in(network)) > 1).mean())


@measure("largest embedding weight", "1")
def embedding_largest(network: Network) -> float:
    """Largest magnitude of a weight of the two embeddings ([C] §4.1)."""
    return float(np.abs(_weights_in(network)).max())


def share_beyond(counts: Shaped[np.ndarray, "bins"], size: float) -> float:
    """Share of binned weights of a magnitude above `size`, which must be an edge; NaN of none.

    Raises ValueError for a size inside a bin.
    """
    inner = size / WIDTH
    if abs(inner - round(inner)) > 1e-9:
        raise ValueError(f"size: expected a multiple of {WIDTH:g}, the width of a bin, got {size:g}")
    middle, steps = len(counts) // 2, round(inner)
    total = counts.sum()
    return float(1 - counts[middle - steps : middle + steps].sum() / total) if total else float("nan")
