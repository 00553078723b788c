"""The same bits on an aarch64, which qemu plays: networks of every recipe after a few updates, from the same initial weights.

The initial weights are drawn here. torch draws them, and is not emulated.
"""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import steps_from_weights as steps
from support import ROOT

QEMU = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
AARCH64 = os.environ.get("AARCH64")
UPDATES = 40
# An emulator takes half a minute for an update of these.
FEW, LARGE = 4, ("pizza_transformer", "two_layer_mlp")

pytestmark = [
    pytest.mark.skipif(QEMU is None, reason="needs qemu-aarch64 (Debian: qemu-user-static)"),
    pytest.mark.skipif(AARCH64 is None, reason="needs a Python of an aarch64: `bash workflow/dev/aarch64.sh FOLDER`"),
]


def updates_of(name: str) -> int:
    """How many updates of a recipe are made."""
    return FEW if name in LARGE else UPDATES


@pytest.fixture(scope="module")
def starts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The initial weights of all recipes, and the pairs of the batches that are reached."""
    arrays = {}
    for name, recipe in steps.recipes().items():
        start = steps.start_of(recipe)
        start[steps.PAIRS] = start[steps.PAIRS][: updates_of(name)]
        arrays |= {f"{name}/{key}": value for key, value in start.items()}
    file = tmp_path_factory.mktemp("starts") / "starts.npz"
    np.savez(file, **arrays)
    return file


def on_aarch64(name: str, starts: Path, folder: Path) -> list[str]:
    """The checksums of one recipe, as an aarch64 computes them."""
    root = Path(AARCH64)
    environment = {
        "PATH": os.environ["PATH"],
        "QEMU_LD_PREFIX": str(root / "root"),
        "PYTHONHOME": str(root / "root/usr"),
        "PYTHONPATH": str(root / "site"),
        "NUMBA_CACHE_DIR": str(folder),
    }
    script = str(ROOT / "tests/steps_from_weights.py")
    line = [QEMU, str(root / "python"), script, str(starts), f"{name}:{updates_of(name)}"]
    done = subprocess.run(line, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)[name]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where compiled loops are kept between recipes."""
    return tmp_path_factory.mktemp("numba")


@pytest.mark.usefixtures("arithmetic")
@pytest.mark.parametrize("name", steps.recipes())
def test_an_aarch64_trains_the_same_bits(name: str, starts: Path, compiled: Path) -> None:
    recipe = replace(steps.recipes()[name], steps=updates_of(name))
    given = np.load(starts)
    start = {key.split("/", 1)[1]: given[key] for key in given.files if key.startswith(f"{name}/")}
    assert on_aarch64(name, starts, compiled) == steps.trained(recipe, start, updates_of(name))
