"""Whether the printed number of random frequencies is enough, for many δ and ρ, and how many are ([C] §5.4).

[C1] prints the bound as Theorem 4.7. A *cell* is one modulus n with one δ and one ρ. All cells are simulated on the same
draws of each modulus, and their intervals hold together: each covers at CONFIDENCE shared out by Bonferroni.
"""

from collections.abc import Mapping, Sequence
from math import ceil, floor, isqrt, log
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from modadd.core.statistics import CONFIDENCE, Estimate
from modadd.crt.random_sets import draw, exact_probability, separations, steps
from modadd.crt.theory import cramer_rate, proven_probabilities, published_bound

HOLDS, FAILS, UNDECIDED = "holds", "fails", "undecided"
ENUMERATED = 5  # frequencies of which all draws are visited, in seconds
ENUMERATED_MODULUS = 100  # up to which they are
TIE = 1e-9  # a sum of cosines that is δm exactly, as some rational ones are, does not lie above it, however it rounds
BLOCK = 256  # draws summed at a time: they stay in a processor's cache
CHOSEN = 32  # of `logarithm_is_enough` in proofs/Frequencies.v: that many times ln n
NEEDED = 9  # of `logarithm_is_needed` there: n is at most this to the number of frequencies


def printed_number(n: int, delta: float, rho: float) -> int:
    """The smallest whole number of frequencies above `published_bound`, enough for probability ρ as printed ([C] §5.4)."""
    return floor(published_bound(n, delta, rho)) + 1


def proven_number(n: int, delta: float, rho: float) -> int:
    """The smallest number of independent frequencies that provably separates with probability ρ, for any n.

    By `theory.proven_probabilities`, which grows with the number: more of them do, too.
    """
    most = 16
    while (enough := proven_probabilities(n, most, delta) >= rho).sum() == 0:
        most *= 2
    return int(np.argmax(enough)) + 1


def proven_number_of_prime(n: int, delta: float, rho: float) -> int | None:
    """The smallest whole number from ln((n − 1)/(2 − 2ρ))/I on, with I of `theory.cramer_rate`; None if n is not prime.

    That many independent frequencies separate with probability ρ, as 1 − (n − 1)/2 · e^{−mI} is at least ρ.
    """
    is_prime = n > 1 and all(n % divisor for divisor in range(2, isqrt(n) + 1))
    if not is_prime:
        return None
    return ceil(log((n - 1) / (2 - 2 * rho)) / cramer_rate(delta))


def chosen_number(n: int) -> int:
    """The smallest number from 32 ln n on: so many frequencies, if chosen well, separate by half of it (Frequencies.v).

    This is proven in Coq for every n ≥ 2. It says nothing about random frequencies.
    """
    return ceil(CHOSEN * log(n))


def chosen_numbers(n: int) -> dict[str, int]:
    """What Coq proves of frequencies mod n that are chosen: so many are enough, and so many needed (Frequencies.v)."""
    return {"n": n, "proven enough": chosen_number(n), "proven needed": ceil(log(n) / log(NEEDED))}


def drawn_separations(n: int, most: int, trials: int, rng: np.random.Generator) -> Float[np.ndarray, "trials most"]:
    """Separation of the first m = 1 … `most` of independent random frequencies mod n, one row for each draw."""
    frequencies = draw(n, most, trials, rng)
    blocks = np.array_split(frequencies, ceil(trials / BLOCK))
    return np.concatenate([separations(block, n) for block in blocks])


def exact_interval(
    holds: Int[np.ndarray, "*m"] | int, of: int, confidence: float
) -> tuple[Float[np.ndarray, "*m"], Float[np.ndarray, "*m"]]:
    """Ends of the interval of a share of `of` draws, which covers at least at `confidence` (Clopper and Pearson 1934)."""
    from scipy.special import betaincinv

    count = np.asarray(holds)
    outside = (1 - confidence) / 2
    low = np.where(count > 0, betaincinv(np.maximum(count, 1), of - count + 1, outside), 0.0)
    high = np.where(count < of, betaincinv(count + 1, np.maximum(of - count, 1), 1 - outside), 1.0)
    return low, high


def cells(
    moduli: Sequence[int],
    deltas: Sequence[float],
    rhos: Sequence[float],
    trials: int,
    generators: Mapping[int, np.random.Generator],
) -> pd.DataFrame:
    """One row for each modulus n, δ and ρ: what is printed, what comes out there, and which numbers are enough.

    printed bound, printed m: `theory.published_bound` and the `printed_number`. probability, low, high: that m
    independent frequencies separate by more than δm, with its interval. exact: the same over all draws, where these are
    few. theorem: whether the probability reaches ρ. least m, at least, at most: `least_number`. proven m, and for prime
    n by a formula: what is proven to be enough. `generators` draws for each modulus.
    """
    confidence = 1 - (1 - CONFIDENCE) / (len(moduli) * len(deltas) * len(rhos))
    rows = []
    for n in moduli:
        most = max(number(n, max(deltas), max(rhos)) for number in (printed_number, proven_number))
        found = drawn_separations(n, most, trials, generators[n])
        for delta in deltas:
            separated = (found > delta * np.arange(1, most + 1) + TIE).sum(axis=0)
            low, high = exact_interval(separated, trials, confidence)
            likely = pd.DataFrame({"probability": separated / trials, "low": low, "high": high})
            rows += [_cell(n, delta, rho, likely) for rho in rhos]
    return pd.DataFrame(rows).astype({"proven m, prime n": "Int64"})


