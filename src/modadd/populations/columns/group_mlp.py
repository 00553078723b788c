"""Columns of a network of Study T with ReLUs."""

from modadd.populations.columns.declared import Columns

COLUMNS = Columns(
    "modadd.populations.spectral_measures",
    "modadd.populations.characters",
    "modadd.populations.theorists",
    "modadd.quadrature.square_waves",
)
