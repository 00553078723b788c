"""Every network in a ball: how far all tables, or all weights, may move before an answer can change.

An entry x is allowed to move by δ|x|. Rounding to a number format is one such move.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from modadd.certificates.rounding import evaluation_errors, gamma, table_errors
from modadd.core.separable import Separable, margins
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.registry import Form, as_separable, measure
from modadd.networks.store import Network

PRECISION = 2e-3  # of a radius, relatively: a ball that is 1 % larger must lie outside


def worst_margins(network: Separable, moved: Separable) -> Float[np.ndarray, "n n"]:
    """The smallest margin of every input among all networks whose tables are entry by entry within `moved` (≥ 0) of these.

    Less rounding errors. With t = a + b, neuron i adds act_i (W_i(t) − W_i(c)). Its activation lies between those of the
    smallest and of the largest preactivation; the smallest difference says which of them is the worst.
    """
    low = Separable(network.A - moved.A, network.B - moved.B, network.W, network.C, network.D)
    high = replace(low, A=network.A + moved.A, B=network.B + moved.B)
    a, found = np.arange(network.modulus), np.empty((network.modulus,) * 2)
    for t in range(network.modulus):
        b = (t - a) % network.modulus
        least, most = (np.maximum(end.A + end.B[b], 0) for end in (low, high))
        gap = _least_gap(network.W.T, moved.W.T, t).T
        margin = least @ np.maximum(gap, 0) + most @ np.minimum(gap, 0)
        margin += _least_gap(network.C.T, moved.C.T, t).T + _least_gap(network.D[b].T, moved.D[b].T, t).T
        margin[:, t] = np.inf  # the right answer itself
        found[a, b] = margin.min(axis=1)
    largest = Separable(
        *(np.abs(table) + by for table, by in zip(vars(network).values(), vars(moved).values(), strict=True))
    )
    return found - evaluation_errors(largest, 0, 2)


def worst_network(network: Separable, moved: Separable, a: int, b: int, c: int) -> Separable:
    """The network within `moved` of this one whose right answer at (a, b) exceeds the answer c by the least."""
    A, B, W, C, D = (table.copy() for table in vars(network).values())
    t = (a + b) % network.modulus
    for table, by in ((W.T, moved.W.T), (C.T, moved.C.T), (D.T, moved.D.T)):
        table[t] -= by[t]
        table[c] += by[c]
    towards = np.where(W[:, t] > W[:, c], -1, 1)
    A[a] += towards * moved.A[a]
    B[b] += towards * moved.B[b]
    return Separable(A, B, W, C, D)


def _least_gap(
    f: Float[np.ndarray, "n *rest"], moved: Float[np.ndarray, "n *rest"], t: int
) -> Float[np.ndarray, "n *rest"]:
    """The smallest f(t) − f(c) for every c."""
    return f[t] - f - (moved[t] + moved)


def radius(network: Separable, grown: Callable[[float], Separable], allowance: float = 0.0) -> float:
    """The largest δ found for which every network of the ball answers every input right; 0 if this network does not.

    grown(δ): how far the tables move at δ, entry by entry; grows with δ. allowance: taken off every margin.
    """

    def right(delta: float) -> bool:
        return bool((worst_margins(network, grown(delta)) > allowance).all())

    return largest(right)


def largest(right: Callable[[float], bool]) -> float:
    """The largest size found at which `right` holds, as at all smaller ones; 0 if there is none.

    Some size must be wrong, as every ball of size 1 is: it holds the network without weights. The search doubles the size.
    """
    if not right(0.0):
        return 0.0
    outside = 2.0**-6
    while right(outside):
        outside *= 2
    inside = outside / 2
    while not right(inside):
        inside, outside = inside / 2, inside
    while outside - inside > PRECISION * outside:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if right(middle) else (inside, middle)
    return inside


@measure("certified ball, tables", "1")
def table_radius(network: Form) -> float:
    """The largest δ for which no answer changes if every entry x of A, B, W, C and D moves by δ|x| (ours).

    0 if an answer is wrong. Just outside, a network of such tables errs.
    """
    tables = as_separable(network)
    return radius(tables, lambda delta: Separable(*(delta * np.abs(table) for table in vars(tables).values())))


@measure("certified ball, weights", "1")
def weight_radius(network: Network) -> float:
    """A δ for which no answer changes if every entry w of every stored parameter moves by δ|w| (ours).

    0 if an answer is wrong. A table is a sum of products of weights, so it moves by no more than the same sum of (1 + δ)|w| less that of |w|.
    """

    roundings = sum(sum(value.shape) for value in network.parameters.values())

    def of_moduli(factor: float) -> Iterable[Float[np.ndarray, "..."]]:
        moduli = {name: factor * np.abs(value.astype(float)) for name, value in network.parameters.items()}
        return vars(replace(network, parameters=moduli).separable()).values()

    def grown(delta: float) -> Separable:
        pairs = zip(of_moduli(1 + delta), of_moduli(1.0), strict=True)
        return Separable(*(most - least + 4 * gamma(roundings) * most for most, least in pairs))

    return radius(as_separable(network), grown, table_errors(network))


def by_entries(w: Any, gradient: Any) -> Any:
    """The move of a ball of entries, of size 1, that the gradient of a margin makes largest; tensors of torch."""
    return -w.abs() * gradient.sign()


@dataclass(frozen=True)
class Adversary:
    """Looks for wrong answers in balls of weights around a network, by the gradients of its margins.

    Every step goes to the end of the ball that the gradient of the smallest margin points to, by `move`, and starts from
    there; or always of the margin of (a, b) against c, if `at` is given.
    """

    network: Network
    move: Callable[[Any, Any], Any] = by_entries
    at: tuple[int, int, int] | None = None

    def networks(self, delta: float, steps: int) -> Iterator[tuple[float, Network]]:
        """After each step in the ball of size δ, the smallest margin and the network."""
        own, gradient = self._tensors(self.network), self._first_gradient
        for step in range(steps):
            current = {name: value + delta * self.move(value, gradient[name]) for name, value in own.items()}
            found = _with(self.network, current)
            smallest, weakest = _weakest(found)
            yield smallest, found
            if step + 1 < steps:
                gradient = self._gradient(current, self.at or weakest)

    def errs(self, delta: float, steps: int) -> bool:
        """Whether one of the networks found answers an input wrong."""
        return any(smallest <= 0 for smallest, _ in self.networks(delta, steps))

    @cached_property
    def _first_gradient(self) -> dict[str, Any]:
        own = self._tensors(self.network)
        return self._gradient(own, self.at or _weakest(_with(self.network, own))[1])

    @staticmethod
    def _tensors(network: Network) -> dict[str, Any]:
        import torch

        return {name: torch.from_numpy(value.astype(np.float64)) for name, value in network.parameters.items()}

    def _gradient(self, parameters: Mapping[str, Any], at: tuple[int, int, int]) -> dict[str, Any]:
        """Of the margin of (a, b) against c, by every parameter."""
        import torch

        (a, b, c), n = at, self.network.recipe.modulus
        leaves = {name: value.clone().requires_grad_() for name, value in parameters.items()}
        A, B, W, *bypass = ARCHITECTURES[self.network.recipe.architecture].effective(leaves)
        at_input = torch.relu(A[a] + B[b]) @ W
        for table, row in zip(bypass, (a, b), strict=True):
            if table is not None:
                at_input = at_input + table.expand(n, n)[row]
        (at_input[(a + b) % n] - at_input[c]).backward()
        return {name: leaf.grad for name, leaf in leaves.items()}


def _with(network: Network, parameters: Mapping[str, Any]) -> Network:
    return replace(network, parameters={name: value.numpy() for name, value in parameters.items()})


def _weakest(network: Network) -> tuple[float, tuple[int, int, int]]:
    """The smallest margin of a network, its input (a, b), and the wrong answer c that comes nearest."""
    logits, n = network.separable().logits(), network.recipe.modulus
    margin = margins(logits)
    a, b = divmod(int(margin.argmin()), n)
    c = int(np.where(np.arange(n) == (a + b) % n, -np.inf, logits[a, b]).argmax())
    return margin.min(), (a, b, c)


def errs_outside(network: Separable, delta: float) -> bool:
    """Whether the worst network of a ball of tables is wrong at the input whose margin is then the smallest."""
    moved = Separable(*(delta * np.abs(table) for table in vars(network).values()))
    a, b = divmod(int(worst_margins(network, moved).argmin()), network.modulus)
    right = (a + b) % network.modulus

    def errs(c: int) -> bool:
        worst = worst_network(network, moved, a, b, c)
        at_input = np.maximum(worst.A[a] + worst.B[b], 0) @ worst.W + worst.C[a] + worst.D[b]
        return bool(at_input[right] <= np.delete(at_input, right).max())

    return any(errs(c) for c in range(network.modulus) if c != right)


def smallest_wrong_weights(network: Network, inside: float, steps: int = 10, halvings: int = 8) -> float:
    """The smallest δ found at which an adversary gives a wrong answer, above one that is known to lie inside."""
    adversary = Adversary(network)
    return smallest_wrong(lambda delta: adversary.errs(delta, steps), inside, halvings)


def smallest_wrong(errs: Callable[[float], bool], inside: float, halvings: int) -> float:
    """The smallest size found at which a network errs, above one that is known to lie inside; at most 1, the zero network."""
    outside = min(max(inside, 2.0**-12), 1.0)
    while outside < 1 and not errs(outside):
        inside, outside = outside, min(2 * outside, 1.0)
    for _ in range(halvings):
        middle = float(np.sqrt(inside * outside))
        inside, outside = (inside, middle) if errs(middle) else (middle, outside)
    return outside


class Floats(NamedTuple):
    """A format of floating-point numbers.

    bits: after the leading one. least: exponent of the least normal number. largest: number. scaled: used with one scale for
    a parameter, by which its largest modulus is the largest number.
    """

    bits: int
    least: int
    largest: float
    scaled: bool = False


def rounded(x: Float[np.ndarray, "..."], format: Floats) -> Float[np.ndarray, "..."]:
    """x in a format, to nearest, a tie to even: off by at most 2^−(bits + 1) of itself, but for numbers below the normal ones.

    ValueError if a number is larger than the largest one of a format without a scale.
    """
    x = x.astype(float)
    most = np.abs(x).max(initial=0)
    if most > format.largest and not format.scaled:
        raise ValueError(f"x: expected at most {format.largest:g}, the largest number of the format, got {most:g}")
    scale = most / format.largest if format.scaled and most else 1.0
    _, exponent = np.frexp(x / scale)
    step = np.ldexp(scale, np.maximum(exponent - 1, format.least) - format.bits)
    return np.round(x / step) * step


def largest_error(x: Float[np.ndarray, "..."], nearest: Float[np.ndarray, "..."]) -> float:
    """The most by which a number has moved, as a share of itself: 1 where it has become 0."""
    return float(np.divide(np.abs(nearest - x), np.abs(x), out=np.zeros(x.shape), where=x != 0).max(initial=0))


def scaled(x: Float[np.ndarray, "..."], most: int) -> Float[np.ndarray, "..."]:
    """x rounded to whole steps of its largest modulus over `most`; small entries may become 0."""
    step = np.abs(x).max() / most or 1.0
    return np.round(x / step) * step


FORMATS = {
    "float16": Floats(10, -14, 65504.0),
    "bfloat16": Floats(7, -126, 3.3895313892515355e38),
    "float8 e4m3": Floats(3, -6, 448.0, scaled=True),
    "float4 e2m1": Floats(1, 0, 6.0, scaled=True),
}
LARGEST_CODE = {"int8": 127, "int4": 7}
