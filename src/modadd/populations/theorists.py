"""What the theorists assume of a network of one hidden layer, and how near it comes to their closed form ([T] Gromov).

All numbers are of the neurons that work; weight decay has shrunk the others.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int

from modadd.core.fourier import cosine_at
from modadd.handmade.gromov import Distance, Hidden, distance_from_closed_form
from modadd.networks.initialisation import seed_for
from modadd.networks.registry import is_cyclic, measure, once
from modadd.networks.store import Network
from modadd.populations.spectra import ordered_tables
from modadd.populations.spectral_measures import purest_in

IDLE_SHARE = 0.01  # of the mean size: a smaller neuron does not work
ENOUGH_NEURONS = 5  # neurons of a frequency, whose phases are then tested
UNIFORM_DRAWS = 2000  # of uniform phases, as many as neurons

Phases = Float[np.ndarray, "*draws _"]  # each group has its own number


@once
def works_in(network: Network) -> Bool[np.ndarray, "h"]:
    """Which neurons work: the product of the spreads of their U, V and W is at least IDLE_SHARE of the mean, and not 0."""
    A, B, W = ordered_tables(network)
    size = A.std(axis=0) * B.std(axis=0) * W.std(axis=0)
    return (size >= IDLE_SHARE * size.mean()) & (size > 0)


@once
def working_in(network: Network) -> tuple[Hidden, Int[np.ndarray, "h"]]:
    """The tables of the neurons that work, and the frequency of each."""
    A, B, W = (table[:, works_in(network)] for table in ordered_tables(network))
    return Hidden(A, B, W.T), purest_in(network)[0][works_in(network)]


@once
def _distance_in(network: Network) -> Distance:
    return distance_from_closed_form(*working_in(network)) if is_cyclic(network) else Distance(np.nan, np.nan, np.nan)


@once
def neurons_by_frequency(network: Network) -> Int[np.ndarray, "frequencies"]:
    """How many working neurons have each frequency 1 … ⌊(n − 1)/2⌋."""
    n = network.recipe.modulus
    return np.bincount(working_in(network)[1], minlength=n)[1 : (n - 1) // 2 + 1]


@once
def phases_by_frequency(network: Network) -> list[Phases]:
    """Phases of U at each frequency of ENOUGH_NEURONS working neurons, and of V unless they are the same by construction.

    None on a group that is not cyclic.
    """
    if not is_cyclic(network):
        return []
    tables, frequency = working_in(network)
    inputs = (tables.U,) if np.array_equal(tables.U, tables.V) else (tables.U, tables.V)
    return [
        cosine_at(table[:, frequency == k], frequency[frequency == k]).phase
        for k in 1 + np.flatnonzero(neurons_by_frequency(network) >= ENOUGH_NEURONS)
        for table in inputs
    ]


def crowding(groups: Sequence[Phases]) -> Float[np.ndarray, "*draws"] | float:
    """Mean of m R² over groups of m phases, R the length of their mean vector: about 1 for uniform draws; NaN of none.

    The phases of a group lie along its last axis; axes before it are draws, with a number for each.
    """
    resultants = [group.shape[-1] * abs(np.exp(1j * group).mean(axis=-1)) ** 2 for group in groups]
    return np.mean(resultants, axis=0) if resultants else float("nan")


@measure("working neurons", "1")
def working_neurons(network: Network) -> int:
    """How many neurons are not idle: the product of the spreads of their U, V and W is at least 1 % of the mean (ours)."""
    return int(works_in(network).sum())


@measure("energy outside the closed form", "share")
def outside_closed_form(network: Network) -> float:
    """Share of the energy of U, V and W of the working neurons that one cosine for each does not hold ([T] Gromov)."""
    return _distance_in(network).outside


@measure("rms of ψ − φ − φ'", "rad")
def closed_form_mismatch(network: Network) -> float:
    """Root mean square of ψ − φ − φ' of the working neurons, weighted by their sizes ([T] Gromov)."""
    return _distance_in(network).mismatch


@measure("spread of the neurons' sizes over their mean", "1")
def unequal_sizes(network: Network) -> float:
    """Standard deviation of the sizes of the working neurons over their mean, 0 in the closed form ([T] Gromov)."""
    return _distance_in(network).unequal


@measure("p that all frequencies are equally likely", "1")
def frequencies_even_p(network: Network) -> float:
    """p-value of the χ² test that all frequencies are equally likely over the working neurons ([T] Gromov)."""
    if not is_cyclic(network):
        return float("nan")
    from scipy.special import chdtrc  # scipy.stats.chisquare, which wraps it, takes ten times as long to import

    counts = neurons_by_frequency(network)
    expected = counts.mean()
    return float(chdtrc(len(counts) - 1, ((counts - expected) ** 2 / expected).sum()))


@measure("crowding of the phases", "1")
def phase_crowding(network: Network) -> float:
    """Mean of m R² over frequencies of m ≥ 5 working neurons: about 1 for uniform phases, less for even ones (ours)."""
    return float(crowding(phases_by_frequency(network)))


@measure("p that phases are uniform draws", "1")
def phases_uniform_p(network: Network) -> float:
    """Two-sided p-value of the crowding by draws of as many uniform phases; NaN without a frequency of 5 neurons (ours)."""
    groups = phases_by_frequency(network)
    if not groups:
        return float("nan")
    sizes = [len(group) for group in groups]
    uniform = np.random.default_rng(seed_for(0, "uniform phases")).uniform(0, 2 * np.pi, (UNIFORM_DRAWS, sum(sizes)))
    drawn = crowding(np.split(uniform, np.cumsum(sizes)[:-1], axis=1))
    above = drawn >= crowding(groups)
    return float(min(1.0, 2 * (1 + min(above.sum(), (~above).sum())) / (1 + UNIFORM_DRAWS)))
