"""The checksums of a few updates from weights that a file gives (`python tests/steps_from_weights.py FILE.npz RECIPE ...`).

Without torch, which is slow to start under an emulator: so the initial weights and the pairs are drawn elsewhere, by `start_of`.
"""

import ctypes
import hashlib
import json
import mmap
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PAIRS = "pairs"
# Of an aarch64: the bit of its control register of floats by which subnormals are zero, and `msr fpcr, x0; ret`, which sets it.
FLUSH = 1 << 24
SET_CONTROL = (0xD51B4400, 0xD65F03C0)


def recipes() -> dict[str, Any]:
    """All recipes by name, as they are trained in these tests: every kind of update, none for more than a few seconds."""
    from modadd.networks.recipes import BY_MODULUS, RECIPES

    return RECIPES | {f"{name} mod {min(each)}": each[min(each)] for name, each in BY_MODULUS.items()}


def start_of(recipe: Any, seed: int = 0) -> dict[str, np.ndarray]:
    """The initial weights of a recipe, as they are drawn, and the pairs of all batches."""
    from modadd.networks.initialisation import batches_of
    from modadd.networks.starts import drawn

    weights = {name: value.numpy() for name, value in drawn(recipe, seed).items()}
    return weights | {PAIRS: batches_of(recipe, seed)}


def trained(recipe: Any, start: Mapping[str, np.ndarray], updates: int) -> list[str]:
    """SHA-256 of the weights after some updates, and of the losses before each."""
    from modadd.core.groups import right_answers
    from modadd.training.network import Learner

    learner = Learner(recipe, {name: value for name, value in start.items() if name != PAIRS})
    pairs = start[PAIRS][:updates]  # no other batch is reached
    task = learner.task(pairs, right_answers(recipe.operation, recipe.modulus))
    losses = []
    for update in range(updates):
        losses.append(learner.update(task, update % len(pairs), 1))
    weights = [learner.parameter(name) for name in learner.names]
    return [digest(weights), digest(losses)]


def digest(arrays: Sequence[np.ndarray]) -> str:
    """The SHA-256 of the bytes of some arrays, one after the other."""
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


def flush_subnormals() -> None:
    """Set the flag that jobs set by torch; raises NotImplementedError for a processor that is no aarch64."""
    if platform.machine() != "aarch64":
        raise NotImplementedError("only aarch64 is asked here; elsewhere jobs set the flag by torch")
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"".join(instruction.to_bytes(4, "little") for instruction in SET_CONTROL))
    begins = ctypes.addressof(ctypes.c_char.from_buffer(code))
    ctypes.CFUNCTYPE(None, ctypes.c_uint64)(begins)(FLUSH)
    if np.float32(1e-38) * np.float32(0.1) != 0:
        raise RuntimeError("subnormal numbers are not flushed to zero")


def main(file: str, asked: Sequence[str]) -> dict[str, list[str]]:
    """The checksums of the recipes that are asked for, by name."""
    given = np.load(file)
    found = {}
    for request in asked:
        name, updates = request.rsplit(":", 1)
        recipe = replace(recipes()[name], steps=int(updates))
        start = {key.split("/", 1)[1]: given[key] for key in given.files if key.startswith(f"{name}/")}
        found[name] = trained(recipe, start, int(updates))
        print(name, file=sys.stderr, flush=True)
    return found


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    flush_subnormals()
    json.dump(main(sys.argv[1], sys.argv[2:]), sys.stdout)
