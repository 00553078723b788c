"""No measure hangs on a last bit: what other orders of sums do to the tables, a row does not feel."""

import subprocess
import sys

import pytest
from support import ROOT, variables

# Measures that count, and so may jump, by the witness in which they do: each with that on which it jumps.
_DEAD = "the purest frequency of a neuron whose weights the penalty has shrunk to 1e-30: that of their rounding"
COUNTS = {
    "launched_one_hot": {"neuron_frequency": _DEAD, "character_neurons": _DEAD, "halfway_character_neurons": _DEAD}
}
WITNESSES = (  # one of each kind
    *("c_moduli_batch", "q_activations", "q_seeds", "m_changed", "t_groups", "t_squares"),
    *("few_factored", "few_twice_factored"),
    *("launched_one_hot", "launched_one_embedding", "launched_two_embeddings"),
)

# In a process of its own, as a job measures: checks of every call take many times as long.
MEASURE = """
import sys
from pathlib import Path
import pandas as pd
from moved import move_all_tables
from modadd.core.bits import set_arithmetic
from modadd.networks.store import load_network
from modadd.populations.columns.every import row_of_any
from modadd.populations.rows import kind_of
from modadd.populations.witnesses import different
set_arithmetic()
network = load_network(Path(sys.argv[1]), kept=True)
before = row_of_any(network)
move_all_tables()
print(kind_of(network.recipe), *different(pd.Series(before), row_of_any(network)))
"""


def measured_twice(name: str) -> list[str]:
    """The kind of a witness, and the measures that differ where its tables are moved."""
    line = [sys.executable, "-c", MEASURE, f"data/populations/witnesses/{name}.safetensors"]
    paths = variables(ROOT)
    paths["PYTHONPATH"] = f"{paths['PYTHONPATH']}:{ROOT / 'tests'}"
    done = subprocess.run(line, cwd=ROOT, env=paths, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


@pytest.mark.parametrize("name", WITNESSES)
def test_a_measure_is_continuous_or_a_declared_count(name: str) -> None:
    _, *jumps = measured_twice(name)
    assert set(jumps) <= set(COUNTS.get(name, ())), (
        "a last bit decides these; make them continuous, or declare on what they jump"
    )


def test_every_kind_of_network_has_a_witness_here() -> None:
    from modadd.networks.store import load_network
    from modadd.populations.columns.every import COLUMNS
    from modadd.populations.rows import kind_of

    files = [ROOT / f"data/populations/witnesses/{name}.safetensors" for name in WITNESSES]
    assert {kind_of(load_network(file, kept=True).recipe) for file in files} == set(COLUMNS)
