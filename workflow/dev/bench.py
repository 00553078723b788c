"""Time what training and proving cost on this machine (`python workflow/dev/bench.py`): a training step of every recipe, early and late,
against autograd, published loop, JAX and the peak of a core; bounds, certificates and exact margins as neurons and inputs grow."""

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import gcd
from pathlib import Path

import numpy as np
import pandas as pd
from project import errors_of
from published_loops import (
    PUBLISHED_LOOPS,
    autograd_step,
    compiled_steps,
    jax_steps,
    peak,
    untrained,
)
from timing import fastest, printed_by
from tqdm import tqdm

from modadd.certificates.certify import for_stored_weights
from modadd.certificates.flips import find_flips, margins_by_flips
from modadd.certificates.ladder import RUNGS
from modadd.core.bits import SAME_INSTRUCTIONS, set_arithmetic
from modadd.core.growth import exponent
from modadd.core.processor import processor
from modadd.core.separable import Separable, margins
from modadd.core.wording import require_known
from modadd.handmade.build import hand_coded
from modadd.networks.recipes import RECIPES, Recipe
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.quadrature.bounds import angle_term, boxes, spectral_bound
from modadd.quadrature.scheme import Scheme, one_phase, quadrature_error
from modadd.quadrature.sweep import error_at, swept_error, worst_case
from modadd.training.network import Learner, Task
from modadd.training.run import Run
from modadd.training.train import take_over, train_network

FIGURES = Path("figures/benchmark")
LATE_STATES = Path("results/late")
NETWORKS = Path("results/networks")
Rows = list[dict[str, object]]

LATE = 4000  # updates of the late state, at most: by then the moments of dead neurons have become subnormal numbers
SOON = 1500  # the same in full batch, whose updates take longer
Q = RECIPES["pizza_transformer"]
M = RECIPES["two_layer_mlp"]
C = RECIPES["embedding_mlp"]
# A recipe, and how many updates a call makes.
CASES = {
    "Q: pizza transformer": (replace(Q, steps=LATE), 5),
    "M: two-layer MLP": (replace(M, steps=LATE), 5),
    "C: embedding MLP, full batch": (replace(C, batch_size=0, steps=SOON), 10),
    "C: batch 91": (replace(C, steps=LATE), 112),
}

HARMONICS = 64
MOST_TERMS = 2**25  # brute force on schemes holds every term at once: 0.3 GB, about a second
FITTED = 5  # largest sizes, over which exponents are fitted: in the small ones a call costs more than its arithmetic
Bound = Callable[[Scheme], float]
BRUTE_FORCE = "brute force, inputs"


def _published_bound(scheme: Scheme) -> float:
    folded = boxes(scheme, folded=True)
    return angle_term(scheme) + folded.lipschitz_bound


BOUNDS: dict[str, Bound] = {
    BRUTE_FORCE: lambda scheme: np.abs(quadrature_error(scheme)).max(),
    "sweep, inputs": lambda scheme: np.abs(swept_error(scheme)).max(),
    "sweep, inputs (sorted)": lambda scheme: np.abs(error_at(scheme, scheme.thetas)).max(),
    "sweep, inputs and every θ": lambda scheme: worst_case(scheme).modulus,
    f"spectral bound, M = {HARMONICS}": lambda scheme: spectral_bound(scheme, HARMONICS).bound,
    "published bound": _published_bound,
}
SIZES = [2**power for power in range(7, 18)]
SCHEMES = {  # (neurons h, inputs n) of every size
    "neurons and inputs": [(size, size) for size in SIZES],
    "neurons, 59 inputs": [(size, 59) for size in SIZES],
    "inputs, 512 neurons": [(512, size) for size in SIZES],
}
FREQUENCIES = {  # as shares of the inputs n; each has as many neurons
    "k = 1": [0],  # angles of the inputs in order: a search finds one wave after the other
    "k ≈ 0.38 n": [0.38],
    "four": [0.08, 0.17, 0.29, 0.38],  # as in a trained network
}
DRAWN = "four"  # in the figure

