"""Time every rung of the ladder of certificates on a trained network, on one thread, beside counted operations."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import trange

from modadd.certificates.certify import RUNGS, Certificate, for_stored_weights
from modadd.core.jobs import begin
from modadd.networks.store import load_network
from modadd.page.figures import save_table

ROUNDS = 15  # the rungs take turns, so that a slow moment of the machine hits all of them


def fastest(rungs: dict[str, Callable[[], Certificate]]) -> dict[str, float]:
    """Best time of each rung over the rounds, in seconds."""
    best = dict.fromkeys(rungs, float("inf"))
    for _ in trange(ROUNDS):
        for name, rung in rungs.items():
            start = time.perf_counter()
            rung()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def benchmark_certificates(network: Path, stem: Path) -> None:
    """Write the table of operations, times and what they prove; the rule's `threads: 1` holds for matrix products."""
    trained = load_network(network)
    separable = trained.separable()
    certificates = {name: for_stored_weights(rung(separable), trained) for name, rung in RUNGS.items()}
    seconds = fastest({name: lambda rung=rung: rung(separable) for name, rung in RUNGS.items()})
    rows = [
        {
            "rung": name,
            "order": certificate.order,
            "operations": certificate.operations,
            "seconds": seconds[name],
            "billion operations per second": 1e-9 * certificate.operations / seconds[name],
            "certified share": certificate.share,
            "smallest certified margin": certificate.margin.min(),
            "median certified margin": np.median(certificate.margin),
        }
        for name, certificate in certificates.items()
    ]
    save_table(pd.DataFrame(rows), stem, digits=4)


if __name__ == "__main__":
    begin(snakemake.log[0])
    benchmark_certificates(Path(snakemake.input.network), Path(snakemake.output.csv).with_suffix(""))
