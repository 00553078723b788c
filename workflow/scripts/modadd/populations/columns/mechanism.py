"""Modules of measures that networks of Study Q and of Study M have alike: those of a quadrature and its proofs."""

MECHANISM = (
    "modadd.quadrature.measures",
    "modadd.quadrature.following",
    "modadd.quadrature.pair_measures",
    "modadd.certificates.measures",
    "modadd.attention.measures",
    "modadd.quadrature.square_waves",
)
