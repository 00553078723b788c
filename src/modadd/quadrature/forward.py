"""The transformer operation by operation, beside the sum over its neurons that [Q] §2 writes for it."""

import numpy as np
from jaxtyping import Float

from modadd.networks.store import Network


def forward_logits(network: Network) -> Float[np.ndarray, "n n n"]:
    """The logits of every input by the transformer's forward pass in float64: attention ½, ½ at the last position, no LayerNorm."""
    P = {name: np.asarray(value, float) for name, value in network.parameters.items()}
    at_a, at_b = (P["W_E"] + position for position in P["W_pos"])
    mean = (at_a[:, None] + at_b) / 2
    stream = at_b + sum(mean @ V @ O for V, O in zip(P["W_V"], P["W_O"], strict=True))
    hidden = np.maximum(stream @ P["W_in"] + P["b_in"], 0)
    return (stream + hidden @ P["W_out"] + P["b_out"]) @ P["W_U"]


def largest_difference(found: Float[np.ndarray, "*s"], logits: Float[np.ndarray, "*s"]) -> float:
    """The largest difference of two tables of logits, over the largest of the second by size."""
    return np.abs(found - logits).max() / np.abs(logits).max()
