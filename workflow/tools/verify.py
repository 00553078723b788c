"""Build everything again in an empty folder and compare it with this one and data/reference (`make verify`)."""

import argparse
import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import own_library  # noqa: F401
import pandas as pd
from build import number_of_cores, require_build
from tabulate import tabulate

from modadd.ledger.differences import difference
from modadd.ledger.reference import compare_with_reference, surprises
from modadd.run.project import copy_if_new, copy_project, outputs_of, run_snakemake, write_config
from modadd.run.records import copy_with_records

KEPT, REFERENCE = Path("results/verify"), Path("data/reference")
COLUMNS = ["what", "how, and by how much", "compared with"]


def rebuild(folder: Path, trained: list[str], config: dict[str, Any], cores: str, gpus: int, log: Path) -> None:
    """Build the config in an empty folder from the trained networks; exits with the log's last lines if that fails."""
    copy_project(Path("."), folder)
    copy_with_records(trained, folder)  # after the code, so that they are newer and not trained again
    write_config(config, folder / "verify.yaml")
    options = ["--configfile", "verify.yaml", "--profile", "none", "--cores", cores, "--resources", f"gpu={gpus}"]
    if not run_snakemake(folder, *options, log=log, show=print):
        sys.exit(
            "\n".join(log.read_text(encoding="utf-8").splitlines()[-20:])
            + f"\nverify: the build failed; all of it is in {log}"
        )


def origin_of(folder: Path, trained_in: Path) -> dict[str, str]:
    """The platform of a build, and the device of the folder in which its networks were trained."""
    built, trained = (
        json.loads((place / "results/provenance.json").read_text(encoding="utf-8")) for place in (folder, trained_in)
    )
    return {**built["origin"], "device": trained["origin"]["device"]}


def verify(built: list[str], folder: Path, rebuilt: Path) -> pd.DataFrame:
    """One row for each file that differs and each claim that is not as expected; keeps the files that differ."""
    rows = []
    for name in built:
        words = difference(Path(name), folder / name) if Path(name).exists() else "is not here"
        if words:
            rows.append((name, words, "this folder"))
            copy_if_new(folder / name, rebuilt / name)
    claims = json.loads((folder / "figures/claims.json").read_text(encoding="utf-8"))
    rows += [(f"claim {name}", words, "the ledger") for name, words in surprises(claims).items()]
    return pd.DataFrame(rows, columns=COLUMNS)


def compare(retrain: bool, cores: str, gpus: int) -> None:
    """Rebuild, print what differs and by how much, and exit with status 1 if anything does."""
    config = json.loads(Path("results/provenance.json").read_text(encoding="utf-8"))["config"]
    built, trained = outputs_of(config), [] if retrain else outputs_of(config, rules="train_")
    with TemporaryDirectory(prefix="modadd-verify-") as temporary:
        folder = Path(temporary)
        rebuild(folder, trained, config, cores, gpus, KEPT / "build.log")
        table = verify(built, folder, KEPT)
        claims = json.loads((folder / "figures/claims.json").read_text(encoding="utf-8"))
        origin = origin_of(folder, folder if retrain else Path("."))
        found = compare_with_reference(REFERENCE, folder, claims, config, origin)
    rows = [(what, words, str(REFERENCE)) for what, words in found.differences.items()]
    table = pd.concat([table, pd.DataFrame(rows, columns=COLUMNS)], ignore_index=True)
    networks = "networks trained again" if retrain else "from the networks of this one"
    listed = tabulate(table, headers=COLUMNS, showindex=False, maxcolwidths=[40, 80, 20]) if len(table) else ""
    summary = f"verify: {len(built)} files built in an empty folder, {networks}: {len(table)} difference(s)"
    print("\n".join(filter(None, [listed, found.sentence, summary])), flush=True)
    if len(table):
        sys.exit(f"verify: what was built instead is in {KEPT}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--retrain", action="store_true", help="train everything again too, not only what stands on it")
    parser.add_argument("--cores", type=number_of_cores, default="all", help="for the rebuild (default: all)")
    parser.add_argument("--gpus", type=int, default=0, help="GPUs for the rebuild (default: none)")
    options = parser.parse_args()
    require_build("verify")
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True)
    try:
        compare(options.retrain, options.cores, options.gpus)
    except ValueError as error:
        sys.exit(f"verify: {error}")
