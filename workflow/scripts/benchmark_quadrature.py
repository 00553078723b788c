"""Time brute force, the published and the spectral bound and the sweep as neurons and inputs grow; fit exponents."""

import time
from collections.abc import Callable
from itertools import count
from math import gcd
from pathlib import Path

import numpy as np
import pandas as pd

from modadd.core.growth import exponent
from modadd.core.jobs import begin
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.quadrature.bounds import angle_term, boxes, spectral_bound
from modadd.quadrature.scheme import Scheme, quadrature_error
from modadd.quadrature.sweep import error_at, swept_error, worst_case

ROUNDS, ROUND_SECONDS = 3, 0.01  # the methods take turns, so that a slow moment of the machine hits all of them
HARMONICS = 64
MOST_TERMS = 2**25  # brute force holds every term at once: 0.3 GB, about a second
FITTED = 5  # largest sizes, over which exponents are fitted: in the small ones a call costs more than its arithmetic

METHODS: dict[str, Callable[[Scheme], float]] = {
    "brute force, inputs": lambda scheme: np.abs(quadrature_error(scheme)).max(),
    "sweep, inputs": lambda scheme: np.abs(swept_error(scheme)).max(),
    "sweep, inputs (sorted)": lambda scheme: np.abs(error_at(scheme, scheme.thetas)).max(),
    "sweep, inputs and every θ": lambda scheme: worst_case(scheme).modulus,
    f"spectral bound, M = {HARMONICS}": lambda scheme: spectral_bound(scheme, HARMONICS).bound,
    "published bound": lambda scheme: angle_term(scheme) + boxes(scheme, folded=True).lipschitz_bound,
}
SIZES = [2**power for power in range(7, 18)]
SCALINGS = {  # (neurons h, inputs n) of every size
    "neurons and inputs": [(size, min(size, 10**6)) for size in SIZES],
    "neurons, 59 inputs": [(size, 59) for size in SIZES],
    "inputs, 512 neurons": [(512, min(size, 10**6)) for size in SIZES],
}
FREQUENCIES = {  # as shares of the inputs n; each has as many neurons
    "k = 1": [0],  # angles of the inputs in order: a search finds one wave after the other
    "k ≈ 0.38 n": [0.38],
    "four": [0.08, 0.17, 0.29, 0.38],  # as in a trained network
}
DRAWN = "four"  # in the figure


def scheme_of(h: int, n: int, share: float) -> Scheme:
    """h neurons at random angles with uneven weights and ψ near 2φ, as a training leaves them, for n inputs.

    The frequency is the first from share · n on that visits every angle, prime to n.
    """
    k = next(k for k in count(max(1, round(share * n))) if gcd(k, n) == 1)
    rng = np.random.default_rng(k)
    phi, r = np.sort(rng.uniform(-np.pi, np.pi, h)), rng.uniform(0.5, 1, h)
    return Scheme(n, k, phi, 2 * phi + 0.01 * rng.standard_normal(h), 2 * np.pi * r / r.sum())


def seconds(schemes: list[Scheme]) -> dict[str, float]:
    """Least mean time of each method over the rounds, in seconds of one processor: what else runs does not count."""
    methods = dict(METHODS)
    if sum(len(scheme.phi) * scheme.modulus for scheme in schemes) > MOST_TERMS:
        del methods["brute force, inputs"]
    best = dict.fromkeys(methods, float("inf"))
    for _ in range(ROUNDS):
        for name, method in methods.items():
            start, calls = time.process_time(), 0
            while (spent := time.process_time() - start) < ROUND_SECONDS or not calls:
                for scheme in schemes:
                    method(scheme)
                calls += 1
            best[name] = min(best[name], spent / calls)
    return best


def benchmark_quadrature(table: Path, picture: Path) -> None:
    """Write the table of exponents and the figure of all times; the rule's `threads: 1` holds for matrix products."""
    found = []
    for scaling, cases in SCALINGS.items():
        for frequencies, shares in FREQUENCIES.items():
            start, case = time.perf_counter(), {"scaling": scaling, "frequencies": frequencies}
            for size, (h, n) in zip(SIZES, cases, strict=True):
                took = seconds([scheme_of(h // len(shares), n, share) for share in shares])
                found += [
                    case | {"size": size, "neurons": h, "inputs": n, "method": name, "seconds": spent}
                    for name, spent in took.items()
                ]
            spent = time.perf_counter() - start
            print(f"Quadrature, growing {scaling}, frequencies {frequencies}: timed in {spent:.0f} s", flush=True)
    times = pd.DataFrame(found)
    rows = []
    for (scaling, frequencies, name), points in times.groupby(["scaling", "frequencies", "method"], sort=False):
        most = {"most neurons": points.neurons.max(), "most inputs": points.inputs.max()}
        largest = points.tail(FITTED)
        last = {"exponent": exponent(largest["size"], largest.seconds), "ms there": 1e3 * points.seconds.iloc[-1]}
        rows.append({"growing": scaling, "frequencies": frequencies, "method": name} | most | last)
    save_table(pd.DataFrame(rows), table, digits=2)
    use_style()
    figure, axes = panels(len(SCALINGS), columns=len(SCALINGS), height=2.8, sharey=True)
    for ax, scaling in zip(axes, SCALINGS, strict=True):
        for name, colour, dash, marker in zip(METHODS, COLOURS, DASHES, MARKERS, strict=False):
            points = times[(times.scaling == scaling) & (times.frequencies == DRAWN) & (times.method == name)]
            look = {"color": colour, "linestyle": dash, "marker": marker, "markersize": 3}
            ax.plot(points["size"], points.seconds, **look, label=name)
        ax.set(xscale="log", yscale="log", xlabel=scaling.partition(",")[0], title=scaling)
        ax.minorticks_off()
    axes[0].set_ylabel(f"processor time (s), frequencies: {DRAWN}")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    save_figure(figure, picture, times)


if __name__ == "__main__":
    begin(snakemake.log[0])
    benchmark_quadrature(
        table=Path(snakemake.output.csv).with_suffix(""), picture=Path(snakemake.output.picture).with_suffix("")
    )
