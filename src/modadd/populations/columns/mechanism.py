"""Measures that networks of Study Q and of Study M have alike: of a quadrature and its proofs; costly: of neurons as sines."""

MECHANISM = (
    "modadd.quadrature.scheme_measures",
    "modadd.quadrature.following",
    "modadd.quadrature.torus_measures",
    "modadd.certificates.explained_measures",
    "modadd.attention.pizza_measures",
    "modadd.quadrature.square_waves",
)
SINES = ("modadd.crt.simple_neuron_measures.accuracy_of_fits", "modadd.crt.random_sines")
