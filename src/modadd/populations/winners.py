"""Which frequency wins each neuron, by the amplitude and phase equations, and where networks part from them.

Rows are those of unchanged networks in which frequencies compete (`competition_rows`), by their kind of training.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import mean_of, share
from modadd.populations.competition import predicted_frequencies
from modadd.populations.lottery import rank_correlation
from modadd.populations.mode_equations import course, modes_of
from modadd.quadrature.torus import LAWFUL
from modadd.training.competition import (
    ARMS,
    MOMENTS,
    PENALTY,
    RELUS,
    SMALL,
    SQUARES,
    UNCHANGED,
    Arm,
    N,
    competition_weights,
)

WAYS = {"equations": "the equations", "drive": "amplitudes and cos D", "amplitude": "amplitudes", "phase": "|D|"}
QUARTERS = 4  # of the neurons of a network, from those that the equations call first
Arms = Mapping[Arm, pd.DataFrame]


def networks_by_arm(rows: pd.DataFrame) -> dict[Arm, pd.DataFrame]:
    """The unchanged networks of each kind of training."""
    rows, keys = rows[rows.plane == UNCHANGED.plane], ["activation", "optimiser", "scale"]
    return {arm: rows[(rows[keys] == [arm.activation, arm.optimiser, arm.scale]).all(axis=1)] for arm in ARMS}


def named_winners(networks: Arms) -> dict[Arm, pd.DataFrame]:
    """For each network the share of its neurons whose final frequency each of WAYS names from the initial weights.

    rank: Spearman's correlation, over frequencies, between how many neurons the equations give and how many they end with.
    quarter i: the share that the equations name among each of QUARTERS, from the neurons that they call first.
    """
    found = {}
    for arm, rows in networks.items():
        lines = []
        for row in rows.itertuples():
            predicted, final = predicted_frequencies(arm.scale, row.seed), np.asarray(row.neuron_frequency)
            line = {way: float((getattr(predicted, way) == final)[final > 0].mean()) for way in WAYS}
            counts = [np.bincount(won, minlength=N // 2 + 1)[1:].astype(float) for won in (predicted.equations, final)]
            called = predicted.time.argsort(kind="stable").argsort(kind="stable") * QUARTERS // len(final)
            right = predicted.equations == final
            line |= {"seed": row.seed, "rank": rank_correlation(*counts)}
            lines.append(line | {f"quarter {i}": right[called == i].mean() for i in range(QUARTERS)})
        found[arm] = pd.DataFrame(lines, columns=["seed", *WAYS, "rank", *(f"quarter {i}" for i in range(QUARTERS))])
    return found


def winners_table(named: Arms, titles: Mapping[Arm, str]) -> pd.DataFrame:
    """A line for each kind of training and way: the mean share named, and by how much the equations name more."""
    lines = []
    for arm, networks in named.items():
        for way, name in WAYS.items():
            mean = mean_of(networks[way].to_numpy())
            gain = mean_of((networks.equations - networks[way]).to_numpy(), signed=True)
            line = {"training": titles[arm], "named by": name, "networks": mean.of, "share": mean.value}
            line |= {"low": mean.low, "high": mean.high}
            lines.append(line | {"equations say more by": gain.value, "more, low": gain.low})
    return pd.DataFrame(lines)


def by_moment(row: pd.Series, name: str) -> Float[np.ndarray, "moments neurons"]:
    """The amplitude or mismatch of every neuron of a network at each of MOMENTS."""
    return np.asarray(row[name], float).reshape(len(MOMENTS), -1)


class Parting(NamedTuple):
    """Of the networks of one kind of training: when neurons have parted from the equations, and when the loss has fallen.

    parted, fell: updates, one for each network; half of its neurons have parted, the loss has fallen by a tenth;
    fell is infinite where it never has.
    network, equations: the median amplitude of all neurons at each of MOMENTS; infinite where half of the modes are.
    """

    parted: Float[np.ndarray, "networks"]
    fell: Float[np.ndarray, "networks"]
    network: Float[np.ndarray, "moments"]
    equations: Float[np.ndarray, "moments"]


def parting(arm: Arm, networks: pd.DataFrame, factor: float) -> Parting:
    """Follow the equations from the initial weights, at the frequency that each neuron ends with.

    Network and equation part when their amplitudes differ by the `factor`, or the mode has become infinite.
    """
    moments, parted, fell, courses = np.array(MOMENTS), [], [], []
    for _, row in networks.iterrows():
        final = np.asarray(row.neuron_frequency)
        modes = modes_of(competition_weights(arm.scale, row.seed))
        own = modes[:, np.maximum(final, 1) - 1, np.arange(len(final))]
        theory = np.cbrt(course(own, N, PENALTY, arm.rate * moments).prod(axis=1))
        actual = by_moment(row, "amplitude")
        apart = ~(np.abs(np.log(theory / actual)) < np.log(factor))
        first = np.where(apart.any(0), apart.argmax(0), len(moments) - 1)
        parted.append(moments[int(np.median(first))])
        lower = np.asarray(row.losses) < 0.9 * row.losses[0]
        fell.append(moments[lower.argmax()] if lower.any() else np.inf)
        courses.append((actual, np.where(np.isnan(theory), np.inf, theory)))
    medians = [np.median(np.concatenate(neurons, axis=1), axis=1) for neurons in zip(*courses, strict=True)]
    return Parting(np.array(parted, float), np.array(fell, float), *medians)


def mismatches(networks: Arms) -> dict[Arm, Float[np.ndarray, "networks moments neurons"]]:
    """|D| of every neuron at each of MOMENTS, in radians."""
    return {
        arm: np.abs(np.stack([by_moment(row, "mismatch") for _, row in rows.iterrows()]))
        for arm, rows in networks.items()
    }


def parting_table(
    partings: Mapping[Arm, Parting], off: Mapping[Arm, np.ndarray], named: Arms, titles: Mapping[Arm, str]
) -> pd.DataFrame:
    """What is drawn of all three: a line for each panel, line and x; no y where an amplitude is infinite."""
    moments, quarters, lines = np.array(MOMENTS), range(QUARTERS), []
    for arm, found in partings.items():
        for name in ("network", "equations"):
            lines.append(("amplitude", f"{titles[arm]}, {name}", moments, getattr(found, name)))
    for arm, found in off.items():
        lines.append(("|D|", titles[arm], moments, np.median(found, axis=(0, 2))))
    for arm, shares in named.items():
        by_quarter = shares[[f"quarter {i}" for i in quarters]].mean().to_numpy()
        lines.append(("share named", titles[arm], np.add(quarters, 1), by_quarter))
    tables = [pd.DataFrame({"panel": panel, "line": line, "x": x, "y": y}) for panel, line, x, y in lines]
    return pd.concat(tables).replace(np.inf, np.nan)


def answers(named: Arms, partings: Mapping[Arm, Parting], off: Mapping[Arm, np.ndarray]) -> dict[str, Any]:
    """What is recorded: of `named_winners`, of `parting` for SMALL and SQUARES, and of `mismatches`."""
    gains = []
    for arm in (SQUARES, RELUS):
        for way in ("amplitude", "phase", "drive"):
            gains.append(mean_of((named[arm].equations - named[arm][way]).to_numpy(), signed=True))
    lawful = {arm: np.median(found[:, -1], axis=1) <= LAWFUL for arm, found in off.items()}
    squares, relus = (
        share(np.concatenate([meet for arm, meet in lawful.items() if arm.activation == kind]))
        for kind in ("square", "relu")
    )
    over_time = np.median(off[RELUS], axis=(0, 2))
    return {
        "named_small": mean_of(named[SMALL].equations.to_numpy()),
        "named": [mean_of(named[arm].equations.to_numpy()) for arm in (SQUARES, RELUS)],
        "gains": gains,
        "keeps_until_the_loss_falls": share(partings[SQUARES].parted >= partings[SQUARES].fell),
        "phases_meet": share(np.concatenate(list(lawful.values()))),
        "squares_meet": squares,
        "relus_meet": relus,
        "relu_closest": over_time.min(),
        "relu_last": over_time[-1],
        "parted_squares": float(np.median(partings[SQUARES].parted)),
        "loss_fell_squares": float(np.median(partings[SQUARES].fell)),
        "parted_small": float(np.median(partings[SMALL].parted)),
        "loss_fell_small": float(np.median(partings[SMALL].fell)),
    }
