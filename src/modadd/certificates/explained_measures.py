"""What the certificates around the explained network prove about all inputs, each as a number of the network."""

from modadd.certificates.certify import Certificate
from modadd.certificates.ladder import PROOFS
from modadd.networks.registry import Form, as_separable, measure


def by_k_and_2k(network: Form) -> Certificate:
    """The certificate from each neuron's own frequency and its double, the identity part bypassing the ReLU."""
    return PROOFS["k and 2k: direct sums"](as_separable(network))


@measure("share of inputs certified,\nk alone", "share")
def certified_share_k(network: Form) -> float:
    """Share of all inputs proven right from the constant and the own frequency of every neuron (ours)."""
    return PROOFS["k: direct sums"](as_separable(network)).share


@measure("share of inputs certified,\nk and 2k", "share")
def certified_share_k_2k(network: Form) -> float:
    """Share of all inputs proven right from the constant, the own frequency and its double (ours)."""
    return by_k_and_2k(network).share


@measure("share of inputs certified,\nthe same, identity kept", "share")
def certified_share_identity_kept(network: Form) -> float:
    """Share of all inputs proven right from k and 2k in order p²h, with A W/2 and B W/2 kept exactly (ours)."""
    return PROOFS["k and 2k, identity part kept: factors"](as_separable(network)).share


@measure("smallest explained margin,\nk and 2k", "logits")
def smallest_explained_margin(network: Form) -> float:
    """Right logit less the best wrong one of the explained network of k and 2k, the least over all inputs (ours)."""
    return by_k_and_2k(network).explained_margin.min()


@measure("smallest certified margin,\nk and 2k", "logits")
def smallest_certified_margin(network: Form) -> float:
    """The margin that is proven from k and 2k, the least over all inputs; below 0 where none is (ours)."""
    return by_k_and_2k(network).margin.min()
