"""Columns of a network of Study T with squares."""

from modadd.populations.columns.declared import Columns

COLUMNS = Columns("modadd.populations.spectral_measures", "modadd.populations.theorists")
