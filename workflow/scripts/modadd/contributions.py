"""What some neurons add to the logits, and how far that alone answers, in little memory however wide the network."""

from collections.abc import Iterator, Mapping

import numpy as np
from jaxtyping import Float, Int

from modadd.separable import Separable

BLOCK = 2**20  # numbers in memory at once, about


def contribution(network: Separable, members: Int[np.ndarray, "members"]) -> Float[np.ndarray, "n n n"]:
    """Σ_{i in cluster} ReLU(A_i(a) + B_i(b)) W_i(c): what some neurons add to the logits, indices (a, b, c)."""
    return np.maximum(network.A[:, None, members] + network.B[:, members], 0) @ network.W[members]


def ranks(values: Float[np.ndarray, "rows n n"], first: int = 0) -> Int[np.ndarray, "rows n"]:
    """How many other answers have a value no lower than the right one's, for every input; 0 where it is the strict maximum.

    So neurons that are silent at an input, and add nothing to any answer, do not answer it. Rows are a = first, first + 1 …
    """
    a, b = np.indices(values.shape[:2])
    right = values[a, b, (first + a + b) % values.shape[2]]
    return (values >= right[:, :, None]).sum(axis=2) - 1


def blocks(network: Separable) -> Iterator[slice]:
    """Slices of the residues a, such that activations and logits of one slice's inputs are about BLOCK numbers."""
    n = network.modulus
    rows = max(1, BLOCK // (n * max(n, network.width)))
    return (slice(start, min(start + rows, n)) for start in range(0, n, rows))


def cluster_ranks(
    network: Separable, clusters: Mapping[int, Int[np.ndarray, "members"]]
) -> Int[np.ndarray, "clusters n n"]:
    """Rank of the right logit if the network had nothing but one cluster, for each of them ([C] Fig. 5a)."""
    found = np.empty((len(clusters), network.modulus, network.modulus), dtype=np.int64)
    for rows in blocks(network):
        for index, members in enumerate(clusters.values()):
            active = np.maximum(network.A[rows, None, members] + network.B[:, members], 0)
            found[index, rows] = ranks(active @ network.W[members], rows.start)
    return found


def share_right(network: Separable) -> float:
    """Share of all n² inputs whose right logit is the strict maximum, in little memory however wide the network."""
    right = 0
    for rows in blocks(network):
        active = np.maximum(network.A[rows, None] + network.B, 0)
        logits = active @ network.W + network.C[rows, None] + network.D
        a, b = np.indices(logits.shape[:2])
        answer = (a, b, (rows.start + a + b) % network.modulus)
        best = logits[answer]
        logits[answer] = -np.inf
        right += int((best > logits.max(axis=2)).sum())
    return right / network.modulus**2
