"""Time the certificates on the mainline networks, and exact margins as inputs and neurons grow; fit exponents."""

import time
from collections.abc import Callable, Mapping
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

ROUNDS = 3  # the methods take turns, so that a slow moment of the machine hits all of them
MOST_TERMS = 2**33  # of brute force: a second or two
NOISE = 0.02  # standard deviation of the noise in every table of a network made for timing; its waves have amplitude 1
SCALINGS = {  # (inputs n, neurons h) of every size
    "inputs, 512 neurons": [(n, 512) for n in (31, 59, 83, 113, 157, 227, 307, 499)],
    "neurons, 59 inputs": [(59, h) for h in (128, 256, 512, 1024, 2048, 4096, 8192)],
}
METHODS: dict[str, Callable[[Separable], np.ndarray]] = {
    "brute force": lambda network: margins(network.logits()),
    "flips": lambda network: margins_by_flips(find_flips(network))[0],
}


def fastest(methods: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Best time of each method over the rounds, in seconds of one processor: what else runs does not count."""
    best = dict.fromkeys(methods, float("inf"))
    for _ in range(rounds):
        for name, method in methods.items():
            start = time.process_time()
            method()
            best[name] = min(best[name], time.process_time() - start)
    return best


def ladder(name: str, file: Path) -> list[dict[str, object]]:
    """What every rung proves of a network, and what it costs."""
    trained = load_network(file)
    separable = trained.separable()
    true = margins(separable.logits())
    certificates = {rung: for_stored_weights(make(separable), trained) for rung, make in RUNGS.items()}
    seconds = fastest({rung: lambda make=make: make(separable) for rung, make in RUNGS.items()})
    plain = fastest({rung: lambda method=method: method(separable) for rung, method in METHODS.items()})
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


def noisy(n: int, h: int) -> Separable:
    """A network by hand with h neurons of four frequencies and a little noise, so that signs flip as after a training."""
    rng = np.random.default_rng(0)
    clean = hand_coded(n, [round(share * n) for share in (0.1, 0.2, 0.3, 0.4)], h // 4)
    return Separable(*(table + NOISE * rng.normal(size=table.shape) for table in vars(clean).values()))


def benchmark_certificates(networks: Mapping[str, Path], stem: Path, scaling: Path, picture: Path) -> None:
    """Write the tables and the figure; the rule's `threads: 1` holds for matrix products."""
    save_table(pd.DataFrame(row for name, file in networks.items() for row in ladder(name, file)), stem, digits=4)
    times = []
    for growing, sizes in SCALINGS.items():
        for n, h in sizes:
            network, large = noisy(n, h), n**3 * h > MOST_TERMS
            methods = {
                name: lambda of=of: of(network) for name, of in METHODS.items() if not (large and name == "brute force")
            }
            size = n if growing.startswith("inputs") else h
            for name, seconds in fastest(methods, rounds=2).items():
                times.append({"growing": growing, "size": size, "n": n, "h": h, "method": name, "seconds": seconds})
            print(f"Exact margins, n = {n}, h = {h}: {seconds:.2f} s from flips", flush=True)
    times = pd.DataFrame(times)
    pairs = times.pivot(index=["growing", "size"], columns="method", values="seconds")
    # The larger half of the sizes: in the small ones a call costs more than its arithmetic.
    larger = {of: points.tail((len(points) + 1) // 2) for of, points in times.groupby(["growing", "method"])}
    rows = [
        {
            "growing": growing,
            "method": name,
            "exponent": exponent(larger[growing, name]["size"], larger[growing, name].seconds),
            "largest size": points["size"].max(),
            "ms there": 1e3 * points.seconds.iloc[-1],
            "brute force over flips, smallest size": (pairs["brute force"] / pairs["flips"])[growing].iloc[0],
            "largest both": (pairs["brute force"] / pairs["flips"])[growing].dropna().iloc[-1],
        }
        for (growing, name), points in times.groupby(["growing", "method"], sort=False)
    ]
    save_table(pd.DataFrame(rows), scaling, digits=2)
    use_style()
    figure, axes = panels(len(SCALINGS), columns=len(SCALINGS), height=2.8, sharey=True)
    for ax, growing in zip(axes, SCALINGS, strict=True):
        for name, colour, dash, marker in zip(METHODS, COLOURS, DASHES, MARKERS, strict=False):
            points = times[(times.growing == growing) & (times.method == name)]
            look = {"color": colour, "linestyle": dash, "marker": marker, "markersize": 3}
            ax.plot(points["size"], points.seconds, label=name, **look)
        ax.set(xscale="log", yscale="log", xlabel=growing.partition(",")[0], title=growing)
        ax.minorticks_off()
    axes[0].set_ylabel("processor time of all margins (s)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    save_figure(figure, picture, times)


if __name__ == "__main__":
    begin(snakemake.log[0])
    networks = {Path(file).parent.name: Path(file) for file in snakemake.input.networks}
    outputs = [Path(snakemake.output[key]).with_suffix("") for key in ("csv", "scaling", "picture")]
    benchmark_certificates(networks, *outputs)
