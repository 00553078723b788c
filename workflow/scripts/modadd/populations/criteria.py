"""The numbers of a network in words, and the claims about them, judged network by network."""

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from modadd.core.statistics import compare
from modadd.populations.rows import measures_of
from modadd.populations.tables import over_frequencies

MEASURES = measures_of("pizza_transformer")
# The numbers whose distributions are shown, by name, with the label of an axis: of the whole network …
OF_NETWORK = {
    name: MEASURES[name].label
    for name in (
        "r2_full_pizza",
        "r2_full_clock",
        "r2_mlp_pizza",
        "r2_mlp_clock",
        "r2_absolute_pizza",
        "r2_absolute_clock",
        "median_share_preactivation",
        "median_share_neuron_logit",
        "smallest_share_preactivation",
        "smallest_share_neuron_logit",
        "identity_mass",
        "margin_ratio",
        "smallest_margin_full",
        "smallest_certified_margin",
        "certified_share_k",
        "certified_share_k_2k",
        "certified_share_identity_kept",
        "share_one_frequency",
        "distance_irrelevance",
        "gradient_symmetricity",
        "circularity",
    )
} | {"held_out_loss": "held-out loss (nats)"}  # a result of training
# … or one for each key frequency.
OF_FREQUENCY = {
    name: MEASURES[name].label
    for name in (
        "neurons",
        "secondary_share",
        "absolute_coefficients",
        "identity_coefficients",
        "phase_line_slope",
        "rms_mismatch",
        "interval_mean",
        "interval_std",
        "angle_term",
        "lipschitz_bound",
        "lipschitz_unfolded",
        "naive_error",
        "actual_error",
        "actual_modulus",
        "identity_part",
        "spectral_64",
    )
}


def spread(rows: pd.DataFrame, exhibit: pd.DataFrame, group: Bool[np.ndarray, "networks"]) -> pd.DataFrame:
    """Every `number` in words over the networks: quantiles, the exhibit's own, and the share of networks `below` that.

    A network's number is the median over its key frequencies where there are several. distance, p: whether a group of
    the networks and the others may come from one distribution.
    """
    found = _one_number_each(rows)
    table = found.quantile([0, 0.25, 0.5, 0.75, 1]).T
    table.columns = ["least", "quarter", "median", "three quarters", "most"]
    own = _one_number_each(exhibit).iloc[0]
    tests = [compare(column[group], column[~group]) for column in found.to_numpy(float).T]
    table = table.assign(mainline=own, below=(found < own).mean())
    table = table.assign(distance=[test.distance for test in tests], p=[test.p for test in tests])
    return table.rename_axis("number").reset_index()


def _one_number_each(rows: pd.DataFrame) -> pd.DataFrame:
    medians = {number: over_frequencies(rows[number], np.median) for number in OF_FREQUENCY}
    return rows[list(OF_NETWORK)].astype(float).assign(**medians, key_frequencies=rows.frequencies.map(len))


RELATIONS = {">": gt, "≥": ge, "<": lt, "≤": le}


class Criterion(NamedTuple):
    """A claim about a network: a number of its row lies above, or below, a limit.

    number: its column, or what makes a column of the rows. Where it exists once per key frequency, every one counts.
    """

    statement: str
    source: str
    number: str | Callable[[pd.DataFrame], pd.Series]
    relation: str
    limit: float

    def __str__(self) -> str:
        return f"{self.statement} {self.relation} {self.limit:g}"

    @property
    def at_least(self) -> bool:
        """Whether large numbers meet it, so that the smallest is the worst."""
        return self.relation in (">", "≥")

    def worst(self, rows: pd.DataFrame) -> Float[np.ndarray, "networks"]:
        """The number that decides for each network: that of its worst key frequency, where there is one for each."""
        numbers = self._numbers(rows)
        if not _several(numbers):
            return numbers.to_numpy(float)
        return over_frequencies(numbers, np.min if self.at_least else np.max)

    def worst_place(self, rows: pd.DataFrame) -> Float[np.ndarray, "networks"]:
        """Where that key frequency stands among those of its network; NaN for a number of the whole network."""
        numbers = self._numbers(rows)
        if not _several(numbers):
            return np.full(len(rows), np.nan)
        return over_frequencies(numbers, np.argmin if self.at_least else np.argmax)

    def holds(self, rows: pd.DataFrame) -> Bool[np.ndarray, "networks"]:
        """Whether each network meets it; one whose number could not be measured does not."""
        return RELATIONS[self.relation](self.worst(rows), self.limit)

    def _numbers(self, rows: pd.DataFrame) -> pd.Series:
        return self.number(rows) if callable(self.number) else rows[self.number]


