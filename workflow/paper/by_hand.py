"""A notebook that is run by hand, in an editor, in Jupyter or as a script: it says so, and computes with the settings of a job."""

import os
import sys
from pathlib import Path

from IPython import get_ipython

from modadd.core.bits import FIGURE_FORMATS, job_variables
from modadd.core.files import ROOT

NOTEBOOKS = ROOT / "notebooks"
ON_TIME = "It computes with the settings of a job"
LATE = (
    "NumPy was imported before it could compute with the settings of a job, so last digits may differ: "
    "start it again, with `import paper.notebook` as the first line"
)


def is_by_hand() -> bool:
    """Whether this process is a notebook's, and no job of a build."""
    main = getattr(sys.modules["__main__"], "__file__", None)
    is_script = main is not None and NOTEBOOKS in Path(main).resolve().parents
    return FIGURE_FORMATS not in os.environ and (is_script or get_ipython() is not None)


def compute_as_a_job() -> str:
    """Take the variables of a job, and the project's folder in place of the notebook's own; gives the line that says so.

    Variables count for what is imported later. If NumPy was imported with others, a script starts again with these; a
    kernel and a script in a debugger go on as they are, and the line says that.
    """
    is_late = "numpy" in sys.modules and not job_variables().items() <= os.environ.items()
    os.environ.update(job_variables())
    if is_late and get_ipython() is None and sys.gettrace() is None:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    if NOTEBOOKS in (
        Path.cwd(),
        *Path.cwd().parents,
    ):  # where Jupyter starts it; files are named from the project's folder
        os.chdir(ROOT)
    place = Path.cwd() / "results/by_hand"
    return f"Run by hand: it writes to {place}, which no build reads. {LATE if is_late else ON_TIME}."


if is_by_hand():
    print(compute_as_a_job(), flush=True)
