"""Does [C1]'s sentence on sines hold over the grid of rates and penalties of a coauthor's launcher ([C1] Fig. 6, [L])?

data/launchers/grid.yaml says what was predicted, in these numbers, before any of the networks was trained.
"""

from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import as_it_stands
from modadd.populations.why_few import COUNTED_FROM

LEAST_CELLS = 10  # that have to count, if anything is to be judged
RATES, PENALTIES = 10, 20


def table_of_cells(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each network, from the highest rate to the lowest: its cell, and what is asked of it.

    penalty: on the squared norm, half of the decay. counted: whether it answers enough of all inputs right.
    frequencies, halfway: their number at the end and after half of the updates.
    """
    table = pd.DataFrame(
        {
            "learning_rate": rows.learning_rate,
            "penalty": rows.weight_decay / 2,
            "accuracy": rows.accuracy,
            "counted": rows.accuracy >= COUNTED_FROM,
            "sine_inputs": rows.accuracy_of_sine_inputs,
            "sine_inputs_and_outputs": rows.accuracy_of_fits,
            "frequencies": rows.key_set.map(len),
            "halfway": rows.halfway_key_set.map(len),
        }
    )
    return table.sort_values(["learning_rate", "penalty"], ascending=False, ignore_index=True)


def answers(rows: pd.DataFrame) -> dict[str, Any]:
    """The numbers that the predictions on the grid are judged by; rows of one modulus. NaN if fewer than LEAST_CELLS count.

    grid_inputs, grid_inputs_and_outputs: the fewest inputs that a counted network answers right with sines. grid_few: the share
    of the counted networks with at most half of all frequencies.
    """
    counted = table_of_cells(rows).query("counted")
    half = np.min(rows.modulus) // 2 / 2
    found = {
        "grid_inputs": counted.sine_inputs.min(),
        "grid_inputs_and_outputs": counted.sine_inputs_and_outputs.min(),
        "grid_few": (counted.frequencies <= half).mean(),
    }
    return {name: as_it_stands(float(value), len(counted), LEAST_CELLS) for name, value in found.items()}
