"""The progress of a build in few lines: stages with the time left and, if it fails, the logs of the failed rules."""

import io
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean

from modadd.run.names_of_jobs import BETWEEN, LAST, job_named

STAGES = {  # by the beginnings of the names of rules, in the order of a build; "" takes what is left
    "Networks": ("train_", "import_"),
    "Populations": ("measure_", "gather_", "choose_", "prove_", "check_"),
    "Notebooks": ("notebook_",),
    "Pages": ("",),
}
# What Snakemake prints of its plan, of a job that begins and of one that ends.
CORES = re.compile(r"Provided cores: (\d+)")
COUNT = re.compile(r"(\w+) +(\d+)\s*$")
STARTED = re.compile(r"Job (\d+):.* (\S+)$")  # a message ends with what the job is about
FINISHED = re.compile(r"Finished jobid: (\d+) \(Rule: (\w+)\)")
FAILED = re.compile(r"Error in rule (\w+):\n(?:    .*\n)*?    log: (.+?)(?: \(check.*)?\n")

RECENT = 90.0  # seconds of work after which what jobs took counts half
TELLING = 20.0  # of a longer job no more seconds count: how long it takes is as much its own luck as the machine's pace
RISE = 4 / 3  # at most, from what was said to what is said next
WAIT = 30.0  # seconds between two lines of a stage where lines stay, as in a file
LAST_LINES = 15  # of a log


def stage_of(rule: str) -> str:
    """The stage that a rule belongs to."""
    return next(stage for stage, beginnings in STAGES.items() if rule.startswith(beginnings))


class Progress:
    """How far a build is, by the lines of Snakemake.

    `seconds` says how long each job should take, those of earlier builds among them.
    `clock` gives seconds.
    """

    def __init__(self, seconds: Mapping[str, float] = {}, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self.clock, self.begin, self.cores = seconds, clock, clock(), 1
        self.left: Counter[str] = Counter()  # jobs by rule, those that run included
        self.of: Counter[str] = Counter()  # jobs by stage
        self.running: dict[str, tuple[str, float]] = {}  # what each is about, and when it began
        self.work: dict[str, float] = {}  # seconds by rule that jobs should take which have not ended
        known = RECENT if seconds else 0.0
        self.should, self.did = known, known  # seconds of the jobs that ended last, as expected and as they were
        self.said: list[tuple[float, float]] = []  # when, and how many seconds were left
        self.planning, self.ended, self.page = False, set(), False

    def read(self, line: str) -> list[str]:
        """What to show after this line of Snakemake: each stage that is through, and the one that goes on."""
        if found := CORES.match(line):
            self.cores = int(found[1])
        elif line.startswith("Job stats:"):
            self.planning = True
        elif self.planning and (found := COUNT.match(line)):
            rule, count = found[1], int(found[2])
            if rule == "total":
                self.planning = False
                return self._stages()
            if rule != "all":  # it makes nothing
                self.left[rule] += count
                self.of[stage_of(rule)] += count
                self.work[rule] = count * self._mean(rule)
        elif found := STARTED.match(line):
            self.running[found[1]] = found[2], self.clock()
        elif found := FINISHED.match(line):
            return self._finished(*found.groups())
        return []

    def _finished(self, number: str, rule: str) -> list[str]:
        if number in self.running:
            about, began = self.running.pop(number)
            should = self.seconds.get(job_named(rule, about), self._mean(rule))
            slower = (self.clock() - began + BETWEEN) / (should + BETWEEN)
            counted = min(should + BETWEEN, TELLING)
            forgotten = 0.5 ** (counted / RECENT)
            self.should = forgotten * self.should + counted
            self.did = forgotten * self.did + counted * slower
            self.work[rule] = max(self.work.get(rule, 0.0) - should, 0.0)
        self.left[rule] -= rule in self.left
        shown = self._stages()
        if stage_of(rule) == "Notebooks" and not self.page:
            self.page = True
            shown.insert(0, f"A first page to read: figures/notebooks/{rule.removeprefix('notebook_')}.html")
        return shown

    def _mean(self, rule: str) -> float:
        """What a job of a rule should take on average: as known ones of the rule do, or as any; else a unit of work."""
        beginning = job_named(rule, "")
        of_rule = [s for job, s in self.seconds.items() if job == beginning or job.startswith(f"{rule}/")]
        return fmean(of_rule or self.seconds.values() or [1.0])

    def _stages(self) -> list[str]:
        lines = []
        for stage in STAGES:
            total = self.of[stage]
            left = sum(count for rule, count in self.left.items() if stage_of(rule) == stage)
            if left:
                return [*lines, f"{stage} {total - left} of {total} · {self._time_left()}"]
            if total and stage not in self.ended:
                self.ended.add(stage)
                lines.append(f"{stage} {total} of {total} · done after {_minutes(self.clock() - self.begin)}")
        return lines

    def _time_left(self) -> str:
        """What is left on all cores at the pace of the last jobs; at most a third more than was just said."""
        if not self.should:
            return "time left not known yet"
        now = self.clock()
        work = {rule: self.work[rule] + BETWEEN * count for rule, count in self.left.items() if count}
        cores = {rule: 1 if rule in LAST else self.cores for rule in work}
        seconds = sum(work[rule] / cores[rule] for rule in work) * self.did / self.should
        seconds -= sum(now - began for _, began in self.running.values()) / self.cores
        # Where lines stay they are WAIT seconds apart, or more: none is more than a third above the one before.
        self.said = [(when, left) for when, left in self.said if when >= self.said[-1][0] - 2 * WAIT]
        left = min([max(seconds, 0.0), *(left * RISE for _, left in self.said)])
        self.said.append((now, left))
        return f"{_minutes(left)} left"


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class Display:
    """Shows the lines of `Progress.read`: on a terminal each over the one before, elsewhere one in WAIT seconds."""

    def __init__(self, stream: io.TextIOBase = sys.stdout, clock: Callable[[], float] = time.monotonic) -> None:
        self.stream, self.clock, self.terminal = stream, clock, stream.isatty()
        self.stage, self.shown, self.open = "", float("-inf"), False

    def __call__(self, line: str) -> None:
        """Show a line."""
        stage, stays = line.partition(" ")[0], " left" not in line
        if self.terminal:
            print(f"\r\x1b[K{line}", end="\n" if stays else "", file=self.stream, flush=True)
            self.open = not stays
        elif stays or stage != self.stage or self.clock() - self.shown >= WAIT:
            print(line, file=self.stream, flush=True)
            self.stage, self.shown = stage, self.clock()

    def end(self) -> None:
        """End the current line, so that later output begins on a new one."""
        if self.open:
            print(file=self.stream, flush=True)
        self.open = False


def what_failed(folder: Path, log: Path) -> str:
    """Every rule that failed in a build of `folder`, with its log and the log's end; else the end of the build's log."""
    words = log.read_text(encoding="utf-8")
    shown = [f"{rule} failed; its log is {folder / own}\n{_end(folder / own)}" for rule, own in FAILED.findall(words)]
    return "\n".join(shown or [_end(log)]) + f"\nFull log: {log}"


def _end(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    return "\n".join(lines[-LAST_LINES:])
