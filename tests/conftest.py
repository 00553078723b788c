"""What a process of pytest does before it reads a test."""

import os
from pathlib import Path

from modadd.core.bits import job_variables, with_first

WORKFLOW = Path(__file__).parents[1] / "workflow"
CODE = (WORKFLOW.parent / "src", WORKFLOW / "scripts", WORKFLOW)

os.environ.update(job_variables())  # as every job of the workflow; before NumPy is imported
# For every process that a test starts: compiled modules are kept, and the library is that of this folder.
os.environ.update({"PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": with_first(os.pathsep.join(map(str, CODE)))})
# Where a test reads the rules in this process, IPython keeps its settings here from then on, and warns if it cannot.
(Path(__file__).parents[1] / ".snakemake/cache").mkdir(parents=True, exist_ok=True)


def pytest_configure(config):
    """Fixtures load the whole library, which takes seconds: not where a process only shares the tests out among others."""
    shares_out = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if not shares_out:
        config.pluginmanager.import_plugin("shared_fixtures")


def pytest_collection_modifyitems(items):
    """The longest files first: each is the work of one process (`--dist loadfile`), and the others fill the rest.

    The first process builds the smoke config; while it does, the others do what needs no build, then what needs this one.
    """
    longest = (
        "test_workflow test_elsewhere test_mainline test_worked_changes test_witnesses test_commands test_coq "
        "test_one_claim_checked test_dropped_study test_ensembles test_edits test_empty_populations test_killed_training "
        "test_one_notebook test_copies test_explorer_time"
    ).split()
    items.sort(key=lambda item: longest.index(item.path.stem) if item.path.stem in longest else len(longest))
