"""Build everything again in an empty folder; compare bytes with what lies here, and numbers with data/reference."""

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
from tabulate import tabulate
from modadd.clones import copy_if_new, copy_project, run_snakemake, write_config
from modadd.differences import difference
from modadd.reference import compare_with_reference, surprises

COLUMNS = ["what", "how, and by how much", "compared with"]


def rebuild(folder: Path, trained: list[str], config: dict[str, Any], cores: int, gpus: int, log: Path) -> None:
    """Build the config in an empty folder, from the trained networks; exits with the last lines of the log if that fails."""
    copy_project(Path("."), folder)
    for name in trained:  # after the code, so that they are newer and not trained again
        copy_if_new(Path(name), folder / name)
    write_config(config, folder / "verify.yaml")
    options = ["--configfile", "verify.yaml", "--profile", "none", "--cores", str(cores), "--resources", f"gpu={gpus}"]
    if not run_snakemake(folder, *options, log=log, show=print):
        sys.exit("\n".join(log.read_text().splitlines()[-20:]) + f"\nverify: the build failed; all of it is in {log}")


def origin_of(folder: Path, trained_in: Path) -> dict[str, str]:
    """The platform of a build, and the device of the folder in which its networks were trained."""
    built, trained = (json.loads((place / "results/provenance.json").read_text()) for place in (folder, trained_in))
    return {**built["origin"], "device": trained["origin"]["device"]}


def verify(built: list[str], folder: Path, rebuilt: Path) -> pd.DataFrame:
    """One row for each file that differs, and for each claim that did not come out as expected; keeps the files that differ."""
    rows = []
    for name in built:
        if words := difference(Path(name), folder / name):
            rows.append((name, words, "this folder"))
            copy_if_new(folder / name, rebuilt / name)
    claims = json.loads((folder / "figures/claims.json").read_text())
    rows += [(f"claim {name}", words, "the ledger") for name, words in surprises(claims).items()]
    return pd.DataFrame(rows, columns=COLUMNS)


if __name__ == "__main__":
    log, kept = Path(snakemake.log[0]), Path(snakemake.params.rebuilt)
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    retrain, reference = snakemake.params.retrain, Path(snakemake.params.reference)
    config = {**snakemake.config, "verify_training": False}
    trained = [] if retrain else list(snakemake.params.trained)
    built = sorted({*snakemake.params.trained, *snakemake.params.built})
    with TemporaryDirectory(prefix="modadd-verify-", dir=snakemake.resources.tmpdir) as temporary:
        folder = Path(temporary)
        rebuild(folder, trained, config, snakemake.threads, snakemake.resources.gpu, kept / "build.log")
        table = verify(built, folder, kept)
        claims = json.loads((folder / "figures/claims.json").read_text())
        origin = origin_of(folder, folder if retrain else Path("."))
        found = compare_with_reference(reference, folder, claims, config, origin)
    rows = [(what, words, str(reference)) for what, words in found.differences.items()]
    table = pd.concat([table, pd.DataFrame(rows, columns=COLUMNS)], ignore_index=True)
    networks = "networks trained again" if retrain else "from the networks of this one"
    summary = f"verify: {len(built)} files built in an empty folder, {networks}: {len(table)} difference(s)"
    listed = tabulate(table, headers=COLUMNS, showindex=False, maxcolwidths=[40, 80, 20]) if len(table) else ""
    log.write_text("\n".join(filter(None, [listed, found.sentence, summary])) + "\n")
    if len(table):
        sys.exit(f"verify: {len(table)} difference(s); the list is in {log}, what was built instead in {kept}")
    print(found.sentence, summary, sep="\n", flush=True)
