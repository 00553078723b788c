"""What a command will make, said before the rules are read: the jobs behind a file, and how long each took on the reference build.

A job has the name of its benchmark, as in `train_shard/q_seeds/seeds50`. Only Snakemake, which reads the rules, knows whether
code or config has changed since a file was made.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any

from modadd.core.files import ROOT, Data, json_of
from paper.build import Build
from paper.datasets import table_of

BENCHMARKS = Path("results/benchmarks")
MADE = ("results", "figures", ".snakemake")  # the folders that a build writes
COSTS = ROOT / "data/reference/costs.json"  # what the reference build took, as `costs` has it
PROVENANCE = ROOT / "data/reference/provenance.json"
SHOWN = 4  # jobs named, the longest


def jobs_behind(file: str, build: Build) -> Iterator[tuple[str, str]]:
    """Every job that a file of results is made by, and a file that it makes, in the order in which they run.

    Proofs have none: their inputs are networks, which are named by other files.
    """
    path = PurePath(file)
    folder, *place = path.parts[1:]
    stem = path.name.partition(".")[0]
    if folder == "values":
        for read in build.questions[stem].reads:
            if read.startswith("results/"):
                yield from jobs_behind(read, build)
        yield f"notebooks/{stem}", file
    elif folder == "networks":
        yield f"train_network/{place[0]}/{stem}", file
    elif folder == "stages":
        yield from jobs_behind(f"results/networks/{place[0]}/{stem}.history.safetensors", build)
        yield f"measure_stages/{place[0]}/{stem}", file
    elif folder == "exhibits":
        yield from jobs_behind(table_of(stem), build)
        yield f"choose_exhibit/{stem}", file
    elif folder == "populations":
        population = build.datasets.population(stem)
        together = build.config["together"] and population.architecture
        for shard in population.shards:
            beside = f"results/populations/{stem}/{shard.name}"
            for rule, made in (("train", f"{beside}.safetensors"), ("measure", f"{beside}.parquet")):
                yield f"{rule}_populations/{together}" if together else f"{rule}_shard/{stem}/{shard.name}", made
        yield f"gather_populations/{together}" if together else f"gather_population/{stem}", file
    elif stem in build.datasets.experiments:
        yield f"train_experiment/{stem}", file


def lacking(files: Iterable[str], build: Build, folder: Path) -> list[str]:
    """The jobs behind some files that a folder lacks a file of, each once."""
    found: dict[str, None] = {}
    for file in files:
        for job, made in jobs_behind(file, build):
            if not (folder / made).exists():
                found[job] = None
    return list(found)


def costs(folder: Path = Path(".")) -> dict[str, Any]:
    """What the build of a folder took: processor time in seconds and the largest memory of each of its `jobs`, and its disk, in MB."""
    jobs = {}
    benchmarks = folder / BENCHMARKS
    for file in sorted(benchmarks.rglob("*.jsonl")):
        record = json.loads(file.read_text(encoding="utf-8").splitlines()[-1])
        name = str(file.relative_to(benchmarks).with_suffix(""))
        jobs[name] = {"cpu_s": record["cpu_time"], "memory_mb": record["max_rss"]}
    made = [file for part in MADE for file in (folder / part).rglob("*") if file.is_file()]
    return {"disk_mb": sum(file.stat().st_size for file in made) / 1e6, "jobs": jobs}


def costs_in_words(found: Data) -> str:
    """The largest memory of any job of a build, and its disk."""
    jobs = found["jobs"]
    largest = max(jobs, key=lambda job: jobs[job]["memory_mb"])
    return (
        f"The job of a full build with the largest memory, `{largest}`, takes {jobs[largest]['memory_mb'] / 1000:.1f} GB; "
        f"all files of a full build take {found['disk_mb'] / 1000:.1f} GB."
    )


def in_words(jobs: Iterable[str], config: Data) -> str:
    """What is to be made, by kind, and what it took on the reference build, if that was of this config."""
    jobs = list(jobs)
    if not jobs:
        return "Nothing is missing; what code or config has changed is made again"
    kinds: dict[str, int] = {}
    for job in jobs:
        kind, _, _ = job.partition("/")
        kinds[kind] = kinds.get(kind, 0) + 1
    words = "Missing: " + ", ".join(f"{count} × {kind}" for kind, count in kinds.items())
    known = json_of(COSTS)["jobs"] if COSTS.exists() and json_of(PROVENANCE)["config"] == config else {}
    took = {job: known[job]["cpu_s"] for job in jobs if job in known}
    if not took:
        return words
    longest = sorted(took, key=took.__getitem__, reverse=True)[:SHOWN]
    named = ", ".join(f"{job} {took[job]:.0f} s" for job in longest)
    return f"{words}. On the reference build they took {sum(took.values()):.0f} s of a processor: {named}"
