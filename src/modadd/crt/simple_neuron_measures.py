"""Every number that Study C states about the neurons of a network: their kinds, their fits, their lines.

Shares and medians of no neuron are NaN.
"""

import numpy as np
from jaxtyping import Bool, Float

from modadd.core.neurons import ThreeDFTs, multiples_of, three_dfts
from modadd.core.separable import Separable, margins
from modadd.crt.clusters import (
    NEAR_ZERO,
    SEVERAL,
    SPIKE,
    clusters_of,
    in_band,
    largest_beside,
    lines_beside,
    lines_in_band,
)
from modadd.crt.contributions import share_right
from modadd.crt.several_lines import second_line, with_second_line
from modadd.crt.simple_neurons import (
    Kinds,
    RSquared,
    SimpleFit,
    fit_simple,
    kinds,
    postactivation_r_squared,
    r_squared,
    replaced,
)
from modadd.networks.registry import Form, as_separable, measure, once

FREQUENCY_FOUND = "frequency found"


def _share_of(some: Bool[np.ndarray, "h"], among: Bool[np.ndarray, "h"]) -> float:
    """Share of some neurons among others; NaN of none."""
    return float((some & among).sum() / among.sum()) if among.any() else float("nan")


def median_of(values: Float[np.ndarray, "m"]) -> float:
    """The median; NaN of none."""
    return float(np.median(values)) if values.size else float("nan")


@once
def dfts_in(network: Form) -> ThreeDFTs:
    """The three DFTs of every neuron at its own frequency."""
    return three_dfts(as_separable(network))


@once
def kinds_in(network: Form) -> Kinds:
    """Every neuron's kind."""
    return kinds(dfts_in(network))


def working(network: Form) -> Bool[np.ndarray, "h"]:
    """Which neurons are not idle."""
    return ~kinds_in(network).idle


@once
def strictly_simple(network: Form) -> Bool[np.ndarray, "h"]:
    """Which neurons are simple and have no second line of W either."""
    return kinds(dfts_in(network), lines_of_W=True).simple


@measure("alive neurons", "1")
def alive(network: Form) -> int:
    """How many neurons are alive: their A and B vary ([C] App. A.1; the limit is that of its code)."""
    return int(kinds_in(network).alive.sum())


@measure("share of dead neurons", "share")
def share_dead(network: Form) -> float:
    """Share of the neurons whose A or B does not vary ([C] App. A.1)."""
    return float(kinds_in(network).dead.mean())


@measure("share of simple neurons", "share")
def share_simple(network: Form) -> float:
    """Share of the neurons that pass the three-DFT test ([C] App. A.1; the limits are ours)."""
    return float(kinds_in(network).simple.mean())


@measure("share of fine-tuning neurons", "share")
def share_fine_tuning(network: Form) -> float:
    """Share of the neurons with several lines in A or in B ([C] App. B.3.1; the limit is ours)."""
    return float(kinds_in(network).fine_tuning.mean())


@measure("share of other neurons", "share")
def share_other(network: Form) -> float:
    """Share of the neurons that are alive with one line in A and in B, and fail the three-DFT test (ours)."""
    return float(kinds_in(network).other.mean())


@measure("share of idle neurons", "share")
def share_idle(network: Form) -> float:
    """Share of the neurons that are alive and carry next to nothing (ours)."""
    return float(kinds_in(network).idle.mean())


@measure("share of working\nfine-tuning neurons", "share")
def share_fine_tuning_working(network: Form) -> float:
    """Share of the neurons that are fine-tuning and not idle (ours)."""
    return float((kinds_in(network).fine_tuning & working(network)).mean())


@measure("share of simple neurons\namong the alive", "share")
def share_simple_of_alive(network: Form) -> float:
    """Share of the alive neurons that pass the three-DFT test ([C] §5.1)."""
    return _share_of(kinds_in(network).simple, kinds_in(network).alive)


@measure("share of strictly simple neurons\namong the alive", "share")
def share_strictly_simple_of_alive(network: Form) -> float:
    """Share of the alive neurons that pass the test as strictly on W as on A and B ([C] App. A.1)."""
    return _share_of(strictly_simple(network), kinds_in(network).alive)


