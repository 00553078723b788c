"""What of the preactivations depends on both numbers at once ([M]): nothing, as they are a sum."""

from modadd.core.separable import Separable
from modadd.two_layer.basis_measures import W_U_frequencies
from modadd.two_layer.readout import power, shares_of_terms, transform_2d


def shares_before_relu(network: Separable) -> dict[str, float]:
    """`shares_of_terms` of the preactivations of all neurons: linear, quadratic and rest, at the key frequencies of W_U."""
    return shares_of_terms(power(transform_2d(network.preactivations())), W_U_frequencies(network))
