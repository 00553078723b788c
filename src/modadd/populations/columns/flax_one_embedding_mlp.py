"""Columns of a network of one hidden layer behind one embedding, with biases: those of one without embeddings or biases."""

from modadd.populations.columns import group_mlp

COLUMNS = group_mlp.COLUMNS
