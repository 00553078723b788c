"""How much of the true margin the short proof keeps, and what the cheapest proof of every answer costs."""

from modadd.certificates.ladder import CHEAPER, PROOFS
from modadd.certificates.proofs import short_proof
from modadd.core.separable import margins
from modadd.networks.registry import Form, as_separable, measure


@measure("smallest margin, short proof\nover true", "1")
def short_margin_over_true(network: Form) -> float:
    """Smallest margin that the short proof certifies over the smallest true one; NaN if that is not above 0 (ours)."""
    true = margins(as_separable(network).logits()).min()
    return short_proof(network).margin.min() / true if true > 0 else float("nan")


@measure("operations of the cheapest complete\nproof over p·d_mlp", "1")
def proof_operations_per_parameter(network: Form) -> float:
    """Operations over p·d_mlp of the cheapest certificate of every input, infinite if there is none ([Q] App. B.1)."""
    tables = as_separable(network)
    proofs = [PROOFS[name](tables) for name in CHEAPER]
    operations = min((proof.operations for proof in proofs if proof.share == 1), default=float("inf"))
    return operations / (tables.modulus * tables.width)
