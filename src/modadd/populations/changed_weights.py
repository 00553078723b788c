"""Networks trained again from changed initial weights: how many neurons, and how often, a changed frequency wins.

Every seed draws a frequency k. A change multiplies the part of the initial weights at ±k, or in random directions (CONTROL).
Tables have a line for each seed, a column for each change.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import Estimate, mean_of, share
from modadd.networks.recipes import CONTROL, FREQUENCY, NOTHING
from modadd.networks.starts import chosen_frequency
from modadd.populations.competition import COMPETITION_IDENTITY, predicted_frequencies
from modadd.populations.lottery import FINAL
from modadd.populations.paired import paired_difference
from modadd.training.competition import CHANGED, FACTORS, UNCHANGED, Arm, Change

BY_EQUATIONS = "by the equations"
AS_IT_WAS = (NOTHING, 1.0)  # the change of unchanged networks of the studies
RAISED, LOWERED = (FREQUENCY, 1.5), (FREQUENCY, 0.5)
CONTROL_RAISED = (CONTROL, 1.5)
Studies = Mapping[str, "Tables"]


class Tables(NamedTuple):
    """Of some networks the neurons at k, and a second number: whether k is in the key set, or whether the network errs."""

    neurons: pd.DataFrame
    second: pd.DataFrame


def complete(rows: pd.DataFrame) -> pd.DataFrame:
    """The seeds that have every network: one without its changes tells nothing."""
    networks = rows.groupby("seed").seed.transform("size")
    return rows[networks == networks.max()]


def tables_by_arm(rows: pd.DataFrame) -> dict[Arm, Tables]:
    """Of small networks the neurons that end at k, and whether k is in the key set; columns are (plane, factor)."""
    rows = rows.assign(
        neurons=[int((np.asarray(row.neuron_frequency) == row.chosen).sum()) for row in rows.itertuples()],
        key=[row.chosen in row.key_set for row in rows.itertuples()],
    )
    found = {}
    for arm in CHANGED:
        own = rows[(rows.activation == arm.activation) & (rows.optimiser == arm.optimiser) & (rows.scale == arm.scale)]
        found[arm] = Tables(
            *(own.pivot(index="seed", columns=["plane", "factor"], values=v) for v in ("neurons", "key"))
        )
    return found


def neurons_by_equations(rows: pd.DataFrame) -> dict[float, Float[np.ndarray, "seeds"]]:
    """The neurons that the amplitude and phase equations give to k, by the factor on its initial weights.

    Both kinds of training begin alike, so it is the same for both.
    """
    chosen = rows.groupby("seed").chosen.first()
    found = {}
    for factor in (*FACTORS, 1.0):
        change = Change(FREQUENCY, factor)
        winners = [predicted_frequencies(1.0, seed, change).equations == k for seed, k in chosen.items()]
        found[factor] = np.array([won.sum() for won in winners], float)
    return found


def _difference(numbers: pd.Series | np.ndarray) -> Estimate:
    return mean_of(np.asarray(numbers, float), signed=True)


def _line(more: Estimate, **line: Any) -> dict[str, Any]:
    line |= {"networks": more.of, "more neurons": more.value}
    return line | {"more, low": more.low, "more, high": more.high}


def dose_response(
    arms: Mapping[Arm, Tables], equations: Mapping[float, np.ndarray], titles: Mapping[Arm, str]
) -> pd.DataFrame:
    """A line for each kind of training, what is scaled and by which factor: more neurons at k, and how often it is key."""
    lines = []
    for arm, (neurons, key) in arms.items():
        for plane in (FREQUENCY, CONTROL):
            for factor in FACTORS:
                more = _difference(neurons[plane, factor] - neurons[tuple(UNCHANGED)])
                holds = share(key[plane, factor].to_numpy(bool))
                line = _line(more, training=titles[arm], scaled=plane, factor=factor)
                lines.append(line | {"key": holds.share, "key, low": holds.low, "key, high": holds.high})
        for factor in FACTORS:
            more = _difference(equations[factor] - equations[1.0])
            lines.append(_line(more, training=titles[arm], scaled=BY_EQUATIONS, factor=factor))
    return pd.DataFrame(lines)


def answers_of_arms(arms: Mapping[Arm, Tables], equations: Mapping[float, np.ndarray]) -> dict[str, Any]:
    """What is recorded of small networks; names end with the activation."""
    law = equations[1.5] - equations[0.5]
    found: dict[str, Any] = {"law": _difference(law), "responses": [], "beyond_half_the_law": []}
    for arm, (neurons, key) in arms.items():
        neurons, name, unchanged = neurons.astype(float), arm.activation, tuple(UNCHANGED)
        swing = {plane: neurons[plane, 1.5] - neurons[plane, 0.5] for plane in (FREQUENCY, CONTROL)}
        more = {
            "raised": _difference(neurons[RAISED] - neurons[unchanged]),
            "lowered": _difference(neurons[LOWERED] - neurons[unchanged]),
            "ten_per_cent": _difference(neurons[FREQUENCY, 1.1] - neurons[FREQUENCY, 0.9]),
            "beyond_control": _difference(swing[FREQUENCY] - swing[CONTROL].abs()),
            "swing": _difference(swing[FREQUENCY]),
            "key_if_raised": share(key[RAISED].to_numpy(bool)),
            "lost_if_lowered": share(~key[LOWERED].to_numpy(bool)),
            "key_at_first": share(key[unchanged].to_numpy(bool)),
        }
        lost = _difference(neurons[unchanged] - neurons[LOWERED])
        found |= {f"{what}_{name}": number for what, number in more.items()}
        found["responses"] += [more["raised"], lost, more["ten_per_cent"], more["beyond_control"]]
        found["beyond_half_the_law"].append(_difference(swing[FREQUENCY] - law / 2))
    return found


def as_kept(here: pd.DataFrame, kept: pd.DataFrame) -> dict[str, Any]:
    """How many networks trained here have the key set of their kept row."""
    both = here.merge(kept, on=COMPETITION_IDENTITY, suffixes=("", "_kept"))
    again = [list(one) == list(other) for one, other in zip(both.key_set, both.key_set_kept, strict=True)]
    return {"again": share(again)}


def tables_of_study(rows: pd.DataFrame) -> Tables:
    """Of the longest training of a study the neurons at k, and whether the network errs; columns are (scaled, factor)."""
    n, at_k = int(rows.modulus.iloc[0]), []
    rows = rows[rows.steps == rows.steps.max()]  # the others are first looks
    frequencies, sizes = (rows[column] for column in FINAL[rows.architecture.iloc[0]])
    for seed, own, many in zip(rows.seed, frequencies, sizes, strict=True):
        at_k.append(dict(zip(own, many, strict=True)).get(chosen_frequency(n, seed), 0))
    rows = rows.assign(at_k=at_k, errs=rows.accuracy < 1)
    return Tables(*(rows.pivot(index="seed", columns=["scaled", "scaled_by"], values=v) for v in ("at_k", "errs")))


def final(tables: Tables, change: tuple[str, float]) -> Any:
    """The share of networks of a change in which k is final: has a neuron."""
    return share((tables.neurons.reindex(columns=[change])[change].dropna() > 0).to_numpy())


def dose_response_of_studies(studies: Studies, titles: Mapping[str, str]) -> pd.DataFrame:
    """A line for each population and change: more neurons at k, how often it is final, and the share without error."""
    lines = []
    for name, tables in studies.items():
        for change in sorted(tables.neurons.columns):
            more, holds = paired_difference(tables.neurons, change, AS_IT_WAS), final(tables, change)
            line = _line(more, population=titles[name], scaled=change[0], factor=change[1])
            if change == AS_IT_WAS:
                line |= {"more, low": 0.0, "more, high": 0.0}  # less themselves
            line |= {"final": holds.share, "final, low": holds.low, "final, high": holds.high}
            lines.append(line | {"right": 1 - tables.second[change].dropna().mean()})
    return pd.DataFrame(lines)


def answers_of_studies(studies: Studies, width: int) -> dict[str, Any]:
    """What is recorded of the networks of the papers; names end with the study. width: neurons of Study Q."""
    found: dict[str, Any] = {}
    for name, tables in studies.items():
        study, neurons = name[0], tables.neurons
        found[f"raised_{study}"] = paired_difference(neurons, RAISED, AS_IT_WAS)
        found[f"beyond_control_{study}"] = paired_difference(neurons, RAISED, CONTROL_RAISED)
        found[f"final_if_raised_{study}"] = final(tables, RAISED)
        found[f"final_at_first_{study}"] = final(tables, AS_IT_WAS)
        if study in "cq":
            found[f"lowered_{study}"] = paired_difference(neurons, LOWERED, AS_IT_WAS)
            found[f"swing_{study}"] = paired_difference(neurons, RAISED, LOWERED)
    of_c, of_q = studies["c_changed"].neurons, studies["q_changed"].neurons
    found["ten_per_cent_c"] = paired_difference(of_c, (FREQUENCY, 1.1), (FREQUENCY, 0.9))
    found["twenty_per_cent_q"] = paired_difference(of_q, (FREQUENCY, 1.2), (FREQUENCY, 0.8))
    responses = [found[f"{kind}_{name[0]}"] for kind in ("raised", "beyond_control") for name in studies]
    responses += [_more_often_final(tables.neurons) for tables in studies.values()]
    found["responses_in_studies"] = [*responses, found["ten_per_cent_c"], found["twenty_per_cent_q"]]
    alone = pd.concat([of_q[RAISED], studies["q_changed"].second[RAISED]], axis=1).dropna().to_numpy()
    at_k, errs = alone[:, 0].astype(float), alone[:, 1].astype(bool)
    found["takes_half_q"] = share(at_k >= width / 2)
    found["left_alone_and_wrong_q"] = share((at_k == width) & errs)
    return found


def _more_often_final(neurons: pd.DataFrame) -> Estimate:
    return paired_difference((neurons > 0).where(neurons.notna()), RAISED, AS_IT_WAS)


def answers(
    arms: Mapping[Arm, Tables],
    equations: Mapping[float, np.ndarray],
    studies: Studies,
    width: int,
    competition: Sequence[pd.DataFrame],
) -> dict[str, Any]:
    """What is recorded of changed weights. competition: the rows of small networks trained here, and of kept ones."""
    return answers_of_arms(arms, equations) | answers_of_studies(studies, width) | as_kept(*competition)
