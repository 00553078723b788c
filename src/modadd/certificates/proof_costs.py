"""The rungs of the ladder on one network: what each costs, what it proves, and whether another one is cheaper and as good."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.certificates.certify import Certificate, for_stored_weights
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
    rounding of that is taken off, too. tightness: the median over the inputs of the certified margin over the true one.
    """
    beaten, brute = dominated(certificates), certificates["brute force"].operations
    positive = np.where(true > 0, true, np.nan)
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
                "tightness": np.median(certificate.margin / positive),
            }
        )
    return pd.DataFrame(lines)
