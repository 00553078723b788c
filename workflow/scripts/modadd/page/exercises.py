"""The exercises of the tutorial: each tries an answer out, says whether it is right, and has a hint for a wrong one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, isclose, isfinite, pi
from typing import Any, NamedTuple

import numpy as np

from modadd.core.fourier import angular_frequency
from modadd.core.separable import Separable, accuracy
from modadd.crt.cosets import coset_order, step
from modadd.crt.random_sets import best_set
from modadd.crt.theory import separation
from modadd.page.prose import say
from modadd.quadrature.bounds import LIPSCHITZ
from modadd.quadrature.scheme import INTEGRAL

CLOSE = 0.01  # relative: what an answer with decimals may be off


class Reply(NamedTuple):
    """Whether an answer is right, and what is said to it."""

    right: bool
    words: str


@dataclass(frozen=True)
class Exercise:
    """Which answers are right, what kind of answer is expected, a hint for each wrong one, and a solution."""

    right: Callable[[Any], bool]
    expected: str
    hint: Callable[[Any], str]
    solution: Any

    def reply(self, answer: Any) -> Reply:
        """What is said to an answer; one of another kind than expected is wrong."""
        try:
            if self.right(answer):
                return Reply(True, "**Right.**")
            return Reply(False, f"**Not yet.** {self.hint(answer)}")
        except (TypeError, ValueError, ArithmeticError, IndexError):
            return Reply(False, f"**Not yet.** Expected {self.expected}.")

    def check(self, answer: Any) -> bool:
        """Whether an answer is right; says so below the cell."""
        reply = self.reply(answer)
        say(reply.words)
        return reply.right


def by_value(right: float, expected: str, hints: Mapping[float, str], otherwise: str) -> Exercise:
    """The exercise whose answer is one number, up to CLOSE; wrong numbers that are foreseen have a hint of their own."""

    def near(value: float, answer: Any) -> bool:
        return isclose(answer, value, rel_tol=CLOSE, abs_tol=1e-9)

    def hint(answer: Any) -> str:
        return next((words for value, words in hints.items() if near(value, answer)), otherwise)

    return Exercise(lambda answer: near(right, answer), expected, hint, right)


def one_step(k: int, n: int) -> Exercise:
    """By how much must x grow so that cos(2πkx/n + φ) moves on by gcd(k, n)/n of its period, its smallest step?"""
    smallest = coset_order(k, n)

    def hint(d: Any) -> str:
        return f"{k} · {d} leaves the remainder {k * d % n} when divided by {n}, and should leave {smallest}."

    return Exercise(lambda d: d % 1 == 0 and k * d % n == smallest, "a whole number", hint, step(k, n))


def with_factor(factor: Any, n: int, neurons: int = 41) -> Separable:
    """The network of frequency 1 with evenly spread φ and ψ = factor · φ; ValueError unless the factor is finite."""
    if not isfinite(factor):
        raise ValueError(f"factor: expected a finite number, got {factor}")
    phi, angle = 2 * pi * np.arange(neurons) / neurons, angular_frequency(1, n) * np.arange(n)[:, None]
    table, none = np.cos(angle + phi), np.zeros((n, n))
    return Separable(table, table, np.cos(angle + factor * phi).T, none, none)


def output_phase(n: int) -> Exercise:
    """Which factor m makes the network of the phases ψ = mφ answer every input right?"""

    def hint(factor: Any) -> str:
        if factor == -2:
            return "This adds with the wrong sign: the logits are largest at c = −(a + b)."
        if factor % 2 == 1:
            return "|cos| repeats after half a turn, where an odd multiple of φ changes the sign of the outgoing wave."
        return f"It answers {100 * accuracy(with_factor(factor, n).logits()):.0f} % of the inputs right."

    return Exercise(lambda m: accuracy(with_factor(m, n).logits()) == 1, "a number", hint, 2)


def area() -> Exercise:
    """How large is the area under |cos φ| cos 2φ over a full turn?"""
    return by_value(
        INTEGRAL,
        "a number",
        {
            0.0: "That is the area without the bars of |cos φ|.",
            INTEGRAL / 2: "That is the area over half a turn.",
            4.0: "That is the area under |cos φ| alone.",
        },
        "Write cos 2φ = 1 − 2 sin²φ and integrate from −π/2 to π/2, where cos φ is not negative.",
    )


def bound_of_even(neurons: int) -> float:
    """The bound on the error of so many evenly spread neurons that follows from the slope of the curve alone.

    Over a rectangle of width w = 2π/m a curve of slope at most s is off by at most s w²/4, and there are m rectangles.
    """
    return LIPSCHITZ * pi**2 / neurons


def enough_neurons(share: float) -> Exercise:
    """How many evenly spread neurons does the bound ask for, so that the error is at most this share of the integral?"""
    allowed = share * INTEGRAL
    fewest = ceil(LIPSCHITZ * pi**2 / allowed)

    def hint(m: Any) -> str:
        bound, advice = bound_of_even(int(m)), "Fewer would do." if m > fewest else "Take more."
        return f"With {int(m)} the bound is {bound:.4f}; {allowed:.4f} is allowed. {advice}"

    return Exercise(lambda m: m == fewest, "a whole number above 0", hint, fewest)


def lead_of_one(k: int, n: int) -> Exercise:
    """How far below its top is one wave cos(2πk d/n) at the best wrong answer?"""
    return by_value(
        separation(np.array([k]), n),
        "a number",
        {
            1
            - np.cos(
                angular_frequency(k, n)
            ): "That is the answer next to the right one. Others come nearer to the top."
        },
        "The wave comes nearest to its top where k · d is one step from a multiple of n.",
    )


def few_frequencies(most: int, n: int) -> Exercise:
    """Which frequencies, at most so many, lead by half of what the best such set can?"""
    best = best_set(n, min(most, n // 2))
    needed = separation(best, n) / 2

    def lead(chosen: Any) -> float:
        return separation(np.array([range(n)[k] for k in chosen], dtype=int), n)

    def hint(chosen: Any) -> str:
        if len(chosen) > most:
            return f"These are {len(chosen)} frequencies; at most {most} are allowed."
        return f"The right answer leads by {lead(chosen):.3f}, and should by {needed:.3f}."

    return Exercise(
        right=lambda chosen: 0 < len(chosen) <= most and lead(chosen) >= needed,
        expected=f"a list of whole numbers below {n}",
        hint=hint,
        solution=best.tolist(),
    )


def two_remainders(remainders: Mapping[int, int]) -> Exercise:
    """Which number below the product of these coprime divisors leaves these remainders?"""
    product = int(np.prod(list(remainders)))
    fitting = [x for x in range(product) if all(x % q == r for q, r in remainders.items())]

    def hint(x: Any) -> str:
        if x % product == fitting[0]:
            return f"It leaves the right remainders, but it should be at least 0 and below {product}."
        left = " and ".join(f"{x % q} when divided by {q}" for q in remainders)
        return f"{x} leaves {left}."

    return Exercise(lambda x: x == fitting[0], "a whole number", hint, fitting[0])


def safe_change(margin: float) -> Exercise:
    """By how much may all logits move, up or down, before an answer of this margin can change?"""
    return by_value(
        max(float(margin), 0.0) / 2,
        "a number",
        {float(margin): "The right logit may fall while the best wrong one rises."},
        "Let the right logit fall and the best wrong one rise by the same number.",
    )
