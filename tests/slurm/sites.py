"""What a site's Slurm does with the jobs of profiles/slurm: partitions, minutes, GPUs; and what a job without one says."""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from modadd.run.project import run_snakemake

WORKFLOW = Path("tests/slurm/sites.smk").resolve()
FOLDER = Path("results/slurm/sites").resolve()
LIMIT = 240  # minutes, of the profile's key `longest`, and of both partitions
ADVICE = re.compile(r"train on the CPU with `([^`]+)`")


def check_sites(partition: str, gpu_partition: str, ended: Path, options: Sequence[str]) -> list[str]:
    """Run jobs that say what they were given, from here and from inside a job; gives what is wrong, in sentences."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    here = FOLDER / "here"
    wrong = [] if _snakemake(here, options) else [f"the jobs of {WORKFLOW.name} failed; see {here / 'build.log'}"]
    given = {path.relative_to(here): path.read_text().split() for path in sorted(here.glob("[nrs]*/[0-9]"))}
    jobs = {line["JobId"]: line for line in map(_fields, ended.read_text().splitlines())}
    for path, (job, *gpus) in given.items():
        trains = path.parts[0] in ("networks", "shards")
        if jobs[job]["Partition"] != (gpu_partition if trains else partition):
            wrong.append(f"{path} ran in the partition {jobs[job]['Partition']}")
        if len(gpus) != trains:
            wrong.append(f"{path} was given the GPUs {', '.join(gpus) or '(none)'}; expected {int(trains)}")
        if int(jobs[job]["TimeLimit"]) > LIMIT:
            wrong.append(f"{path} asked for {jobs[job]['TimeLimit']} minutes")
    beside = [tuple(gpus) for path, (_, *gpus) in given.items() if path.parts[0] == "networks"]
    if len(set(beside)) != len(beside):
        wrong.append(f"jobs that ran at once had the same GPU: {beside}")
    if not _in_a_job(partition, options):
        wrong.append(f"Snakemake failed inside a job; see {FOLDER / 'there/job.log'}")
    return wrong


def advice_without_gpu(folder: Path, target: str, options: Sequence[str]) -> list[str]:
    """The options that a job advises which was given a GPU that torch does not see; exits if it does not fail so."""
    log = folder / "without_gpu.log"
    run_snakemake(folder, target, *options, log=log)
    found = ADVICE.search(log.read_text(encoding="utf-8"))
    if not found:
        sys.exit(f"test-slurm: a job without the GPU that it was given does not say what to do; see {log}")
    return found[1].split()


def _snakemake(folder: Path, options: Sequence[str]) -> bool:
    folder.mkdir(parents=True)
    where = ["--snakefile", str(WORKFLOW), "--directory", str(folder)]
    return run_snakemake(Path("."), *where, *options, log=folder / "build.log")


def _in_a_job(partition: str, options: Sequence[str]) -> bool:
    """Whether Snakemake, itself a job of one core, submits what a job needs to be made."""
    folder = FOLDER / "there"
    folder.mkdir(parents=True)
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(WORKFLOW), "--directory", str(folder), *options]
    where = ["--partition", partition, "--mem", "1G", "--ntasks", "1", "--output", str(folder / "job.log")]
    words = " ".join([*command, "rows/0"])
    return not subprocess.run(["sbatch", "--wait", *where, "--wrap", words]).returncode and (folder / "rows/0").exists()


def _fields(line: str) -> dict[str, str]:
    """The fields of a line of jobcomp/filetxt."""
    return dict(re.findall(r"(\w+)=(\S*)", line))
