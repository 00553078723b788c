"""Whether trained networks look as the theory of one hidden layer assumes ([T]; Gromov, arXiv 2301.02679)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import chdtrc

from modadd.core.separable import accuracy
from modadd.core.statistics import share
from modadd.crt.cosets import rayleigh_p
from modadd.handmade.gromov import drawn_closed_form, squares
from modadd.networks.initialisation import seed_for
from modadd.networks.registry import measured, measures_in
from modadd.networks.store import Network
from modadd.populations import theorists
from modadd.populations.spectra import IMPURE, KEY_WEIGHT, in_order, spectral_count, spectral_weights
from modadd.populations.spectral_measures import purest_in
from modadd.populations.theorists import neurons_by_frequency, phases_by_frequency, works_in


def neurons_by_kind(network: Network) -> pd.DataFrame:
    """For each frequency k: its share of the logits, and how many neurons have it, of all, of those that work, of the pure."""
    weights, (frequency, purity), works = spectral_weights(*in_order(network)), purest_in(network), works_in(network)
    k = np.arange(1, network.recipe.modulus // 2 + 1)
    kinds = {"idle too": np.ones_like(works), "working": works, "pure": works & (purity >= 1 - IMPURE)}
    counts = {kind: np.bincount(frequency[chosen], minlength=len(weights))[k] for kind, chosen in kinds.items()}
    return pd.DataFrame({"frequency": k, "spectral_weight": weights[k], **counts})


def accuracies_of_closed_form(n: int, draws: Mapping[int, int]) -> pd.DataFrame:
    """How many inputs the closed form mod n answers right; `draws`: of its phases, for each number of neurons."""
    lines = []
    for neurons, many in draws.items():
        for draw in range(many):
            logits = squares(drawn_closed_form(n, neurons, seed_for(draw, "closed form")))
            lines.append((neurons, draw, accuracy(logits)))
    return pd.DataFrame(lines, columns=["neurons", "draw", "accuracy"])


def assumptions_of(network: Network) -> dict[str, Any]:
    """What the assumptions say of a network, by the words that head a table.

    p, phases crowded: Rayleigh's, combined over the frequencies (Fisher); NaN where none has enough neurons.
    """
    found, counts = measured(network, measures_in(theorists)), neurons_by_frequency(network)
    crowded = [rayleigh_p(phases) for phases in phases_by_frequency(network)]
    return {
        "accuracy": accuracy(network.logits(), network.right_answers()),
        "neurons": network.recipe.d_mlp,
        "working": found["working_neurons"],
        "pure": float((purest_in(network)[1][works_in(network)] >= 1 - IMPURE).mean()),
        "frequencies used": int((counts > 0).sum()),
        "possible": len(counts),
        "p, frequencies even": found["frequencies_even_p"],
        "crowding": found["phase_crowding"],
        "p, phases crowded": float(chdtrc(2 * len(crowded), -2 * np.log(crowded).sum())) if crowded else np.nan,
        "p, phases uniform": found["phases_uniform_p"],
        "outside": found["outside_closed_form"],
        "mismatch": found["closed_form_mismatch"],
        "unequal": found["unequal_sizes"],
    }


def answers(networks: Mapping[str, Network], closed_form: pd.DataFrame, names: Sequence[str]) -> dict[str, Any]:
    """What is recorded of the theorists' networks, by the `names` of their architectures: the ReLUs' and the squares'.

    closed_form: `accuracies_of_closed_form`, of which the width of the trained squares counts.
    """
    of_squares = measured(networks["square_mlp"], measures_in(theorists))
    kept = ("outside_closed_form", "closed_form_mismatch", "frequencies_even_p")
    found = {name: of_squares[name] for name in kept}
    found["phases_uniform_p"] = theorists.phases_uniform_p(networks["group_mlp"])
    for name in names:
        weights = spectral_weights(*in_order(networks[name]))
        found[f"{name}_spectral_count"] = spectral_count(weights)
        found[f"{name}_key_set"] = int((weights >= KEY_WEIGHT).sum())
        found[f"{name}_explained"] = float(weights.sum())
    as_wide = closed_form.accuracy[closed_form.neurons == networks["square_mlp"].recipe.d_mlp]
    return found | {"closed_form_right": share((as_wide == 1).to_numpy())}
