"""Columns of a network of two tables whose neurons compute something else than its architecture says.

These are the measures that do not need ReLUs.
"""

import modadd.attention.measures
import modadd.quadrature.activated_measures
import modadd.quadrature.measures
import modadd.quadrature.pair_measures  # noqa: F401 - these two register those of WITHOUT_RELUS
from modadd.networks.measures import measures_in, named

OF_BOTH = ("frequencies", "neurons", "secondary_share")  # of A and B together, as all numbers of a key frequency here
WITHOUT_RELUS = (  # they ask only for tables and logits
    "share_one_frequency",
    "smallest_share_preactivation",
    "median_share_preactivation",
    "median_share_preactivation_second",
    "smallest_share_neuron_logit",
    "median_share_neuron_logit",
    "r2_full_pizza",
    "r2_full_clock",
    "coherence",
    "rms_two_phases",
    "rms_one_phase",
)
ACTIVATED = measures_in(modadd.quadrature.activated_measures, modadd.attention.measures)
COLUMNS = {
    **{name: named(f"{name}_of_both") for name in OF_BOTH},
    **{name: named(name) for name in WITHOUT_RELUS},
    **{name: measure for name, measure in ACTIVATED.items() if not name.endswith("_of_both")},
}
