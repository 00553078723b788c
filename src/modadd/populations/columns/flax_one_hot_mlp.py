"""Columns of a network of one hidden layer that reads both numbers one-hot, with biases: as without them, two of Study C, and sines."""

from modadd.populations.columns import group_mlp
from modadd.populations.columns.declared import Columns

COLUMNS = Columns(
    *group_mlp.COLUMNS.measures,
    "modadd.crt.simple_neuron_measures.accuracy_of_fits",
    "modadd.crt.simple_neuron_measures.mean_margin",
    "modadd.crt.sine_inputs",
)
