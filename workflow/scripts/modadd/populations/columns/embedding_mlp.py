"""Columns of a network of Study C; few of Study Q, because its populations are large."""

import modadd.attention.measures
import modadd.certificates.measures
import modadd.certificates.proofs
import modadd.crt.cluster_measures
import modadd.crt.components
import modadd.crt.control_measures
import modadd.crt.coset_measures
import modadd.crt.embedding_weights
import modadd.crt.measures
import modadd.crt.random_sines
import modadd.crt.waves
import modadd.quadrature.pair_measures
import modadd.quadrature.square_waves
from modadd.networks.measures import measures_in, named

OF_OTHER_STUDIES = ("certified_share_k_2k", "distance_irrelevance")
COLUMNS = measures_in(
    modadd.crt.measures,
    modadd.crt.random_sines,
    modadd.crt.cluster_measures,
    modadd.crt.coset_measures,
    modadd.crt.waves,
    modadd.crt.components,
    modadd.crt.embedding_weights,
    modadd.quadrature.square_waves,
    modadd.quadrature.pair_measures,
    modadd.certificates.proofs,
) | {name: named(name) for name in OF_OTHER_STUDIES}
COSTLY = measures_in(modadd.crt.control_measures)
