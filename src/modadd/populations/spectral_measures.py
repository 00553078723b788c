"""What the characters say of a network on an abelian group, each a number of the network.

All raise ValueError, with the reason, for a group that is not abelian. Characters go by their numbers, ±k by the lower one.
"""

import numpy as np
from jaxtyping import Float, Int

from modadd.networks.registry import measure, once
from modadd.networks.store import Network
from modadd.populations import spectra


@once
def _weights_in(network: Network) -> Float[np.ndarray, "n"]:
    """b_k² of the logits at every character."""
    return spectra.spectral_weights(*spectra.in_order(network))


@once
def purest_in(network: Network) -> tuple[Int[np.ndarray, "h"], Float[np.ndarray, "h"]]:
    """Of every neuron the frequency with most of its energy, and its share of it."""
    return spectra.purest(network)


@measure("characters of the key set", "1", "character found")
def key_set(network: Network) -> list[int]:
    """K_ε: the characters with at least half a hundredth of the squared norm of the centred logits, in order (ours, O52)."""
    return np.flatnonzero(_weights_in(network) >= spectra.KEY_WEIGHT).tolist()


@measure("spectral count", "1")
def spectral_count(network: Network) -> int:
    """N_δ: the fewest characters that hold 0.95 of what all characters together hold of the logits (ours, O52)."""
    return spectra.spectral_count(_weights_in(network))


@measure("spectral weight", "share", "character")
def spectral_weights(network: Network) -> list[float]:
    """b_k²: share of the squared norm of the centred logits along χ_±k(a + b − c), for every character ([T])."""
    return _weights_in(network).tolist()


@measure("share of pure neurons", "share")
def share_pure(network: Network) -> float:
    """Share of the neurons with at least 0.95 of their energy at one character (ours, O61)."""
    return float((purest_in(network)[1] >= 1 - spectra.IMPURE).mean())


@measure("character of the neuron", "1", "neuron")
def neuron_frequency(network: Network) -> list[int]:
    """The character with most of the energy of a neuron's centred A, B and W together ([T])."""
    return purest_in(network)[0].tolist()
