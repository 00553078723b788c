"""What is proven of a network, for its row: the share of its inputs by the shorter proofs, and its balls."""

from modadd.certificates.ball import table_radius, weight_radius
from modadd.certificates.channels import by_short_channels
from modadd.certificates.coarse import by_coarse_channels
from modadd.certificates.ladder import by_flips
from modadd.core.separable import Separable
from modadd.networks.store import Network
from modadd.populations.tables import PROOFS, RADII

LARGEST = 251  # modulus: the margins of larger networks need more memory than the job of a row asks for


def proof_measures(network: Separable) -> dict[str, float]:
    """Share of inputs proven right by flips, by the short proof, and coarse first; and what the last one saves.

    `coarse_over_short` is the ratio of their operations, NaN unless coarse first proves every input right. All are NaN
    beyond the modulus LARGEST.
    """
    if network.modulus > LARGEST:
        return dict.fromkeys(PROOFS, float("nan"))
    short, coarse = by_short_channels(network), by_coarse_channels(network)
    saves = coarse.operations / short.operations if coarse.share == 1 else float("nan")
    return dict(zip(PROOFS, (by_flips(network).share, short.share, coarse.share, saves), strict=True))


def radius_measures(network: Network) -> dict[str, float]:
    """How far every entry of the tables, or of the weights, may move before an answer can change; 0 if one is wrong."""
    return dict(zip(RADII, (table_radius(network.separable()), weight_radius(network)), strict=True))
