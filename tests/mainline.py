"""The notebooks about the mainline of Study Q, executed on a retraining of it whose weights are kept."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
from kept_networks import as_trained_today
from support import LEDGER, ROOT, execute_notebooks

from modadd.core.parquet import write_table
from paper.ledger.read.claims import IDENTITY
from paper.notebook_files import notebook_file, notebook_parameters

RETRAINED = ROOT / "data/populations/q_rounding.parquet"
MEASURED = {*pd.read_parquet(RETRAINED)}
# Identities check mathematics.
ON_MAINLINE = [
    claim
    for claim in LEDGER["claims"]
    if LEDGER["notebooks"][claim["notebook"]]["inputs"]["retrainings"] == ["q_rounding"] and claim["kind"] != IDENTITY
]
# Those that execute in seconds: a notebook with claims of its own measures searches, or trains by hand.
OTHERS = {claim["notebook"] for claim in ON_MAINLINE if claim["value"] not in MEASURED}
CLAIMS = [claim for claim in ON_MAINLINE if claim["notebook"] not in OTHERS]
NOTEBOOKS = list(dict.fromkeys(claim["notebook"] for claim in CLAIMS))
KEPT = ROOT / "data/populations/witnesses/q_rounding.safetensors"  # a retraining in full

MOVE = """
# %%
import sys
sys.path.insert(0, {tests!r})
from moved import move_all_tables
move_all_tables()
"""


def record_on_mainline(folder: Path, moved: bool = False) -> dict[str, Any]:
    """What each of NOTEBOOKS records, by name; `moved`: of tables moved as other orders of sums do."""
    losses = pd.DataFrame({"step": [0, 10_000], "train_loss": [4.1, 1e-7], "held_out_loss": [4.1, 1e-7]})
    write_table(losses, folder / "losses")
    trained = as_trained_today(KEPT, folder / "trained.safetensors")
    calls = []
    for name in NOTEBOOKS:
        source = ROOT / notebook_file(name)
        offered = {"network_file": trained, "losses_file": folder / "losses", "published": {}}
        offered |= {"figures": folder / name, "values_file": folder / f"{name}.json"}
        declared = notebook_parameters(source)
        handed = {key: value for key, value in offered.items() if key in declared}
        if moved:
            source = with_moved_tables(source, folder / f"{name}.py")
        calls.append((source, folder / f"{name}.ipynb", handed | LEDGER["notebooks"][name].get("less", {})))
    execute_notebooks(calls)
    return {name: json.loads((folder / f"{name}.json").read_text()) for name in NOTEBOOKS}


def with_moved_tables(source: Path, copy: Path) -> Path:
    """A copy of a notebook that moves all tables before its first line of code."""
    text, first = source.read_text(encoding="utf-8"), "\n# %%\n"
    copy.write_text(text.replace(first, MOVE.format(tests=str(ROOT / "tests")) + first, 1), encoding="utf-8")
    return copy
