"""Columns of a network of Study M."""

import modadd.crt.control_measures
import modadd.two_layer.measures
from modadd.networks.measures import measures_in
from modadd.populations.columns.mechanism import MECHANISM

COLUMNS = measures_in(*MECHANISM, modadd.two_layer.measures)
COSTLY = measures_in(modadd.crt.control_measures)
