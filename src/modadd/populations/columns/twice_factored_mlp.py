"""Columns of a network of one hidden layer behind embeddings and linear layers: those of one without embeddings."""

from modadd.populations.columns import group_mlp

COLUMNS = group_mlp.COLUMNS
