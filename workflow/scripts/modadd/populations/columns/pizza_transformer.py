"""Columns of a network of Study Q."""

import modadd.certificates.ball
import modadd.certificates.proof_sizes
import modadd.certificates.proofs
import modadd.crt.control_measures
import modadd.handmade.measures
import modadd.handmade.native_measures
import modadd.handmade.secondary_measures
import modadd.quadrature.error_measures
import modadd.quadrature.logit_measures
import modadd.quadrature.neuron_measures
import modadd.quadrature.transformer
from modadd.networks.measures import measures_in
from modadd.populations.columns.mechanism import MECHANISM

COLUMNS = measures_in(
    *MECHANISM,
    modadd.quadrature.neuron_measures,
    modadd.quadrature.error_measures,
    modadd.quadrature.logit_measures,
    modadd.quadrature.transformer,
    modadd.handmade.measures,
    modadd.handmade.native_measures,
    modadd.handmade.secondary_measures,
    modadd.certificates.proofs,
    modadd.certificates.proof_sizes,
    modadd.certificates.ball,
)
COSTLY = measures_in(modadd.crt.control_measures)
