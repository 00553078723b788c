"""Builds that only say what a real one would: the lines of Snakemake, at the times at which recorded jobs would end."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from modadd.run.paths import rule_of
from modadd.run.progress import BETWEEN, PLANNED, STAGES, stage_of

ALONE = ("judge_claims", "build_site", "provenance")  # each waits for the one before


def lines_of(
    seconds: Mapping[str, float], cores: int, slower: Callable[[float], float] = lambda now: 1.0, seed: int = 0
) -> Iterator[tuple[float, str]]:
    """Every line that `Progress` reads of a build, with its time.

    Each job takes so many seconds, times `slower` of the moment when it begins. Networks that many wait for come first,
    jobs of a stage in a random order, and those that run ALONE at the end.
    """
    shuffled = np.random.default_rng(seed).permutation([*seconds]).tolist()
    place = lambda job: (job in ALONE, not job.startswith("train_network"), [*STAGES].index(stage_of(rule_of(job))))
    jobs = sorted(shuffled, key=place)
    yield 0.0, f"Provided cores: {cores}\n"
    for rule, count in Counter(map(rule_of, jobs)).items():
        yield 0.0, f"{rule}   {count}\n"
    yield 0.0, f"{PLANNED}{' '.join(jobs)}\n"
    running: list[tuple[float, int]] = []
    now = 0.0
    for number, job in enumerate(jobs):
        while len(running) == cores or (job in ALONE and running):
            now, ended = heapq.heappop(running)
            yield now, f"Finished jobid: {ended} (Rule: {rule_of(jobs[ended])})\n"
        yield now, f"Job {number}: Making {job.partition('/')[2]}\n"
        heapq.heappush(running, (now + (seconds[job] + BETWEEN) * slower(now), number))
    while running:
        now, ended = heapq.heappop(running)
        yield now, f"Finished jobid: {ended} (Rule: {rule_of(jobs[ended])})\n"
