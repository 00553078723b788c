"""Executing a notebook's cells in this process: papermill's own engine would start a second Python for them.

A job executes one notebook, so each still has a process of its own; and where the job is killed, its cells end with it.
"""

import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from io import TextIOBase
from typing import Any

import pandas as pd
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.pylabtools import select_figure_formats
from nbformat import NotebookNode
from nbformat.v4 import new_output
from papermill.engines import Engine, NotebookExecutionManager, papermill_engines
from traitlets.config import Config

ENGINE = "shell"
_COLUMNS = 20  # of a table printed as text; pandas sets this itself where it is imported by a kernel
ERRORS = (UserWarning, RuntimeWarning)  # warnings that stop a notebook


class _Displayed(DisplayPublisher):
    """What a cell displays, as an output of the cell."""

    def publish(self, data: dict[str, Any], metadata: dict[str, Any] | None = None, **_: Any) -> None:
        shown = new_output("display_data", data=data, metadata=metadata or {})
        self.shell.outputs.append(shown)


class _Result(DisplayHook):
    """The value of a cell's last line, as an output of the cell."""

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        result = new_output(
            "execute_result",
            execution_count=self.prompt_count,
            data=format_dict,
            metadata=md_dict or {},
        )
        self.shell.outputs.append(result)

    def finish_displayhook(self) -> None:
        pass


class _Printed(TextIOBase):
    """What a cell prints, as an output of the cell; what it prints in pieces is one output."""

    def __init__(self, name: str, outputs: list[NotebookNode]) -> None:
        self.name, self.outputs = name, outputs

    def write(self, text: str) -> int:
        if not self.outputs or self.outputs[-1].get("name") != self.name:
            self.outputs.append(new_output("stream", name=self.name, text=""))
        self.outputs[-1].text += text
        return len(text)


class Shell(InteractiveShell):
    """IPython without a terminal: everything that a cell shows becomes an output of `outputs`, in order."""

    displayhook_class = _Result
    display_pub_class = _Displayed
    outputs: list[NotebookNode]

    def enable_gui(self, gui: str | None = None) -> None:
        """Nothing: figures are outputs, and no window shows them."""

    def init_virtualenv(self) -> None:
        """Nothing: IPython would import from another environment that the user's terminal has activated."""

    def atexit_operations(self) -> None:
        """Nothing: IPython would delete what the cells have made, and look for garbage, in a process that ends."""

    def _showtraceback(self, etype: type, evalue: BaseException, stb: list[str]) -> None:
        failed = new_output(
            "error",
            ename=etype.__name__,
            evalue=str(evalue),
            traceback=stb,
        )
        self.outputs.append(failed)

    def execute(self, cell: NotebookNode) -> bool:
        """Run a code cell and fill in its outputs and its number; whether it succeeded."""
        self.outputs = cell.outputs
        cell.execution_count = self.execution_count
        printed = _Printed("stdout", cell.outputs)
        warned = _Printed("stderr", cell.outputs)
        with redirect_stdout(printed), redirect_stderr(warned):
            done = self.run_cell(cell.source, store_history=True)
        for output in cell.outputs:
            if output.get("name") == "stderr":
                sys.stderr.write(output.text)  # the job's log
        return done.success


class ShellEngine(Engine):
    """The engine of papermill that executes cells in this process."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: NotebookExecutionManager, kernel_name: str, **_: Any) -> None:
        """Execute the code cells in order, until one fails: papermill then raises its error."""
        shell = Shell.instance(config=Config(HistoryManager={"enabled": False}))
        shell.enable_matplotlib("inline")
        select_figure_formats(shell, {"png"}, bbox_inches="tight")  # the line above does so once in a process only
        try:
            with warnings.catch_warnings(), pd.option_context("display.max_columns", _COLUMNS):
                for category in ERRORS:
                    warnings.simplefilter("error", category)
                for cell in nb_man.nb.cells:
                    runs = cell.cell_type == "code" and cell.source.strip()
                    if runs and not shell.execute(cell):
                        break
        finally:
            shell.restore_sys_module_state()
            Shell.clear_instance()


papermill_engines.register(ENGINE, ShellEngine)
