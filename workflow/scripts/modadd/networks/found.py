"""Checks an imported network against its entry: by its answers and its loss under every possible reading."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from modadd.core.groups import ADDITION, MULTIPLICATION, SUBTRACTION, as_addition, cyclic_factors
from modadd.core.losses import mean_loss
from modadd.core.separable import accuracy
from modadd.networks.architectures import RELU
from modadd.networks.formats import FORMATS, WITHOUT_FORM
from modadd.networks.importers import External
from modadd.networks.store import NetworkError

# Times the loss: so much tells that a network was trained otherwise. Set after Models A and B of [Z] were read.
SUSPICIOUS_LOSS_RATIO = 0.1
MATTERS = (
    0.01  # nats: a network that answers every input right has no loss to gain that matters. Set before any was read.
)
TRIED = (RELU, "square", "gelu")  # activations that the field trains networks on addition with


class Score(NamedTuple):
    """What a reading of a file gives: the share of inputs that it answers right, and its loss (nats)."""

    right: float
    loss: float

    def __str__(self) -> str:
        return f"accuracy {self.right:.6g}, loss {self.loss:.3g}"


def found_in(path: Path | str, external: External) -> str:
    """What was found in a file, in lines: n, accuracy, steps taken to read it, what of it is analysed, warnings.

    Where the reading errs, or has a loss that matters, the file is read with every other activation, attention,
    vocabulary and operation. Raises NetworkError, which names the key to write, if another reading has less than
    SUSPICIOUS_LOSS_RATIO times the loss, or answers more inputs right with an activation while the entry names none. Of a network that
    answers every input right, another activation may shrink the loss by larger logits alone: it is believed what its
    entry names, and refused while it names none.
    """
    ours = _score(external.logits())
    lines = [f"{path}: n = {external.modulus}, {len(external.parameters)} tensors, accuracy {ours.right:.6g}"]
    lines += [f"Read: {step}." for step in external.steps]
    if external.separable() is None:
        lines.append(f"It is no sum of two tables before one ReLU: of it are analysed {WITHOUT_FORM}.")
    if ours.right < 1 or ours.loss > MATTERS:
        lines += _doubts(path, external, ours)
    if ours.right < 1:
        lines.append("Warning: not every input is answered right; was it trained to its end, and as its entry says?")
    return "\n".join(lines)


def _doubts(path: Path | str, external: External, ours: Score) -> list[str]:
    """A warning if another activation than the entry's does a little better; raises NetworkError as `found_in` does."""
    readings = list(_readings(external))
    faultless = ours.right == 1
    better = [reading for reading in readings if _surely_better(reading.score, ours)]
    surely = [reading for reading in better if not (faultless and "activation" in reading.keys)]
    slightly = [
        reading
        for reading in readings
        if (reading.score.right > ours.right or reading in better)
        and reading.keys.keys() == {"activation"}
        and not reading.unwritable
    ]
    if faultless and not surely and external.activation is not None:
        return []
    if not (surely or slightly):
        return []
    best = min(surely or slightly, key=lambda reading: (-reading.score.right, reading.score.loss))
    others = [reading for reading in readings if reading is not best and reading.differs_in_activation(best)]
    compared = "; ".join(f"with {reading.words} {reading.score}" for reading in (best, *others))
    words = f"read as '{external.format}' with {external.neurons} on {external.operation} it has {ours}; {compared}"
    if surely:
        advice = "a network of that kind is not read" if best.unwritable else f"write {best.words} into {_entry(best)}"
        raise NetworkError(f"{path}: {words}; {advice}")
    if external.activation is None:
        either = (best.keys["activation"], external.neurons)
        choice = " or ".join(f"`activation: {name}`" for name in either)
        typed = " or ".join(f"ACTIVATION={name}" for name in either)
        advice = f"write what it was trained with into its entry: {choice} (for `make network`: {typed})"
        raise NetworkError(f"{path}: {words}; {advice}")
    return [f"Warning: {words}; was it trained as its entry says?"]


def _entry(best: "Reading") -> str:
    """Where the keys of a reading are written: into the config, or on the command line of `make network`."""
    return f"its entry (for `make network`: {' '.join(f'{key.upper()}={value}' for key, value in best.keys.items())})"


def _surely_better(theirs: Score, ours: Score) -> bool:
    return (
        theirs.right >= ours.right
        and theirs.loss < SUSPICIOUS_LOSS_RATIO * ours.loss
        and ours.loss - theirs.loss > MATTERS
    )


class Reading(NamedTuple):
    """Another reading of a file: its keys that are not those of the entry, and in words what no key can say; its score."""

    keys: dict[str, str]
    unwritable: tuple[str, ...]
    score: Score

    @property
    def words(self) -> str:
        """How it is read, as an entry says it."""
        return " and ".join([*(f"`{key}: {value}`" for key, value in self.keys.items()), *self.unwritable])

    def differs_in_activation(self, other: "Reading") -> bool:
        """Whether another reading differs in nothing else."""
        return (self.keys | {"activation": ""}, self.unwritable) == (other.keys | {"activation": ""}, other.unwritable)


def _readings(external: External) -> Iterator[Reading]:
    """Every other reading of the same tensors."""
    formats = (external.format, *FORMATS[external.format].alike)
    activations = dict.fromkeys([external.neurons, *TRIED])
    operations = dict.fromkeys([external.operation, *_operations(external.modulus)])
    now = {"format": external.format, "activation": external.neurons, "operation": external.operation}
    for format, activation in product(formats, activations):
        adding = replace(external, format=format, activation=activation, operation=ADDITION).logits()
        for operation in operations:
            said = {"format": format, "activation": activation, "operation": operation}
            keys = {key: value for key, value in said.items() if value != now[key]}
            if keys:  # of another operation, only the order of the elements is another
                yield Reading(keys, (), _score(adding[np.ix_(*as_addition(operation, external.modulus))]))
            if operation == ADDITION:
                for words, otherwise in FORMATS[format].otherwise(external.parameters, activation).items():
                    yield Reading(keys, (words,), _score(otherwise.logits()))


def _operations(n: int) -> list[str]:
    """Operations on n elements that are tried; multiplication needs a prime n + 1."""
    try:
        cyclic_factors(MULTIPLICATION, n)
    except ValueError:
        return [ADDITION, SUBTRACTION]
    return [ADDITION, SUBTRACTION, MULTIPLICATION]


def _score(logits: Float[np.ndarray, "n n n"]) -> Score:
    return Score(accuracy(logits), mean_loss(logits))
