"""The smallest networks that add: those written down, and an integer program that finds others or excludes them."""

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from modadd.core.separable import Separable, margins

_TOLERANCE = 1e-6  # of the program: a bound so near to its limit may be the limit
_LARGEST = 2.0  # of a preactivation in the integer program, whose |A| and |B| are at most 1
Order = tuple[int, ...]


def two_neurons(n: int) -> Separable:
    """With C and D: s = a + b, v = s − n·ReLU(s − n + 1) + n·ReLU(s − n) and logit(c) = 2cv − c².

    v is the right answer, which leads c by (c − v)², so that the margin is 1. A = B and C = D share s evenly, which keeps
    the norm small. Every entry is a multiple of ½, exact in float64. For n = 2 the second neuron never fires. Raises
    ValueError for n < 2.
    """
    if n < 2:
        raise ValueError(f"n: expected a modulus of at least 2, got {n}")
    x = np.arange(n)
    table, bypass = x[:, None] - np.array([n - 1, n]) / 2, 2.0 * np.outer(x, x) - x**2 / 2
    return Separable(table, table, 2.0 * n * np.array([-x, x]), bypass, bypass)


def four_neurons(n: int) -> Separable:
    """Without C and D: the neurons of `two_neurons`, and ReLU(s) and ReLU(1), which carry 2cs and −c².

    The margin is 1. For n = 2 the second neuron never fires. Raises ValueError for n < 2.
    """
    two, x, nothing = two_neurons(n), np.arange(n), np.zeros((n, n))
    table = np.column_stack([two.A, x, np.full(n, 0.5)])
    return Separable(table, table, np.vstack([two.W, 2.0 * x, -(x**2)]), nothing, nothing)


def one_neuron_mod_3() -> Separable:
    """One neuron with C and D that adds mod 3, in integers. It fires where neither number is 1."""
    table, bypass = np.array([[1.0], [-2], [2]]), np.array([[11.0, 0, -2], [-2, 10, 11], [11, -2, -11]])
    return Separable(table, table, np.array([[-1.0, 7, 11]]), bypass, bypass)


def three_neurons_mod_3() -> Separable:
    """Three neurons without C and D that add mod 3, in integers.

    The first two have the same W, so that q = (r_1 + r_2)/r_3 decides: 0 for q > 2, 1 for 1 < q < 2, and 2 for q < 1.
    """
    A, B = [[7.0, 8, -7], [4, -1, 8], [1, 0, 2]], [[7.0, -8, -7], [1, -1, -5], [8, 1, 0]]
    W, nothing = np.array([[2.0, 1, 0], [2, 1, 0], [0, 2, 3]]), np.zeros((3, 3))
    return Separable(np.transpose(A), np.transpose(B), W, nothing, nothing)


class Optimum(NamedTuple):
    """The network of the largest margin that was found, and a number that no margin of such a network exceeds."""

    network: Separable
    bound: float


