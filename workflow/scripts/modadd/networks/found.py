"""Checks an imported network against its entry: by its answers and its loss under every possible reading."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.core.groups import ADDITION, MULTIPLICATION, SUBTRACTION, as_addition, cyclic_factors
from modadd.core.losses import mean_loss
from modadd.core.separable import accuracy
from modadd.networks.architectures import RELU
from modadd.networks.checkpoints import refused
from modadd.networks.formats import FORMATS, WITHOUT_FORM
from modadd.networks.importers import External

# Times the loss: so much tells that a network was trained otherwise. Set after Models A and B of [Z] were read.
SUSPICIOUS_LOSS_RATIO = 0.1
MATTERS = 0.01  # nats; a network that answers every input right has no more to gain. Set before any was read.
NEARLY = 0.01  # of all inputs: readings that differ by less answer equally well. Set before any was compared.
CHANCE = 3  # times the 1/n of a guess: a network that answers fewer inputs right has learned nothing that is read
TRIED = (RELU, "square", "gelu")  # activations that the field trains networks on addition with


class Score(NamedTuple):
    """What a reading of a file gives: the share of inputs that it answers right, and its loss (nats)."""

    right: float
    loss: float

    def __str__(self) -> str:
        return f"accuracy {self.right:.6g}, loss {self.loss:.3g}"

    def surely_better(self, other: "Score") -> bool:
        """Whether it has far less loss, and no fewer right answers."""
        gains = other.loss - self.loss > MATTERS and self.loss < SUSPICIOUS_LOSS_RATIO * other.loss
        return gains and self.right >= other.right


class Reading(NamedTuple):
    """Another reading of a file: its keys that are not those of the entry, what no key can say, and its score."""

    keys: dict[str, str]
    unwritable: tuple[str, ...]
    score: Score

    def __str__(self) -> str:
        keys = [f"{key}: {value}" for key, value in self.keys.items()]
        return f"`{', '.join(keys)}`" if not self.unwritable else " and ".join([*keys, *self.unwritable, "(not read)"])

    @property
    def only_activation(self) -> bool:
        """Whether nothing else differs from the entry."""
        return self.keys.keys() == {"activation"} and not self.unwritable


def found_in(path: Path | str, external: External) -> Iterator[str]:
    """What was found in a file, line by line: n, accuracy, steps taken to read it, what of it is analysed, warnings.

    Where the reading errs, or has a loss that matters, the file is read with every other activation, attention,
    vocabulary and operation. Raises NetworkError, one line, with all readings that answer equally well, if another
    attention, vocabulary or operation is surely better, or if the entry names no activation, and another than ReLU does
    better. An activation that the entry names is believed: then a better one is a warning. A network that answers like
    chance by every reading, or acts on another group, is refused as well.
    """
    ours = _score(external.logits())
    yield f"{path}: n = {external.modulus}, {len(external.parameters)} tensors, accuracy {ours.right:.6g}"
    for step in external.steps:
        yield f"Read: {step}."
    if external.separable() is None:
        yield f"It is no sum of two tables before one ReLU: of it are analysed {WITHOUT_FORM}."
    if ours.right < 1 or ours.loss > MATTERS:
        yield "It errs, or its loss matters: it is read with every other activation, attention and operation, too."
        yield from _doubts(path, external, ours)
    if ours.right < 1:
        yield "Warning: not every input is answered right; was it trained to its end, and as its entry says?"


def _doubts(path: Path | str, external: External, ours: Score) -> Iterator[str]:
    """A warning if another activation than the entry's does better; raises NetworkError as `found_in` does."""
    readings = list(_readings(external))
    most = max(ours.right, *(reading.score.right for reading in readings))
    if most < 1 - NEARLY and (group := _group_of(external.logits())):
        raise refused(path, *_not_addition(external, f"acts on {group} of {external.modulus} elements"))
    if most < min(CHANCE / external.modulus, 1 / 2):
        chance = f"answers like chance by every reading that was tried (accuracy {most:.3g} at most)"
        raise refused(path, *_not_addition(external, chance))
    said = external.activation is not None
    better = [reading for reading in readings if _is_better(reading, ours)]
    instead = [reading for reading in better if not (said and "activation" in reading.keys)]
    if not instead:
        if better:
            listed = "; ".join(f"{reading} gives {reading.score}" for reading in better)
            yield f"Warning: its entry says {external.activation}, which gives {ours}; {listed}; its entry is believed."
        return
    equal = [reading for reading in readings if reading.score.right >= most - NEARLY]
    choice = [reading for reading in equal if not (said and "activation" in reading.keys)] or instead
    alone = all(reading.unwritable for reading in choice) and ours.right < most - NEARLY
    listed = [f"{reading} gives {reading.score}" for reading in choice]
    found = f"{ours} as '{external.format}' with {external.neurons} on {external.operation}, where {'; '.join(listed)}"
    raise refused(
        path, found, "a network that was trained as its entry says", _remedy(choice, external, ours, most, alone)
    )


def _remedy(choice: Sequence[Reading], external: External, ours: Score, most: float, alone: bool) -> str:
    """What to write: every reading that answers equally well, that of the entry among them; never the best alone."""
    if alone:
        return "a network of that kind is not read"
    named = [str(reading) for reading in choice if not reading.unwritable]
    if ours.right >= most - NEARLY and external.activation is None:
        named.append(f"`activation: {external.neurons}`")
    capitals = "for `make network` the same keys in capitals, as ACTIVATION=relu"
    return f"no file says how it was trained: write into its entry which it was, {' or '.join(named)} ({capitals})"


def _is_better(reading: Reading, ours: Score) -> bool:
    """Whether a reading speaks against the entry's: surely better, or with another activation better at all.

    Where every input is answered right, another activation together with another attention says nothing more.
    """
    if "activation" in reading.keys and ours.right == 1 and not reading.only_activation:
        return False
    more = reading.only_activation and reading.score.right > ours.right
    return more or reading.score.surely_better(ours)


def _not_addition(external: External, what: str) -> tuple[str, str, str]:
    """For `refused`: what was found instead of a network that adds."""
    read = f"a network that was trained on {external.operation} of {external.modulus} numbers"
    remedy = (
        "write the operation that it was trained on (`operation: subtraction`); groups that are not cyclic are not read"
    )
    return f"one that {what}", read, remedy


def _group_of(logits: Float[np.ndarray, "n n n"]) -> str | None:
    """What group the answers are a table of, in words, if every row and column has each answer once; else None."""
    table: Int[np.ndarray, "n n"] = logits.argmax(-1)
    n = len(table)
    each_once = np.array_equal(np.sort(table), np.tile(np.arange(n), (n, 1)))
    if not each_once or not np.array_equal(np.sort(table.T), np.sort(table)):
        return None
    if not np.array_equal(table[table], table[:, table]):  # (a b) c and a (b c)
        return None
    return "a commutative group" if np.array_equal(table, table.T) else "a group that is not commutative"


def _readings(external: External) -> Iterator[Reading]:
    """Every other reading of the same tensors."""
    formats = (external.format, *FORMATS[external.format].alike)
    activations = dict.fromkeys([external.neurons, *TRIED])
    operations = dict.fromkeys([external.operation, *_operations(external.modulus)])
    now = {"format": external.format, "activation": external.neurons, "operation": external.operation}
    for format, activation in product(formats, activations):
        if format != external.format and activation != external.neurons and external.activation is not None:
            continue  # what the entry says of the activation is believed
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
