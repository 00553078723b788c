"""What the transformer has besides its tables: its biases ([Q] §2), and the norm of its weights."""

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from modadd.core.separable import Separable, centred
from modadd.networks.registry import as_separable, measure
from modadd.networks.store import Network


def root_mean_square(x: Float[np.ndarray, "*s"]) -> float:
    """√ of the mean square."""
    return float(np.sqrt(np.square(x).mean()))


def biases(network: Network) -> tuple[Float[np.ndarray, "h"], Float[np.ndarray, "n"]]:
    """What the input bias adds to every preactivation, and the output bias to every logit."""
    P = {name: network.parameters[name].astype(np.float64) for name in ("b_in", "b_out", "W_U")}
    return P["b_in"], P["b_out"] @ P["W_U"]


def without_biases(network: Network) -> Separable:
    """The tables of the network with both biases taken out."""
    tables, (inward, outward) = as_separable(network), biases(network)
    return replace(tables, B=tables.B - inward, D=tables.D - outward)


@measure("output bias over logits\n(root mean squares)", "1")
def output_bias(network: Network) -> float:
    """Root mean square of the output bias over that of the logits, both less their mean over the answers ([Q] §2)."""
    _, outward = biases(network)
    return root_mean_square(centred(outward)) / root_mean_square(centred(as_separable(network).logits()))


@measure("norm of all weights", "1")
def weight_norm(network: Network) -> float:
    """Square root of the sum of squares of all parameters ([QR], reply on weight decay)."""
    return float(np.sqrt(sum(np.square(p.astype(np.float64)).sum() for p in network.parameters.values())))
