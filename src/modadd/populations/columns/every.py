"""The columns of every kind of network, for what reads tables of them all."""

from typing import Any

from modadd.networks.store import Network
from modadd.populations.columns import (
    any_activation,
    embedding_mlp,
    factored_mlp,
    flax_one_embedding_mlp,
    flax_one_hot_mlp,
    flax_two_embedding_mlp,
    group_mlp,
    pizza_transformer,
    square_mlp,
    twice_factored_mlp,
    two_layer_mlp,
)
from modadd.populations.columns.declared import Columns
from modadd.populations.rows import kind_of, row_of

COLUMNS: dict[str, Columns] = {
    "any_activation": any_activation.COLUMNS,
    "embedding_mlp": embedding_mlp.COLUMNS,
    "factored_mlp": factored_mlp.COLUMNS,
    "flax_one_embedding_mlp": flax_one_embedding_mlp.COLUMNS,
    "flax_one_hot_mlp": flax_one_hot_mlp.COLUMNS,
    "flax_two_embedding_mlp": flax_two_embedding_mlp.COLUMNS,
    "group_mlp": group_mlp.COLUMNS,
    "pizza_transformer": pizza_transformer.COLUMNS,
    "square_mlp": square_mlp.COLUMNS,
    "twice_factored_mlp": twice_factored_mlp.COLUMNS,
    "two_layer_mlp": two_layer_mlp.COLUMNS,
}
COSTLY: dict[str, Columns] = {
    "embedding_mlp": embedding_mlp.COSTLY,
    "pizza_transformer": pizza_transformer.COSTLY,
    "two_layer_mlp": two_layer_mlp.COSTLY,
}


def row_of_any(network: Network) -> dict[str, Any]:
    """The row of a network of any kind, as its own measuring job writes it, without costly columns."""
    return row_of(network, COLUMNS[kind_of(network.recipe)])
