"""Snapshots of a run: the tables of a network after chosen updates, rounded in the Fourier basis and packed."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int, Shaped

from modadd.core.basis import basis
from modadd.core.separable import Separable
from modadd.networks.recipes import Recipe
from modadd.networks.store import NetworkError, read_tensors, require_own_bits, write_tensors

TABLES = ("A", "B", "W", "C", "D")
BY_COLUMNS = ("A", "B")  # their first axis is the residue; that of the others is the last
LEVELS = 256  # steps of rounding in the root mean square of a table: its relative error is 1/(LEVELS √12), about 0.1 %
LARGEST = 2**15 - 1
_LEVEL = 4  # of packing: half the time of level 6, and 3 % more bytes


def schedule(updates: int, count: int) -> list[int]:
    """`count` numbers of updates from 0 to all, dense early: they grow as a cube. All where there are no more."""
    steps: list[int] = []
    for i in range(min(count, updates + 1)):
        cube = round(updates * (i / (min(count, updates + 1) - 1)) ** 3)
        steps.append(max(cube, steps[-1] + 1 if steps else 0))
    return steps


class Snapshots:
    """The snapshots that a run of k networks has kept so far, and the steps that are wanted of it."""

    def __init__(self, wanted: Sequence[int]) -> None:
        self.wanted = sorted(wanted)
        self._kept: dict[str, list[np.ndarray]] = {}

    def due(self, step: int) -> bool:
        """Whether the next snapshot is that of this step."""
        kept = len(self._kept.get("norms", ()))
        return kept < len(self.wanted) and self.wanted[kept] == step

    def after(self, step: int) -> list[int]:
        """The first step behind this one of which a snapshot is wanted, if there is any."""
        return [wanted for wanted in self.wanted if wanted > step][:1]

    def keep(self, tables: Sequence[Float[np.ndarray, "k _ _"] | None], norms: Float[np.ndarray, "k"]) -> None:
        """Round and keep A, B, W, C, D, of which some may be lacking, and the norm of all native weights."""
        given = dict(zip(TABLES, tables, strict=True))
        if np.array_equal(given["A"], given["B"]):
            given["B"] = None
        for name, table in given.items():
            if table is not None:
                values, unit = _rounded(table if name in BY_COLUMNS else table.swapaxes(1, 2))
                self._kept.setdefault(name, []).append(values)
                self._kept.setdefault(f"unit.{name}", []).append(unit)
        self._kept.setdefault("norms", []).append(norms)

    def arrays(self) -> dict[str, np.ndarray]:
        """What a checkpoint holds of them; nothing if nothing is kept."""
        return {f"snapshot.{name}": np.stack(values) for name, values in self._kept.items()}

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take over those of a checkpoint."""
        prefix = "snapshot."
        self._kept = {name.removeprefix(prefix): [*arrays[name]] for name in arrays if name.startswith(prefix)}


def _rounded(
    table: Float[np.ndarray, "k n m"],
) -> tuple[Int[np.ndarray, "k n m"], Float[np.ndarray, "k"]]:
    """Coefficients along the residues as whole numbers of a unit, and the unit of each network."""
    coefficients = np.matmul(basis(table.shape[1]), table.astype(np.float64))
    spread, top = np.sqrt((coefficients**2).mean((1, 2))), np.abs(coefficients).max((1, 2))
    unit = np.maximum(np.maximum(spread / LEVELS, top / LARGEST), np.finfo(np.float32).tiny)
    return np.rint(coefficients / unit[:, None, None]).astype(np.int16), unit


@dataclass(frozen=True)
class History:
    """The snapshots of one network: after `steps` updates it had these tables, and weights of these norms (ℓ²)."""

    recipe: Recipe
    seed: int
    origin: Mapping[str, str]
    steps: Int[np.ndarray, "s"]
    norms: Float[np.ndarray, "s"]
    rounded: Mapping[str, tuple[Int[np.ndarray, "s n m"], Float[np.ndarray, "s"]]]

    def separable(self, index: int) -> Separable:
        """The network at one of its steps, accurate to about 0.1 % of each table's root mean square."""
        n = self.recipe.modulus
        tables = {name: self._table(name, index) for name in self.rounded}
        lacking = {"B": tables["A"], "C": np.zeros((n, n)), "D": np.zeros((n, n))}
        A, B, W, C, D = ((lacking | tables)[name] for name in TABLES)
        return Separable(A, B, W, np.broadcast_to(C, (n, n)), np.broadcast_to(D, (n, n)))

    def _table(self, name: str, index: int) -> Float[np.ndarray, "p q"]:
        values, unit = self.rounded[name]
        table = basis(values.shape[1]).T @ (values[index] * unit[index])
        return table if name in BY_COLUMNS else table.T


def write_history(path: Path, checkpoint: Path) -> None:
    """Write the snapshots of a run of one network, from its finished checkpoint.

    Low and high bytes of the whole numbers are packed apart, by zlib.
    """
    arrays, metadata = read_tensors(checkpoint)
    kept = {name.removeprefix("snapshot."): value[:, 0] for name, value in arrays.items() if name.startswith("snap")}
    shapes = {name: kept[name].shape for name in TABLES if name in kept}
    packed = {name: _packed(kept[name]) if name in shapes else kept[name] for name in kept}
    (seed,) = metadata["seeds"]
    of_the_run = {key: metadata[key] for key in ("recipe", "origin")}
    write_tensors(path, packed, of_the_run | {"seed": seed, "steps": metadata["snapshots"], "shapes": shapes})


def read_history(path: Path | str) -> History:
    """Read a file of `write_history`; raises FileError if it is damaged, or of another version, or another one's bits."""
    arrays, metadata = read_tensors(Path(path))
    require_own_bits(path, metadata.get("origin", {}))
    try:
        rounded = {
            name: (_unpacked(arrays[name], shape), arrays[f"unit.{name}"]) for name, shape in metadata["shapes"].items()
        }
        recipe, steps = Recipe(**metadata["recipe"]), np.array(metadata["steps"])
        return History(recipe, metadata["seed"], metadata["origin"], steps, arrays["norms"], rounded)
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise NetworkError(f"{path}: snapshots of another version ({error}); delete it and build it again") from error


def _packed(values: Int[np.ndarray, "s n m"]) -> Shaped[np.ndarray, "bytes"]:
    both = values.astype("<i2").reshape(-1, 1).view(np.uint8)
    return np.frombuffer(zlib.compress(both.T.tobytes(), _LEVEL), np.uint8)


def _unpacked(packed: Shaped[np.ndarray, "bytes"], shape: Sequence[int]) -> Int[np.ndarray, "s n m"]:
    both = np.frombuffer(zlib.decompress(packed.tobytes()), np.uint8).reshape(2, -1)
    return np.ascontiguousarray(both.T).view("<i2").reshape(shape)
