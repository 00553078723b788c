"""Builds that only say what a real one would: the lines of Snakemake, at the times at which recorded jobs would end."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from modadd.run.names_of_jobs import BETWEEN, LAST
from modadd.run.progress import STAGES, stage_of


def rule_of(job: str) -> str:
    """The rule of a job, by its name."""
    return job.replace("notebooks/", "notebook_", 1).partition("/")[0]


def lines_of(
    seconds: Mapping[str, float], cores: int, slower: Callable[[float], float] = lambda now: 1.0
) -> Iterator[tuple[float, str]]:
    """Every line that `Progress` reads of a build, with its time.

    Each job takes so many seconds, times `slower` of the moment when it begins. Networks that many wait for come first;
    the LAST run one after the other.
    """
    jobs = sorted(
        seconds,
        key=lambda job: (job in LAST, not job.startswith("train_network"), [*STAGES].index(stage_of(rule_of(job)))),
    )
    yield 0.0, f"Provided cores: {cores}\n"
    yield 0.0, "Job stats:\n"
    for rule, count in Counter(map(rule_of, jobs)).items():
        yield 0.0, f"{rule}   {count}\n"
    yield 0.0, f"total   {len(jobs)}\n"
    running: list[tuple[float, int]] = []
    now = 0.0
    for number, job in enumerate(jobs):
        alone = job in LAST
        while len(running) == cores or (alone and running):
            now, ended = heapq.heappop(running)
            yield now, f"Finished jobid: {ended} (Rule: {rule_of(jobs[ended])})\n"
        yield now, f"Job {number}: Making {job.partition('/')[2]}\n"
        heapq.heappush(running, (now + (seconds[job] + BETWEEN) * slower(now), number))
    while running:
        now, ended = heapq.heappop(running)
        yield now, f"Finished jobid: {ended} (Rule: {rule_of(jobs[ended])})\n"
