"""A logger plugin of Snakemake that shows a build as the progress of its stages (`snakemake --logger stages`)."""

import sys
from collections import Counter
from logging import LogRecord

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

STAGES = {  # by the beginnings of the names of rules, in the order of a build; "" takes what is left
    "Networks": ("train_", "import_"),
    "Populations": ("measure_", "gather_", "choose_", "prove_", "check_"),
    "Notebooks": ("notebook_",),
    "Pages": ("",),
}


def stage_of(rule: str) -> str:
    """The stage that a rule belongs to."""
    return next(stage for stage, beginnings in STAGES.items() if rule.startswith(beginnings))


class LogHandler(LogHandlerBase):
    """Bars on a terminal; elsewhere, as in the log of a CI, a line when a stage is through.

    What Snakemake itself says goes to stderr as without this plugin.
    """

    writes_to_stream = False  # not to stderr, which is what Snakemake asks here
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        columns = TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        self.console = Console(file=sys.stdout)
        self.progress = Progress(*columns, console=self.console, disable=not self.console.is_terminal)
        self.tasks: dict[str, TaskID] = {}
        self.rules: dict[int, str] = {}  # of the jobs that began

    def emit(self, record: LogRecord) -> None:
        """Take notice of the plan, of a job that begins, and of one that ends."""
        match getattr(record, "event", None):
            case LogEvent.RUN_INFO:
                self._begin(record.stats)
            case LogEvent.JOB_INFO:
                self.rules[record.jobid] = record.rule_name
            case LogEvent.JOB_FINISHED:
                self._finish(self.rules.get(record.job_id, "all"))

    def _begin(self, jobs_of: dict[str, int]) -> None:
        counts: Counter[str] = Counter()
        for rule, jobs in jobs_of.items():
            if rule not in ("all", "total"):  # they make nothing
                counts[stage_of(rule)] += jobs
        for stage in STAGES:
            if counts[stage]:
                self.tasks[stage] = self.progress.add_task(stage, total=counts[stage])
        self.progress.start()

    def _finish(self, rule: str) -> None:
        if rule == "all":
            return
        task = self.progress.tasks[self.tasks[stage_of(rule)]]
        self.progress.advance(task.id)
        if task.finished and not self.console.is_terminal:
            minutes, seconds = divmod(int(task.elapsed), 60)
            self.console.print(
                f"{task.description} {task.completed:.0f} of {task.total:.0f} after {minutes}:{seconds:02}"
            )

    def close(self) -> None:
        """Leave the bars as they are."""
        self.progress.stop()
        super().close()
