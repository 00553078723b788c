"""Moves the tables of every network by what other orders of sums do; import it where a measure must not feel that."""

from collections.abc import Callable

import numpy as np

from modadd.core.separable import TwoTables
from modadd.networks import store

MOVED = 1e-13  # relative: some hundred times the rounding of a float64


def moved(tables: TwoTables, generator: np.random.Generator) -> TwoTables:
    """The tables with every entry x replaced by x (1 + MOVED z), z drawn from the normal distribution."""
    drawn = {name: table * (1 + MOVED * generator.standard_normal(table.shape)) for name, table in vars(tables).items()}
    return type(tables)(**drawn)


def move_all_tables(seed: int = 0) -> Callable[[], None]:
    """From now on, let every network of this process have moved tables; returns what undoes it."""
    generator, before = np.random.default_rng(seed), store.tables_of
    store.tables_of = lambda *asked: moved(before(*asked), generator)

    def undo() -> None:
        store.tables_of = before

    return undo
