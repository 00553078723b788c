"""A trained pizza transformer beside the one written by hand in its own matrices ([Q] App. B.1), as numbers."""

import numpy as np

from modadd.handmade import native
from modadd.handmade.build import relative_margins
from modadd.handmade.twin_measures import relative_margin
from modadd.networks.architectures import separable_of
from modadd.networks.registry import as_separable, measure, neurons_in
from modadd.networks.store import Network

DIMENSIONS = 10  # of the stream that the planes of one frequency and of its double take


def listed_frequencies(network: Network) -> list[int]:
    """The key frequencies, the strongest ones if the stream has no room for all."""
    return neurons_in(network).strongest(network.recipe.d_model // DIMENSIONS)


@measure("relative margin by hand, in matrices,\nover that as trained", "1")
def by_hand_over_trained(network: Network) -> float:
    """Relative margin of the matrices by hand with the trained widths and angles over that as trained ([Q] App. B.1)."""
    neurons, key = neurons_in(network), listed_frequencies(network)
    if not key:
        return float("nan")
    listed = native.read_off(as_separable(network), neurons, np.isin(neurons.frequency, key))
    matrices = native.native(listed, network.recipe.d_model, network.recipe.n_heads)
    return float(relative_margins(separable_of("pizza_transformer", matrices)).min() / relative_margin(network))


@measure("smallest share of a matrix\nin the planes", "share")
def smallest_share_in_planes(network: Network) -> float:
    """Least share of a matrix's squared norm that acts on the planes of key frequencies and doubles ([Q] App. B.1)."""
    key = listed_frequencies(network)
    if not key:
        return float("nan")
    embedded = native.with_doubles(key, network.recipe.modulus)
    return float(native.cut_to_planes(network.parameters, embedded, key)[1].share.min())
