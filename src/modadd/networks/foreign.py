"""Networks of others: read from a file by the roles of its tensors, checked by their answers, kept as safetensors."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.core.groups import ADDITION, MULTIPLICATION, SUBTRACTION, as_addition, right_answers
from modadd.core.losses import cross_entropy
from modadd.core.separable import Separable, accuracy
from modadd.core.wording import require_known, unknown
from modadd.networks import transformers
from modadd.networks.architectures import ACTIVATIONS, RELU, Embedded, as_adding, embedded_of, separable_of, tables_of
from modadd.networks.formats import FORMATS, A, B, Misfit, Names, Tokens, parameters_as, proposals, unread
from modadd.networks.store import Network, NetworkError, read_tensors, write_tensors
from modadd.networks.tensor_files import read_file, refused, tensors_in
from modadd.networks.transformers import ATTENTIONS, COEFFICIENT, ONES, SOFTMAX, Parameters

SMALLEST, LARGEST = 3, 1000  # numbers that a network adds: the logits of every input take n³ · 8 bytes
SAMPLE = 400  # inputs by which readings and roles are compared, or all if they are fewer
TRIED = (RELU, "square", "gelu")  # activations that the field trains networks on addition with

# When a reading answers better than another. Both set before any file was read; the ratio after Models A and B of [Z] were.
MATTERS = 0.01  # of the inputs, or nats of the loss
SUSPICIOUS_LOSS_RATIO = 0.1

CHANCE = 3  # times the 1/n of a guess: a network that answers fewer inputs right has learned nothing that is read
MOST = 0.9  # of the inputs of two vocabularies: one that adds 2 n numbers answers less than half of these so


@dataclass(frozen=True)
class External:
    """A network as found: its tensors as its format's kind keeps them, in float32 or float64, and the hash of their file.

    `activation` is what its neurons compute if somebody has said so; ReLU is taken for granted otherwise. Its elements
    are put in the order in which the `operation` is addition mod n. `steps` are sentences on how it was read.
    """

    format: str
    sha256: str
    parameters: Parameters
    activation: str | None = None
    operation: str = ADDITION
    steps: tuple[str, ...] = ()

    @property
    def modulus(self) -> int:
        """n."""
        return self.embedded().modulus

    @property
    def neurons(self) -> str:
        """What its neurons compute, as it is read."""
        return self.activation or RELU

    @property
    def kind(self) -> str:
        """The architecture, or the attention, that its format names."""
        return FORMATS[self.format][0]

    def embedded(self) -> Embedded:
        """The network as a function of its embeddings, in float64."""
        read = transformers.embedded if self.kind in ATTENTIONS else embedded_of
        return as_adding(read(self.kind, self.parameters, self.neurons), self.operation)

    def embeddings(self) -> Float[np.ndarray, "n d"]:
        """Rows are the tokens' embeddings before position, in float64."""
        return self.embedded().E_a

    def logits(self) -> Float[np.ndarray, "n n n"]:
        """Logits of every input, indices (a, b, c), in float64, not centred."""
        return self.embedded().logits()

    def native(self) -> tuple[str, Parameters] | None:
        """Our architecture and its parameters; None if none is this network (softmax attention, several layers)."""
        if self.kind not in ATTENTIONS:
            return self.kind, self.parameters
        pizza = transformers.as_pizza(self.parameters) if self.kind == ONES else None
        return pizza and ("pizza_transformer", pizza)

    def separable(self) -> Separable | None:
        """The separable form in float64; None if no such form exists (no architecture of ours, no ReLUs)."""
        native = self.native() if self.neurons == RELU else None
        return native and as_adding(separable_of(*native), self.operation)

    def preactivations(self) -> Float[np.ndarray, "n n h"]:
        """Inputs of the last layer's neurons where the answer is read, for every input (a, b), in float64."""
        if self.kind in ATTENTIONS:
            of_all = transformers.preactivations(self.kind, self.parameters, self.neurons)
        else:
            of_all = tables_of(self.kind, self.parameters).preactivations()
        first, second, _ = as_addition(self.operation, len(of_all))
        return of_all[np.ix_(first, second)]


def save_external(external: External, path: Path) -> None:
    """Write a checked network as safetensors, for `load_external`."""
    said = {key: getattr(external, key) for key in ("format", "sha256", "activation", "operation")}
    write_tensors(path, external.parameters, said)


def load_external(path: Path | str) -> External:
    """Read a file of `save_external`; raises NetworkError for one of another version."""
    tensors, metadata = read_tensors(Path(path))
    try:
        external = External(parameters=tensors, **metadata)
        require_known(str(path), "format", [external.format], FORMATS)
    except (TypeError, ValueError) as error:
        found = f"that of another version ({error})"
        raise refused(path, found, "metadata of this version", "delete it and build it again") from error
    return external


