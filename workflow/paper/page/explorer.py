"""What of a network goes to the explorer page: tables, angles and rectangles of neurons, measured numbers."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from bokeh.resources import Resources
from jaxtyping import Float

from modadd.core.fourier import wrap
from modadd.core.neurons import ThreeDFTs, three_dfts
from modadd.core.separable import Separable, accuracy, margins
from modadd.networks.foreign import External
from modadd.networks.recipes import deviations
from modadd.networks.store import Network
from modadd.quadrature.bounds import boxes
from modadd.quadrature.scheme import Scheme, one_phase, schemes_of
from modadd.quadrature.torus import largest_error

OfNeurons = Float[np.ndarray, "h"]

# Values of the ledger, and the number of the page that says the same of a network; in cross-study notebooks the network's
# name stands before the value.
SAME_IN_LEDGER = {
    "accuracy": "accuracy",
    "held_out_accuracy": "accuracy",
    "frequencies": "frequencies",
    "phase_line_slope": "phases",
    "rms_mismatch": "phases",
    "actual_error": "error",
    "weight_below_integral": "error",
}


def plotting_library() -> str:
    """The JavaScript of the pinned plotting library, to be written into the page: nothing is fetched."""
    library = Resources(mode="inline", components=["bokeh", "bokeh-api"], log_level="warn")
    return "\n".join(library.js_raw)


def base64_of(values: Float[np.ndarray, "..."]) -> str:
    """Numbers as base64 text of little-endian float32, row by row."""
    packed = np.ascontiguousarray(values, dtype="<f4").tobytes()
    return base64.b64encode(packed).decode()


def name_of(path: Path) -> str:
    """dataset/seedN, population/exhibit, or external/NAME, of a network's file in results/."""
    folder = path.parent.name
    return f"{path.stem}/exhibit" if folder == "exhibits" else f"{folder}/{path.stem}"


def facts_of(network: Network | External) -> list[str]:
    """Where a network comes from, in sentences."""
    if isinstance(network, External):
        return ["Weights read from a file; this project did not train them.", f"SHA-256 {network.sha256}."]
    recipe = network.recipe
    changed = list(deviations(recipe.as_dict()).values())
    return [
        f"Recipe: {recipe.source}.",
        f"Seed {network.seed}, {recipe.steps} updates on {recipe.train_pairs} of {recipe.modulus}² pairs.",
        f"Not as published: {', '.join(changed)}." if changed else "Every number of the recipe is the published one.",
    ]


def entry(network: Separable, facts: list[str]) -> dict[str, Any]:
    """One network as plain data; a table that is zero, or B where it is A, is left out.

    sigma, delta: (φ_a ± φ_b)/2 of every neuron at its own frequency, psi its output phase, in radians; r its weight
    (α_a + α_b)/2 · β; left, right: its box on the circle of φ, of width 2π r_i/Σr among the neurons of its frequency
    ([Q] Fig. 2). key: per key frequency what `measured_scheme` says.
    """
    dfts = three_dfts(network)
    schemes = schemes_of(dfts)
    logits = network.logits()
    key = []
    for k, scheme in schemes.items():
        key.append({"k": k, **measured_scheme(scheme)})
    return {
        "modulus": network.modulus,
        "width": network.width,
        "facts": facts,
        "accuracy": accuracy(logits),
        "smallest_margin": float(margins(logits).min()),
        "tables": _tables(network),
        "neurons": _neurons(dfts, list(schemes)),
        "key": key,
    }


def _tables(network: Separable) -> dict[str, str]:
    shown = {"A": network.A, "W": network.W}
    if not np.array_equal(network.B, network.A):
        shown["B"] = network.B
    shown |= {"C": network.C, "D": network.D}
    return {name: base64_of(table) for name, table in shown.items() if name in "AW" or table.any()}


def _neurons(dfts: ThreeDFTs, frequencies: list[int]) -> dict[str, Any]:
    """Numbers of every neuron, of which those at key frequencies have a box."""
    sigma, delta = half_angles(dfts.A.phase, dfts.B.phase)
    left, right = edges(dfts, sigma, frequencies)
    numbers = {
        "r": dfts.weight,
        "sigma": sigma,
        "delta": delta,
        "psi": dfts.W.phase,
        "left": left,
        "right": right,
    }
    texts = {name: base64_of(values) for name, values in numbers.items()}
    return {"frequency": dfts.frequency.tolist()} | texts


def half_angles(phi_a: OfNeurons, phi_b: OfNeurons) -> tuple[OfNeurons, OfNeurons]:
    """σ in (−π, π] halfway between two angles on the shorter way, and δ with φ_a = σ + δ, φ_b = σ − δ, in radians."""
    delta = wrap(phi_a - phi_b) / 2
    return wrap(phi_a - delta), delta


def edges(dfts: ThreeDFTs, sigma: OfNeurons, frequencies: list[int]) -> tuple[OfNeurons, OfNeurons]:
    """Left and right edge of every neuron's box, in radians, laid by `bounds.boxes`; zero at other frequencies."""
    left, right = np.zeros_like(sigma), np.zeros_like(sigma)
    turned = np.mod(sigma, 2 * np.pi)
    for k in frequencies:
        members = np.flatnonzero(dfts.frequency == k)
        around = np.argsort(turned[members], kind="stable")
        members = members[around]
        weight = dfts.weight[members]
        scheme = one_phase(
            dfts.modulus,
            k,
            sigma[members],
            dfts.W.phase[members],
            2 * np.pi * weight / weight.sum(),
        )
        laid = boxes(scheme, folded=False)
        left[members], right[members] = laid.left, laid.right
    return left, right


def measured_scheme(scheme: Scheme) -> dict[str, int | float]:
    """Of one frequency: rms of ψ − φ_a − φ_b by weight (rad), and the largest error of its sum over 4/3."""
    return {
        "neurons": len(scheme.psi),
        "rms": scheme.rms(scheme.mismatch),
        "error": largest_error(scheme),
    }


def claims_about(ledger: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What of the ledger is about a network: ids of claims by number of the page, notebooks with their titles."""
    notebooks = {}
    for notebook, about in ledger["notebooks"].items():
        inputs = about["inputs"]
        if name in (inputs["shown"], *inputs["others"]):
            notebooks[notebook] = about["title"]
    prefix = name.partition("/")[0] + "_"
    claims = {number: [] for number in SAME_IN_LEDGER.values()}
    for claim in ledger["claims"]:
        shown = ledger["notebooks"][claim["notebook"]]["inputs"]["shown"]
        number = SAME_IN_LEDGER.get(claim["value"].removeprefix(prefix))
        if number and claim.get("network", shown) == name:
            claims[number].append(claim["id"])
    return {"claims": claims, "notebooks": notebooks}
