"""The weights of the embeddings of a and b, binned ([C] Fig. 3)."""

from typing import Any

import numpy as np
from jaxtyping import Shaped

from modadd.networks import Network

WIDTH = 0.025  # of a bin: the interval that [C] leaves out, (−0.025, 0.025), is two of them
LARGEST = 3.0  # what lies further out is counted in the outermost bins; [C] sees weights up to 2
EDGES = WIDTH * np.arange(-round(LARGEST / WIDTH), round(LARGEST / WIDTH) + 1)


def embedding_measures(network: Network) -> dict[str, Any]:
    """For a row of a population: of all 2·n·d_model weights, counts between EDGES, share outside [−1, 1], largest size.

    Raises KeyError for an architecture that has one embedding for both numbers.
    """
    weights = np.concatenate([network.parameters[name].ravel() for name in ("E_a", "E_b")]).astype(np.float64)
    return {
        "embedding_counts": np.histogram(np.clip(weights, EDGES[0], EDGES[-1]), EDGES)[0].tolist(),
        "embedding_outside_one": float((np.abs(weights) > 1).mean()),
        "embedding_largest": float(np.abs(weights).max()),
    }


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
