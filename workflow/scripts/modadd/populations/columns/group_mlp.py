"""Columns of a network of Study T with ReLUs."""

import modadd.populations.characters
import modadd.populations.spectral_measures
import modadd.populations.theorists
import modadd.quadrature.square_waves
from modadd.networks.measures import measures_in

COLUMNS = measures_in(
    modadd.populations.spectral_measures,
    modadd.populations.characters,
    modadd.populations.theorists,
    modadd.quadrature.square_waves,
)
