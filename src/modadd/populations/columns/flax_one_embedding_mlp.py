"""Columns of a network of one hidden layer behind one shared embedding, with biases: those of one without embeddings."""

from modadd.populations.columns import flax_one_hot_mlp

COLUMNS = flax_one_hot_mlp.COLUMNS