@measure("share with the second line of W at 2f", "share")
def share_second_line_doubled(network: Form) -> float:
    """Share with the second line of W at twice the frequency, of the simple neurons that are not strictly simple (ours)."""
    dfts, simple = dfts_in(network), kinds_in(network).simple
    doubled = dfts.second_W == multiples_of(dfts.frequency, 2, dfts.modulus)[1]
    return _share_of(doubled, simple & ~strictly_simple(network))


@measure("share with lines above 60", "share")
def share_spike_of_simple(network: Form) -> float:
    """Share of the working simple neurons whose lines of A and of B at their frequency exceed 60 ([C] App. B.3.1)."""
    dfts = dfts_in(network)
    size = np.where(2 * dfts.frequency == dfts.modulus, dfts.modulus, dfts.modulus / 2)  # |DFT| of a cosine
    lines = np.minimum(dfts.A.amplitude, dfts.B.amplitude) * size
    return _share_of(lines > SPIKE, kinds_in(network).simple & working(network))


@measure("share with other lines near zero", "share")
def share_near_zero(network: Form) -> float:
    """Share of the working simple neurons with all other lines of A and B below 4 ([C] App. B.3.1)."""
    return _share_of(largest_beside(dfts_in(network)) < NEAR_ZERO, kinds_in(network).simple & working(network))


@measure("share of other lines\nat frequencies of clusters", "share")
def share_contaminated_by_clusters(network: Form) -> float:
    """Share at frequencies of other clusters, of the lines above 2 of working simple neurons beside their own ([C] App. B.3.1).

    |DFT|, not normalised; the 2 is ours. NaN of no such line.
    """
    dfts, chosen = dfts_in(network), kinds_in(network).simple & working(network)
    lines = lines_beside(as_separable(network), dfts, chosen)
    return float(np.isin(lines, list(clusters_of(dfts))).mean()) if lines.size else float("nan")


@measure("share with several lines in the band", "share")
def share_with_several_lines(network: Form) -> float:
    """Share of the working fine-tuning neurons with three lines or more between 7.5 and 30 ([C] App. B.3.1)."""
    tables, kind = as_separable(network), kinds_in(network)
    several = in_band(tables, np.ones_like(kind.idle)).sum(axis=0) >= SEVERAL
    return _share_of(several, kind.fine_tuning & working(network))


# What simple neurons explain.


@once
def simple_fit(network: Form) -> SimpleFit:
    """Every neuron as a simple one."""
    return fit_simple(dfts_in(network))


@once
def fitted(network: Form) -> Separable:
    """The network made of these simple neurons."""
    return replaced(as_separable(network), simple_fit(network))


@once
def second_lines_of_W(network: Form) -> Float[np.ndarray, "h"]:
    """The amplitude γ of the line of W at 2f that goes with each fit."""
    return second_line(as_separable(network), fitted(network), simple_fit(network))


@once
def _explained(network: Form) -> RSquared:
    """R² of each neuron's fit."""
    return r_squared(as_separable(network), fitted(network))


@measure("largest amplitude,\nsimple neurons", "1")
def largest_amplitude(network: Form) -> float:
    """Largest amplitude of what a working simple neuron receives, the mean of A and B; NaN of none ([C] §5.3, Fig. 2)."""
    chosen = kinds_in(network).simple & working(network)
    return float(max(simple_fit(network).r[chosen], default=float("nan")))


@measure("R² of the fit of A + B,\nmedian simple neuron", "1")
def r_squared_preactivation(network: Form) -> float:
    """R² of the preactivation by the fit of the median simple neuron ([C] §5.1)."""
    return median_of(_explained(network).preactivation[kinds_in(network).simple])


@measure("R² of the fit of W,\nmedian simple neuron", "1")
def r_squared_W(network: Form) -> float:
    """R² of W by the fit of the median simple neuron ([C] §5.1)."""
    return median_of(_explained(network).W[kinds_in(network).simple])


@measure("R² of the fit of W with 2f,\nmedian simple neuron", "1")
def r_squared_W_two_lines(network: Form) -> float:
    """R² of W by the fit of the median simple neuron with a line at 2f added (ours)."""
    doubled = with_second_line(fitted(network), simple_fit(network), second_lines_of_W(network))
    return median_of(r_squared(as_separable(network), doubled).W[kinds_in(network).simple])


