"""Build everything again in an empty folder and compare it with this one and data/reference (`make verify`)."""

import argparse
import os
import shutil
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tabulate import tabulate

from modadd.core.files import json_of
from paper.commands.build import require_build
from paper.commands.options import whole_number, with_cores
from paper.ledger.tell.differences import difference
from paper.ledger.tell.reference import against_list, checksums_of, deviations_of, listed, surprises
from paper.outputs import outputs_of, write_config
from paper.snakemake import run_snakemake

KEPT = Path("results/verify")
REFERENCE = Path("data/reference")
COLUMNS = ["what", "how, and by how much", "compared with"]
LAST = 3000  # letters of a log
Rows = list[tuple[str, str, str]]


def rebuild(folder: Path, trained: list[str], config: dict[str, Any], cores: str, gpus: int, log: Path) -> None:
    """Build the config in an empty folder from the trained networks; exits with the log's last lines if that fails."""
    if trained:  # with Snakemake's own records of them, by which it knows that they need not be trained again
        shutil.copytree(".snakemake/metadata", folder / ".snakemake/metadata")
    for name in sorted(trained, key=os.path.getmtime):  # the oldest first: none is older than its inputs
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(name, folder / name)
    file = folder / "verify.yaml"
    write_config(config, file)
    options = ["--configfile", str(file), "--cores", cores, "--resources", f"gpu={gpus}"]
    if not run_snakemake(folder, *options, log=log, show=True):
        sys.exit(f"{log.read_text(encoding='utf-8')[-LAST:]}\nverify: the build failed; full log: {log}")


def against_this_folder(built: list[str], folder: Path, rebuilt: Path) -> Rows:
    """A row for each file that differs from the one here, in the order of the graph; keeps the files that differ."""
    differing = against_list(checksums_of(folder, built), Path("."))
    for name in differing:
        by_how_much = difference(Path(name), folder / name)
        if by_how_much:
            differing[name] = by_how_much
        (rebuilt / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / name, rebuilt / name)
    return _rows(differing, "this folder")


def _rows(differing: dict[str, str], compared_with: str, before: str = "") -> Rows:
    return [(f"{before}{name}", words, compared_with) for name, words in differing.items()]


def against_reference(reference: Path, folder: Path, claims: list[dict], config: dict[str, Any]) -> tuple[Rows, str]:
    """A row for each file and each claim that is not as `reference` keeps it, and a sentence that says what was compared.

    Nothing is compared with the numbers of another config.
    """
    provenance = json_of(reference / "provenance.json")
    if provenance["config"] != config:
        return [], f"{reference} holds another config: nothing was compared with it"
    sums = listed((reference / "sha256.txt").read_text(encoding="utf-8"), config["scale"])
    files = against_list(sums, folder)
    numbers = deviations_of(json_of(reference / "numbers.json"), claims)
    rows = _rows(files, str(reference))
    rows += _rows(numbers, str(reference), "claim ")
    sentence = f"Compared with the checksums, numbers and verdicts of {reference}"
    if files:
        sentence += f"; the first that differs, in the order of the graph: {next(iter(files))}"
    return rows, sentence


def compare(retrain: bool, cores: str, gpus: int) -> None:
    """Rebuild, print what differs and by how much, and exit with status 1 if anything does."""
    config = json_of(Path("results/provenance.json"))["config"]
    built = outputs_of(config)
    trained = [] if retrain else outputs_of(config, rules="train_")
    with TemporaryDirectory(prefix="modadd-verify-") as temporary:
        folder = Path(temporary)
        rebuild(folder, trained, config, cores, gpus, KEPT / "build.log")
        claims = json_of(folder / "figures/claims.json")
        rows = against_this_folder(built, folder, KEPT)
        rows += _rows(surprises(claims), "the ledger", "claim ")
        others, sentence = against_reference(REFERENCE, folder, claims, config)
    rows += others
    networks = "from the networks of this one"
    if retrain:
        networks = "networks trained again"
    summary = f"verify: {len(built)} files built in an empty folder, {networks}: {len(rows)} difference(s)"
    if rows:
        print(tabulate(rows, headers=COLUMNS, maxcolwidths=[40, 80, 20]))
    print(f"{sentence}\n{summary}", flush=True)
    if rows:
        sys.exit(f"verify: what was built instead is in {KEPT}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is trained again, and where."""
    with_cores(parser)
    parser.add_argument("--retrain", action="store_true", help="train everything again too, not only what stands on it")
    parser.add_argument(
        "--gpus", type=partial(whole_number, least=0), default=0, help="GPUs for the rebuild (default: none)"
    )


def run(options: argparse.Namespace) -> None:
    """Rebuild and compare."""
    require_build("verify")
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True)
    compare(options.retrain, options.cores, options.gpus)
