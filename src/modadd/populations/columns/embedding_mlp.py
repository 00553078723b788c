"""Columns of a network of Study C; few of Study Q, because its populations are large."""

from modadd.populations.columns.declared import Columns

COLUMNS = Columns(
    "modadd.crt.simple_neuron_measures",
    "modadd.crt.random_sines",
    "modadd.crt.cluster_measures",
    "modadd.crt.coset_measures",
    "modadd.crt.waves",
    "modadd.crt.following",
    "modadd.crt.components",
    "modadd.crt.embedding_weights",
    "modadd.quadrature.square_waves",
    "modadd.quadrature.torus_measures",
    "modadd.certificates.proofs",
    # two of other studies
    "modadd.certificates.explained_measures.certified_share_k_2k",
    "modadd.attention.pizza_measures.distance_irrelevance",
)
COSTLY = Columns("modadd.crt.control_measures")
