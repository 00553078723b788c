"""Try faults on the workflow, and write docs/reliability.md (`python tests/faults.py`; on Linux, some as root)."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from disturbed_builds import again, differing, flips, kills, start, words
from support import copy_tree, variables

from modadd.core.files import write_whole

FEW = ("results/values/phases.json", "results/populations/c_moduli_full.parquet")  # where one small build shows it

HEAD = """# Faults that were tried

Written by `python tests/faults.py`, on the smoke config, with a fixed seed for what is killed and flipped. After each fault the same
command is given again, as `make` would give it; "differing" means: in any byte, from a build that nothing disturbed.

"""


def damaged_network(folder: Path, reference: Path) -> dict[str, str]:
    """Flip a bit of a trained network; the build must stop with the remedy, and the remedy must mend it."""
    network = folder / "results/networks/pizza_transformer/seed0.safetensors"
    content = bytearray(network.read_bytes())
    content[len(content) // 2] ^= 1
    network.write_bytes(content)
    refused = not again(folder) and "delete it, and `snakemake" in words(folder)
    network.unlink()
    mended = again(folder) and not differing(folder, reference)
    return {
        "fault": "one flipped bit in a network, then the same command",
        "what came of it": f"refused with the remedy: {refused}; whole again after it: {mended}",
        "passed": refused and mended,
    }


def file_system(fault: str, options: str, mend: str, expected: str, folder: Path) -> dict[str, str]:
    """A build with results/ on a file system that has a fault; it is mended, and the same command given."""
    results = copy_tree(folder) / "results"
    results.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "modadd", results], check=True)
    try:
        failed = not again(folder, *FEW)
        said = next((line.strip() for line in words(folder).splitlines() if expected in line), "")
        subprocess.run(["mount", "-o", f"remount,{mend}", results], check=True)
        finished = again(folder, *FEW)
    finally:
        subprocess.run(["umount", results], check=True)
    came = f"stopped: {failed}, with `{said.replace(str(folder), '')}`; mended, the same command ends well: {finished}"
    return {"fault": fault, "what came of it": came, "passed": failed and bool(said) and finished}


def two_builds(folder: Path) -> dict[str, str]:
    """A second build beside a running one; the first must end well."""
    first = start(copy_tree(folder), *FEW)
    while not list(folder.glob(".snakemake/locks/*")) and first.poll() is None:
        time.sleep(0.1)
    tool = [sys.executable, "workflow/dev/unlock.py"]
    second = subprocess.run(tool, cwd=folder, env=variables(folder), capture_output=True, text=True)
    refused, ended = second.returncode != 0 and "still works" in second.stderr, first.wait() == 0
    came = f"the second is refused and names the process: {refused}; the first ends well: {ended}"
    return {"fault": "a second build in the same folder", "what came of it": came, "passed": refused and ended}


def build_in(fault: str, folder: Path, before: str = "") -> dict[str, str]:
    """A build in surroundings that must not matter."""
    ended = start(copy_tree(folder), *FEW, before=before).wait() == 0
    return {"fault": fault, "what came of it": f"ends well: {ended}", "passed": ended}


def try_all(reference: Path, place: Path, count: int, bits: int, seed: int) -> Iterator[dict[str, str]]:
    """All faults, one after another, with their outcome; `reference` is an undisturbed build of the smoke config."""
    rng = np.random.default_rng(seed)
    disturbed = copy_tree(place / "killed")
    yield kills(disturbed, reference, count, rng)
    yield flips(disturbed, bits, rng)
    yield damaged_network(disturbed, reference)
    yield two_builds(place / "two")
    yield build_in("a path with spaces and accents", place / "ein Pfad mit Bäumen")
    if os.geteuid() == 0:
        yield file_system("a full disk", "size=400k", "size=400m", "No space left on device", place / "full")
        yield file_system("no right to write", "size=400m,ro", "rw", "Read-only file system", place / "read-only")
        yield build_in("no network", place / "alone", "unshare -n sh -c 'ip link set lo up; exec \"$@\"' sh ")


def main(reference: Path | None, count: int, bits: int, seed: int) -> None:
    """Try all, print each outcome as it comes, and write the page; exits with status 1 if one did not pass."""
    with TemporaryDirectory(prefix="modadd-faults-", ignore_cleanup_errors=True) as temporary:
        undisturbed = reference or copy_tree(Path(temporary) / "undisturbed")
        if reference is None and not again(undisturbed):
            sys.exit(words(undisturbed)[-2000:])
        rows = []
        for row in try_all(undisturbed.resolve(), Path(temporary), count, bits, seed):
            rows.append({**row, "passed": "yes" if row["passed"] else "**no**"})
            print(*rows[-1].values(), sep=": ", flush=True)
    write_whole(Path("docs/reliability.md"), (HEAD + pd.DataFrame(rows).to_markdown(index=False) + "\n").encode())
    sys.exit(any(row["passed"] != "yes" for row in rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30, help="default: %(default)s")
    parser.add_argument("--bits", type=int, default=200, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument(
        "--reference", type=Path, help="a folder with an undisturbed smoke build; built here if not given"
    )
    options = parser.parse_args()
    main(options.reference, options.kills, options.bits, options.seed)
