"""Adversaries of a certificate: members of its family, drawn at random and the worst ones, against what it proves."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.certificates.certify import Certificate, by_direct_sums, by_factors
from modadd.certificates.explained import Explained, worst_choice
from modadd.core.separable import margins


@dataclass(frozen=True)
class Trial:
    """Margins of every input in members of a family, beside its certificates by direct sums and by factors.

    lowest: the least among the random members. worst: that in the member with the smallest margin over the wrong answer
    that direct sums let come nearest. flips: how often a random member answers a certified input wrong.
    """

    direct: Certificate
    factors: Certificate
    members: int
    flips: int
    lowest: Float[np.ndarray, "n n"]
    worst: Float[np.ndarray, "n n"]

    def summary(self) -> dict[str, Any]:
        """Counts of flips and of broken bounds, and the median share of what a bound deducts that the worst member takes."""
        certified = self.direct.margin > 0
        explained = self.direct.explained_margin
        taken = explained - self.worst
        return {
            "certified inputs": int(certified.sum()),
            "random members": self.members,
            "flips by random members": self.flips,
            "flips by worst members": int(((self.worst <= 0) & certified).sum()),
            "bounds broken": int((np.minimum(self.worst, self.lowest) < self.direct.margin).sum()),
            "taken, of direct sums": np.median(taken / (explained - self.direct.margin)),
            "taken, of factors": np.median(taken / (explained - self.factors.margin)),
        }

    def curves(self) -> pd.DataFrame:
        """A line for each input, in order of its margin by direct sums: both bounds, and the margins in the members."""
        order = np.argsort(self.direct.margin, axis=None, kind="stable")
        bounds = {
            "factors": self.factors.margin,
            "direct sums": self.direct.margin,
            "worst member": self.worst,
            "random members": self.lowest,
        }
        return pd.DataFrame({kind: values.ravel()[order] for kind, values in bounds.items()})


def against(family: Explained, members: int, seed: int) -> Trial:
    """Try random members of a family, and the worst one for each input.

    Every entry of A and B of a random member lies anywhere within its noise, or in every second one at one of its ends,
    and every neuron's W likewise.
    """
    direct = by_direct_sums(family)
    n, h = family.centre.A.shape
    rng = np.random.default_rng(seed)
    lowest = np.full((n, n), np.inf)
    flips = 0
    for member in range(members):
        within = [rng.uniform(-1, 1, shape) for shape in ((n, h), (n, h), h)]
        if member % 2:
            within = [np.sign(x) for x in within]
        drawn = margins(family.member(*within).logits())
        lowest = np.minimum(lowest, drawn)
        flips += int(((drawn <= 0) & (direct.margin > 0)).sum())
    return Trial(direct, by_factors(family), members, flips, lowest, _worst_margins(family, direct))


def _worst_margins(family: Explained, direct: Certificate) -> Float[np.ndarray, "n n"]:
    n = family.centre.modulus
    worst = np.empty((n, n))
    for a, b in np.ndindex(n, n):
        logits = family.logits_at(a, b, worst_choice(family, a, b, int(direct.runner_up[a, b])))
        right = (a + b) % n
        worst[a, b] = logits[right] - np.delete(logits, right).max()
    return worst
