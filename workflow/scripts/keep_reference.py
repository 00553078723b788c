"""Keep what this build measured in data/reference: numbers with their limits, hashes, costs, and where it was made."""

import json
import shutil
import sys
from pathlib import Path

from modadd.compute import jobs_with_benchmark, read_costs
from modadd.differences import sha256
from modadd.estimates import with_work, work_of
from modadd.networks import write_whole
from modadd.probe import probe
from modadd.reference import expected_numbers


def keep_reference(
    folder: Path,
    files: list[str],
    claims: Path,
    costs: Path,
    results: Path,
    origin: Path,
    config: dict,
) -> None:
    """Write numbers.json, sha256.txt (as sha256sum reads it), compute.csv, provenance.json and probe.json (of this moment)."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = json.dumps(expected_numbers(json.loads(claims.read_text())), indent=1, sort_keys=True)
    write_whole(folder / "numbers.json", numbers.encode() + b"\n")
    hashes = "".join(f"{sha256(name)}  {name}\n" for name in sorted(set(files)))
    write_whole(folder / "sha256.txt", hashes.encode())
    known = {job["job"] for job in json.loads(costs.read_text())["jobs"]}
    jobs = [
        job for job in jobs_with_benchmark(results / "benchmarks") if job in known or "/" not in job
    ]  # not those of other configs
    with_work(read_costs(jobs, results), work_of(config)).to_csv(folder / "compute.csv", index=False)
    shutil.copyfile(origin, folder / "provenance.json")
    write_whole(folder / "probe.json", json.dumps(probe(), indent=1).encode() + b"\n")


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    keep_reference(
        folder=Path(snakemake.params.reference),
        files=[*snakemake.input.trained, *snakemake.input.built],
        claims=Path(snakemake.input.claims),
        costs=Path(snakemake.input.costs),
        results=Path(snakemake.params.benchmarks).parent,
        origin=Path(snakemake.input.provenance),
        config=snakemake.config,
    )