def _cell(n: int, delta: float, rho: float, likely: pd.DataFrame) -> dict[str, object]:
    """One row of `cells`, from the probabilities of 1, 2, … frequencies."""
    m = printed_number(n, delta, rho)
    at = likely.iloc[m - 1]
    proven = proven_number(n, delta, rho)
    few = n <= ENUMERATED_MODULUS and m <= ENUMERATED
    return {
        "n": n,
        "delta": delta,
        "rho": rho,
        "printed bound": published_bound(n, delta, rho),
        "printed m": m,
        **at.to_dict(),
        "exact": exact_probability(n, m, delta) if few else np.nan,
        "theorem": decided(at.low, at.high, rho),
        **least_number(likely, rho, proven),
        "proven m": proven,
        "proven m, prime n": proven_number_of_prime(n, delta, rho),
    }


def decided(low: float, high: float, limit: float) -> str:
    """Whether a number reaches a limit, as far as its interval tells: HOLDS, FAILS or UNDECIDED."""
    if low >= limit:
        return HOLDS
    return FAILS if high < limit else UNDECIDED


def least_number(likely: pd.DataFrame, rho: float, proven: int) -> dict[str, int]:
    """The least number of frequencies from which on the probability is at least ρ, and the numbers between which it lies.

    `likely` has columns probability, low and high; its row m − 1 belongs to m frequencies. Just below `at least` the upper
    end of the interval is too low; from `at most` on all lower ends are high enough, or it is `proven`.
    """
    ends = {"least m": "probability", "at least": "high", "at most": "low"}
    found = {name: _last_below(likely[column].to_numpy(), rho) + 1 for name, column in ends.items()}
    return {name: min(number, proven) for name, number in found.items()}


def _last_below(probability: Float[np.ndarray, "m"], rho: float) -> int:
    """The largest number of frequencies at which the probability is below ρ, 0 if it never is."""
    below = np.flatnonzero(probability < rho)
    return int(below[-1]) + 1 if len(below) else 0


def least_excess(table: pd.DataFrame, trials: int) -> Estimate:
    """Of all `cells`, the least probability at the printed number less ρ, with an interval at CONFIDENCE.

    The theorem says that it is not negative. As the intervals of the cells hold together, so do the least of their ends.
    """
    value, low, high = (float((table[column] - table.rho).min()) for column in ("probability", "low", "high"))
    return Estimate(value, low, high, trials)


def end_nearer(found: Estimate, limit: float) -> float:
    """The end of the interval that lies nearer to a limit outside it; NaN if the interval contains the limit.

    So a comparison of this number with the limit is one of the whole interval.
    """
    verdict = decided(found.low, found.high, limit)
    return {HOLDS: found.low, FAILS: found.high, UNDECIDED: float("nan")}[verdict]


def steps_at_printed_numbers(
    table: pd.DataFrame, rho: float, trials: int, generators: Mapping[int, np.random.Generator]
) -> pd.DataFrame:
    """`random_sets.steps` at the printed number of each of the `cells` of one ρ, with columns n and delta before them."""
    rows = []
    asked = table[table.rho == rho]
    for n, delta, m in zip(asked.n.tolist(), asked.delta.tolist(), asked["printed m"].tolist(), strict=True):
        found = steps(n, [m], trials, delta, generators[n], m)
        found.insert(0, "n", n)
        found.insert(1, "delta", delta)
        rows.append(found)
    return pd.concat(rows, ignore_index=True)


def counts(table: pd.DataFrame) -> dict[str, int]:
    """How many of the `cells` were `tried`, and at how many the theorem holds, fails or is undecided."""
    return {"tried": len(table)} | {word: int((table.theorem == word).sum()) for word in (HOLDS, FAILS, UNDECIDED)}


def first_failure(table: pd.DataFrame, steps: pd.DataFrame) -> dict[str, Any]:
    """The cell of the smallest n, then δ, of those in `steps_at_printed_numbers` where the theorem fails; empty if none.

    With the names of `cells`, and beside them what each of the steps gives there.
    """
    both = table.merge(steps, left_on=["n", "delta", "printed m"], right_on=["n", "delta", "m"])
    failing = both[both.theorem == FAILS].sort_values(["n", "delta", "rho"])
    return failing.iloc[0].to_dict() if len(failing) else {}
