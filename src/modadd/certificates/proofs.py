"""The shorter proofs of a network as numbers: the share of its inputs that they prove right, and what they save."""

from modadd.certificates.certify import Certificate
from modadd.certificates.ladder import PROOFS
from modadd.networks.registry import Form, as_separable, measure, within_memory


def proof_by_flips(network: Form) -> Certificate:
    """The certificate from the flips of the neurons, which has the exact margin of every input."""
    return PROOFS["flips"](as_separable(network))


def short_proof(network: Form) -> Certificate:
    """The certificate of the short proof, which compares every answer at every input."""
    return PROOFS["quadrature channels, short"](as_separable(network))


def coarse_proof(network: Form) -> Certificate:
    """The certificate of the short proof that compares only answers which come near."""
    return PROOFS["quadrature channels, short, coarse first"](as_separable(network))


@measure("share of inputs certified,\nflips", "share")
def certified_share_flips(network: Form) -> float:
    """Share of all inputs proven right by the exact margins from the flips of the neurons (ours)."""
    return proof_by_flips(network).share if within_memory(network) else float("nan")


@measure("share of inputs certified,\nshort proof", "share")
def certified_share_short(network: Form) -> float:
    """Share of all inputs proven right by the short proof, from few channels for each frequency (ours)."""
    return short_proof(network).share if within_memory(network) else float("nan")


@measure("share of inputs certified,\ncoarse first", "share")
def certified_share_coarse(network: Form) -> float:
    """Share of all inputs proven right by the short proof that first bounds all inputs of one a − b together (ours)."""
    return coarse_proof(network).share if within_memory(network) else float("nan")


@measure("operations, coarse first\nover short proof", "1")
def coarse_over_short(network: Form) -> float:
    """Operations of the coarse proof over those of the short proof, NaN unless it proves every input right (ours)."""
    if certified_share_coarse(network) != 1:  # or NaN
        return float("nan")
    return coarse_proof(network).operations / short_proof(network).operations


@measure("operations, flips over brute force", "1")
def flips_over_brute_operations(network: Form) -> float:
    """Operations for every exact margin from the flips of the neurons over those of brute force (ours)."""
    if not within_memory(network):
        return float("nan")
    return proof_by_flips(network).operations / PROOFS["brute force"](as_separable(network)).operations
