"""Training watched: what the snapshots of a run measure, one row of numbers for each."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float

from modadd.certificates.ball import table_radius
from modadd.core.fourier import fit, variance_by_frequency
from modadd.core.groups import ADDITION
from modadd.core.losses import cross_entropy
from modadd.core.separable import Separable
from modadd.crt.interventions import by_sum, projection
from modadd.crt.simple_neuron_measures import dfts_in
from modadd.networks.architectures import RELU
from modadd.networks.initialisation import split
from modadd.networks.registry import logits_in
from modadd.networks.snapshots import History
from modadd.quadrature.following import number_of_key_frequencies
from modadd.quadrature.scheme_measures import frequencies, margins_in, smallest_margin_full
from modadd.quadrature.torus import largest_error
from modadd.quadrature.torus_measures import average, two_phase_schemes_in

RADIUS_EVERY = 25  # snapshots between certified balls, which take longer than all the rest; and at the end


def stages_of(history: History) -> Iterable[dict[str, Any]]:
    """A row for every snapshot of a run: recipe, seed, what trained it, updates done, and the measures of that moment.

    *Key* are the key frequencies at the end. Raises ValueError for another operation than addition mod n, and for a
    network that no `Separable` is: these measures would read it as what it is not.
    """
    recipe = history.recipe
    if recipe.operation != ADDITION or recipe.activation != RELU:
        raise ValueError(
            f"stages of '{recipe.architecture}' networks that learn '{recipe.operation}' are not measured; "
            f"expected ReLUs and '{ADDITION}'"
        )
    seen = np.zeros((recipe.modulus, recipe.modulus), bool)
    seen[tuple(split(recipe, history.seed)[0].T)] = True
    last = len(history.steps) - 1
    key = frequencies(history.separable(last))
    identity = {name: value for name, value in recipe.as_dict().items() if name != "source"}
    for index, (updates, norm) in enumerate(zip(history.steps, history.norms, strict=True)):
        network = history.separable(index)
        radius = table_radius(network) if index % RADIUS_EVERY == 0 or index == last else float("nan")
        yield {
            **identity,
            "seed": history.seed,
            **history.origin,
            "updates": int(updates),
            "weight_norm": float(norm),
            "radius": radius,
            **of_moment(network),
            **losses_of(logits_in(network), key, seen),
            **violations_of(logits_in(network)),
            **beside_end(network, key),
        }


def of_moment(network: Separable) -> dict[str, Any]:
    """What a network is at one moment, by the measures of rows; whatever becomes of it.

    The mismatch is a root mean square in radians over all neurons at their own frequency, key or not, weighted by what a
    neuron can add to an answer. Participation: see `participation`.
    """
    read = dfts_in(network)
    weight = read.weight.sum()
    return {
        "accuracy": float((margins_in(network) > 0).mean()),
        "smallest_margin": smallest_margin_full(network),
        "key_frequencies": number_of_key_frequencies(network),
        "neurons_per_frequency": np.bincount(read.frequency, minlength=network.modulus // 2 + 1).tolist(),
        "mismatch": np.sqrt(read.weight @ read.mismatch**2 / weight) if weight else float("nan"),
        "participation_in": participation(network.A),
        "participation_out": participation(network.W.T),
    }


def losses_of(
    logits: Float[np.ndarray, "n n n"], key: Sequence[int], seen: Bool[np.ndarray, "n n"]
) -> dict[str, float]:
    """Mean losses in nats, of the pairs seen in training and of others.

    Restricted loss: over all inputs, of the logits projected on the constant and on cosine and sine of w_k(a + b), k
    key. Excluded loss: over the training pairs, of the logits without the latter (Nanda et al. 2023). The held-out
    loss is NaN where no pair is held out.
    """
    n = len(logits)
    a, b = np.indices((n, n))
    answers, sums = (a + b) % n, by_sum(logits)
    losses, cosines = cross_entropy(logits, answers), projection(key, n) @ sums
    return {
        "train_loss": losses[seen].mean(),
        "held_out_loss": losses[~seen].mean() if not seen.all() else float("nan"),
        "restricted_loss": cross_entropy(sums.mean(axis=0) + cosines, np.arange(n)).mean(),
        "excluded_loss": cross_entropy(logits[seen] - cosines[answers[seen]], answers[seen]).mean(),
    }


def violations_of(logits: Float[np.ndarray, "n n n"]) -> dict[str, float]:
    """How much the answers violate the symmetries of addition, in nats (Hwang and Park, arXiv 2603.01968).

    Means of ½ Σ_c (p_c − q_c)(ln p_c − ln q_c) between the answers to (a, b) and (b, a), over all pairs; and between those to
    (a, b + c) and (a + b, c), over all a, b, c. The latter are all couples of inputs of the same sum.
    """
    n = len(logits)
    logs = logits - logits.max(axis=-1, keepdims=True)
    logs -= np.log(np.exp(logs).sum(axis=-1, keepdims=True))
    swapped = logs.swapaxes(0, 1)
    a, total = np.ogrid[:n, :n]
    alike = logs[a, (total - a) % n]  # indices (a, a + b, c)
    p = np.exp(alike)
    # Over all couples, the mean of a product of differences is twice the mean of the product less the product of the means.
    couples = (p * alike).mean(axis=0) - p.mean(axis=0) * alike.mean(axis=0)
    return {
        "commutativity_violation": ((np.exp(logs) - np.exp(swapped)) * (logs - swapped)).sum(axis=-1).mean() / 2,
        "associativity_violation": couples.sum(axis=-1).mean(),
    }


def beside_end(network: Separable, key: Sequence[int]) -> dict[str, Any]:
    """How much of what a network is at the end is there, by its key frequencies then.

    R² of clock and pizza terms are those of `r2_full_clock` and `r2_full_pizza`, which take the frequencies of the moment.
    """
    read = dfts_in(network)
    weight = read.weight.sum()
    return {
        "r2_clock": fit(logits_in(network), "clock", key).r_squared,
        "r2_pizza": fit(logits_in(network), "pizza", key).r_squared,
        "weight_at_key": read.weight[np.isin(read.frequency, key)].sum() / weight if weight else float("nan"),
        "has_final_frequencies": list(frequencies(network)) == list(key),
        "quadrature_error": quadrature_error_at(network, key),
    }


def quadrature_error_at(network: Separable, key: Sequence[int]) -> float:
    """How far sums over neurons are from their integrals: largest error over the inputs, in units of 4/3 ([Q] §5).

    The integral has the neurons' own factor m(a − b). The mean over the given frequencies that are key now, weighted by
    what their neurons can add to an answer; NaN if none is.
    """
    schemes = {k: scheme for k, scheme in two_phase_schemes_in(network).items() if k in key}
    return average(schemes, [largest_error(scheme) for scheme in schemes.values()])


def participation(table: Float[np.ndarray, "n h"]) -> float:
    """Median inverse participation ratio of the columns that vary, in (0, 1]; NaN if none does (Gromov 2023)."""
    power, size = variance_by_frequency(table), np.square(table).mean(axis=0)
    total = power.sum(axis=0)
    varies = total > np.finfo(float).eps * size
    ratios = (power[:, varies] ** 2).sum(axis=0) / total[varies] ** 2
    return float(np.median(ratios)) if ratios.size else float("nan")


def nearest_snapshots(history: History, updates: Float[np.ndarray, "moments"]) -> dict[int, Separable]:
    """The networks of a run's snapshots nearest to some numbers of updates, by the updates that they had, in order."""
    chosen = np.unique(np.abs(history.steps[:, None] - updates).argmin(axis=0))
    return {int(history.steps[i]): history.separable(int(i)) for i in chosen}
