"""The measures by which Zhong et al. tell a pizza from a clock, for any network that embeds two tokens ([Z] §4)."""

import random
from functools import cache

import numpy as np
from jaxtyping import Float, Int

from modadd.core.fourier import share_of_variance, variance_by_frequency
from modadd.networks.architectures import Embedded
from modadd.networks.registry import as_embedded, logits_in, measure
from modadd.networks.store import Network

TRIPLES, TRIPLES_SEED = 100, 42  # gradient symmetricity is a mean over these ([Z]'s released evaluation)
COMPONENTS = 4  # circularity is a mean over these ([Z])
_ROUNDING = np.finfo(float).eps
CLOCK_FROM = 0.51  # of distance irrelevance: halfway between [Z]'s Model A, a pizza, and Model B, a clock
NOISE_SHARE = 0.01  # of the variance of an embedding: a frequency with less is noise


@measure("distance irrelevance [Z]", "1")
def distance_irrelevance(network: Network | Embedded) -> float:
    """How little the right logit depends on a − b: 0 for a pizza, 1 where it depends on a + b alone ([Z] §4)."""
    return irrelevance_of_distance(network.logits() if isinstance(network, Embedded) else logits_in(network))


@measure("gradient symmetricity [Z]", "1")
def gradient_symmetricity(network: Network | Embedded) -> float:
    """Mean cosine between ∂Q_abc/∂E_a and ∂Q_abc/∂E_b over the chosen triples; 0 for a vanishing gradient ([Z] §4)."""
    return float(np.mean(cosines_of_gradients(as_embedded(network))))


@measure("circularity [Z]", "1")
def circularity(network: Network | Embedded) -> float:
    """How much the first four principal components of the embedding lie at one frequency each, 1 for circles ([Z] §4).

    Of two embeddings it is that of the concatenated one.
    """
    return circularity_of(as_embedded(network).concatenated())


def irrelevance_of_distance(logits: Float[np.ndarray, "n n n"]) -> float:
    """mean_d std_s L[s, d] / std L of the right logits L[s, d] at a + b = s, a − b = d.

    0 if they depend on a − b alone (a pizza), 1 if on a + b alone; NaN if all are equal but for rounding. Of an even n,
    s takes only the values that occur with d.
    """
    b = np.arange(len(logits))
    d = b[:, None]
    a = (b + d) % len(logits)
    right = logits[a, b, (a + b) % len(logits)]  # rows d; along a row s = 2b + d runs over all that occur
    varies = right.std() > _ROUNDING * len(logits) * np.abs(right).max()
    return float(right.std(axis=1).mean() / right.std()) if varies else np.nan


def largest_wrong(logits: Float[np.ndarray, "n n n"]) -> Float[np.ndarray, "n n n"]:
    """The largest logit of a wrong answer of every input, in the place of the right one; 0 elsewhere."""
    a, b = np.indices(logits.shape[:2])
    right = (a + b) % len(logits)
    others = logits.copy()
    others[a, b, right] = -np.inf
    moved = np.zeros_like(logits)
    moved[a, b, right] = others.max(-1)
    return moved


@cache  # n³ draws of Python's generator: longer than all else here
def chosen_triples(n: int) -> Int[np.ndarray, "3 triples"]:
    """(a, b, c): the first 100 of all n³, in lexicographic order, shuffled by Python's generator from 42."""
    order = list(range(n**3))
    random.Random(TRIPLES_SEED).shuffle(order)
    return np.stack(np.unravel_index(order[:TRIPLES], (n, n, n)))


def gradients(
    network: Embedded, triples: Int[np.ndarray, "3 triples"]
) -> tuple[Float[np.ndarray, "triples d"], Float[np.ndarray, "triples d"]]:
    """∂Q_abc/∂E_a and ∂Q_abc/∂E_b of the logit Q_abc of answer c at input (a, b), before position, for every triple."""
    import torch

    a, b, c = triples
    rows = [torch.from_numpy(E).requires_grad_() for E in (network.E_a[a], network.E_b[b])]
    Q = network.forward(*rows)[torch.arange(len(c)), torch.from_numpy(c)]
    at_a, at_b = torch.autograd.grad(Q.sum(), rows)
    return at_a.numpy(), at_b.numpy()


def cosines_of_gradients(network: Embedded) -> Float[np.ndarray, "triples"]:
    """Cosine between ∂Q_abc/∂E_a and ∂Q_abc/∂E_b for each of the chosen triples; 0 for a vanishing gradient."""
    at_a, at_b = gradients(network, chosen_triples(network.modulus))
    norms = np.linalg.norm(at_a, axis=1) * np.linalg.norm(at_b, axis=1)
    return (at_a * at_b).sum(axis=1) / np.where(norms > 0, norms, 1)


def principal_components(embedding: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n components"]:
    """Scores of the tokens on the principal components above rounding, strongest first, in the embedding's units."""
    U, S, _ = np.linalg.svd(embedding - embedding.mean(axis=0), full_matrices=False)
    return (U * S)[:, S > _ROUNDING * max(embedding.shape) * np.linalg.norm(embedding)]


def circularity_of(embedding: Float[np.ndarray, "n d"]) -> float:
    """Mean over the first four principal components of the share of variance at one frequency, its largest.

    That is ¼ Σ_l max_k 2/(n Σv²) |Σ_j v_lj e^{2πijk/n}|², with 1 in place of 2 for k = n/2. 1 for tokens on circles; fewer
    components where the embedding has no four, NaN where it has none.
    """
    v = principal_components(embedding)[:, :COMPONENTS]
    return float(share_of_variance(v, variance_by_frequency(v).argmax(axis=0)).mean()) if v.size else np.nan


def embedding_frequencies(embedding: Float[np.ndarray, "n d"]) -> list[int]:
    """Frequencies that carry more than NOISE_SHARE of the embedding's variance, strongest first."""
    variance = variance_by_frequency(principal_components(embedding)).sum(axis=1)
    order = np.argsort(-variance, kind="stable")
    return order[variance[order] > NOISE_SHARE * variance.sum()].tolist()
