"""Checks an imported network against its entry: by its answers and its loss under every possible reading."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.core.groups import ADDITION, MULTIPLICATION, SUBTRACTION, as_addition, cyclic_factors, right_answers
from modadd.core.losses import mean_loss
from modadd.core.separable import accuracy
from modadd.networks.architectures import RELU
from modadd.networks.checkpoints import refused
from modadd.networks.formats import FORMATS, WITHOUT_FORM
from modadd.networks.importers import External
from modadd.networks.store import NetworkError

# Times the loss: so much tells that a network was trained otherwise. Set after Models A and B of [Z] were read.
SUSPICIOUS_LOSS_RATIO = 0.1
MATTERS = 0.01  # nats; a network that answers every input right has no more to gain. Set before any was read.
NEARLY = 0.01  # of all inputs: readings that differ by less answer equally well. Set before any was compared.
CHANCE = 3  # times the 1/n of a guess: a network that answers fewer inputs right has learned nothing that is read
MOST = 0.9  # of the inputs of two vocabularies: one that adds 2 n numbers answers less than half of these so
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
    """Another reading of a file: its keys that are not those of the entry, and its score."""

    keys: dict[str, str]
    score: Score

    def __str__(self) -> str:
        keys = [f"{key}: {value}" for key, value in self.keys.items()]
        return f"`{', '.join(keys)}`"


def found_in(path: Path | str, external: External) -> Iterator[str]:
    """What was found in a file, line by line: n, accuracy, steps taken to read it, what of it is analysed, warnings.

    Where the reading errs, or has a loss that matters, the file is read with every other activation, attention and
    operation, each of which is named with its score. Raises NetworkError, one line, with all readings that answer equally
    well, if another attention or operation is surely better, or if the entry names no activation, and another than ReLU
    does better. An activation that the entry names is believed: then a better one is a warning. A network that answers
    like chance by every reading, or acts on another group, is refused as well.
    """
    ours = _score(external.logits())
    yield f"{path}: n = {external.modulus}, {len(external.parameters)} tensors, accuracy {ours.right:.6g}"
    for step in external.steps:
        yield f"Read: {step}."
    if external.separable() is None:
        yield f"It is no sum of two tables before one ReLU: of it are analysed {WITHOUT_FORM}."
    if ours.right < 1 or ours.loss > MATTERS:
        yield f"It errs, or its loss matters ({ours}): it is read in every other way, too."
        readings = []
        for reading in _readings(external):
            yield f"As {reading}: {reading.score}."
            readings.append(reading)
        yield from _doubts(path, external, ours, readings)
    if ours.right < 1:
        yield "Warning: not every input is answered right; was it trained to its end, and as its entry says?"


def _doubts(path: Path | str, external: External, ours: Score, readings: Sequence[Reading]) -> Iterator[str]:
    """A warning if another activation than the entry's does better; raises NetworkError as `found_in` does."""
    trained = f"a network that was trained on {external.operation} of {external.modulus} numbers"
    on_another = "if it was on another operation, write it (`operation: subtraction`); only cyclic groups are read"
    most = max([ours.right, *(reading.score.right for reading in readings)])
    if most < 1 - NEARLY:
        logits = external.logits()
        group = _group_of(logits)
        if group:
            raise refused(path, f"one that acts on {group} of {external.modulus} elements", trained, on_another)
        vocabularies = _two_vocabularies(logits)
        if vocabularies:
            raise refused(path, vocabularies, trained, "a network of that kind is not read")
    if most < min(CHANCE / external.modulus, 1 / 2):
        chance = f"one that answers like chance by every reading that was tried (accuracy {most:.3g} at most)"
        raise refused(path, chance, trained, on_another)
    allowed = readings
    if external.activation is not None:  # the entry is believed
        allowed = [reading for reading in readings if "activation" not in reading.keys]
    better = [reading for reading in readings if _is_better(reading, ours)]
    speaking = [reading for reading in better if reading in allowed]
    if speaking:
        equal = [reading for reading in allowed if reading.score.right >= most - NEARLY]
        raise _undecided(path, external, ours, equal or speaking)
    if better:
        listed = _listed(better)
        yield f"Warning: its entry says {external.activation}, which gives {ours}; {listed}; its entry is believed."


