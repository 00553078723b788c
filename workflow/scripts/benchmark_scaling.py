"""Time bounds on the quadrature error, certificates and exact margins as neurons and inputs grow; fit exponents."""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from math import gcd
from pathlib import Path

import numpy as np
import pandas as pd

from modadd.certificates.certify import for_stored_weights
from modadd.certificates.flips import find_flips, margins_by_flips
from modadd.certificates.ladder import RUNGS
from modadd.core.growth import exponent
from modadd.core.jobs import begin
from modadd.core.separable import Separable, margins
from modadd.handmade.build import hand_coded
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.quadrature.bounds import angle_term, boxes, spectral_bound
from modadd.quadrature.scheme import Scheme, quadrature_error
from modadd.quadrature.sweep import error_at, swept_error, worst_case

ROUNDS, ROUND_SECONDS = 3, 0.01  # the methods take turns, so that a slow moment of the machine hits all of them

HARMONICS = 64
MOST_TERMS = 2**25  # brute force on schemes holds every term at once: 0.3 GB, about a second
FITTED = 5  # largest sizes, over which exponents are fitted: in the small ones a call costs more than its arithmetic
BOUNDS: dict[str, Callable[[Scheme], float]] = {
    "brute force, inputs": lambda scheme: np.abs(quadrature_error(scheme)).max(),
    "sweep, inputs": lambda scheme: np.abs(swept_error(scheme)).max(),
    "sweep, inputs (sorted)": lambda scheme: np.abs(error_at(scheme, scheme.thetas)).max(),
    "sweep, inputs and every θ": lambda scheme: worst_case(scheme).modulus,
    f"spectral bound, M = {HARMONICS}": lambda scheme: spectral_bound(scheme, HARMONICS).bound,
    "published bound": lambda scheme: angle_term(scheme) + boxes(scheme, folded=True).lipschitz_bound,
}
SIZES = [2**power for power in range(7, 18)]
SCHEMES = {  # (neurons h, inputs n) of every size
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

MOST_LOGITS = 2**33  # terms of brute force on networks: a second or two
NOISE = 0.02  # standard deviation of the noise in every table of a network made for timing; its waves have amplitude 1
NETWORKS = {  # (inputs n, neurons h) of every size
    "inputs, 512 neurons": [(n, 512) for n in (31, 59, 83, 113, 157, 227, 307, 499)],
    "neurons, 59 inputs": [(59, h) for h in (128, 256, 512, 1024, 2048, 4096, 8192)],
}
MARGINS: dict[str, Callable[[Separable], np.ndarray]] = {
    "brute force": lambda network: margins(network.logits()),
    "flips": lambda network: margins_by_flips(find_flips(network))[0],
}


def fastest(methods: Mapping[str, Callable[[], object]], at_least: float = 0.0) -> dict[str, float]:
    """Least mean time of each method over the rounds, in seconds of one processor: what else runs does not count."""
    best = dict.fromkeys(methods, float("inf"))
    for _ in range(ROUNDS):
        for name, method in methods.items():
            start, calls = time.process_time(), 0
            while (spent := time.process_time() - start) < at_least or not calls:
                method()
                calls += 1
            best[name] = min(best[name], spent / calls)
    return best


def fitted(times: pd.DataFrame, keys: Sequence[str], largest: Callable[[pd.DataFrame], int]) -> pd.DataFrame:
    """By keys, the exponent with which times grow over the largest sizes, the largest size, and the time there."""
    rows = []
    for which, points in times.groupby([*keys], sort=False):
        ends = points.tail(largest(points))
        found = {"exponent": exponent(ends["size"], ends.seconds), "largest size": points["size"].max()}
        rows.append(dict(zip(keys, which, strict=True)) | found | {"ms there": 1e3 * points.seconds.iloc[-1]})
    return pd.DataFrame(rows)


def draw(times: pd.DataFrame, methods: Sequence[str], label: str, columns: int, picture: Path) -> None:
    """Time over size for each method, a panel for each way of growing."""
    use_style()
    growing = list(dict.fromkeys(times.growing))
    figure, axes = panels(len(growing), columns=len(growing), height=2.8, sharey=True)
    for ax, grown in zip(axes, growing, strict=True):
        for name, colour, dash, marker in zip(methods, COLOURS, DASHES, MARKERS, strict=False):
            points = times[(times.growing == grown) & (times.method == name)]
            look = {"color": colour, "linestyle": dash, "marker": marker, "markersize": 3}
            ax.plot(points["size"], points.seconds, label=name, **look)
        ax.set(xscale="log", yscale="log", xlabel=grown.partition(",")[0], title=grown)
        ax.minorticks_off()
    axes[0].set_ylabel(label)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=columns)
    save_figure(figure, picture, times)


