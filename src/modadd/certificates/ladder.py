"""The ladder of certificates: what is explained of a network, and how the rest is summed."""

from collections.abc import Callable

from modadd.certificates.certify import Certificate, by_brute_force, by_direct_sums, certify
from modadd.certificates.channels import by_short_channels
from modadd.certificates.coarse import by_coarse_channels
from modadd.certificates.explained import explain
from modadd.certificates.flips import find_flips, margins_by_flips
from modadd.certificates.rounding import evaluation_errors, require_small
from modadd.core.separable import Separable
from modadd.networks.registry import once


def by_flips(network: Separable) -> Certificate:
    """The margin of every input of the network itself, less rounding errors: brute force, from the flips of its neurons."""
    require_small(network)
    flips = find_flips(network)
    margin, runner_up, error = margins_by_flips(flips)
    operations = flips.finding() + flips.adding(network.modulus)
    rounding = evaluation_errors(network, 0, 1) + 2 * error
    return Certificate(margin - rounding, margin, runner_up, rounding, operations, "flips·p + p³F")


RUNGS: dict[str, Callable[[Separable], Certificate]] = {
    "k: direct sums": lambda network: by_direct_sums(explain(network, 1, bypass_identity=False)),
    "k: worst member": lambda network: by_direct_sums(explain(network, 1, bypass_identity=False), exact=True),
    "k and 2k: direct sums": lambda network: by_direct_sums(explain(network, 2, bypass_identity=False)),
    "k and 2k: worst member": lambda network: by_direct_sums(explain(network, 2, bypass_identity=False), exact=True),
    "k and 2k: factors": lambda network: certify(network, 2, bypass_identity=False),
    "k, identity part kept: factors": lambda network: certify(network, 1),
    "k and 2k, identity part kept: factors": lambda network: certify(network, 2),
    "quadrature channels, short": by_short_channels,
    "quadrature channels, short, coarse first": by_coarse_channels,
    "flips": by_flips,
    "brute force": by_brute_force,
}
PROOFS = {name: once(rung) for name, rung in RUNGS.items()}  # the same, computed once for every network
# Direct sums and worst members take more operations than brute force, which flips do for less.
CHEAPER = tuple(name for name in RUNGS if "direct" not in name and "worst" not in name and "brute" not in name)
