"""The project's own files, without anything built: listing and copying them, and running the workflow in a copy."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

# Set by a workflow for its own jobs or by its user; a workflow in another folder has its own.
NOT_INHERITED = ("PYTHONPATH", "SNAKEMAKE_PROFILE")


def project_files(root: Path) -> list[str]:
    """Paths, relative to `root`, of the files that a clone would hold: in a clone the tracked ones, elsewhere those not ignored.

    Raises ValueError without git, which also says outside a clone what .gitignore means.
    """
    try:
        found = _listed(root, "--cached")
    except subprocess.CalledProcessError:
        found = []
    except FileNotFoundError:
        raise ValueError("git is needed to tell the project's files from those that are built") from None
    if not found:
        with tempfile.TemporaryDirectory() as empty:
            subprocess.run(["git", "init", "-q", "--bare", empty], check=True)
            found = _listed(root, "--others", "--exclude-per-directory=.gitignore", repository=Path(empty))
    return sorted(name for name in found if (root / name).is_file())


def _listed(root: Path, *options: str, repository: Path | None = None) -> list[str]:
    where = [f"--git-dir={repository}", f"--work-tree={root.resolve()}"] if repository else []
    command = ["git", *where, "ls-files", "-z", *options]
    listing = subprocess.run(command, cwd=root, capture_output=True, check=True)
    return list(filter(None, listing.stdout.decode().split("\0")))


def copy_project(root: Path, folder: Path) -> None:
    """Copy the project's files; those that are the same already keep their time, so that nothing is rebuilt for them."""
    for name in project_files(root):
        copy_if_new(root / name, folder / name)


def copy_if_new(source: Path, target: Path) -> None:
    """Copy a file, dated now, unless its content is there already."""
    content = source.read_bytes()
    if not target.exists() or target.read_bytes() != content:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(source.stat().st_mode & 0o777)


def write_config(config: dict[str, Any], path: Path) -> None:
    """Write a whole config as a file for --configfile; published weights are named by absolute paths, as they are not copied."""
    external = {
        name: {**entry, "path": os.path.abspath(entry["path"])}
        for name, entry in config.get("external_networks", {}).items()
    }
    path.write_text(yaml.safe_dump({**config, "external_networks": external}, sort_keys=False, allow_unicode=True))


def run_snakemake(folder: Path, *arguments: str, log: Path, show: Callable[[str], None] = lambda line: None) -> bool:
    """Run the workflow of a folder; True if it succeeded. Everything it prints goes to the log, its progress to `show`."""
    inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "cwd": folder, "env": inherited}
    with (
        open(log, "w", buffering=1) as everything,
        subprocess.Popen([sys.executable, "-m", "snakemake", *arguments], **options) as process,
    ):
        for line in process.stdout:
            everything.write(line)
            if " steps (" in line:
                show(line.strip())
    return process.returncode == 0