def _listed(readings: Iterable[Reading]) -> str:
    """What each reading gives."""
    return "; ".join(f"{reading} gives {reading.score}" for reading in readings)


def _undecided(path: Path | str, external: External, ours: Score, choice: Sequence[Reading]) -> NetworkError:
    """The refusal that names every reading that answers equally well, that of the entry among them; never the best alone."""
    now = f"'{external.format}' with {external.neurons} on {external.operation}"
    found = f"{ours} as {now}, where {_listed(choice)}"
    named = [str(reading) for reading in choice]
    most = max(reading.score.right for reading in choice)
    if external.activation is None and ours.right >= most - NEARLY:
        named.append(f"`activation: {external.neurons}`")
    remedy = (
        f"no file says how it was trained: write into its entry which it was, {' or '.join(named)} "
        "(for `make network` the same keys in capitals, as ACTIVATION=relu)"
    )
    return refused(path, found, "a network that was trained as its entry says", remedy)


def _is_better(reading: Reading, ours: Score) -> bool:
    """Whether a reading speaks against the entry's: surely better, or with another activation better at all.

    Where every input is answered right, another activation together with another attention says nothing more.
    """
    alone = reading.keys.keys() == {"activation"}
    if "activation" in reading.keys and ours.right == 1 and not alone:
        return False
    return reading.score.surely_better(ours) or (alone and reading.score.right > ours.right)


def _group_of(logits: Float[np.ndarray, "n n n"]) -> str | None:
    """What group the answers are a table of, in words, if every row and column has each answer once; else None."""
    table: Int[np.ndarray, "n n"] = logits.argmax(-1)
    n = len(table)
    each_once = np.array_equal(np.sort(table), np.tile(np.arange(n), (n, 1)))
    each_once &= np.array_equal(np.sort(table.T), np.sort(table))
    if not each_once:
        return None
    if not np.array_equal(table[table], table[:, table]):  # (a b) c and a (b c)
        return None
    return "a commutative group" if np.array_equal(table, table.T) else "a group that is not commutative"


def _two_vocabularies(logits: Float[np.ndarray, "n n n"]) -> str | None:
    """In words, if the second number has tokens of its own, as [Z]'s `diff_vocab` gives it: answers are right there alone."""
    n = len(logits) // 2
    answers = logits[:n, n : 2 * n].argmax(-1)
    if len(logits) % 2 or (answers == right_answers(ADDITION, n)).mean() < MOST:
        return None
    return f"one with two vocabularies of {n} (tokens {n} to {2 * n - 1} are those of the second number)"


def _readings(external: External) -> Iterator[Reading]:
    """Every other reading of the same tensors."""
    n = external.modulus
    formats = (external.format, *FORMATS[external.format].alike)
    activations = dict.fromkeys([external.neurons, *TRIED])
    operations = dict.fromkeys([external.operation, *_operations(n)])
    now = {"format": external.format, "activation": external.neurons, "operation": external.operation}
    for format, activation in product(formats, activations):
        both_differ = format != external.format and activation != external.neurons
        if both_differ and external.activation is not None:
            continue  # what the entry says of the activation is believed
        adding = replace(external, format=format, activation=activation, operation=ADDITION)
        logits = adding.logits()
        for operation in operations:
            said = {"format": format, "activation": activation, "operation": operation}
            keys = {key: value for key, value in said.items() if value != now[key]}
            if keys:  # of another operation, only the order of the elements is another
                order = as_addition(operation, n)
                score = _score(logits[np.ix_(*order)])
                yield Reading(keys, score)


def _operations(n: int) -> list[str]:
    """Operations on n elements that are tried; multiplication needs a prime n + 1."""
    try:
        cyclic_factors(MULTIPLICATION, n)
    except ValueError:
        return [ADDITION, SUBTRACTION]
    return [ADDITION, SUBTRACTION, MULTIPLICATION]


def _score(logits: Float[np.ndarray, "n n n"]) -> Score:
    return Score(accuracy(logits), mean_loss(logits))
