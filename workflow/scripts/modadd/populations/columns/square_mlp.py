"""Columns of a network of Study T with squares."""

import modadd.populations.spectral_measures
import modadd.populations.theorists
from modadd.networks.measures import measures_in

COLUMNS = measures_in(modadd.populations.spectral_measures, modadd.populations.theorists)
