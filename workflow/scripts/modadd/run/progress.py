"""What a build says of itself in few lines: its stages with the time left and, where it fails, the logs of what failed."""

import io
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean

STAGES = {  # by the beginnings of the names of rules, in the order of a build; "" takes what is left
    "Networks": ("train_", "import_"),
    "Populations": ("measure_", "gather_", "choose_"),
    "Notebooks": ("notebook_",),
    "Pages": ("",),
}
# What Snakemake prints of its plan, of a job that begins and of one that ends.
CORES = re.compile(r"Provided cores: (\d+)")
COUNT = re.compile(r"(\w+) +(\d+)\s*$")
STARTED = re.compile(r"Job (\d+): ")
FINISHED = re.compile(r"Finished jobid: (\d+) \(Rule: (\w+)\)")
FAILED = re.compile(r"Error in rule (\w+):\n(?:    .*\n)*?    log: (.+?)(?: \(check.*)?\n")

WAIT = 30.0  # seconds between two lines of a stage where lines stay, as in a file
LAST_LINES = 15  # of a log


def stage_of(rule: str) -> str:
    """The stage that a rule belongs to."""
    return next(stage for stage, beginnings in STAGES.items() if rule.startswith(beginnings))


class Progress:
    """How far a build is, by the lines of Snakemake.

    `seconds` says by rule how long one of its jobs should take, on average.
    `clock` gives seconds.
    """

    def __init__(self, seconds: Mapping[str, float] = {}, clock: Callable[[], float] = time.monotonic) -> None:
        self.expected, self.clock, self.begin, self.cores = seconds, clock, clock(), 1
        self.left: Counter[str] = Counter()  # jobs by rule, those that run included
        self.of: Counter[str] = Counter()  # jobs by stage
        self.running: dict[str, float] = {}  # when each began
        self.spent: dict[str, list[float]] = defaultdict(list)  # by rule
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
        elif found := STARTED.match(line):
            self.running[found[1]] = self.clock()
        elif found := FINISHED.match(line):
            return self._finished(*found.groups())
        return []

    def _finished(self, job: str, rule: str) -> list[str]:
        if job in self.running:
            self.spent[rule].append(self.clock() - self.running.pop(job))
        self.left[rule] -= rule in self.left
        shown = self._stages()
        if stage_of(rule) == "Notebooks" and not self.page:
            self.page = True
            shown.insert(0, f"A first page to read: figures/notebooks/{rule.removeprefix('notebook_')}.html")
        return shown

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
        """All jobs of the build on its cores, less what those that ended or run have taken."""
        rules = [rule for rule, count in self.left.items() if count]
        seconds = [self._seconds(rule) for rule in rules]
        if None in seconds:
            return "time left not known yet"
        work = sum(seconds) - sum(sum(self.spent[rule]) for rule in rules)
        work -= sum(self.clock() - began for began in self.running.values())
        return f"{_minutes(max(work, 0) / self.cores)} left"

    def _seconds(self, rule: str) -> float | None:
        """Of all jobs of a rule: as expected, by the pace of the rules that are through, but no less than those that ended.

        The jobs that ended alone would promise too much, since the shortest end first. What nobody expects takes as long
        as they did, or as any job.
        """
        ended = self.spent[rule]
        through = [
            name for name, times in self.spent.items() if times and name in self.expected and not self.left[name]
        ]
        should = sum(len(self.spent[name]) * self.expected[name] for name in through)
        pace = sum(sum(self.spent[name]) for name in through) / should if should else 1
        if rule in self.expected:
            each = max(self.expected[rule] * pace, fmean(ended or [0]))
        elif others := ended or sum(self.spent.values(), []) or [*self.expected.values()]:
            each = fmean(others)
        else:
            return None
        return (self.left[rule] + len(ended)) * each


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
        """Let what others print begin on a line of its own."""
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