def best_tables(groups: Sequence[Float[np.ndarray, "_ n"]], nodes: int = 10**6, residual: bool = False) -> Optimum:
    """The best A and B, of |A|, |B| ≤ 1, for given W, over all patterns of firing at once; with `residual` also C and D.

    groups: the W of neurons that fire on the same inputs, a row each. Margin 0 is always reached. This is a mixed-integer
    program in floating point (HiGHS), which gives up after so many nodes of its search, with a bound above the margin.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # here: slower to import than most notebooks compute

    W, n = np.concatenate(groups), groups[0].shape[1]
    group = np.repeat(np.arange(len(groups)), [len(rows) for rows in groups])
    shapes = {"margin": (1,), "A": (len(W), n), "B": (len(W), n), "r": (len(W), n, n), "fires": (len(groups), n, n)}
    shapes |= {"C": (n, n), "D": (n, n)} if residual else {}
    at, size = {}, 0
    for name, shape in shapes.items():
        at[name] = size + np.arange(np.prod(shape)).reshape(shape)
        size += at[name].size

    # r is ReLU(u), u = A + B: u ≤ r, r ≤ u where the neuron fires, 0 ≤ r, and r ≤ 0 where it does not.
    i, a, b = np.indices((len(W), n, n)).reshape(3, -1)
    line, r, fires = np.arange(len(i)), at["r"][i, a, b], at["fires"][group[i], a, b]
    excess, silent = np.zeros((2, len(line), size))
    excess[line, r], silent[line, r] = 1, 1
    excess[line, at["A"][i, a]] = excess[line, at["B"][i, b]] = -1
    on, silent[line, fires] = excess.copy(), -_LARGEST
    on[line, fires] = _LARGEST

    a, b, e = np.indices((n, n, n - 1)).reshape(3, -1)
    line, right, wrong = np.arange(len(a)), (a + b) % n, (a + b + e + 1) % n
    lead = np.zeros((len(line), size))
    lead[:, at["margin"][0]] = -1
    lead[line[:, None], at["r"][:, a, b].T] = (W[:, right] - W[:, wrong]).T
    for name, x in (("C", a), ("D", b)) if residual else ():
        lead[line, at[name][x, right]], lead[line, at[name][x, wrong]] = 1, -1

    low, high = np.full(size, -np.inf), np.full(size, np.inf)
    whole, goal = np.zeros(size), np.zeros(size)
    for name, ends in {"margin": (0, np.inf), "A": (-1, 1), "B": (-1, 1), "r": (0, _LARGEST), "fires": (0, 1)}.items():
        low[at[name]], high[at[name]] = ends
    whole[at["fires"]], goal[at["margin"]] = 1, -1
    limits = [(excess, 0, np.inf), (on, -np.inf, _LARGEST), (silent, -np.inf, 0), (lead, 0, np.inf)]
    constraints = [LinearConstraint(*limit) for limit in limits]
    # The search is shorter below a limit that is near. The second one is above every margin: on average over the inputs C and
    # D add nothing to the lead over one wrong answer.
    for most in (1.0, _LARGEST * float(np.ptp(W, axis=1).sum())):
        high[at["margin"]] = most
        bounds = Bounds(low, high)
        done = milp(goal, integrality=whole, bounds=bounds, constraints=constraints, options={"node_limit": nodes})
        if -done.mip_dual_bound < most - _TOLERANCE:
            break
    x = np.zeros(size) if done.x is None else done.x
    C, D = (x[at[name]] if residual else np.zeros((n, n)) for name in "CD")
    return Optimum(Separable(x[at["A"]].T, x[at["B"]].T, W, C, D), -done.mip_dual_bound)


def steps_of(order: Order) -> Float[np.ndarray, "_ n"]:
    """Row j is 1 at the first j + 1 answers of the order, 0 elsewhere: their sums with positive weights fall in this order."""
    return np.array([[float(order.index(c) <= j) for c in range(len(order))] for j in range(len(order) - 1)])


def best_by_order(order: Order) -> Optimum:
    """`best_tables` with C and D of n − 1 neurons that fire together, whose W are the `steps_of` an order of the answers.

    They can do all that one neuron can whose W falls in this order, and more: the bound 0 excludes the order.
    """
    return best_tables([steps_of(order)], residual=True)


def order_classes(n: int) -> list[Order]:
    """The orders in which the W of a neuron can fall, up to c ↦ uc + v with a unit u, which renames residues.

    An order holds the answers from the greatest entry of W to the least. One with ties is a limit of others.
    """
    maps = [[(u * c + v) % n for c in range(n)] for u in range(n) if np.gcd(u, n) == 1 for v in range(n)]
    return sorted({min(tuple(to[c] for c in order) for to in maps) for order in permutations(range(n))})


def random_outputs(n: int, neurons: int, rng: np.random.Generator) -> list[Float[np.ndarray, "1 n"]]:
    """W of so many neurons, a group of one each: unit vectors (W_1(c), W_2(c), …) without negative entries.

    So every answer c wins somewhere: where the neurons fire in the proportion of its own vector.
    """
    W = np.abs(rng.standard_normal((neurons, 1, n)))
    return list(W / np.linalg.norm(W, axis=0))


def counts(optima: Sequence[Optimum]) -> dict[str, float | int]:
    """How many were tried, have a network and are undecided, with the best margin and the largest bound.

    Undecided: no network was found, and none excluded. All to five digits, which such a program can tell from 0.
    """
    best, bounds = np.array([(margins(one.network.logits()).min(), one.bound) for one in optima]).T.clip(0).round(5)
    found = {"tries": len(best), "found": int((best > 0).sum()), "undecided": int(((best == 0) & (bounds > 0)).sum())}
    return found | {"best margin": float(best.max()), "largest bound": float(bounds.max())}
