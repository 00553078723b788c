"""Columns of a network of Study Q."""

from modadd.populations.columns.declared import Columns
from modadd.populations.columns.mechanism import MECHANISM, SINES

COLUMNS = Columns(
    *MECHANISM,
    "modadd.quadrature.neuron_measures",
    "modadd.quadrature.error_measures",
    "modadd.quadrature.logit_measures",
    "modadd.quadrature.transformer",
    "modadd.handmade.twin_measures",
    "modadd.handmade.native_measures",
    "modadd.handmade.secondary_measures",
    "modadd.certificates.proofs",
    "modadd.certificates.proof_sizes",
    "modadd.certificates.ball",
)
COSTLY = Columns("modadd.crt.control_measures", *SINES)
