"""Measures that networks of Study Q and of Study M have alike: of a quadrature and its proofs; costly: of neurons as sines."""

MECHANISM = (
    "modadd.quadrature.measures",
    "modadd.quadrature.following",
    "modadd.quadrature.pair_measures",
    "modadd.certificates.measures",
    "modadd.attention.measures",
    "modadd.quadrature.square_waves",
)
SINES = ("modadd.crt.measures.accuracy_of_fits", "modadd.crt.random_sines")
