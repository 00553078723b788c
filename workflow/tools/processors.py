"""Train the mainline of each study again as other processors would, and list every verdict that moves.

Stands in a folder with a full build: each set of instructions gets a copy of it in results/processors, where the
mainline networks of Studies Q and M and the first shard of Study C, and what stands on them, are made again. Run by
`make processors`.
"""

import json
import os
import sys
from pathlib import Path

import own_library  # noqa: F401
from build import PROVENANCE, require_build
from estimate import cores_here

from modadd.core.processor import MKL, OPENBLAS, PRODUCTS, product_library
from modadd.core.wording import unknown
from modadd.ledger.words import show
from modadd.run.project import copy_project, outputs_of, run_snakemake
from modadd.run.records import copy_with_records

AVX2 = {"ATEN_CPU_CAPABILITY": "avx2", "DNNL_MAX_CPU_ISA": "AVX2", "OPENBLAS_CORETYPE": "Haswell"}
PLAYED = {
    # What the processors of either make choose, by the widest instructions of this one; one of the two is the choice here.
    "zen": {PRODUCTS: OPENBLAS},
    "intel": {PRODUCTS: MKL},
    "haswell": AVX2 | {PRODUCTS: OPENBLAS},  # without AVX-512: Zen 3 and older
    "old_intel": AVX2 | {PRODUCTS: MKL, "MKL_CBWR": "AVX2"},  # Intel without AVX-512
}
TRAINED_AGAIN = (
    "results/networks/pizza_transformer/seed0.safetensors",
    "results/networks/two_layer_mlp/seed0.safetensors",
    "results/populations/c91_batch/seeds0-15.safetensors",
)


def build_as(name: str, cores: str) -> dict[str, dict]:
    """The claims of a build in which the networks of TRAINED_AGAIN are trained as another processor would."""
    folder = Path("results/processors") / name
    copy_project(Path("."), folder)
    built = outputs_of(json.loads(PROVENANCE.read_text(encoding="utf-8"))["config"])
    copy_with_records(built, folder)  # after the code
    os.environ.update(PLAYED[name])
    try:
        # Forced: Snakemake does not make a missing file again for a result that is there.
        options = ["--cores", cores, "--forcerun", *TRAINED_AGAIN]
        done = run_snakemake(folder, "figures/claims.json", *options, log=folder / "build.log", show=print)
    finally:
        for variable in PLAYED[name]:
            del os.environ[variable]
    if not done:
        sys.exit(f"{folder}/build.log: the build failed")
    for path in TRAINED_AGAIN:
        same = (folder / path).read_bytes() == Path(path).read_bytes()
        print(f"{name}: {path} {'has the same bytes as here' if same else 'was trained again'}", flush=True)
    return claims_in(folder)


def claims_in(folder: Path) -> dict[str, dict]:
    """The rows of a build's claims, by id."""
    return {row["id"]: row for row in json.loads((folder / "figures/claims.json").read_text(encoding="utf-8"))}


if __name__ == "__main__":
    require_build("processors")
    here = claims_in(Path("."))
    others = [name for name in PLAYED if PLAYED[name] != {PRODUCTS: product_library()}]  # than this processor's choice
    for name in sys.argv[1:] or others:
        if name not in PLAYED:
            sys.exit(unknown("processors", "processor", name, PLAYED))
        found = build_as(name, cores=str(cores_here()))
        moved = {id: row for id, row in found.items() if row["verdict"] != here[id]["verdict"]}
        print(f"{name}: {len(moved)} of {len(found)} verdicts change")
        for id, row in moved.items():
            print(f"  {id}: {here[id]['verdict']} ({show(here[id]['measured'])}) here, ", end="")
            print(f"{row['verdict']} ({show(row['measured'])}) as {name}, expected {row['expected']}")
        against = [id for id, row in found.items() if not row["as_expected"]]
        print(f"  against expectation: {', '.join(against) or 'none'}", flush=True)