def _several(numbers: pd.Series) -> bool:
    return pd.api.types.is_list_like(numbers.iloc[0])


def exceptions(rows: pd.DataFrame) -> pd.DataFrame:
    """One line for each of CRITERIA that a network breaks, in the order of the seeds, with the number that decides.

    Of a claim about every key frequency: the one that breaks it worst, its rank by C_k (1 the strongest), its neurons.
    """
    columns = ["seed", "trained", "claim", "value", "key frequencies", "worst at k", "rank of C_k", "neurons there"]
    lines = []
    for criterion in CRITERIA.values():
        worst, place = criterion.worst(rows), criterion.worst_place(rows)
        for index in np.flatnonzero(~criterion.holds(rows)):
            case, C = rows.iloc[index], np.asarray(rows.absolute_coefficients.iloc[index])
            line = [case.seed, case.trained, str(criterion), worst[index], len(case.frequencies)]
            if np.isfinite(place[index]):
                at = int(place[index])
                line += [case.frequencies[at], 1 + int((C > C[at]).sum()), case.neurons[at]]
            lines.append(line + [None] * (len(columns) - len(line)))
    found = pd.DataFrame(lines, columns=columns).astype({name: "Int64" for name in columns[4:]})
    return found.sort_values("seed", kind="stable", ignore_index=True)


def _smallest_share(rows: pd.DataFrame) -> pd.Series:
    return np.minimum(rows.smallest_share_preactivation, rows.smallest_share_neuron_logit)


def _lead(part: str, sign: int = 1) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda rows: sign * (rows[f"r2_{part}_pizza"] - rows[f"r2_{part}_clock"])


def _over(one: str, other: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda rows: rows[one].map(np.asarray) / rows[other].map(np.asarray)


# What the papers and this artifact claim of the mainline, with the limits of the ledger.
CRITERIA = {
    "one_frequency": Criterion("share of neurons with one frequency", "[Q] §3", "share_one_frequency", "≥", 1),
    "variance_preactivation": Criterion(
        "variance of A, median neuron", "ours", "median_share_preactivation", ">", 0.99
    ),
    "variance_neuron_logit": Criterion("variance of W, median neuron", "ours", "median_share_neuron_logit", ">", 0.99),
    "variance_everywhere": Criterion("variance of A and W, every neuron", "[QR]", _smallest_share, ">", 0.99),
    "phase_line": Criterion("R² of the phase line", "[Q2] Fig. 3", "phase_line_r_squared", ">", 0.99),
    "law_only_at_own_frequency": Criterion(
        "ψ − 2φ elsewhere over own", "[Q] Fig. 1", "mismatch_elsewhere_over_own", ">", 10
    ),
    "bound_is_valid": Criterion("actual error over bound", "[Q] §5", "actual_over_bound", "≤", 1),
    "bound_beats_naive": Criterion("bound over naive error", "[Q] §5", "bound_over_naive", "<", 1),
    "folding": Criterion("folded over unfolded", "[Q] §4", _over("lipschitz_bound", "lipschitz_unfolded"), "<", 1),
    "angles_add_less": Criterion("angle over Lipschitz term", "[QR]", _over("angle_term", "lipschitz_bound"), "≤", 0.5),
    "pizza_by_distance": Criterion("distance irrelevance", "[QR]", "distance_irrelevance", "<", 0.51),
    "absolute_part_is_pizza": Criterion("absolute part: R² pizza − clock", "[Q] §6", _lead("absolute"), ">", 0),
    "whole_is_clock": Criterion("full logits: R² clock − pizza", "[Q] §6", _lead("full", -1), ">", 0),
    "absolute_part_suffices": Criterion("accuracy of the absolute part", "[Q] §6", "accuracy_absolute_part", "≥", 1),
    "identity_negative": Criterion("largest D_k", "[Q] §6", "identity_coefficients", "<", 0),
    "identity_spectrum": Criterion("power of logit_id1 at ±(2k, −k)", "[Q] §6", "identity_mass", ">", 0.5),
    "identity_phase": Criterion("its |imaginary| over |real|", "[Q] §6", "identity_imaginary_ratio", "<", 0.1),
    "identity_part_helps": Criterion("margin with over without identity", "[Q] §6", "margin_ratio", ">", 1),
    "certified_k_2k": Criterion("share certified, k and 2k", "beyond", "certified_share_k_2k", "≥", 1),
    "spectral_bound": Criterion("spectral bound, M = 64", "beyond", "spectral_64", "≤", 0.07),
}
