"""Columns of a network of Study Q."""

import modadd.attention.measures
import modadd.certificates.ball
import modadd.certificates.measures
import modadd.certificates.proof_sizes
import modadd.certificates.proofs
import modadd.handmade.measures
import modadd.quadrature.error_measures
import modadd.quadrature.following
import modadd.quadrature.logit_measures
import modadd.quadrature.measures
import modadd.quadrature.neuron_measures
import modadd.quadrature.square_waves
import modadd.quadrature.transformer
from modadd.networks.measures import measures_in

COLUMNS = measures_in(
    modadd.quadrature.measures,
    modadd.quadrature.following,
    modadd.certificates.measures,
    modadd.attention.measures,
    modadd.quadrature.square_waves,
    modadd.quadrature.neuron_measures,
    modadd.quadrature.error_measures,
    modadd.quadrature.logit_measures,
    modadd.quadrature.transformer,
    modadd.handmade.measures,
    modadd.certificates.proofs,
    modadd.certificates.proof_sizes,
    modadd.certificates.ball,
)
