"""Columns of a network of two tables whose neurons compute something else than its architecture says.

These are the measures that do not need ReLUs: they ask only for tables and logits.
"""

from modadd.populations.columns.declared import Columns

COLUMNS = Columns(
    "modadd.quadrature.activated_measures.frequencies_of_both",
    "modadd.quadrature.activated_measures.neurons_of_both",
    "modadd.quadrature.activated_measures.secondary_share_of_both",
    "modadd.quadrature.scheme_measures.share_one_frequency",
    "modadd.quadrature.scheme_measures.smallest_share_preactivation",
    "modadd.quadrature.scheme_measures.median_share_preactivation",
    "modadd.quadrature.scheme_measures.median_share_preactivation_second",
    "modadd.quadrature.scheme_measures.smallest_share_neuron_logit",
    "modadd.quadrature.scheme_measures.median_share_neuron_logit",
    "modadd.quadrature.scheme_measures.r2_full_pizza",
    "modadd.quadrature.scheme_measures.r2_full_clock",
    "modadd.quadrature.torus_measures.coherence",
    "modadd.quadrature.torus_measures.rms_two_phases",
    "modadd.quadrature.torus_measures.rms_one_phase",
    "modadd.quadrature.activated_measures",
    "modadd.attention.pizza_measures",
    renamed={  # all numbers of a key frequency are of A and B together here
        "frequencies_of_both": "frequencies",
        "neurons_of_both": "neurons",
        "secondary_share_of_both": "secondary_share",
    },
)
