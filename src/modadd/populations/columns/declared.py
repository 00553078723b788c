"""Columns by the full names of what measures them: their own names are read without importing what computes."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path

from modadd.core.files import ROOT
from modadd.core.wording import unknown
from modadd.networks.registry import Measure, named

LIBRARY = ROOT / "src"
REGISTER = {"measure", "following"}  # the decorators of networks.registry


class Columns(Mapping[str, Measure]):
    """Measures by the names of their columns, in order; the modules that compute are imported when one is looked up.

    measures: full names, such as modadd.crt.simple_neuron_measures for all measures of a module, or that of a single one. renamed: names
    of measures whose columns have another name.
    """

    def __init__(self, *measures: str, renamed: Mapping[str, str] | None = None) -> None:
        self.measures, self.renamed = measures, renamed or {}

    @cached_property
    def _columns(self) -> dict[str, tuple[str, str, str]]:
        """Module, name and unit of the measure of each column."""
        found = {}
        for name in self.measures:
            for measure, (module, unit) in declared_by(name).items():
                column = self.renamed.get(measure, measure)
                found[column] = (module, measure, unit)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, column: object) -> bool:  # a mapping would look it up
        return column in self._columns

    def __getitem__(self, column: str) -> Measure:
        module, measure, _ = self._columns[column]
        import_module(module)
        return named(measure)

    def of_unit(self, unit: str) -> set[str]:
        """The columns whose numbers have a unit."""
        return {column for column, (_, _, own) in self._columns.items() if own == unit}


def declared_by(name: str) -> dict[str, tuple[str, str]]:
    """Module and unit of each measure that a full name stands for: of all in a module, or of one.

    Raises ValueError, with the nearest name, for a measure that its module does not have.
    """
    if _file_of(name).exists():
        return {measure: (name, unit) for measure, unit in _declared_in(name).items()}
    module, _, measure = name.rpartition(".")
    units = _declared_in(module)
    if measure not in units:
        raise ValueError(unknown(module, "measure", measure, units))
    return {measure: (module, units[measure])}


@cache
def _declared_in(module: str) -> dict[str, str]:
    """The unit of each measure of a module, as its decorator says it, in the order in which they are registered."""
    found = {}
    for node in ast.parse(_file_of(module).read_bytes()).body:
        for call in getattr(node, "decorator_list", ()):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in REGISTER:
                found[node.name] = ast.literal_eval(call.args[1])
    return found


def _file_of(module: str) -> Path:
    return LIBRARY.joinpath(*module.split(".")).with_suffix(".py")
