"""Columns of a network of Study M."""

from modadd.populations.columns.declared import Columns
from modadd.populations.columns.mechanism import MECHANISM, SINES

COLUMNS = Columns(*MECHANISM, "modadd.two_layer.basis_measures")
COSTLY = Columns("modadd.crt.control_measures", *SINES)