MOST_LOGITS = 2**33  # terms of brute force on networks: a second or two
NOISE = 0.02  # standard deviation of the noise in every table of a network made for timing; its waves have amplitude 1
MODULI = (31, 59, 83, 113, 157, 227, 307, 499)
WIDTHS = [2**power for power in range(7, 14)]
MADE = {  # (inputs n, neurons h) of every size
    "inputs, 512 neurons": [(n, 512) for n in MODULI],
    "neurons, 59 inputs": [(59, h) for h in WIDTHS],
}
MARGINS: dict[str, Callable[[Separable], np.ndarray]] = {
    "brute force": lambda network: margins(network.logits()),
    "flips": lambda network: margins_by_flips(find_flips(network))[0],
}

say = partial(print, file=sys.stderr, flush=True)


def late_state(case: str, recipe: Recipe) -> tuple[Learner, Task]:
    """The network of a case after its last update; a later benchmark on the same machine finds its checkpoint."""
    mark, _, _ = case.partition(":")
    file = f"{mark}_{recipe.pairs_per_update}.safetensors"
    checkpoint = LATE_STATES / file
    total = recipe.steps
    with tqdm(desc=f"late state of {case}", total=total, unit="step", mininterval=5) as bar:
        train_network(recipe, 0, checkpoint, bar.update)
    run = Run(recipe, [0], "cpu")
    found = run.resume(checkpoint)
    learner, task = untrained(recipe, 0)
    take_over(learner, found, run.step)
    return learner, task


def time_training(case: str) -> Rows:
    """The row of a case: ms of each step, and how they compare."""
    recipe, count = CASES[case]
    early = untrained(recipe, 0)
    late = late_state(case, recipe)
    several = {  # updates in a call
        "compiled": compiled_steps(*early, count),
        "compiled, late": compiled_steps(*late, count),
    }
    try:
        several["JAX"] = jax_steps(recipe, 0, count)
    except ModuleNotFoundError:
        say("JAX is not installed (`pip install jax`): not compared with it")
    singly = {"autograd": autograd_step(recipe, 0)}
    if recipe.architecture in PUBLISHED_LOOPS:
        as_published = PUBLISHED_LOOPS[recipe.architecture]
        singly["as published"] = as_published(recipe, 0)
    ms = {}
    for name, seconds in fastest(several | singly, 5).items():
        updates = count if name in several else 1
        ms[name] = 1e3 * seconds / updates
    compiled = ms["compiled"]
    learner, task = early
    at_the_peak = 1e3 * learner.operations(task) / peak()
    ratios = {
        "late over early": ms["compiled, late"] / compiled,
        "faster than autograd": ms["autograd"] / compiled,
        "faster than published": ms.get("as published", math.nan) / compiled,
        "faster than JAX": ms.get("JAX", math.nan) / compiled,
        "share of the peak": at_the_peak / compiled,
    }
    shown = []
    for name, ratio in ratios.items():
        if not math.isnan(ratio):
            shown.append(f"{name} {ratio:.2f}")
    say(f"{case}: {compiled:.3f} ms a step, {', '.join(shown)}")
    times = {f"{name} (ms)": time for name, time in ms.items()}
    return [{"step": case, "processor": processor(), **times, **ratios}]


def fitted(times: pd.DataFrame, keys: Sequence[str], largest: Callable[[pd.DataFrame], int]) -> pd.DataFrame:
    """By keys, the exponent with which times grow over the largest sizes, the largest size, and the time there."""
    rows = []
    for which, points in times.groupby([*keys], sort=False):
        ends = points.tail(largest(points))
        row = dict(zip(keys, which, strict=True))
        row["exponent"] = exponent(ends["size"], ends.seconds)
        row["largest size"] = points["size"].max()
        row["ms there"] = 1e3 * points.seconds.iloc[-1]
        rows.append(row)
    return pd.DataFrame(rows)