def scheme_of(h: int, n: int, share: float) -> Scheme:
    """h neurons at random angles with uneven weights and ψ near 2φ, as a training leaves them, for n inputs.

    The frequency is the first from share · n on that visits every angle, prime to n.
    """
    k = next(k for k in count(max(1, round(share * n))) if gcd(k, n) == 1)
    rng = np.random.default_rng(k)
    phi, r = np.sort(rng.uniform(-np.pi, np.pi, h)), rng.uniform(0.5, 1, h)
    return Scheme(n, k, phi, 2 * phi + 0.01 * rng.standard_normal(h), 2 * np.pi * r / r.sum())


def noisy(n: int, h: int) -> Separable:
    """A network by hand with h neurons of four frequencies and a little noise, so that signs flip as after a training."""
    rng = np.random.default_rng(0)
    clean = hand_coded(n, [round(share * n) for share in (0.1, 0.2, 0.3, 0.4)], h // 4)
    return Separable(*(table + NOISE * rng.normal(size=table.shape) for table in vars(clean).values()))


def benchmark_bounds(table: Path, picture: Path) -> None:
    """The table of exponents, and the figure, of what bounds or computes the quadrature error."""
    found = []
    for growing, cases in SCHEMES.items():
        for frequencies, shares in FREQUENCIES.items():
            for size, (h, n) in zip(SIZES, cases, strict=True):
                schemes = [scheme_of(h // len(shares), n, share) for share in shares]
                methods = {
                    name: lambda bound=bound, schemes=schemes: [bound(scheme) for scheme in schemes]
                    for name, bound in BOUNDS.items()
                    if name != "brute force, inputs" or h * n <= MOST_TERMS
                }
                case = {"growing": growing, "frequencies": frequencies, "size": size, "neurons": h, "inputs": n}
                took = fastest(methods, ROUND_SECONDS)
                found += [case | {"method": name, "seconds": seconds} for name, seconds in took.items()]
            print(f"Quadrature, growing {growing}, frequencies {frequencies}: timed", flush=True)
    times = pd.DataFrame(found)
    save_table(fitted(times, ["growing", "frequencies", "method"], lambda points: FITTED), table, digits=2)
    drawn = times[times.frequencies == DRAWN]
    draw(drawn, list(BOUNDS), f"processor time (s), frequencies: {DRAWN}", 3, picture)


def benchmark_margins(table: Path, picture: Path) -> None:
    """The table of exponents, and the figure, of exact margins."""
    found = []
    for growing, sizes in NETWORKS.items():
        for n, h in sizes:
            network, large = noisy(n, h), n**3 * h > MOST_LOGITS
            methods = {
                name: lambda of=of, network=network: of(network)
                for name, of in MARGINS.items()
                if not (large and name == "brute force")
            }
            size = n if growing.startswith("inputs") else h
            took = fastest(methods)
            found += [{"growing": growing, "size": size, "method": name, "seconds": s} for name, s in took.items()]
            print(f"Exact margins, n = {n}, h = {h}: {took['flips']:.2f} s from flips", flush=True)
    times = pd.DataFrame(found)
    save_table(fitted(times, ["growing", "method"], lambda points: (len(points) + 1) // 2), table, digits=2)
    draw(times, list(MARGINS), "processor time of all margins (s)", 2, picture)


def ladder(name: str, file: Path) -> list[dict[str, object]]:
    """What every rung proves of a network, and what it costs."""
    trained = load_network(file)
    separable = trained.separable()
    true = margins(separable.logits())
    certificates = {rung: for_stored_weights(make(separable), trained) for rung, make in RUNGS.items()}
    seconds = fastest({rung: lambda make=make: make(separable) for rung, make in RUNGS.items()})
    plain = fastest({rung: lambda method=method: method(separable) for rung, method in MARGINS.items()})
    faster = plain["brute force"] / plain["flips"]
    print(f"Certificates of {name}: all margins from flips {faster:.1f} times as fast as by brute force", flush=True)
    return [
        {
            "network": name,
            "rung": rung,
            "order": certificate.order,
            "operations": certificate.operations,
            "of brute force": certificate.operations / certificates["brute force"].operations,
            "seconds": seconds[rung],
            "margins alone, seconds": plain.get(rung, np.nan),
            "certified share": certificate.share,
            "smallest certified margin": certificate.margin.min(),
            "median of certified over true": np.median(certificate.margin / true),
        }
        for rung, certificate in certificates.items()
    ]


if __name__ == "__main__":
    begin(snakemake.log[0])
    stem = {name: Path(file).with_suffix("") for name, file in snakemake.output.items() if name != "others"}
    benchmark_bounds(stem["quadrature"], stem["quadrature_times"])
    rows = [row for file in map(Path, snakemake.input.networks) for row in ladder(file.parent.name, file)]
    save_table(pd.DataFrame(rows), stem["certificates"], digits=4)
    benchmark_margins(stem["margins"], stem["margin_times"])
