"""Time what training and proving cost on this machine (`python workflow/dev/bench.py`): a training step of every recipe, early and late,
against autograd, published loop and bare products; bounds, certificates and exact margins as neurons and inputs grow."""

import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from math import gcd
from pathlib import Path

import numpy as np
import own_library  # noqa: F401
import pandas as pd
from tqdm import tqdm

from modadd.certificates.certify import for_stored_weights
from modadd.certificates.flips import find_flips, margins_by_flips
from modadd.certificates.ladder import RUNGS
from modadd.core.bits import SAME_INSTRUCTIONS, set_arithmetic
from modadd.core.growth import exponent
from modadd.core.processor import processor
from modadd.core.separable import Separable, margins
from modadd.handmade.build import hand_coded
from modadd.networks.recipes import RECIPES, Recipe
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.quadrature.bounds import angle_term, boxes, spectral_bound
from modadd.quadrature.scheme import Scheme, quadrature_error
from modadd.quadrature.sweep import error_at, swept_error, worst_case
from modadd.run.timing import fastest, printed_by
from modadd.training.published_loops import (
    PUBLISHED_LOOPS,
    autograd_step,
    floor_step,
    kernel_step,
    operations,
    peak,
)
from modadd.training.train import train_ensemble

FIGURES, LATE_STATES, NETWORKS = Path("figures/benchmark"), Path("results/late"), Path("results/networks")

LATE = 4000  # updates of the late state, at most: by then the moments of dead neurons have become subnormal numbers
CASES = {
    "Q: pizza transformer": (replace(RECIPES["pizza_transformer"], steps=LATE), 1),
    "M: two-layer MLP": (replace(RECIPES["two_layer_mlp"], steps=LATE), 1),
    "C: embedding MLP, full batch": (replace(RECIPES["embedding_mlp"], batch_size=0, steps=1500), 1),
    "C: batch 91, 16 at once": (replace(RECIPES["embedding_mlp"], steps=LATE), 16),
}

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
MADE = {  # (inputs n, neurons h) of every size
    "inputs, 512 neurons": [(n, 512) for n in (31, 59, 83, 113, 157, 227, 307, 499)],
    "neurons, 59 inputs": [(59, h) for h in (128, 256, 512, 1024, 2048, 4096, 8192)],
}
MARGINS: dict[str, Callable[[Separable], np.ndarray]] = {
    "brute force": lambda network: margins(network.logits()),
    "flips": lambda network: margins_by_flips(find_flips(network))[0],
}

say = partial(print, file=sys.stderr, flush=True)


def late_state(case: str, recipe: Recipe, seeds: list[int]) -> Path:
    """The checkpoint after the last step of a case; a later benchmark on the same machine finds it there."""
    checkpoint = LATE_STATES / f"{case.partition(':')[0]}{len(seeds)}_{recipe.pairs_per_update}.safetensors"
    progress: Callable = partial(tqdm, desc=f"late state of {case}", unit="step", mininterval=5)
    train_ensemble(recipe, seeds, checkpoint, progress=progress)
    return checkpoint


def time_training(case: str) -> list[dict[str, object]]:
    """The row of a case: ms of each step for one network, and how they compare."""
    recipe, networks = CASES[case]
    seeds = list(range(networks))
    early, late = kernel_step(recipe, seeds), kernel_step(recipe, seeds, late_state(case, recipe, seeds))
    kernels = {"kernel": early, "kernel, late": late}
    steps = kernels | {"autograd": autograd_step(recipe, 0)}
    steps["products"] = floor_step(recipe)
    if recipe.architecture in PUBLISHED_LOOPS:
        steps["as published"] = PUBLISHED_LOOPS[recipe.architecture](recipe, 0)
    ms = {name: 1e3 * seconds / (networks if name in kernels else 1) for name, seconds in fastest(steps, 5).items()}
    ratios = {
        "late over early": ms["kernel, late"] / ms["kernel"],
        "faster than autograd": ms["autograd"] / ms["kernel"],
        "faster than published": ms.get("as published", math.nan) / ms["kernel"],
        "over its products": ms["kernel"] / ms["products"],
        "share of the peak": operations(recipe) / peak() * 1e3 / ms["kernel"],
    }
    shown = [f"{name} {ratio:.2f}" for name, ratio in ratios.items() if not math.isnan(ratio)]
    say(f"{case}: {ms['kernel']:.2f} ms a step, {', '.join(shown)}")
    times = {f"{name} (ms)": time for name, time in ms.items()}
    return [{"step": case, "processor": processor(), **times, **ratios}]


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


