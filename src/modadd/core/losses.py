"""Cross-entropy of logits, in nats."""

import numpy as np
from jaxtyping import Float, Int


def cross_entropy(
    logits: Float[np.ndarray, "*inputs n"], answers: Int[np.ndarray, "*inputs"]
) -> Float[np.ndarray, "*inputs"]:
    """Cross-entropy of every input, given its right answer, in nats."""
    above = logits - logits.max(axis=-1, keepdims=True)
    own = np.take_along_axis(above, answers[..., None], axis=-1)[..., 0]
    return np.log(np.exp(above).sum(axis=-1)) - own


def losses(logits: Float[np.ndarray, "n n n"]) -> Float[np.ndarray, "n n"]:
    """Cross-entropy of each of the n² inputs (a, b), whose right answer is a + b mod n."""
    a, b = np.indices(logits.shape[:2])
    return cross_entropy(logits, (a + b) % len(logits))


def mean_loss(logits: Float[np.ndarray, "n n n"]) -> float:
    """Mean cross-entropy over all n² inputs."""
    return float(losses(logits).mean())