def draw(times: pd.DataFrame, methods: Sequence[str], label: str, columns: int, picture: Path) -> None:
    """Time over size for each method, a panel for each way of growing."""
    use_style()
    growing = list(dict.fromkeys(times.growing))
    count = len(growing)
    looks = list(zip(methods, COLOURS, DASHES, MARKERS, strict=False))
    figure, axes = panels(count, columns=count, height=2.8, sharey=True)
    for ax, grown in zip(axes, growing, strict=True):
        of_panel = times[times.growing == grown]
        for name, colour, dash, marker in looks:
            points = of_panel[of_panel.method == name]
            look = {"color": colour, "linestyle": dash, "marker": marker, "markersize": 3}
            ax.plot(points["size"], points.seconds, label=name, **look)
        what, _, _ = grown.partition(",")
        ax.set(xscale="log", yscale="log", xlabel=what, title=grown)
        ax.minorticks_off()
    first = axes[0]
    first.set_ylabel(label)
    lines, names = first.get_legend_handles_labels()
    figure.legend(lines, names, loc="outside upper center", ncols=columns)
    save_figure(figure, picture, times)


def scheme_of(h: int, n: int, share: float) -> Scheme:
    """h neurons at random angles with uneven weights and ψ near 2φ, as a training leaves them, for n inputs.

    The frequency is the first from share · n on that visits every angle, prime to n.
    """
    k = max(1, round(share * n))
    while gcd(k, n) > 1:
        k += 1
    rng = np.random.default_rng(k)
    phi = np.sort(rng.uniform(-np.pi, np.pi, h))
    r = rng.uniform(0.5, 1, h)
    psi = 2 * phi + 0.01 * rng.standard_normal(h)
    weights = 2 * np.pi * r / r.sum()
    return one_phase(n, k, phi, psi, weights)


