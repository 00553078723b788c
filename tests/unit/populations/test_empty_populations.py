"""Notebooks on populations in which no network has learned the task, or hardly any: they say so, and do not stop."""

import json

import pandas as pd
import pytest
from simple_networks import initial
from support import ROOT, execute_notebooks

from modadd.core.parquet import write_table
from modadd.networks.store import save_networks
from modadd.populations.columns.every import row_of_any
from paper.notebook_files import notebook_parameters

CASES = [(name, passing) for name in ("cluster_scaling", "recipe_sensitivity") for passing in (0, 1)]


@pytest.fixture(scope="module")
def folders(small, tmp_path_factory):
    """For each case what its notebook makes of the embedding MLP mod 13 at its initial parameters and of three rows of it."""
    network, folders, calls = initial(small["embedding_mlp"], train_loss=2.0, held_out_loss=2.5), {}, []
    row = row_of_any(network)
    for name, passing in CASES:
        folder = folders[name, passing] = tmp_path_factory.mktemp(name)
        save_networks([network], folder / "network")
        rows = [row | {"seed": seed, "accuracy": 1.0 if seed < passing else 0.5} for seed in range(3)]
        tables = {"batch": rows, "full": [row | {"batch_size": 0} for row in rows], "sensitivity": rows[1:]}
        tables["slower"] = [row | {"learning_rate": row["learning_rate"] / 10} for row in rows]
        for kind, table in tables.items():
            write_table(table, folder / kind)
        source = ROOT / f"notebooks/crt/{name}.py"
        datasets = {p: [folder / p.rpartition("_")[2]] for p in notebook_parameters(source)["datasets"]}
        datasets["c_moduli_batch"] = [folder / "slower"]  # each row is in one dataset of a notebook
        handed = {"network_file": folder / "network", "datasets": datasets}
        handed |= {"figures": folder / "figures", "values_file": folder / "values.json"}
        calls.append((source, folder / "executed.ipynb", handed))
    execute_notebooks(calls)
    return folders


@pytest.mark.parametrize(("name", "passing"), CASES)
def test_notebook_says_that_no_network_or_one_passes(folders, name, passing):
    folder = folders[name, passing]
    recorded = json.loads((folder / "values.json").read_text())
    assert recorded["network"]["accuracy"] == 0.5
    weights = {key: value for key, value in recorded["values"].items() if "_weight_" in key}
    assert bool(weights) == (name == "cluster_scaling") and all(of["value"] is None for of in weights.values())
    executed = json.loads((folder / "executed.ipynb").read_text(encoding="utf-8"))
    outputs = [output for cell in executed["cells"] for output in cell.get("outputs", [])]
    said = ["".join(output.get("data", {}).get("text/markdown", "")) for output in outputs]
    assert any("are dropped, because" in sentence for sentence in said)
    for figure in folder.glob("figures/*.csv"):
        may_be_empty = any(word in figure.name for word in ("acceptance", "laws", "fig_3"))  # of networks that pass
        assert may_be_empty or not pd.read_csv(figure).empty
