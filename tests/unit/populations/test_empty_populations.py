"""Notebooks on populations in which no network has learned the task, or hardly any: they say so, and do not stop."""

import json
import subprocess
import sys

import pandas as pd
import pytest
from support import ROOT, variables

from modadd.core.parquet import write_table
from modadd.networks.initialisation import INITIALISATIONS
from modadd.networks.store import Network, save_networks
from modadd.populations.rows import row_of
from modadd.run.settings import notebook_parameters

# In a process of its own, as a job does: there no call is checked, and a column of a table passes for an array.
EXECUTE = """
import json, sys
from pathlib import Path
from modadd.page.notebooks import execute
execute(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3]))
"""


@pytest.fixture
def untrained_mlp(small):
    """The embedding MLP mod 13 at its initial parameters, said to answer half of the inputs right."""
    recipe = small["embedding_mlp"]
    parameters = {name: value.numpy() for name, value in INITIALISATIONS["embedding_mlp"](recipe, 0).items()}
    return Network(recipe, 0, parameters, {"accuracy": 0.5, "train_loss": 2.0, "held_out_loss": 2.5})


@pytest.mark.parametrize("passing", [0, 1])
@pytest.mark.parametrize("name", ["cluster_scaling", "recipe_sensitivity"])
def test_notebook_says_that_no_network_or_one_passes(name, passing, untrained_mlp, tmp_path, in_root):
    save_networks([untrained_mlp], tmp_path / "network")
    row = row_of(untrained_mlp)
    rows = [row | {"seed": seed, "accuracy": 1.0 if seed < passing else 0.5} for seed in range(3)]
    tables = {"batch": rows, "full": [row | {"batch_size": 0} for row in rows], "sensitivity": rows[1:]}
    for kind, table in tables.items():
        write_table(table, tmp_path / kind)
    source = ROOT / f"notebooks/crt/{name}.py"
    handed = {
        "network_file": str(tmp_path / "network"),
        "datasets": {p: [str(tmp_path / p.rpartition("_")[2])] for p in notebook_parameters(source)["datasets"]},
        "figures": str(tmp_path / "figures"),
        "values_file": str(tmp_path / "values.json"),
    }
    call = [sys.executable, "-c", EXECUTE, source, tmp_path / "executed.ipynb", json.dumps(handed)]
    subprocess.run(call, env=variables(ROOT), check=True)
    recorded = json.loads((tmp_path / "values.json").read_text())
    assert recorded["network"]["accuracy"] == 0.5
    assert all(value is None for key, value in recorded["values"].items() if "evidence" in key)
    executed = json.loads((tmp_path / "executed.ipynb").read_text(encoding="utf-8"))
    printed = executed["cells"][-1]["outputs"][0]["data"]["text/markdown"]
    assert f"{'dropped' if name == 'cluster_scaling' else 'pass'}" in "".join(printed)
    for figure in tmp_path.glob("figures/*.csv"):
        assert not pd.read_csv(figure).empty or "acceptance" in figure.name or "laws" in figure.name
