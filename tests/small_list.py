"""The checksums of a few networks, rows and figures, as a process computes them (`python tests/small_list.py`).

An emulated multiply-add takes a thousand times as long as one that is not, too long for a smoke build.
"""

import hashlib
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# One of each kind but two: qemu 7.2 ends in a segmentation fault on the row of q_seeds, and needs more than a quarter of an hour for
# that of m_rounding.
WITNESSES = ("c91_batch", "t_squares", "t_groups", "q_activations", "few_factored", "few_twice_factored")
NOTEBOOKS = {"quadrature/phases": "q_rounding", "crt/simple_neurons": "c1_moduli"}  # with kept networks
UPDATES = 40
# An emulator takes half a minute to one and a half for one update of these.
FEW, LARGE = 4, ("pizza_transformer", "two_layer_mlp")


def digest(*parts: bytes) -> str:
    """The SHA-256 of some bytes."""
    return hashlib.sha256(b"\n".join(parts)).hexdigest()


def recipes() -> dict[str, Any]:
    """All recipes by name, with the smallest modulus of those that are printed modulus by modulus."""
    from modadd.networks.recipes import BY_MODULUS, RECIPES

    return RECIPES | {f"{name} mod {min(each)}": each[min(each)] for name, each in BY_MODULUS.items()}


def trained(recipe: Any) -> str:
    """The weights of a recipe after UPDATES updates, or FEW, its losses and its snapshots."""
    from modadd.networks.snapshots import schedule
    from modadd.networks.store import read_tensors
    from modadd.training.train import train_network

    updates = FEW if recipe.architecture in LARGE else UPDATES
    recipe = replace(recipe, steps=updates)
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "checkpoint"
        train_network(recipe, 0, checkpoint, snapshots=schedule(updates, updates))
        arrays, _ = read_tensors(checkpoint)
    return digest(*(array.tobytes() for array in arrays.values()))


def witness(name: str) -> Path:
    """The file of the network that is kept beside a table."""
    return ROOT / f"data/populations/witnesses/{name}.safetensors"


def measured(name: str) -> str:
    """The row of a witness."""
    from modadd.networks.store import load_network
    from modadd.populations.columns.every import row_of_any
    from paper.notebook import plain

    row = row_of_any(load_network(witness(name), kept=True))
    return digest(json.dumps({column: plain(value) for column, value in row.items()}).encode())


def drawn(notebook: str, network: str) -> str:
    """What a notebook about one network records and draws; its lines run here, as a kernel would not be emulated."""
    from kept_networks import as_trained_today

    from paper.mock import run_lines

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as apart:
        shown = as_trained_today(witness(network), Path(apart, "network.safetensors"))
        given = {"network_file": str(shown), "figures": folder, "values_file": f"{folder}/values.json"}
        run_lines(ROOT / f"notebooks/{notebook}.py", given)
        made = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        return digest(*(path.read_bytes() for path in made))


def listed(*kinds: str) -> dict[str, str]:
    """The checksums by name, of all kinds or of those named: training, rows, notebooks."""
    kinds = kinds or ("training", "rows", "notebooks")
    found = {}
    if "training" in kinds:
        found |= {f"training {name}": trained(recipe) for name, recipe in recipes().items()}
    if "rows" in kinds:
        found |= {f"rows {name}": measured(name) for name in WITNESSES}
    if "notebooks" in kinds:
        found |= {f"notebook {name}": drawn(name, network) for name, network in NOTEBOOKS.items()}
    return found


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "workflow/scripts"), str(ROOT / "workflow")]
    from modadd.core.bits import set_arithmetic

    set_arithmetic()
    json.dump(listed(*sys.argv[1:]), sys.stdout, indent=1)
