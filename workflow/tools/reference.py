"""Keep what this build measured in data/reference: numbers with their limits, hashes, costs, and where it was made
(`make reference`; with COSTS=no the costs stay, as those of a machine that did other work meanwhile say nothing)."""

import argparse
import json
import sys
from pathlib import Path

import own_library  # noqa: F401
from build import PROVENANCE, require_build

from modadd.core.files import write_whole
from modadd.core.processor import processor
from modadd.ledger.differences import sha256
from modadd.ledger.reference import expected_numbers
from modadd.run.costs import jobs_with_benchmark, read_costs
from modadd.run.project import outputs_of
from modadd.run.timing import probe


def keep_reference(folder: Path, costs: bool) -> None:
    """Write numbers.json, sha256.txt (for sha256sum) and provenance.json, and the costs with where they were measured.

    Raises ValueError if the costs are to stay, but are those of another config.
    """
    provenance = json.loads(PROVENANCE.read_text(encoding="utf-8"))
    there = folder / PROVENANCE.name
    if not costs and json.loads(there.read_text(encoding="utf-8"))["config"] != provenance["config"]:
        raise ValueError(f"the costs in {folder} are of another config than this build; keep its own, with COSTS=yes")
    numbers = json.dumps(
        expected_numbers(json.loads(Path("figures/claims.json").read_text(encoding="utf-8"))), indent=1, sort_keys=True
    )
    hashes = "".join(f"{sha256(name)}  {name}\n" for name in outputs_of(provenance["config"]) if Path(name).is_file())
    files = {
        "numbers.json": numbers + "\n",
        "sha256.txt": hashes,
        PROVENANCE.name: PROVENANCE.read_text(encoding="utf-8"),
    }
    if costs:
        files |= costs_of(Path("results"))
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():  # only now, as what goes before may fail
        write_whole(folder / name, content.encode())


def costs_of(results: Path) -> dict[str, str]:
    """compute.csv, what every job took, and probe.json, the machine's name and how fast it is at this moment."""
    known = {job["job"] for job in json.loads((results / "compute_ledger.json").read_text(encoding="utf-8"))["jobs"]}
    measured = jobs_with_benchmark(results / "benchmarks")
    jobs = [job for job in measured if job in known or "/" not in job]  # not those of other configs
    probed = {"processor": processor(), **probe()}
    return {
        "compute.csv": read_costs(jobs, results).to_csv(index=False),
        "probe.json": json.dumps(probed, indent=1) + "\n",
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--costs", choices=["yes", "no"], default="yes", help="no leaves those that data/reference has")
    options = parser.parse_args()
    require_build("reference")
    try:
        keep_reference(Path("data/reference"), costs=options.costs == "yes")
    except (OSError, ValueError) as error:
        sys.exit(f"reference: {error}")
