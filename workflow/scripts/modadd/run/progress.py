"""The progress of a build in few lines: stages with the time left and, if it fails, the logs of the failed rules."""

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from tqdm import tqdm

from modadd.run.paths import rule_of

STAGES = {  # by the beginnings of the names of rules, in the order of a build; "" takes what is left
    "Networks": ("train_", "import_"),
    "Populations": ("measure_", "gather_", "choose_", "prove_", "check_"),
    "Notebooks": ("notebook_",),
    "Pages": ("",),
}
PLANNED = "Planned: "  # before the names of all jobs to run, which our Snakefile prints for a process with SAY_PLAN
SAY_PLAN = "MODADD_SAY_PLAN"
# What Snakemake prints of its plan, of a job that begins and of one that ends.
NOTHING = "Nothing to be done"
CORES = re.compile(r"Provided cores: (\d+)")
COUNT = re.compile(r"(\w+)  +(\d+)\n")
STARTED = re.compile(r"Job (\d+): .*?(\S*)$")  # a message ends with what the job is about
FINISHED = re.compile(r"Finished jobid: (\d+) \(Rule: (\w+)\)")
FAILED = re.compile(r"Error in rule (\w+):\n(?:    .*\n)*?    log: (.+?)(?: \(check.*)?\n")

LAST = ("judge_claims", "build_site")  # rules whose job waits for all before it: other cores have nothing to do then
SIDE_BY_SIDE, ALONE = "side by side", "alone"  # how jobs run: those of LAST alone
BETWEEN = 0.5  # seconds of a core from the end of one job to the beginning of the next
END = 2.0  # seconds after the last job, until the verdicts are printed
RECENT = 0.1  # of all work: after so much of it, what jobs took counts half
RISE = 4 / 3  # at most, from what was said to what is said next
LEAST_LEFT = 5.0  # seconds that are left while something runs
WAIT = 20.0  # seconds between two lines of a stage
LAST_LINES = 15  # of a log
NOTHING_LEFT = "Nothing is left to build."


def stage_of(rule: str) -> str:
    """The stage that a rule belongs to."""
    return next(stage for stage, beginnings in STAGES.items() if rule.startswith(beginnings))


def _place_of(rule: str) -> str:
    return ALONE if rule in LAST else SIDE_BY_SIDE


def wall_seconds(seconds: Mapping[str, float], cores: int) -> float:
    """How long jobs take on so many cores, by their names: all busy, BETWEEN two jobs idle; those of LAST one by one.

    The others take no less than the longest of them. With END; 0 for no jobs.
    """
    if not seconds:
        return 0.0
    alone, others = (
        [s + BETWEEN for job, s in seconds.items() if _place_of(rule_of(job)) == place]
        for place in (ALONE, SIDE_BY_SIDE)
    )
    return max(sum(others) / cores, *others, 0.0) + sum(alone) + END


def plan_in_words(jobs: Sequence[str], seconds: Mapping[str, float], cores: int) -> str:
    """How many jobs there are to run, and how long they take on so many cores, as far as each is known."""
    if not jobs:
        return NOTHING_LEFT
    known = {job: seconds[job] for job in jobs if job in seconds}
    count = f"{len(jobs)} job{'s' * (len(jobs) > 1)} to run"
    if not known:
        return f"{count}; how long each takes is not known."
    unknown = f", {len(jobs) - len(known)} of them of unknown length" if len(known) < len(jobs) else ""
    expected = wall_seconds(known, cores)
    about = f"{expected / 60:.0f} minutes" if expected >= 90 else f"{expected:.0f} seconds"
    return f"{count}{unknown}; expect about {about} on {cores} core{'s' * (cores > 1)}."


