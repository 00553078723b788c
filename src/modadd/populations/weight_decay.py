"""Networks of Study Q trained with other weight decays: one number for each network, and its change from seed to seed."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from modadd.core.statistics import Estimate
from modadd.populations.paired import paired_difference, paired_ratio
from modadd.populations.tables import over_frequencies
from modadd.quadrature.scheme import INTEGRAL

NUMBERS = {  # by name, the label of a curve
    "median_share_preactivation": "A, median neuron",
    "median_share_neuron_logit": "W, median neuron",
    "share_one_frequency": "neurons of one frequency",
    "largest_rms_mismatch": "rms of ψ − 2φ (rad)",
    "phase_line_off": "1 − R² of the line",
    "key_frequencies": "key frequencies",
    "largest_error": "actual error (modulus)",
    "largest_bound": "whole bound",
    "largest_secondary_share": "largest",
    "smallest_secondary_share": "smallest",
    "accuracy": "accuracy",
    "certified_share_k": "certified, k alone",
    "certified_share_k_2k": "certified, k and 2k",
    "train_loss": "training pairs",
    "held_out_loss": "held-out pairs",
    "smallest_margin_full": "network",
    "smallest_margin_absolute": "absolute-value part alone",
    "weight_norm": "norm",
}
READ = """
    frequencies share_one_frequency median_share_preactivation median_share_neuron_logit rms_mismatch phase_line_r_squared
    actual_modulus whole_bound secondary_share certified_share_k certified_share_k_2k smallest_margin_full
    smallest_margin_absolute weight_norm
""".split()  # the measures that NUMBERS are made of; a row has more, which take longer


class Compared(NamedTuple):
    """Rows at other weight decays than the published one, at that, and of both those whose seeds have another one."""

    others: pd.DataFrame
    seeds: pd.DataFrame
    both: pd.DataFrame


def compared(decays: pd.DataFrame, seeds: pd.DataFrame, steps: int, base: float) -> Compared:
    """Rows of a population of several weight decays beside those of one of many seeds, `base` the published weight decay.

    Rows of another number of updates are left out. What the first has at `base`, the second has too: it counts once.
    """
    others = decays[(decays.steps == steps) & (decays.weight_decay != base)]
    published = seeds[(seeds.steps == steps) & (seeds.weight_decay == base)]
    both = pd.concat([published[published.seed.isin(others.seed)], others], ignore_index=True)
    return Compared(others, published, both)


def one_number_each(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each network: the NUMBERS, of which the worst over the key frequencies is taken, weight decay and seed."""
    worst = {
        "largest_rms_mismatch": over_frequencies(rows.rms_mismatch, np.max),
        "phase_line_off": 1 - over_frequencies(rows.phase_line_r_squared, np.min),
        "key_frequencies": rows.frequencies.map(len),
        "largest_error": over_frequencies(rows.actual_modulus, np.max) / INTEGRAL,
        "largest_bound": over_frequencies(rows.whole_bound, np.max) / INTEGRAL,
        "largest_secondary_share": over_frequencies(rows.secondary_share, np.max),
        "smallest_secondary_share": over_frequencies(rows.secondary_share, np.min),
    }
    found = {name: np.asarray(worst[name] if name in worst else rows[name], float) for name in NUMBERS}
    return pd.DataFrame(found).assign(weight_decay=rows.weight_decay.to_numpy(), seed=rows.seed.to_numpy())


def change(swept: pd.DataFrame, number: str, decay: float, than: float) -> Estimate:
    """What a number is at one weight decay less what it is at another, in the networks of equal seeds; of the norm, over it.

    swept: lines of `one_number_each`.
    """
    of_seed = swept.pivot(index="seed", columns="weight_decay", values=number)
    compare = paired_ratio if number == "weight_norm" else paired_difference
    return compare(of_seed, decay, than)


def changes(swept: pd.DataFrame, base: float) -> pd.DataFrame:
    """The `change` of every number against the weight decay `base`, a line for each other weight decay and number."""
    decays = sorted({*swept.weight_decay, base})
    return pd.DataFrame(
        {"weight_decay": decay, "number": number, **vars(change(swept, number, decay, base))}
        for decay in decays
        if decay != base
        for number in NUMBERS
    )


def extremes(swept: pd.DataFrame, base: float) -> dict[str, Any]:
    """The smallest and the largest weight decay tried, and what changes between these and the published one, `base`."""
    decays = {*swept.weight_decay, base}
    smallest, largest = min(decays), max(decays)
    return {
        "smallest_decay": smallest,
        "largest_decay": largest,
        "norm_of_large_decay": change(swept, "weight_norm", base, smallest),
        "frequencies_of_large_decay": change(swept, "key_frequencies", base, smallest),
        "norm_of_largest_decay": change(swept, "weight_norm", largest, base),
        "mismatch_of_small_decay": change(swept, "largest_rms_mismatch", smallest, base),
    }
