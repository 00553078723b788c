"""Reading the rules where only Snakemake is installed: of the packages that jobs compute with, it takes the names alone."""

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from typing import Any
from unittest.mock import MagicMock

# What this library imports at the top of its modules, beside the standard library and what Snakemake brings along.
COMPUTING = ("jaxtyping", "matplotlib", "numba", "numpy", "pandas", "safetensors", "scipy", "torch", "tqdm")


class _StandIns(MetaPathFinder, Loader):
    """Finds the packages that are missing, and gives modules whose names stand for things that compute nothing."""

    def __init__(self, missing: Collection[str]) -> None:
        self.missing = missing

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return spec_from_loader(name, self, is_package=True) if name.partition(".")[0] in self.missing else None

    def create_module(self, spec: ModuleSpec) -> Any:
        return MagicMock(name=spec.name)

    def exec_module(self, module: Any) -> None:
        """Nothing is executed."""


@contextmanager
def names_alone() -> Iterator[None]:
    """Let modules be imported whose packages are missing; where none is, nothing changes.

    Afterwards the packages are missing again, so that nobody else takes a stand-in for one.
    """
    missing = missing_packages()
    stand_ins = _StandIns(missing)
    sys.meta_path.append(stand_ins)  # the last to be asked
    try:
        yield
    finally:
        sys.meta_path.remove(stand_ins)
        for name in [name for name in sys.modules if name.partition(".")[0] in missing]:
            del sys.modules[name]


def missing_packages() -> list[str]:
    """The packages that jobs need, and this Python does not have."""
    return [name for name in COMPUTING if find_spec(name) is None]