class Progress:
    """How far a build is, by the lines of Snakemake.

    `seconds` says how long each job should take, those of earlier builds among them. `clock` gives seconds.
    """

    def __init__(self, seconds: Mapping[str, float] = {}, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self.clock, self.begin, self.cores = seconds, clock, clock(), 1
        self.jobs: Counter[str] = Counter()  # by stage
        self.left: Counter[str] = Counter()  # of these, with those that run
        self.work = dict.fromkeys((SIDE_BY_SIDE, ALONE), 0.0)  # seconds that these should take
        self.running: dict[str, tuple[str, float]] = {}  # what each is about, and when it began
        # Seconds of the jobs that ended last, as expected and as they were: their ratio is the pace of this machine.
        self.expected = self.took = 0.0
        # As if before them so many had taken what was expected: seconds of RECENT work, and how much they still count.
        self.recent, self.believed = 0.0, 1.0 if seconds else 0.0
        self.stage, self.shown, self.said = "", 0.0, float("inf")  # the last line: of what, when, how many seconds left

    def read(self, line: str) -> list[str]:
        """What to show after this line of Snakemake: each stage that is through, and the one that goes on."""
        if line.startswith(NOTHING):
            return [NOTHING_LEFT]
        if line.startswith(PLANNED):
            return self._planned(line.removeprefix(PLANNED).split())
        if found := CORES.match(line):
            self.cores = int(found[1])
        elif found := COUNT.fullmatch(line):
            self._count(found[1], int(found[2]))
        elif found := STARTED.match(line):
            self.running[found[1]] = found[2], self.clock()
            return self._time_left()
        elif (found := FINISHED.match(line)) and found[1] in self.running:
            return self._finish(found[2], *self.running.pop(found[1]))
        return []

    def _count(self, rule: str, count: int) -> None:
        if rule not in ("all", "total"):  # they make nothing
            self.jobs[stage_of(rule)] += count
            self.left[stage_of(rule)] += count
            self.work[_place_of(rule)] += count * self._should(rule)
            self.recent = RECENT * sum(self.work.values())

    def _planned(self, jobs: Sequence[str]) -> list[str]:
        for place in self.work:  # by their names, where a count only tells what jobs of a rule take on average
            there = [(rule_of(job), job.partition("/")[2]) for job in jobs if _place_of(rule_of(job)) == place]
            self.work[place] = sum(self._should(*job) for job in there)
        self.recent = RECENT * sum(self.work.values())
        return [plan_in_words(jobs, self.seconds, self.cores), *self._time_left()]

    def _should(self, rule: str, about: str = "") -> float:
        """Seconds that a job should take: as known, or as those of its rule do on average, or as all; else a unit."""
        known = self.seconds.get(f"{rule}/{about}")
        of_rule = [seconds for job, seconds in self.seconds.items() if rule_of(job) == rule]
        return BETWEEN + (known or fmean(of_rule or self.seconds.values() or [1.0]))

    def _finish(self, rule: str, about: str, began: float) -> list[str]:
        stage, should = stage_of(rule), self._should(rule, about)
        forgotten = 0.5 ** (should / self.recent)
        self.believed *= forgotten
        self.expected = forgotten * self.expected + should
        self.took = forgotten * self.took + self.clock() - began + BETWEEN
        self.work[_place_of(rule)] -= should
        self.left[stage] -= 1
        lines = []
        if stage == "Notebooks" and self.jobs[stage] - self.left[stage] == 1:
            lines.append(f"A first page to read: figures/notebooks/{rule.removeprefix('notebook_')}.html")
        if not self.left[stage]:
            after = tqdm.format_interval(self.clock() - self.begin)
            lines.append(f"{stage} {self.jobs[stage]} of {self.jobs[stage]} · done after {after}")
        return lines + self._time_left()

    def _time_left(self) -> list[str]:
        """The first stage with jobs left, WAIT after the last line of it, with the seconds left at the recent pace."""
        now, stage = self.clock(), next((stage for stage in STAGES if self.left[stage]), "")
        if not stage or (stage == self.stage and now < self.shown + WAIT):
            return []
        self.stage, self.shown = stage, now
        so_far = f"{stage} {self.jobs[stage] - self.left[stage]} of {self.jobs[stage]}"
        before = self.believed * self.recent
        if not before + self.expected:
            return [f"{so_far} · time left not known yet"]
        pace = (before + self.took) / (before + self.expected)
        spent = sum(now - began for _, began in self.running.values())
        others = max(self.work[SIDE_BY_SIDE] * pace - spent, 0.0) / self.cores
        self.said = min(max(others + self.work[ALONE] * pace + END, LEAST_LEFT), self.said * RISE)
        return [f"{so_far} · {tqdm.format_interval(self.said)} left"]


def what_failed(folder: Path, log: Path) -> str:
    """Every rule that failed in a build of `folder`, with its log and the log's end; else the end of the build's log."""
    words = log.read_text(encoding="utf-8")
    shown = [f"{rule} failed; its log is {folder / own}\n{_end(folder / own)}" for rule, own in FAILED.findall(words)]
    return "\n".join(shown or [_end(log)]) + f"\nFull log: {log}"


def _end(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    return "\n".join(lines[-LAST_LINES:])
