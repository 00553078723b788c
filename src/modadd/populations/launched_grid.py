"""Does [C1]'s sentence on sines hold over the grid of rates and penalties of a coauthor's launcher ([C1] Fig. 6, [L])?

data/launchers/grid.yaml says what was predicted, in these numbers, before any of the networks was trained.
"""

from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import CONFIDENCE, as_it_stands
from modadd.populations.why_few import COUNTED_FROM

LEAST_CELLS = 10  # that have to count, if anything is to be judged
RATES = (0.0025, 0.001, 0.00075, 0.0005, 0.00025, 0.0001, 0.000075, 0.00005, 0.000025, 0.00001)
PENALTIES = (
    *(0.001, 0.00075, 0.0005, 0.00025, 0.0001, 0.000075, 0.00005, 0.000025, 0.00001, 0.0000075, 0.000005, 0.0000025),
    *(0.000001, 0.00000075, 0.0000005, 0.00000025, 0.0000001, 0.000000075, 0.00000005, 0.00000001),
)


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

    grid_inputs, grid_inputs_and_outputs: the smallest share of inputs that a counted network answers right with sines. grid_few:
    the share of the counted networks with at most half of all frequencies. grid_may_fail: if all counted cells pass, the share
    of all that would count that may fail nevertheless, at 95 %.
    """
    counted = table_of_cells(rows).query("counted")
    half = np.min(rows.modulus) // 2 / 2
    found = {
        "grid_inputs": counted.sine_inputs.min(),
        "grid_inputs_and_outputs": counted.sine_inputs_and_outputs.min(),
        "grid_few": (counted.frequencies <= half).mean(),
    }
    judged = {name: as_it_stands(float(value), len(counted), LEAST_CELLS) for name, value in found.items()}
    return judged | {"grid_may_fail": 1 - (1 - CONFIDENCE) ** (1 / max(len(counted), 1))}
