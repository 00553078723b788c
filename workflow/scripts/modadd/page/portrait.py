"""What one network does, in a few lines and a figure: accuracy, frequencies, whether ψ = φ_a + φ_b."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from modadd.core.fourier import wrap
from modadd.core.separable import Separable, accuracy, margins
from modadd.page.figures import COLOURS, panels, pi_ticks
from modadd.quadrature.torus import LAWFUL, UNRELATED, PairScheme, pair_schemes

MOST_PANELS = 8  # frequencies drawn, the heaviest


def portrait(network: Separable, name: str) -> str:
    """Accuracy, smallest margin and key frequencies of a network, and at which of these the phase law holds, in lines."""
    logits, schemes = network.logits(), pair_schemes(network)
    n, right = network.modulus, accuracy(logits)
    lines = [f"{name}: n = {n}, {network.width} neurons, accuracy {right:.6g} over all {n * n:,} inputs"]
    lines += [f"smallest margin: {margins(logits).min():.3g} (logits)"]
    if not schemes:
        return "\n".join([*lines, "no neuron reaches an answer, so there are no key frequencies"])
    whole = sum(scheme.total for scheme in schemes.values())
    shares = ", ".join(f"{k} ({100 * schemes[k].total / whole:.0f} %)" for k in by_weight(schemes))
    lines += [f"key frequencies, with their share of the weight: {shares}"]
    off = {k: scheme.rms(scheme.mismatch) for k, scheme in schemes.items()}
    kept = sum(value <= LAWFUL for value in off.values())
    lines += [
        f"phase law ψ = φ_a + φ_b, which is ψ = 2φ where a and b share an embedding: holds at {kept} of {len(off)} key frequencies",
        "root mean square of ψ − φ_a − φ_b: " + ", ".join(f"{value:.2g} rad at {k}" for k, value in off.items()),
        f"(at most {LAWFUL:g} rad counts as holding; unrelated phases have {UNRELATED:.2f})",
    ]
    if right < 1:
        lines.append("It does not answer every input right; was it trained to its end?")
    return "\n".join(lines)


def by_weight(schemes: dict[int, PairScheme]) -> list[int]:
    """Frequencies, the heaviest first."""
    return sorted(schemes, key=lambda k: -schemes[k].total)


def draw_phases(network: Separable, name: str) -> tuple[Figure, pd.DataFrame]:
    """ψ against φ_a + φ_b of every neuron, a panel for each of the heaviest key frequencies; and the points.

    Raises ValueError for a network without any.
    """
    schemes = pair_schemes(network)
    if not schemes:
        raise ValueError(f"{name}: no key frequency, so there is nothing to draw")
    chosen = sorted(by_weight(schemes)[:MOST_PANELS])
    figure, axes = panels(len(chosen), columns=4, height=2.1, sharex=True, sharey=True)
    tables = []
    for ax, k, colour in zip(axes, chosen, COLOURS, strict=False):
        scheme = schemes[k]
        angle = wrap(scheme.phi_a + scheme.phi_b)
        psi = angle + wrap(scheme.psi - angle)  # on the branch that is nearest
        ax.plot([-np.pi, np.pi], [-np.pi, np.pi], color="0.6", linewidth=1, zorder=1)
        ax.scatter(angle, psi, s=6, color=colour, linewidth=0)
        ax.set(title=f"k = {k}, {len(psi)} neurons", xlabel="φ_a + φ_b (rad)")
        pi_ticks(ax.xaxis, -1.0, 0.0, 1.0)
        pi_ticks(ax.yaxis, -2.0, -1.0, 0.0, 1.0, 2.0)
        tables.append(pd.DataFrame({"frequency": k, "angle": angle, "psi": psi, "weight": scheme.weight}))
    axes[0].set_ylabel("output phase ψ (rad)")
    drawn = f"; the {MOST_PANELS} heaviest of {len(schemes)} key frequencies" if len(schemes) > MOST_PANELS else ""
    figure.suptitle(f"{name}: the line is ψ = φ_a + φ_b{drawn}", fontsize=8)
    return figure, pd.concat(tables, ignore_index=True)
