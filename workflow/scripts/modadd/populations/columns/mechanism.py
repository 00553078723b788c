"""Modules of measures that networks of Study Q and of Study M have alike: those of a quadrature and its proofs."""

import modadd.attention.measures
import modadd.certificates.measures
import modadd.quadrature.following
import modadd.quadrature.measures
import modadd.quadrature.pair_measures
import modadd.quadrature.square_waves

MECHANISM = (
    modadd.quadrature.measures,
    modadd.quadrature.following,
    modadd.quadrature.pair_measures,
    modadd.certificates.measures,
    modadd.attention.measures,
    modadd.quadrature.square_waves,
)
