"""The project itself: its files, its commit, the machine it runs on, and the workflow run in a copy."""

import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from modadd.core.files import write_whole
from modadd.core.processor import processor

PACKAGES = ("torch", "numpy", "scipy", "numba", "pandas", "matplotlib", "snakemake")  # those that decide what is built


def provenance() -> dict[str, str]:
    """Commit of the code (with "-dirty" if it was changed since), versions, system, processor."""
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
    }


def _commit() -> str:
    """What git calls this state of the code; where it cannot tell, as in an archive, "unknown" and why."""
    try:
        return _git("describe", "--always", "--dirty", "--abbrev=12", folder=Path(__file__).parent).strip()
    except ValueError as error:
        return f"unknown: {error}"


def _git(*arguments: str, folder: Path) -> str:
    """What git answers in a folder, also in a clone of another user: who runs the code of a clone trusts it already.

    Raises ValueError, one line, with the reason why git does not answer.
    """
    try:
        done = subprocess.run(
            ["git", "-c", "safe.directory=*", *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=True
        )
    except FileNotFoundError:
        raise ValueError("git is not installed") from None
    except subprocess.CalledProcessError as error:
        first, *_ = [*error.stderr.strip().splitlines(), f"status {error.returncode}"]
        raise ValueError(f"git says '{first}'") from error
    return done.stdout


# Set by a workflow for its own jobs or by its user; a workflow in another folder has its own.
NOT_INHERITED = ("PYTHONPATH", "SNAKEMAKE_PROFILE")


def project_files(root: Path) -> list[str]:
    """Files, relative to `root`, that a clone would hold: in a clone the tracked ones, elsewhere those not ignored.

    Raises ValueError without git, which also says outside a clone what .gitignore means.
    """
    if shutil.which("git") is None:
        raise ValueError("git is needed to separate the project's files from built ones")
    try:
        found = _listed(root, "--cached")
    except ValueError:  # no clone
        found = []
    if not found:
        with tempfile.TemporaryDirectory() as empty:
            _git("init", "-q", "--bare", empty, folder=root)
            found = _listed(root, "--others", "--exclude-per-directory=.gitignore", repository=Path(empty))
    return sorted(name for name in found if (root / name).is_file())


def _listed(root: Path, *options: str, repository: Path | None = None) -> list[str]:
    where = [f"--git-dir={repository}", f"--work-tree={root.resolve()}"] if repository else []
    return list(filter(None, _git(*where, "ls-files", "-z", *options, folder=root).split("\0")))


COPIED = Path(".snakemake/copied")  # in a copy: the names of its files


def copy_project(root: Path, folder: Path) -> None:
    """Copy the project's files; those that are the same keep their time, so that nothing is rebuilt for them.

    Files of an earlier copy that the project no longer has are deleted.
    """
    names, listing = project_files(root), folder / COPIED
    if listing.exists():
        for gone in {*listing.read_text(encoding="utf-8").splitlines()} - {*names}:
            (folder / gone).unlink(missing_ok=True)
    write_whole(listing, "\n".join(names).encode())
    for name in names:
        copy_if_new(root / name, folder / name)


def copy_if_new(source: Path, target: Path) -> None:
    """Copy a file, dated now, unless its content is there already."""
    content = source.read_bytes()
    if not target.exists() or target.read_bytes() != content:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(source.stat().st_mode & 0o777)


PLUGINS = Path(__file__).parents[3] / "plugins"  # of Snakemake, which finds them on the path of Python


def run_snakemake(folder: Path, *arguments: str, log: Path, show: bool = False, verbose: bool = False) -> bool:
    """Run the workflow of a folder; True if it succeeded. Its words go to the log.

    If `show`, its stages are shown as they proceed; if `verbose`, all its words instead. An interrupt is raised again
    when Snakemake, which the terminal interrupts too, has ended.
    """
    stages = show and not verbose
    own = {"PYTHONPATH": str(PLUGINS)} if stages else {}
    inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    line = [sys.executable, "-m", "snakemake", *arguments, *(["--logger", "stages"] if stages else [])]
    # The stages go to this process's own output, which may be a terminal.
    output = {"stderr": subprocess.PIPE} if stages else {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    text = {"encoding": "utf-8", "errors": "replace"}
    with (
        open(log, "w", buffering=1, encoding="utf-8") as everything,
        subprocess.Popen(line, cwd=folder, env=inherited | own, **output, **text) as process,
        _termination_of(process),
    ):
        words = process.stderr if stages else process.stdout
        try:
            for said in words:
                everything.write(said)
                if verbose:
                    print(said, end="", flush=True)
        except KeyboardInterrupt:
            everything.writelines(words)
            process.wait()
            raise
    return process.returncode == 0


@contextmanager
def _termination_of(process: subprocess.Popen) -> Iterator[None]:
    """Let what would end this process (kill, a container's stop) end that one, and so this one after it."""
    before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
