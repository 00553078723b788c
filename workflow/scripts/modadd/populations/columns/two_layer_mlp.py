"""Columns of a network of Study M."""

import modadd.attention.measures
import modadd.certificates.measures
import modadd.quadrature.following
import modadd.quadrature.measures
import modadd.quadrature.square_waves
import modadd.two_layer.measures
from modadd.networks.measures import measures_in

COLUMNS = measures_in(
    modadd.quadrature.measures,
    modadd.quadrature.following,
    modadd.certificates.measures,
    modadd.attention.measures,
    modadd.quadrature.square_waves,
    modadd.two_layer.measures,
)
