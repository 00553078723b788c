"""What single neurons tell apart: level sets, exact cosets, half periods ([C] §4.1, §5.2). Of no neuron all is NaN."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int, Shaped

from modadd.crt.cluster_measures import table_of_clusters
from modadd.crt.clusters import MOSTLY
from modadd.crt.cosets import firing_rows, share_on_cosets
from modadd.crt.several_lines import relabelled_half_period, strongest_lines
from modadd.crt.simple_neuron_measures import dfts_in, kinds_in, simple_fit, working
from modadd.networks.registry import Form, as_separable, measure, once


def mean_or_nan(values: Sequence[float] | Shaped[np.ndarray, "m"]) -> float:
    """The mean; NaN of none."""
    return float(np.mean(values)) if len(values) else float("nan")


@once
def working_simple(network: Form) -> Int[np.ndarray, "neurons"]:
    """The simple neurons that are not idle."""
    return np.flatnonzero(kinds_in(network).simple & working(network))


@measure("overlap with level sets", "share")
def level_set_overlap(network: Form) -> float:
    """Mean share of the level set of A or B of a working simple neuron among as many residues that it gets most from ([C] §5.2)."""
    tables, fit = as_separable(network), simple_fit(network)
    sides = {"A": (tables.A, fit.s_A), "B": (tables.B, fit.s_B)}
    return mean_or_nan([row["overlap"] for row in firing_rows(sides, fit.frequency, working_simple(network))])


@measure("overlap of answers with level sets", "share")
def points_at_level_set(network: Form) -> float:
    """Mean share of the level set around s_A + s_B among as many answers that a working simple neuron points at most ([C] §5.2)."""
    fit = simple_fit(network)
    side = {"c": (as_separable(network).W.T, fit.s_A + fit.s_B)}
    return mean_or_nan([row["overlap"] for row in firing_rows(side, fit.frequency, working_simple(network))])


@measure("share of variance on exact cosets", "share")
def constant_on_cosets(network: Form) -> float:
    """Share of the variance of A, B and W of the median neuron that is constant on exact cosets, worst cluster ([C] §5.2).

    Of the clusters with gcd(f, n) > 1 that are no fine-tuning clusters; NaN where there is none.
    """
    tables, table = as_separable(network), table_of_clusters(network)
    chosen = kinds_in(network).alive & working(network)
    exact = table[(table.order > 1) & (table.fine_tuning < MOSTLY) & (table.working > 0)]
    found = [
        float(np.median(share_on_cosets(values[:, chosen & (dfts_in(network).frequency == row.frequency)], row.order)))
        for row in exact.itertuples()
        for values in (tables.A, tables.B, tables.W.T)
    ]
    return min(found, default=float("nan"))


@measure("R² of half a period less that of one,\nfine-tuning neurons", "1")
def half_minus_one_period(network: Form) -> float:
    """R² of half a period less that of one period, mean over A and B of the working fine-tuning neurons ([C] §4.1)."""
    tables, f = as_separable(network), dfts_in(network).frequency
    return mean_or_nan(
        [
            relabelled_half_period(values[:, i], int(f[i])).r_squared - strongest_lines(values[:, i], 1).share[0]
            for i in np.flatnonzero(kinds_in(network).fine_tuning & working(network))
            for values in (tables.A, tables.B)
        ]
    )
