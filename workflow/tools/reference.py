"""Keep what this build measured in data/reference: numbers with their limits, hashes, costs, and where it was made
(`make reference`)."""

import json
import sys
from pathlib import Path

import own_library  # noqa: F401
from build import PROVENANCE, require_build

from modadd.core.files import write_whole
from modadd.ledger.differences import sha256
from modadd.ledger.reference import expected_numbers
from modadd.run.costs import jobs_with_benchmark, read_costs
from modadd.run.project import outputs_of
from modadd.run.timing import probe


def keep_reference(folder: Path) -> None:
    """Write numbers.json, sha256.txt (for sha256sum), compute.csv, provenance.json, probe.json (of this moment)."""
    provenance, results = json.loads(PROVENANCE.read_text(encoding="utf-8")), Path("results")
    numbers = json.dumps(
        expected_numbers(json.loads(Path("figures/claims.json").read_text(encoding="utf-8"))), indent=1, sort_keys=True
    )
    hashes = "".join(f"{sha256(name)}  {name}\n" for name in outputs_of(provenance["config"]) if Path(name).is_file())
    known = {job["job"] for job in json.loads((results / "compute_ledger.json").read_text(encoding="utf-8"))["jobs"]}
    measured = jobs_with_benchmark(results / "benchmarks")
    jobs = [job for job in measured if job in known or "/" not in job]  # not those of other configs
    costs = read_costs(jobs, results).to_csv(index=False)
    files = {"numbers.json": numbers + "\n", "sha256.txt": hashes, "compute.csv": costs}
    files |= {
        "probe.json": json.dumps({"training": probe()}, indent=1) + "\n",
        "provenance.json": PROVENANCE.read_text(encoding="utf-8"),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():  # only now, as what goes before may fail
        write_whole(folder / name, content.encode())


if __name__ == "__main__":
    require_build("reference")
    try:
        keep_reference(Path("data/reference"))
    except (OSError, ValueError) as error:
        sys.exit(f"reference: {error}")
