"""What one network does, in a few lines and a figure: accuracy, frequencies, whether ψ = φ_a + φ_b."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from modadd.core.fourier import wrap
from modadd.core.neurons import three_dfts
from modadd.core.separable import Separable, accuracy, margins
from modadd.plots.figures import COLOURS, panels, pi_ticks
from modadd.quadrature.scheme import Scheme, schemes_of
from modadd.quadrature.torus import LAWFUL, UNRELATED

MOST_PANELS = 8  # frequencies drawn, the heaviest
LAW = "phase law ψ = φ_a + φ_b, which is ψ = 2φ where a and b share an embedding"


def portrait(network: Separable, name: str) -> str:
    """Accuracy, smallest margin and key frequencies of a network, and at which of these the phase law holds, in lines."""
    logits, schemes = network.logits(), schemes_of(three_dfts(network))
    n, right = network.modulus, accuracy(logits)
    lines = [
        f"{name}: n = {n}, {network.width} neurons, accuracy {right:.6g} over all {n * n:,} inputs",
        f"smallest margin: {margins(logits).min():.3g} (logits)",
    ]
    if not schemes:
        lines.append("no neuron reaches an answer, so there are no key frequencies")
        return "\n".join(lines)
    lines += _phase_law(schemes)
    if right < 1:
        lines.append("It does not answer every input right; was it trained to its end?")
    return "\n".join(lines)


def _phase_law(schemes: dict[int, Scheme]) -> list[str]:
    """The key frequencies, and at which of them the phase law holds, in lines."""
    whole = sum(scheme.total for scheme in schemes.values())
    shares = [f"{k} ({100 * schemes[k].total / whole:.0f} %)" for k in by_weight(schemes)]
    kept, off = 0, []
    for k, scheme in schemes.items():
        rms = scheme.rms(scheme.mismatch)
        kept += rms <= LAWFUL
        off.append(f"{rms:.2g} rad at {k}")
    return [
        f"key frequencies, with their share of the weight: {', '.join(shares)}",
        f"{LAW}: holds at {kept} of {len(off)} key frequencies",
        f"root mean square of ψ − φ_a − φ_b: {', '.join(off)}",
        f"(at most {LAWFUL:g} rad counts as holding; unrelated phases have {UNRELATED:.2f})",
    ]


def by_weight(schemes: dict[int, Scheme]) -> list[int]:
    """Frequencies, the heaviest first."""
    return sorted(schemes, key=lambda k: -schemes[k].total)


def draw_phases(network: Separable, name: str) -> tuple[Figure, pd.DataFrame]:
    """ψ against φ_a + φ_b of every neuron, a panel for each of the heaviest key frequencies; and the points.

    Raises ValueError for a network without any.
    """
    schemes = schemes_of(three_dfts(network))
    if not schemes:
        raise ValueError(f"{name}: no key frequency, so there is nothing to draw")
    chosen = sorted(by_weight(schemes)[:MOST_PANELS])
    figure, axes = panels(
        len(chosen),
        columns=4,
        height=2.1,
        sharex=True,
        sharey=True,
    )
    tables = []
    for ax, k, colour in zip(axes, chosen, COLOURS, strict=False):
        points = _points(schemes[k], k)
        _draw_points(ax, points, colour)
        ax.set_title(f"k = {k}, {len(points)} neurons")
        tables.append(points)
    axes[0].set_ylabel("output phase ψ (rad)")
    title = f"{name}: the line is ψ = φ_a + φ_b"
    if len(schemes) > MOST_PANELS:
        title += f"; the {MOST_PANELS} heaviest of {len(schemes)} key frequencies"
    figure.suptitle(title, fontsize=8)
    return figure, pd.concat(tables, ignore_index=True)


def _points(scheme: Scheme, k: int) -> pd.DataFrame:
    """The neurons of frequency k: φ_a + φ_b in (−π, π], and ψ on the branch that is nearest, in radians."""
    angle = wrap(scheme.phi_a + scheme.phi_b)
    psi = angle + wrap(scheme.psi - angle)
    return pd.DataFrame({"frequency": k, "angle": angle, "psi": psi, "weight": scheme.weight})


def _draw_points(ax: Axes, points: pd.DataFrame, colour: str) -> None:
    ends = [-np.pi, np.pi]
    ax.plot(ends, ends, color="0.6", linewidth=1, zorder=1)
    ax.scatter(points.angle, points.psi, s=6, color=colour, linewidth=0)
    ax.set_xlabel("φ_a + φ_b (rad)")
    pi_ticks(ax.xaxis, -1.0, 0.0, 1.0)
    pi_ticks(ax.yaxis, -2.0, -1.0, 0.0, 1.0, 2.0)
