"""Measures of networks whose neurons compute any activation, each neuron at its own level and amplitude."""

from typing import Any

from modadd.networks.registry import KEY, measure, once
from modadd.networks.store import Network
from modadd.quadrature.activated import activated_measures


@once
def activated(network: Network) -> dict[str, Any]:
    """All of them, as `activated_measures` has them."""
    return activated_measures(network.tables(), network.recipe.activation)


@measure("key frequencies", "1", KEY)
def frequencies_of_both(network: Network) -> list[int]:
    """The key frequencies of A and B together, in order ([Q] §3; the limit is ours)."""
    return activated(network)["frequencies"]


@measure("neurons", "1", KEY)
def neurons_of_both(network: Network) -> list[int]:
    """How many neurons have each key frequency of A and B together ([Q] §3)."""
    return activated(network)["neurons"]


@measure("share of variance of A at 2k", "share", KEY)
def secondary_share_of_both(network: Network) -> list[float]:
    """Share of the variance of A at twice the frequency, over the neurons of each key frequency of A and B ([QR])."""
    return activated(network)["secondary_share"]


@measure("largest integral", "logits", KEY)
def largest_integral(network: Network) -> list[float]:
    """The largest |I(d)| over the differences d (ours)."""
    return activated(network)["largest_integral"]


@measure("mean of I(d) over its largest", "1", KEY)
def mean_integral(network: Network) -> list[float]:
    """The mean of I(d) over its largest: 2/π for a factor |cos|, 1/2 for cos², 1 for none (ours)."""
    return activated(network)["mean_integral"]


@measure("error of the sum\nover the largest integral", "1", KEY)
def integral_error(network: Network) -> list[float]:
    """The largest error of the sum of the even parts over the inputs, over the largest integral ([Q] §5, for any activation)."""
    return activated(network)["integral_error"]


@measure("odd part\nover the largest integral", "1", KEY)
def odd_part(network: Network) -> list[float]:
    """The largest sum of the odd parts over the inputs, over the largest integral (ours)."""
    return activated(network)["odd_part"]


@measure("error over that\nof random angles", "1", KEY)
def error_over_random(network: Network) -> list[float]:
    """Root mean square error of the sum over that of angles drawn evenly (ours)."""
    return activated(network)["error_over_random"]


@measure("level over amplitude", "1", KEY)
def level_over_amplitude(network: Network) -> list[float]:
    """Median over the neurons of |γ|/(2α), their level over the amplitude of what they receive (ours)."""
    return activated(network)["level_over_amplitude"]


@measure("R² of the integrals,\neven part", "1")
def r2_integrals(network: Network) -> float:
    """Share of the variance of the even part that the integrals explain, with nothing fitted (ours)."""
    return activated(network)["r2_integrals"]


@measure("accuracy of the even part", "share")
def accuracy_even_part(network: Network) -> float:
    """Share of the inputs answered right by the even parts of the neurons alone (ours)."""
    return activated(network)["accuracy_even_part"]


@measure("accuracy of the integrals", "share")
def accuracy_integrals(network: Network) -> float:
    """Share of the inputs answered right by the integrals alone (ours)."""
    return activated(network)["accuracy_integrals"]
