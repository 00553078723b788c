"""Networks on an abelian group by its characters: spectral weights of the logits, key sets, pure neurons.

A frequency is a pair of characters ±k; on Z_n it is k = 0 … ⌊n/2⌋, on a product of cyclic groups the number of k.
"""

import numpy as np
from jaxtyping import Bool, Float, Int

from modadd.core.groups import as_addition, cyclic_factors
from modadd.core.separable import centred
from modadd.networks.architectures import tables_of
from modadd.networks.store import Network

KEY_WEIGHT, REST, IMPURE = 0.005, 0.05, 0.05  # K_ε, N_δ and purity 1 − δ, as the open problems O52 and O61 state them


def in_order(network: Network) -> tuple[Float[np.ndarray, "n n n"], tuple[int, ...]]:
    """The logits with elements in the order of the characters, and the orders of the cyclic factors."""
    recipe, logits = network.recipe, network.logits()
    first, second, answers = _order(recipe.operation, recipe.modulus)
    return logits[first][:, second][:, :, answers], cyclic_factors(recipe.operation, recipe.modulus)


def _order(operation: str, n: int) -> tuple[Int[np.ndarray, "n"], Int[np.ndarray, "n"], Int[np.ndarray, "n"]]:
    several = len(cyclic_factors(operation, n)) > 1
    return (np.arange(n),) * 3 if several else as_addition(operation, n)


def spectral_weights(logits: Float[np.ndarray, "n n n"], orders: tuple[int, ...]) -> Float[np.ndarray, "n"]:
    """b_k²: share of the squared norm of the centred logits along χ_±k(a + b − c), at the lower number of ±k.

    Entry 0 is zero, and so are the upper numbers; of logits that do not vary all are.
    """
    n, target = len(logits), centred(logits)
    lines = np.fft.fftn(target.reshape(orders * 3)).reshape(n, n, n)
    k, minus = np.arange(n), _negative(orders)
    energy = np.abs(lines[k, k, minus]) ** 2
    return _folded(energy, minus) / max((np.abs(lines) ** 2).sum(), np.finfo(float).tiny)


def spectral_count(weights: Float[np.ndarray, "n"], rest: float = REST) -> int:
    """N_δ: the fewest frequencies that hold 1 − δ of what all frequencies together hold."""
    held = np.cumsum(np.sort(weights)[::-1])
    return int(np.searchsorted(held, (1 - rest) * held[-1]) + 1) if held[-1] else 0


def ordered_tables(network: Network) -> list[Float[np.ndarray, "n h"]]:
    """A, B and the transpose of W with elements in the order of the characters."""
    recipe = network.recipe
    tables = tables_of(recipe.architecture, network.parameters)
    first, second, answers = _order(recipe.operation, recipe.modulus)
    return [tables.A[first], tables.B[second], tables.W.T[answers]]


def purest(network: Network) -> tuple[Int[np.ndarray, "h"], Float[np.ndarray, "h"]]:
    """Of every neuron the frequency with most of the energy of its centred A, B and W together, and its share of it.

    A neuron that has died, whose weights are some 1e-30, has the frequency of what is left of them.
    """
    recipe = network.recipe
    orders = cyclic_factors(recipe.operation, recipe.modulus)
    minus, n = _negative(orders), recipe.modulus
    energy = 0
    for table in ordered_tables(network):
        lines = np.fft.fftn((table - table.mean(axis=0)).reshape(*orders, -1), axes=range(len(orders)))
        energy = energy + _folded(np.abs(lines.reshape(n, -1)) ** 2, minus)
    total = energy.sum(axis=0)
    return energy.argmax(axis=0), energy.max(axis=0) / np.where(total > 0, total, 1)


def _negative(orders: tuple[int, ...]) -> Int[np.ndarray, "n"]:
    """The number of −k for every number k."""
    parts = np.unravel_index(np.arange(np.prod(orders)), orders)
    return np.ravel_multi_index(tuple(-part % order for part, order in zip(parts, orders, strict=True)), orders)


def _folded(energy: Float[np.ndarray, "n *rest"], minus: Int[np.ndarray, "n"]) -> Float[np.ndarray, "n *rest"]:
    """Energy of k and −k together at the lower of both numbers, none at the upper one and at 0."""
    k = np.arange(len(minus))
    lower: Bool[np.ndarray, "n"] = (k <= minus) & (k > 0)
    both = energy + np.where(_column(minus != k, energy), energy[minus], 0)
    return np.where(_column(lower, energy), both, 0)


def _column(holds: Bool[np.ndarray, "n"], like: Float[np.ndarray, "n *rest"]) -> np.ndarray:
    return holds.reshape(-1, *(1,) * (like.ndim - 1))
