"""The numbered steps of the arguments about the smallest networks, each tested on instances where it could fail.

A test gives, by the number of the step, whether each instance is a counterexample.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from modadd.core.groups import ADDITION, right_answers
from modadd.core.separable import Separable
from modadd.handmade.build import clarity, hand_coded
from modadd.handmade.one_frequency import WIDEST, alias, turn, turn_series, widest
from modadd.handmade.search import widest_turn

Found = dict[int, list[bool]]
ROUNDING = 1e-9  # of sums of a few tens of normal numbers
ORDERS = 500  # of the series that a turn is compared with


def counted(found: Found) -> pd.DataFrame:
    """A line for each step: its instances, and how many of them are counterexamples."""
    lines = [(step, len(wrong), int(sum(wrong))) for step, wrong in found.items()]
    return pd.DataFrame(lines, columns=["step", "instances", "counterexamples"])


def random_tables(n: int, neurons: int, rng: np.random.Generator) -> Separable:
    """A network of normal entries."""
    shapes = ((n, neurons), (n, neurons), (neurons, n), (n, n), (n, n))
    return Separable(*(rng.standard_normal(shape) for shape in shapes))


def is_nested(rows: Bool[np.ndarray, "n n"]) -> bool:
    """Whether of any two rows, as sets of columns, one holds the other."""
    return all(bool((one <= other).all() or (other <= one).all()) for one, other in product(rows, rows))


def few_neurons_fail(draws: int, rng: np.random.Generator) -> Found:
    """Steps 1 to 5: no network without neurons adds, and none of two neurons without C and D, for any n ≥ 2."""
    found: Found = {step: [] for step in range(1, 6)}
    for n in rng.integers(2, 9, draws).tolist():
        found[1].append(_leads_over_the_next_sum(n, rng) > ROUNDING)
        for step, wrong in _two_neurons(n, rng).items():
            found[step].append(wrong)
    return found


def _leads_over_the_next_sum(n: int, rng: np.random.Generator) -> float:
    """The sum over all inputs of the lead of t = a + b over t + 1, in a network without neurons: 0, up to its sign."""
    (a, b), t = np.indices((n, n)), right_answers(ADDITION, n)
    logits = random_tables(n, 0, rng).logits()
    return float(abs((logits[a, b, t] - logits[a, b, (t + 1) % n]).sum()))


def _two_neurons(n: int, rng: np.random.Generator) -> dict[int, bool]:
    """Steps 2 to 5, of the angle of the two activations, on one random network."""
    network, theta = random_tables(n, 2, rng), rng.uniform(0.01, 1.56)
    u, cut = network.preactivations(), np.array([-np.sin(theta), np.cos(theta)])
    fires = (u > 0).any(axis=-1)
    angle = np.arctan2(*np.maximum(u[fires], 0).T[::-1])
    answers = (network.logits() - network.residual()).argmax(axis=-1)[fires][angle.argsort(kind="stable")]
    below = np.add.outer(network.A @ cut, network.B @ cut) < 0
    return {
        2: bool(np.count_nonzero(np.diff(answers)) >= max(1, len(np.unique(answers)))),
        3: bool((below[fires] != (angle < theta)).any()),
        4: not is_nested(below),
        5: is_nested(right_answers(ADDITION, n) == rng.integers(n)),
    }


def one_neuron_fails(draws: int, rng: np.random.Generator) -> Found:
    """Steps 6 to 8: one neuron with C and D does not add where 4 divides n = 2m."""
    found: Found = {6: [], 7: []}
    for m in rng.integers(1, 5, draws).tolist():
        for step, wrong in _rectangle(m, rng).items():
            found[step].append(wrong)
    return found | {8: [has_signs_of_a_sum(m) != bool(m % 2) for m in range(1, 6)]}


def _rectangle(m: int, rng: np.random.Generator) -> dict[int, bool]:
    """Steps 6 and 7, on the rectangle of rows a and a + m, columns b and b + m, of one random network."""
    corners = np.array([[1, -1], [-1, 1]])
    network, (a, b) = random_tables(2 * m, 1, rng), rng.integers(m, size=2)
    x, y, where = a + b, (a + b + m) % (2 * m), np.ix_([a, a + m], [b, b + m])
    logits, r = network.logits(), np.maximum(network.preactivations()[..., 0], 0)
    delta = (corners * r[where]).sum()
    leads = (corners * (logits[..., x] - logits[..., y])[where]).sum()
    rising = np.sign((network.A[a + m, 0] - network.A[a, 0]) * (network.B[b + m, 0] - network.B[b, 0]))
    return {
        6: bool(abs(leads - (network.W[0, x] - network.W[0, y]) * delta) > ROUNDING),
        7: bool(delta * rising < -1e-12),
    }


def has_signs_of_a_sum(m: int) -> bool:
    """Whether E(a) F(b) depends on a + b mod 2m alone, for some signs E and F that turn from x to x + m."""
    signs = [np.array([*half, *np.negative(half)]) for half in product((1, -1), repeat=m)]
    t = right_answers(ADDITION, 2 * m)
    return any(
        all(np.ptp(np.outer(E, F)[t == answer]) == 0 for answer in range(2 * m)) for E, F in product(signs, signs)
    )


def two_of_three_alike(draws: int, rng: np.random.Generator) -> Found:
    """Step 9: where two of three neurons have the same W, the set of an answer is a union of four nested ones."""
    wrong = []
    for u, kappa in zip(rng.standard_normal((draws, 3)), rng.exponential(size=draws), strict=True):
        union = u[2] <= 0 or max(u[0], u[1], u[0] + u[1]) >= kappa * u[2]
        wrong.append(bool(union != (np.maximum(u[:2], 0).sum() >= kappa * max(u[2], 0))))
    return {9: wrong}


def cube_root_law(built: Iterable[tuple[int, int]], neurons: Sequence[int]) -> Found:
    """Steps 1 to 7 of the law: how far h evenly spaced neurons of one frequency turn an answer.

    built: moduli and numbers of neurons where all logits are computed. neurons: odd h of the steps on the series.
    """
    y = np.linspace(-np.pi, np.pi, 721)
    found: Found = {step: [] for step in range(1, 8)}
    for n, h in built:
        turned_right = widest_turn(n, h) < np.pi / n
        found[1].append(turned_right != (clarity(hand_coded(n, [1], h))["accuracy"] == 1))
    for h in neurons:
        for step, wrong in _series(y, h).items():
            found[step] += wrong
    found[5] = _cubic(y)
    for half in range(3, max(neurons)):
        found[7].append(abs(half**3 * widest(2 * half) / WIDEST - 1) > 7 / half**2)
    return found


def _series(y: Float[np.ndarray, "s"], h: int) -> Found:
    """Steps 2, 3, 4 and 6, at one odd number of neurons: in whole numbers where the step is about these."""
    turned = turn(y / (2 * h), h)
    S = {l * h: abs(alias(h, l)) - abs(alias(h, -l)) for l in range(1, 40)}
    return {
        2: [bool(np.abs(turned - turn_series(y, h, ORDERS)).max() > 2 / (ORDERS * h**2))],
        3: [value != Fraction(48 * x, (4 * x**2 - 1) * (4 * x**2 - 9)) for x, value in S.items()],
        4: [
            *(not 3 <= value * x**3 <= 3 + Fraction(9, x**2) for x, value in S.items()),
            bool(np.abs(turned - 1).max() > 3 / h**2),
        ],
        6: [abs(h**3 * widest(h) / WIDEST - 1) > 7 / h**2],
    }


def _cubic(y: Float[np.ndarray, "s"]) -> list[bool]:
    """Step 5: the sum of sines is the cubic y(π² − y²)/12, and this is nowhere above π³/(18√3)."""
    l, cubic = np.arange(1, 2001), y * (np.pi**2 - y**2) / 12
    off = np.abs(-np.sin(np.outer(y, l)) @ ((-1.0) ** l / l**3) - cubic)
    return [*(off > 1e-6).tolist(), bool(cubic.max() > WIDEST / 3)]
