"""The code of jobs as checksums, which the rules hand to Snakemake: where it changes, a job runs again."""

from functools import cache

from modadd.core.code import FOLDERS, code_behind
from modadd.core.files import ROOT, in_project

FOLDERS["paper"] = ROOT / "workflow"
ENVIRONMENT = (
    "src/modadd/core/bits.py",
    "workflow/paper/environment.py",
)  # they decide the floats of every job


@cache  # a rule asks for each of its jobs
def code_of(*files: str) -> str:
    """The checksum of the code of a job: of the files that it runs, named from the project's root, and what these import."""
    return code_behind(*(in_project(file) for file in (*ENVIRONMENT, *files)))


@cache
def require_python(file: str) -> None:
    """Raise ValueError, one line, for a file that is not Python; one whose code was taken apart before is not parsed again."""
    try:
        code_behind(file)
    except SyntaxError as error:
        raise ValueError(f"{file}: not Python: {error.msg} in {(error.text or '').strip()!r}") from error
