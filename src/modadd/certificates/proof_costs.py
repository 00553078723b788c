"""The rungs of the ladder on one network: what each costs, what it proves, and whether another one is cheaper and as good."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.certificates.certify import Certificate, by_factors, for_stored_weights
from modadd.certificates.explained import Explained
from modadd.networks.store import Network


def proves(rung: str) -> str:
    """What a rung proves something about: the family of networks around what is explained, or "the network" alone."""
    return rung.partition(": ")[0] if ": " in rung else "the network"


def dominated(certificates: Mapping[str, Certificate]) -> dict[str, bool]:
    """By rung, whether another one takes fewer operations and proves at every input as much of the same."""
    beaten = dict.fromkeys(certificates, False)
    for rung, own in certificates.items():
        for rival, other in certificates.items():
            cheaper = proves(rival) == proves(rung) and other.operations < own.operations
            if cheaper and (other.margin >= own.margin).all():
                beaten[rung] = True
    return beaten


def proof_costs(
    certificates: Mapping[str, Certificate], true: Float[np.ndarray, "n n"], stored: Network | None = None
) -> pd.DataFrame:
    """A line for each rung: its cost, also over that of brute force, which is one of them, and how tight it is.

    true: the margins that are proven something of. stored: the network whose weights the tables are made of; then the
    rounding of that is taken off, too. tightness: the median of the certified margin over the
    true one, of the inputs that are answered right; NaN for none.
    """
    beaten, brute = dominated(certificates), certificates["brute force"].operations
    right = true > 0
    lines = []
    for rung, certificate in certificates.items():
        if stored is not None:
            certificate = for_stored_weights(certificate, stored)
        lines.append(
            {
                "rung": rung,
                "proves": proves(rung),
                "operations": certificate.operations,
                "dominated": beaten[rung],
                "of brute force": certificate.operations / brute,
                "certified share": certificate.share,
                "smallest certified margin": certificate.margin.min(),
                "smallest true margin": true.min(),
                "tightness": np.median(certificate.margin[right] / true[right]) if right.any() else np.nan,
            }
        )
    return pd.DataFrame(lines)


def ladder_table(ladder: Mapping[str, Certificate], true: Float[np.ndarray, "n n"], parameters: int) -> pd.DataFrame:
    """A line for each rung: order and operations, also over those of brute force and for each parameter, and what it certifies.

    true: the margins that are proven something of; what a proof costs is how far the certified ones are below them.
    """
    return pd.DataFrame(
        {
            "rung": rung,
            "order": certificate.order,
            "operations": certificate.operations,
            "of brute force": certificate.operations / ladder["brute force"].operations,
            "per parameter": certificate.operations / parameters,
            "certified share": certificate.share,
            "smallest explained margin": certificate.explained_margin.min(),
            "smallest certified margin": certificate.margin.min(),
            "median certified margin": np.median(certificate.margin),
            "median cost of the proof": np.median(true - certificate.margin),
        }
        for rung, certificate in ladder.items()
    )


def noise_budget(families: Mapping[str, Explained]) -> pd.DataFrame:
    """A line for each family: medians of the margin explained, of what the noise of A and B and that of W take off, and of the rest.

    By factors; rounding is taken off with the noise of A and B.
    """
    lines = []
    for name, family in families.items():
        noise_of_all, noise_of_AB = by_factors(family), by_factors(replace(family, residual_W=0 * family.residual_W))
        steps = [noise_of_all.explained_margin, noise_of_AB.margin, noise_of_all.margin]
        parts = [steps[0], steps[0] - steps[1], steps[1] - steps[2], steps[2]]
        lines.append((name, *np.median(parts, axis=(1, 2))))
    return pd.DataFrame(lines, columns=["explained", "margin", "noise of A and B", "noise of W", "certified"])