def noisy(n: int, h: int) -> Separable:
    """A network by hand with h neurons of four frequencies and a little noise, so that signs flip as after a training."""
    rng = np.random.default_rng(0)
    frequencies = [round(share * n) for share in (0.1, 0.2, 0.3, 0.4)]
    clean = hand_coded(n, frequencies, h // 4)
    tables = []
    for table in vars(clean).values():
        noise = NOISE * rng.normal(size=table.shape)
        tables.append(table + noise)
    return Separable(*tables)


def time_bounds() -> Rows:
    """Seconds of each of BOUNDS at every size of SCHEMES and FREQUENCIES."""
    rows = []
    for growing, cases in SCHEMES.items():
        for frequencies, shares in FREQUENCIES.items():
            for size, (h, n) in zip(SIZES, cases, strict=True):
                of_each = h // len(shares)
                schemes = [scheme_of(of_each, n, share) for share in shares]
                methods = {}
                for name, bound in BOUNDS.items():
                    if name != BRUTE_FORCE or h * n <= MOST_TERMS:
                        methods[name] = partial(_bounds_of, schemes, bound)
                case = {"growing": growing, "frequencies": frequencies, "size": size}
                took = fastest(methods, at_least=0.01)
                rows += _timed(case, took)
            say(f"Quadrature, growing {growing}, frequencies {frequencies}: timed")
    return rows


def _bounds_of(schemes: Sequence[Scheme], bound: Bound) -> list[float]:
    return [bound(scheme) for scheme in schemes]


def _timed(case: dict[str, object], took: dict[str, float]) -> Rows:
    """A row for each method that was timed in a case."""
    rows = []
    for name, seconds in took.items():
        rows.append({**case, "method": name, "seconds": seconds})
    return rows


def time_margins() -> Rows:
    """Seconds of each of MARGINS at every size of MADE."""
    rows = []
    for growing, sizes in MADE.items():
        for n, h in sizes:
            network = noisy(n, h)
            methods = {name: partial(margins_of, network) for name, margins_of in MARGINS.items()}
            if n**3 * h > MOST_LOGITS:
                del methods["brute force"]
            took = fastest(methods, at_least=0.0)
            size = n if growing.startswith("inputs") else h
            rows += _timed({"growing": growing, "size": size}, took)
            say(f"Exact margins, n = {n}, h = {h}: {took['flips']:.2f} s from flips")
    return rows


def time_certificates() -> Rows:
    """What every rung proves of each mainline that was trained here, and what it costs."""
    rows = []
    for recipe in (Q, M, C):
        name = recipe.architecture
        file = NETWORKS / name / "seed0.safetensors"
        if file.exists():
            rows += ladder(name, file)
        else:
            say(f"Not certified: {file}; `make` trains it")
    return rows


def ladder(name: str, file: Path) -> Rows:
    """What every rung proves of a network, and what it costs."""
    trained = load_network(file)
    separable = trained.separable()
    true = margins(separable.logits())
    certificates = {}
    for rung, make in RUNGS.items():
        certificates[rung] = for_stored_weights(make(separable), trained)
    seconds = _seconds_of(RUNGS, separable)
    plain = _seconds_of(MARGINS, separable)
    faster = plain["brute force"] / plain["flips"]
    say(f"Certificates of {name}: all margins from flips {faster:.1f} times as fast as by brute force")
    most = certificates["brute force"].operations
    rows = []
    for rung, certificate in certificates.items():
        row = {
            "network": name,
            "rung": rung,
            "order": certificate.order,
            "operations": certificate.operations,
            "of brute force": certificate.operations / most,
            "seconds": seconds[rung],
            "margins alone, seconds": plain.get(rung, np.nan),
            "certified share": certificate.share,
            "smallest certified margin": certificate.margin.min(),
            "median of certified over true": np.median(certificate.margin / true),
        }
        rows.append(row)
    return rows


def _seconds_of(methods: dict[str, Callable], separable: Separable) -> dict[str, float]:
    """Seconds that each method takes for a network."""
    calls = {name: partial(method, separable) for name, method in methods.items()}
    return fastest(calls, at_least=0.0)


PARTS: dict[str, Callable[[], Rows]] = {
    **{case: partial(time_training, case) for case in CASES},
    "bounds": time_bounds,
    "certificates": time_certificates,
    "margins": time_margins,
}


def bench(folder: Path) -> None:
    """Time every part in a process of its own, as jobs compute; write tables and figures."""
    rows = {}
    for part in PARTS:
        rows[part] = pd.DataFrame(printed_by(__file__, part))
    steps = pd.concat([rows[case] for case in CASES])
    save_table(steps, folder / "training_step", digits=2)
    if len(rows["certificates"]):
        save_table(rows["certificates"], folder / "certificates", digits=4)
    bounds = rows["bounds"]
    keys = ["growing", "frequencies", "method"]
    growth = fitted(bounds, keys, lambda points: FITTED)
    save_table(growth, folder / "quadrature_scaling", digits=2)
    drawn = bounds[bounds.frequencies == DRAWN]
    label = f"processor time (s), frequencies: {DRAWN}"
    draw(drawn, list(BOUNDS), label, 3, folder / "quadrature_times")
    exact = rows["margins"]
    halves = fitted(exact, ["growing", "method"], lambda points: (len(points) + 1) // 2)
    save_table(halves, folder / "exact_margins", digits=2)
    label = "processor time of all margins (s)"
    draw(exact, list(MARGINS), label, 2, folder / "exact_margin_times")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "part", nargs="?", help="print what is timed in one part alone; default: all, as tables and figures"
    )
    asked = parser.parse_args().part
    if asked is None:
        bench(FIGURES)
    else:
        with errors_of("bench"):
            require_known("PART", "part", [asked], PARTS)
        for name in SAME_INSTRUCTIONS:
            os.environ.pop(name, None)  # nobody's own loop is slowed by what our jobs are asked for
        set_arithmetic()
        part = PARTS[asked]
        print(json.dumps(part(), default=float))