@measure("γ/α, median simple neuron", "1")
def second_line_of_W(network: Form) -> float:
    """Amplitude of the line of W at 2f over that at f of the median simple neuron (ours)."""
    simple = kinds_in(network).simple
    return median_of(second_lines_of_W(network)[simple] / simple_fit(network).alpha[simple])


@measure("accuracy of the fits", "share")
def accuracy_of_fits(network: Form) -> float:
    """Share of all inputs that the network made of simple neurons answers right ([C] §5.1)."""
    return share_right(fitted(network))


@measure("accuracy of the fits, whole shifts", "share")
def accuracy_of_whole_fits(network: Form) -> float:
    """Share of all inputs that the network made of simple neurons with whole shifts answers right ([C] §5.1)."""
    return share_right(replaced(as_separable(network), fit_simple(dfts_in(network), whole=True)))


@measure("R² of what leaves the ReLU,\nmedian simple neuron", "1")
def r_squared_postactivation(network: Form) -> float:
    """R² of ReLU(A + B) by the ReLU of the fit plus the neuron's constant, for the median simple neuron ([C] §4.1)."""
    return median_of(postactivation_r_squared(as_separable(network), fitted(network))[kinds_in(network).simple])


def share_of_margin(network: Form, made: Separable) -> float:
    """Median margin of a network that was made of fits, over that of the trained one; NaN if that is not positive."""
    trained, left = (float(np.median(margins(of.logits()))) for of in (as_separable(network), made))
    return left / trained if trained > 0 else float("nan")


@measure("median margin of the fits,\nover that of the network", "1")
def margin_of_fits(network: Form) -> float:
    """Median margin of the network made of simple neurons, over that of the trained one (ours)."""
    return share_of_margin(network, fitted(network))


@measure("median margin of the fits with 2f,\nover that of the network", "1")
def margin_of_fits_with_second_line(network: Form) -> float:
    """Median margin of the network made of simple neurons with a line of W at 2f, over that of the trained one (ours)."""
    return share_of_margin(network, with_second_line(fitted(network), simple_fit(network), second_lines_of_W(network)))


@measure("mean margin", "nats")
def mean_margin(network: Form) -> float:
    """Right logit less the best wrong one, mean over all inputs ([C1] Fig. 12)."""
    return float(margins(as_separable(network).logits()).mean())


# Lines in the band of fine-tuning neurons, and rotation planes.


@measure("frequencies in the band", "1", FREQUENCY_FOUND)
def fine_tuning_frequencies(network: Form) -> list[int]:
    """Frequencies at which an alive neuron has a line of A or B between 7.5 and 30, in order ([C] Fig. 25)."""
    return lines_in_band(as_separable(network), kinds_in(network).alive)


@measure("frequencies in the band,\nworking fine-tuning neurons", "1", FREQUENCY_FOUND)
def working_fine_tuning_frequencies(network: Form) -> list[int]:
    """Those at which a fine-tuning neuron that is not idle has such a line, in order ([C] Fig. 25; idle is ours)."""
    return lines_in_band(as_separable(network), kinds_in(network).fine_tuning & working(network))


@once
def pairs_of_lines(network: Form) -> list[tuple[int, int]]:
    """Pairs of a working neuron's frequency and another one at which it has a line in the band, each pair once."""
    frequency, chosen = dfts_in(network).frequency, kinds_in(network).alive & working(network)
    return [
        (f, line)
        for f in np.unique(frequency[chosen]).tolist()
        for line in lines_in_band(as_separable(network), chosen & (frequency == f))
        if line != f
    ]


@measure("frequency of a neuron", "1", "pair of lines")
def second_lines_of(network: Form) -> list[int]:
    """The frequency of a working neuron that has another line in the band, once for each such pair (ours)."""
    return [f for f, _ in pairs_of_lines(network)]


@measure("frequency of its other line", "1", "pair of lines")
def second_lines_at(network: Form) -> list[int]:
    """The frequency of that other line, pair by pair as in `second_lines_of` (ours)."""
    return [line for _, line in pairs_of_lines(network)]
