"""Measures: functions of a network by the names of their numbers, with what to call them on an axis; and shared steps.

A measure is defined in the package of its subject. It is the only place where its number is computed.
"""

import re
import weakref
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import wraps
from inspect import signature
from types import ModuleType
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.core.groups import cyclic_factors
from modadd.core.neurons import Neurons, neurons_of
from modadd.core.separable import Separable, TwoTables
from modadd.core.wording import unknown
from modadd.networks.architectures import ACTIVATIONS, Embedded, as_adding
from modadd.networks.store import Network

DIMENSIONLESS = ("1", "share")  # units that no axis shows
KEY = "key frequency"  # what most lists have one number for
Form = Network | Separable  # what has tables
LARGEST_MODULUS = 251  # modulus: what larger networks need for n³ numbers is more than the job of a row asks for
MEASURES: dict[str, "Measure"] = {}  # all, by name

_known: dict[int, dict[Callable, Any]] = {}  # of every network that lives, by its identity: steps and their results


@dataclass(frozen=True)
class Measure:
    """A number of a network: its column in a row, and what the number means.

    label: for an axis, with the unit. each: None for one number; otherwise what there is one number for, as in "key
    frequency" or "cluster": then it is a list in their order. meaning: the first sentence of the function's docstring.
    of: the measures from which it follows; none for one that the network itself is asked for.
    """

    name: str
    label: str
    unit: str
    each: str | None
    meaning: str
    function: Callable[[Any], Any]
    of: tuple[str, ...] = ()


def once(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A step that is computed once for every network, as long as that network lives; so measures share it.

    What it returns is not to be changed, and must not be, or hold, the network itself, which would then live for ever.
    """

    @wraps(function)
    def remembered(network: Any) -> Any:
        if id(network) not in _known:
            weakref.finalize(network, _known.pop, id(network))
            _known[id(network)] = {}
        found = _known[id(network)]
        if function not in found:
            found[function] = function(network)
        return found[function]

    return remembered


def following(label: str, unit: str, each: str | None = None) -> Callable[[Callable], Callable]:
    """Register a measure that follows from others, which its arguments name.

    Gives the function of a network. Raises ValueError as `measure` does.
    """

    def register(formula: Callable[..., Any]) -> Callable[[Any], Any]:
        others = tuple(signature(formula).parameters)

        @wraps(formula)
        def of_network(network: Any) -> Any:
            return formula(*(named(name).function(network) for name in others))

        shared = measure(label, unit, each)(of_network)
        MEASURES[formula.__name__] = replace(MEASURES[formula.__name__], of=others)
        return shared

    return register


def measure(label: str, unit: str, each: str | None = None) -> Callable[[Callable], Callable]:
    """Register a function of a network as the measure of its own name, and compute it once for every network.

    unit: "1" or "share" for a number without one. Raises ValueError for a measure without unit or docstring, and for a
    name that another one has.
    """

    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        name, described = function.__name__, function.__doc__
        if not unit:
            raise ValueError(f"measure '{name}': expected a unit, '1' or 'share' for a number without one")
        if not described:
            raise ValueError(f"measure '{name}': expected a docstring that says what it means, with its source")
        if name in MEASURES:
            raise ValueError(f"measure '{name}': the name is taken, by {MEASURES[name].function.__module__}")
        meaning = re.split(r"(?<=[.])\s", " ".join(described.split()), maxsplit=1)[0]
        shown = label if unit in DIMENSIONLESS else f"{label} ({unit})"
        shared = once(function)
        MEASURES[name] = Measure(name, shown, unit, each, meaning, shared)
        return shared

    return register


def named(name: str) -> Measure:
    """The measure of this name; raises ValueError with the nearest one if there is none."""
    if name not in MEASURES:
        raise ValueError(unknown("measures", "measure", name, MEASURES))
    return MEASURES[name]


def measures_in(*modules: ModuleType) -> dict[str, Measure]:
    """The measures that some modules define, by name, in their order."""
    return {
        name: found
        for module in modules
        for name, found in MEASURES.items()
        if found.function.__module__ == module.__name__
    }


def measured(network: Any, names: Iterable[str] | Mapping[str, Measure]) -> dict[str, Any]:
    """What these measures say of a network, by name; raises ValueError for a name that none has.

    A mapping gives measures names of its own. They measure a copy: their steps hold n³ logits, which go with it.
    """
    own = copy(network)
    chosen = names if isinstance(names, Mapping) else {name: named(name) for name in names}
    return {name: found.function(own) for name, found in chosen.items()}


def as_separable(network: Form) -> Separable:
    """The tables of a network, or those given: of a moment of its training, or written down by hand."""
    return network if isinstance(network, Separable) else _separable(network)


def within_memory(network: Form) -> bool:
    """Whether the modulus is at most LARGEST_MODULUS; measures with several times n³ numbers are NaN of larger ones."""
    return as_separable(network).modulus <= LARGEST_MODULUS


def is_cyclic(network: Form) -> bool:
    """Whether its group is that of one circle, so that frequencies are whole numbers; tables alone always add mod n."""
    if isinstance(network, Separable):
        return True
    return len(cyclic_factors(network.recipe.operation, network.recipe.modulus)) == 1


def as_tables(network: Network | TwoTables) -> TwoTables:
    """The tables of a network, whatever its neurons compute, or those given."""
    return network if isinstance(network, TwoTables) else _tables(network)


@once
def logits_in(network: Form) -> Float[np.ndarray, "n n n"]:
    """Logits of every input, indices (a, b, c), in the order in which the network adds, whatever its neurons compute."""
    if isinstance(network, Separable):
        return network.logits()
    tables = as_tables(network)
    return ACTIVATIONS[network.recipe.activation](tables.preactivations()) @ tables.W + tables.residual()


@once
def _tables(network: Network) -> TwoTables:
    return network.tables()


@once
def _separable(network: Network) -> Separable:
    return network.separable()


@once
def neurons_in(network: Network | TwoTables) -> Neurons:
    """Every neuron at its own frequency."""
    return neurons_of(as_tables(network))


def as_embedded(network: Network | Embedded) -> Embedded:
    """A network as a function of its embeddings, in the order in which it adds mod n, or the function given: that of published weights."""
    return network if isinstance(network, Embedded) else _embedded(network)


@once
def _embedded(network: Network) -> Embedded:
    return as_adding(network.embedded(), network.recipe.operation)