def time_bounds() -> list[dict[str, object]]:
    """Seconds of each of BOUNDS at every size of SCHEMES and FREQUENCIES."""
    rows = []
    for growing, cases in SCHEMES.items():
        for frequencies, shares in FREQUENCIES.items():
            for size, (h, n) in zip(SIZES, cases, strict=True):
                schemes = [scheme_of(h // len(shares), n, share) for share in shares]
                methods = {
                    name: lambda bound=bound, schemes=schemes: [bound(scheme) for scheme in schemes]
                    for name, bound in BOUNDS.items()
                    if name != "brute force, inputs" or h * n <= MOST_TERMS
                }
                case = {"growing": growing, "frequencies": frequencies, "size": size}
                took = fastest(methods, at_least=0.01)
                rows += [case | {"method": name, "seconds": seconds} for name, seconds in took.items()]
            say(f"Quadrature, growing {growing}, frequencies {frequencies}: timed")
    return rows


def time_margins() -> list[dict[str, object]]:
    """Seconds of each of MARGINS at every size of MADE."""
    rows = []
    for growing, sizes in MADE.items():
        for n, h in sizes:
            network, large = noisy(n, h), n**3 * h > MOST_LOGITS
            methods = {
                name: partial(margins_of, network)
                for name, margins_of in MARGINS.items()
                if not (large and name == "brute force")
            }
            took = fastest(methods, at_least=0.0)
            case = {"growing": growing, "size": n if growing.startswith("inputs") else h}
            rows += [case | {"method": name, "seconds": seconds} for name, seconds in took.items()]
            say(f"Exact margins, n = {n}, h = {h}: {took['flips']:.2f} s from flips")
    return rows


def time_certificates() -> list[dict[str, object]]:
    """What every rung proves of each mainline that was trained here, and what it costs."""
    files = [NETWORKS / name / "seed0.safetensors" for name in ("pizza_transformer", "two_layer_mlp", "embedding_mlp")]
    if missing := [str(file) for file in files if not file.exists()]:
        say(f"Not certified: {', '.join(missing)}; `make` trains them")
    return [row for file in files if file.exists() for row in ladder(file.parent.name, file)]


def ladder(name: str, file: Path) -> list[dict[str, object]]:
    """What every rung proves of a network, and what it costs."""
    trained = load_network(file)
    separable = trained.separable()
    true = margins(separable.logits())
    certificates = {rung: for_stored_weights(make(separable), trained) for rung, make in RUNGS.items()}
    seconds = fastest({rung: partial(make, separable) for rung, make in RUNGS.items()}, at_least=0.0)
    plain = fastest({name: partial(method, separable) for name, method in MARGINS.items()}, at_least=0.0)
    faster = plain["brute force"] / plain["flips"]
    say(f"Certificates of {name}: all margins from flips {faster:.1f} times as fast as by brute force")
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


PARTS: dict[str, Callable[[], list[dict[str, object]]]] = {
    **{case: partial(time_training, case) for case in CASES},
    "bounds": time_bounds,
    "certificates": time_certificates,
    "margins": time_margins,
}


def bench(folder: Path) -> None:
    """Time every part in a process of its own, as jobs compute; write tables and figures."""
    rows = {part: pd.DataFrame(printed_by(__file__, part)) for part in PARTS}
    save_table(pd.concat([rows[case] for case in CASES]), folder / "training_step", digits=2)
    if len(rows["certificates"]):
        save_table(rows["certificates"], folder / "certificates", digits=4)
    bounds, exact = rows["bounds"], rows["margins"]
    keys = ["growing", "frequencies", "method"]
    save_table(fitted(bounds, keys, lambda points: FITTED), folder / "quadrature_scaling", digits=2)
    label = f"processor time (s), frequencies: {DRAWN}"
    draw(bounds[bounds.frequencies == DRAWN], list(BOUNDS), label, 3, folder / "quadrature_times")
    halves = fitted(exact, ["growing", "method"], lambda points: (len(points) + 1) // 2)
    save_table(halves, folder / "exact_margins", digits=2)
    draw(exact, list(MARGINS), "processor time of all margins (s)", 2, folder / "exact_margin_times")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        bench(FIGURES)
    else:
        for name in SAME_INSTRUCTIONS:
            os.environ.pop(name, None)  # nobody's own loop is slowed by what our jobs are asked for
        set_arithmetic()
        print(json.dumps(PARTS[sys.argv[1]](), default=float))
