"""A network as quadrature schemes of two phases, in the numbers that set networks side by side.

Numbers go by the names of the tables' columns. A *reading* is one of the integrals of `quadrature.torus`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

import modadd.attention.pizza_measures
from modadd.attention.pizza_measures import embedding_frequencies
from modadd.certificates.explained_measures import certified_share_k, certified_share_k_2k, smallest_explained_margin
from modadd.core.fourier import fit, share_of_variance
from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable, accuracy, margins
from modadd.networks.architectures import Embedded
from modadd.networks.registry import measured, measures_in
from modadd.quadrature import torus
from modadd.quadrature.scheme import Scheme, schemes_of
from modadd.quadrature.torus_measures import INTEGRAL_SIZES, r2_integrals_of, weight_below_integral

_LAWS = ("rms, two phases", "rms, one phase")  # of ψ − φ_a − φ_b and of ψ − 2φ_a
R2 = dict[tuple[str, str], float]  # by part of the logits and model


@dataclass(frozen=True)
class StrongestSchemes:
    """A network and the schemes of its strongest frequencies, in order of frequency."""

    network: Separable
    schemes: dict[int, Scheme]
    absolute: Float[np.ndarray, "n n n"]  # the absolute-value part of the logits

    @property
    def weights(self) -> Float[np.ndarray, "k"]:
        """Share of each scheme in the weight Σr of all."""
        total = np.array([scheme.total for scheme in self.schemes.values()])
        return total / total.sum()

    @property
    def strongest(self) -> Scheme:
        """The scheme of greatest weight."""
        return max(self.schemes.values(), key=lambda scheme: scheme.total)

    @cached_property
    def by_frequency(self) -> pd.DataFrame:
        """A row for each scheme: its size, `torus.numbers_of`, and what it leaves out of its neurons, averaged by weight.

        constant: of the preactivation, over α_a + α_b. ratio: the smaller of α_a and α_b over the larger.
        """
        network, dfts = self.network, three_dfts(self.network)
        reach = dfts.A.amplitude + dfts.B.amplitude
        constant = np.abs(network.A.mean(axis=0) + network.B.mean(axis=0)) / np.where(reach > 0, reach, 1)
        tables = {"A": network.A, "B": network.B, "W": network.W.T}
        of_neurons = {f"share of {T}": share_of_variance(table, dfts.frequency) for T, table in tables.items()}
        of_neurons |= {"constant": constant, "ratio": dfts.ratio}
        rows = []
        for (k, scheme), weight in zip(self.schemes.items(), self.weights, strict=True):
            row = {"frequency": k, "neurons": len(scheme.weight), "effective neurons": scheme.effective_neurons}
            row |= {"weight": weight} | torus.numbers_of(scheme)
            own = dfts.frequency == k
            rows.append(row | {name: np.average(of[own], weights=scheme.weight) for name, of in of_neurons.items()})
        return pd.DataFrame(rows)


def strongest_schemes(network: Separable, most: int) -> StrongestSchemes:
    """Read a network at its key frequencies, the `most` strongest ones if there are more."""
    schemes = schemes_of(three_dfts(network))
    strongest = sorted(schemes, key=lambda k: schemes[k].total)[-most:]
    return StrongestSchemes(network, {k: schemes[k] for k in sorted(strongest)}, network.absolute_part())


def factor_curves(read: StrongestSchemes) -> pd.DataFrame:
    """The factor m(d) of the strongest frequency by w_k d mod 2π (`turn`, radians): in the logits, of each reading."""
    scheme = read.strongest
    turn = np.mod(scheme.frequency * np.arange(scheme.modulus), scheme.modulus)
    curves = {"turn": 2 * np.pi * turn / scheme.modulus, "logits": torus.shown_factor(read.absolute, scheme)}
    curves |= {reading: factor(scheme) for reading, factor in torus.NEURON_FACTORS.items()}
    return pd.DataFrame(curves).iloc[np.argsort(turn, kind="stable")]


def key_frequencies(network: Embedded, read: StrongestSchemes | None, most: int) -> list[int]:
    """Frequencies of the reading; where there is none, those of the embedding, the `most` strongest ones."""
    return list(read.schemes) if read else sorted(embedding_frequencies(network.concatenated())[:most])


def _logits(network: Embedded, read: StrongestSchemes | None) -> Float[np.ndarray, "n n n"]:
    return read.network.logits() if read else network.logits()


def regressions(network: Embedded, read: StrongestSchemes | None, frequencies: Sequence[int]) -> R2:
    """R² by part of the logits, full and absolute-value part, and model: three that are fitted ([Q] §6), then readings.

    Full logits only where there is no reading.
    """
    parts = {"full": _logits(network, read)} | ({"absolute": read.absolute} if read else {})
    kinds = ("pizza", "clock", "cosine")
    fitted = {
        (part, f"{kind} terms"): fit(of, kind, frequencies).r_squared for part, of in parts.items() for kind in kinds
    }
    predicted = {reading: r2_integrals_of(read.network, reading) for reading in INTEGRAL_SIZES} if read else {}
    return fitted | {("absolute", f"{reading}, nothing fitted"): value for reading, value in predicted.items()}


def columns_of(
    network: Embedded, read: StrongestSchemes | None, frequencies: Sequence[int], r2: R2
) -> dict[str, dict[str, Any]]:
    """The network in one column of each of four tables, `r2` being its `regressions`.

    Means are over the frequencies by weight. `reading` is the integral that predicts more; the weight below the
    integral, and the weight bounded, is that of frequencies whose error, or bound, is smaller than this integral. Where
    there is no reading, the table of logits is all.
    """
    logits = _logits(network, read)
    of_part = {
        part: {f"R² {part}, {model}": value for (of, model), value in r2.items() if of == part} for part, _ in r2
    }
    size = {"n": network.modulus, "key frequencies": len(frequencies)}
    margin = {"smallest margin": margins(logits).min()}
    attention = measured(network, measures_in(modadd.attention.pizza_measures))
    attention = {name.replace("_", " "): value for name, value in attention.items()}
    columns = {"logits": size | {"accuracy": accuracy(logits)} | margin | of_part["full"] | attention}
    if read is None:
        return columns
    rows = read.by_frequency
    mean = {column: rows.weight @ rows[column] for column in rows}
    reading = max(INTEGRAL_SIZES, key=lambda each: r2["absolute", f"{each}, nothing fitted"])
    bounded = rows.weight[rows[f"bound, {reading}"] < INTEGRAL_SIZES[reading]].sum()
    return columns | {
        "neurons": size
        | {f"mean {column}": mean[column] for column in ("share of A", "share of B", "share of W")}
        | {column: mean[column] for column in ("constant", "ratio", "coherence")}
        | {f"largest {law}": rows[law].max() for law in _LAWS},
        "sums": {"reading": reading}
        | {f"mean error, {each}": mean[f"error, {each}"] for each in torus.NEURON_FACTORS}
        | {"of random angles": mean[f"of random angles, {reading}"]}
        | {"weight below the integral": weight_below_integral(read.network), "weight bounded": float(bounded)}
        | of_part["absolute"],
        "proofs": margin
        | {"smallest explained margin": smallest_explained_margin(read.network)}
        | {"certified, k": certified_share_k(read.network), "certified, k and 2k": certified_share_k_2k(read.network)},
    }