def beside_published(network: Network, external: Mapping[str, Path | str]) -> dict[str, Separable]:
    """A "retrained" network in the separable form, and "published weights" of its architecture and modulus, if there are any.

    Raises ValueError for several of them: claims are about one.
    """
    recipe = network.recipe
    like = (recipe.architecture, recipe.modulus, recipe.operation, recipe.activation)
    fits = {}
    for name, weights in ((name, load_external(file)) for name, file in external.items()):
        if (weights.kind, weights.modulus, weights.operation, weights.neurons) == like:
            fits[name] = weights.separable()
    if len(fits) > 1:
        raise ValueError(f"datasets: expected at most one {like[0]} mod {like[1]}, got {', '.join(fits)}")
    return {"retrained": network.separable()} | {"published weights": separable for separable in fits.values()}


def settings_file(path: Path) -> Path:
    """Where the settings of the training lie beside a file of weights: [Z] publishes config_X.json with model_X.pt."""
    return path.with_name(f"{path.stem.replace('model_', 'config_', 1)}.json")


def settings_beside(path: Path) -> dict[str, Any]:
    """The settings of the training of a file of weights; none if no JSON object lies beside it."""
    try:
        settings = json.loads(settings_file(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return settings if isinstance(settings, dict) else {}


def read_external(
    path: Path | str,
    format: str,
    sha256: str,
    activation: str | None = None,
    operation: str = ADDITION,
    tensors: Names | None = None,
    tokens: Tokens = (A, B),
) -> External:
    """A network of others from a file of tensors; nothing in it is executed.

    `tensors` names them by role where they are not called as the format has it; `tokens` are what a perceptron reads.
    Raises NetworkError naming the file, what was expected and what was found, unless the file has the given hash and,
    but for a common prefix and copies, exactly the tensors of the format.
    """
    path = Path(path)
    for key, name, known in (("format", format, FORMATS), ("activation", activation or RELU, ACTIVATIONS)):
        if name not in known:
            raise NetworkError(unknown(str(path), key, name, known))
    content = read_file(path)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        another = "this is not the file that was meant; name its own hash, or get it"
        raise refused(path, found, f"sha256 {sha256}", another)
    arrays, steps = tensors_in(path, content)
    settings = settings_beside(path)
    try:
        parameters, copies = parameters_as(format, arrays, tensors, tokens, settings.get("n_heads"))
        if copies:
            steps.append(f"passed over, which repeats another tensor: {', '.join(copies)}")
        external = External(format, sha256, parameters, activation, operation, tuple(steps))
        n = external.modulus
    except Misfit as misfit:
        advice = misfit.remedy or _advice(arrays, operation)
        raise refused(path, "; ".join([str(misfit), *steps]), f"the tensors of '{format}'", advice) from None
    except ValueError as error:  # of the operation
        raise NetworkError(f"{path}: {error}") from None
    for name, value in parameters.items():
        if infinite := np.count_nonzero(~np.isfinite(value)):
            found = f"{infinite} that are not in '{name}'"
            raise refused(path, found, "finite numbers", "take a checkpoint from before its training broke")
    if not SMALLEST <= n <= LARGEST:
        read = f"a network on {SMALLEST} to {LARGEST} numbers"
        raise refused(path, f"one on {n}", read, "the logits of every input, n³ of them, are computed at once")
    return _with_attention(path, external, settings) if external.kind in (ONES, SOFTMAX) else external


def _with_attention(path: Path, external: External, settings: Mapping[str, Any]) -> External:
    """The same with the share of softmax that the settings beside the file say: no tensor tells it.

    Raises NetworkError if they say that the format is another.
    """
    beside = settings_file(path).name
    usual = int(external.kind == SOFTMAX)
    share = settings.get(COEFFICIENT, usual)
    if not isinstance(share, int | float) or not 0 <= share <= 1 or (share > 0) != usual:
        found = f"{COEFFICIENT} {share!r} in {beside} beside it"
        remedy = "`format: zhong_ones` reads 0, `format: zhong_softmax` a number above it, up to 1"
        raise refused(path, found, f"attention as '{external.format}' has it", remedy)
    step = f"{COEFFICIENT} {share} taken from {beside}"
    if COEFFICIENT not in settings:
        step = f"no {beside} beside it says another {COEFFICIENT} than {usual}, {external.kind}"
    between = {COEFFICIENT: np.array([share], dtype=np.float64)} if 0 < share < 1 else {}
    return replace(external, parameters={**external.parameters, **between}, steps=(*external.steps, step))


def _advice(arrays: Parameters, operation: str) -> str:
    """What to write instead: a format that has these tensors, or the roles in which they answer most inputs right."""
    for format in FORMATS:
        with suppress(Misfit):
            parameters_as(format, arrays, n_heads=1)
            return f"write `format: {format}`, which reads them"
    advice = "docs/recipes.md says how to name tensors of your own"
    if words := unread(arrays):
        advice = f"{words}, which no format reads"
    most = 1 / 2
    for (entry, parameters), activation in product(proposals(arrays), TRIED):
        right, _ = _score(External("embedding_mlp", "", parameters, activation, operation))
        if right > most:
            advice, most = f"write `{entry}`: so they answer {right:.3g} of the inputs right", right
    return advice


class Reading(NamedTuple):
    """A reading of a file: its keys that are not those of the entry, the share of inputs that it answers right, its loss."""

    keys: dict[str, str]
    right: float
    loss: float  # nats

    def __str__(self) -> str:
        said = ", ".join(f"{key}: {value}" for key, value in self.keys.items())
        return f"`{said or 'its entry'}` gives accuracy {self.right:.6g}, loss {self.loss:.3g}"

    def answers_better(self, other: "Reading") -> bool:
        """Whether it answers more inputs right, or as many with far less loss."""
        far_less = other.loss - self.loss > MATTERS and self.loss < SUSPICIOUS_LOSS_RATIO * other.loss
        return self.right > other.right + MATTERS or (far_less and self.right >= other.right)


def found_in(path: Path | str, external: External) -> Iterator[str]:
    """What was found in a file, line by line: n, accuracy, steps taken to read it, what of it is analysed, warnings.

    Where it errs on some inputs, or has a loss that matters, it is read with every other activation, attention and
    operation, too. Raises NetworkError, one line, if every reading answers like chance, if it does another task, and with
    all readings that answer better, if there are some. An activation that the entry names is believed: then another that
    is better is a warning.
    """
    n = external.modulus
    trained = f"a network that was trained on {external.operation} of {n} numbers"
    on_another = "if it was on another operation, write it (`operation: subtraction`); only cyclic groups are read"
    ours, *others = _readings(external)
    best = max((ours, *others), key=lambda reading: (reading.right, -reading.loss))
    if best.right < min(CHANCE / n, 1 / 2):
        chance = f"one that answers like chance by every reading that was tried (accuracy {best.right:.3g} at most)"
        raise refused(path, chance, trained, on_another)
    logits = external.logits()
    right = accuracy(logits)
    yield f"{path}: n = {n}, {len(external.parameters)} tensors, accuracy {right:.6g}"
    yield from (f"Read: {step}." for step in external.steps)
    if external.separable() is None:
        yield "It is no sum of two tables before one ReLU: of it are analysed its logits, its embeddings, what its neurons read."
    if best.right < 1 - MATTERS and (task := _another_task(logits.argmax(-1))):
        raise refused(path, task, trained, on_another)
    better = [reading for reading in others if reading.answers_better(ours)]
    if external.activation and all("activation" in reading.keys for reading in better):
        yield from (f"Warning: {reading}; the activation of its entry is believed." for reading in better)
    elif better:
        found = f"{ours} but {'; '.join(map(str, better))}"
        remedy = f"no file says how it was trained: write into its entry which it was (`activation: {external.neurons}`, too)"
        raise refused(path, found, "a network that was trained as its entry says", remedy)
    if right < 1:
        yield f"Warning: not every input is answered right, and no other reading is better: of {SAMPLE} inputs at most, {ours}."


def _readings(external: External) -> Iterator[Reading]:
    """The reading of the entry; then, if that errs or has a loss that matters, every other of the same tensors."""
    ours = Reading({}, *_score(external))
    yield ours
    if ours.right == 1 and ours.loss <= MATTERS:
        return
    now = {"format": external.format, "activation": external.neurons, "operation": external.operation}
    _, names = FORMATS[external.format]
    alike = [format for format, (_, others) in FORMATS.items() if others == names]
    operations = [external.operation, ADDITION, SUBTRACTION, MULTIPLICATION]
    tried: list[dict[str, str]] = [{}]
    for said in product(alike, [external.neurons, *TRIED], operations):
        keys = {key: value for key, value in zip(now, said, strict=True) if value != now[key]}
        with suppress(ValueError):  # no multiplication has so many elements
            if keys not in tried:
                tried.append(keys)
                yield Reading(keys, *_score(replace(external, **keys)))


def _score(external: External) -> tuple[float, float]:
    """The share of some inputs that are answered right, and the mean loss on them (nats)."""
    import torch

    network = external.embedded()
    n = network.modulus
    a, b = np.divmod(np.random.default_rng(0).permutation(n * n)[:SAMPLE], n)
    with torch.no_grad():
        logits = network.forward(torch.from_numpy(network.E_a[a]), torch.from_numpy(network.E_b[b])).numpy()
    answers = ((a + b) % n)[:, None]
    wrong = logits.copy()
    np.put_along_axis(wrong, answers, -np.inf, axis=1)
    return float((logits.max(1) > wrong.max(1)).mean()), float(cross_entropy(logits, answers[:, 0]).mean())


def _another_task(answers: Int[np.ndarray, "n n"]) -> str | None:
    """What a network does that does not add, in words: it acts on another group, or has two vocabularies ([Z]'s `diff_vocab`)."""
    n, half = len(answers), len(answers) // 2
    if all((np.sort(table) == np.arange(n)).all() for table in (answers, answers.T)):
        return f"one that acts on another group of {n} elements: each answer stands once in every row and column"
    if n == 2 * half and (answers[:half, half:] == right_answers(ADDITION, half)).mean() >= MOST:
        return f"one with two vocabularies of {half} (tokens {half} to {n - 1} are those of the second number)"
    return None
