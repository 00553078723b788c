"""The ladder of certificates: what is explained of a network, and how the rest is summed."""

from collections.abc import Callable

import numpy as np

from modadd.certificates.certify import Certificate, by_brute_force, by_direct_sums, certificate_of, certify
from modadd.certificates.channels import by_short_channels
from modadd.certificates.coarse import by_coarse_channels
from modadd.certificates.explained import explain
from modadd.certificates.flips import exact_logits, find_flips
from modadd.certificates.rounding import evaluation_errors, require_small
from modadd.core.separable import Separable


def by_flips(network: Separable) -> Certificate:
    """The margin of every input of the network itself, less rounding errors: brute force, from the flips of its neurons."""
    require_small(network)
    flips, n = find_flips(network), network.modulus
    logits, error = exact_logits(flips)
    operations = flips.finding() + flips.adding(n)
    rounding = evaluation_errors(network, 0, 1) + 2 * error
    return certificate_of(logits, np.zeros((n, n, n)), rounding, operations, "flips·p + p³F")


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
