"""Builds elsewhere: any path, `--directory`, the workflow as a module, other environments, a project that is read-only."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support import ROOT, SMOKE, command, copy_tree, jobs_of, snakemake

MODULE = """
configfile: "{project}/config/config.yaml"

module modadd:
    snakefile: "{project}/workflow/Snakefile"
    config: config

use rule * from modadd
"""


def module_in(folder, project):
    """A workflow that has this one as a module, with the project's config."""
    (folder / "Snakefile").write_text(MODULE.format(project=project))


NETWORK = "results/networks/tiny/seed1.safetensors"
RECIPE = {"recipe": "pizza_transformer", "modulus": 7, "d_model": 8, "d_mlp": 16, "steps": 2}
DATASETS = {"tiny": RECIPE | {"seeds": [1], "snapshots": 2}}
TINY = (NETWORK, "--cores", "1", "--config", f"datasets={json.dumps(DATASETS)}")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with nothing built in it."""
    return copy_tree(tmp_path_factory.mktemp("elsewhere") / "project")


@pytest.fixture(scope="module")
def planned(project):
    """The rules of a build in the project's own folder."""
    return jobs_of(snakemake(project, "--dry-run", "all", *SMOKE))


def test_an_empty_folder_is_built_in_from_the_projects_own_files(project, planned, tmp_path):
    call = ("--directory", str(tmp_path), *SMOKE)
    assert jobs_of(snakemake(project, "--dry-run", *call)) == planned
    snakemake(project, *TINY, "--directory", str(tmp_path))
    assert (tmp_path / NETWORK).exists()
    assert not (project / "results").exists(), "nothing is written beside the project's own files"


def test_a_config_of_the_folder_takes_the_place_of_the_projects_and_a_bad_one_is_told_in_one_line(project, tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_text("scale: huge\n")
    refused = snakemake(project, "--dry-run", "--directory", str(tmp_path), check=False)
    assert (
        len([line for line in refused.splitlines() if "top level: 'datasets' is a required property" in line]) == 1
    ), refused
    assert "Job stats" not in refused and "Traceback" not in refused


def test_another_workflow_has_it_as_a_module(project, planned, tmp_path):
    module_in(tmp_path, project)
    plan = snakemake(tmp_path, "--dry-run", "--configfile", str(project / SMOKE[1]), "--", "all")
    assert jobs_of(plan) == planned


READ = """
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from pathlib import Path
from snakemake.api import ConfigSettings, DAGSettings, OutputSettings, ResourceSettings, SnakemakeApi
for interpreter, settings in eval(sys.argv[1]):
    sys.executable = interpreter
    with SnakemakeApi(OutputSettings()) as api:
        settings = ResourceSettings(cores=1, **settings)
        read = api.workflow(settings, ConfigSettings(), snakefile=Path("Snakefile").resolve())
        read.dag(DAGSettings())
        print("GPUs:", read._workflow.global_resources.get("gpu").value)
"""


def test_jobs_use_a_gpu_of_this_machine_only_if_told_and_a_cluster_is_refused_an_interpreter_with_a_blank():
    """Here, here as somebody says, and on a cluster; the last call is refused."""
    calls = [(sys.executable, settings) for settings in ({}, {"resources": {"gpu": 2}}, {"nodes": 5})]
    calls.append(("/a folder/python", {"nodes": 5}))
    done = subprocess.run([sys.executable, "-c", READ, repr(calls)], cwd=ROOT, capture_output=True, text=True)
    assert [line for line in done.stdout.splitlines() if line.startswith("GPUs: ")] == [
        *("GPUs: 0", "GPUs: 2", "GPUs: None")
    ], done.stdout + done.stderr
    assert done.returncode and "/a folder/python: Snakemake hands the path of the interpreter" in done.stderr


def test_a_module_by_its_path_trains_on_the_cpu_where_nobody_speaks_of_gpus(project, tmp_path):
    module_in(tmp_path, project)
    snakemake(tmp_path, *TINY)
    assert (tmp_path / NETWORK).stat().st_size and not (project / NETWORK).exists()
    assert "on cpu" in (tmp_path / "results/logs/train_network/tiny/seed1.log").read_text(encoding="utf-8")


# Hides every package that Snakemake and snakefmt do not bring along, as if nothing else were installed.
LEAN = """
import pkgutil, re, sys
from importlib.machinery import PathFinder
from importlib.metadata import distribution, packages_distributions
from packaging.requirements import Requirement
kept, waiting = set(), ["snakemake", "snakefmt"]
while waiting:
    name = re.sub("[-_.]+", "-", waiting.pop()).lower()
    if name not in kept:
        kept.add(name)
        needed = map(Requirement, distribution(name).requires or [])
        waiting += [one.name for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
def brings(owner):
    return re.sub("[-_.]+", "-", owner).lower() in kept
hidden = {top for top, owners in packages_distributions().items() if not any(map(brings, owners))}
listed = pkgutil.iter_modules
pkgutil.iter_modules = lambda *where: (one for one in listed(*where) if one.name not in hidden)
class Lean(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in hidden else PathFinder.find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(PathFinder)] = Lean
"""


@pytest.fixture
def lean(tmp_path, monkeypatch):
    """An environment that holds only Snakemake and snakefmt."""
    (tmp_path / "sitecustomize.py").write_text(LEAN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def test_where_only_snakemake_is_installed_one_line_says_what_is_missing(project, lean):
    said = snakemake(project, *TINY, check=False)
    assert len([line for line in said.splitlines() if "is missing in" in line and "make .venv/ready" in line]) == 1
    assert "Traceback" not in said, said


def environment_in(folder: Path, python: str) -> str:
    """The interpreter of a new environment with all packages of this one."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    interpreter = str(folder / "bin/python")
    told = [interpreter, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(told, capture_output=True, text=True, check=True).stdout.strip()
    with open(f"{packages}/all.pth", "w", encoding="utf-8") as listed:
        listed.writelines(f"{folder}\n" for folder in sys.path if folder.endswith("site-packages"))
    return interpreter


def test_a_build_needs_neither_a_plain_path_nor_leave_to_compile(tmp_path):
    """Environment and project in a folder of this name; Python is told to compile nothing."""
    project = copy_tree(tmp_path / "a folder é/it's $one")
    for compiled in project.rglob("*.pyc"):
        compiled.unlink()
    python = environment_in(project / ".venv", sys.executable)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1"}
    call = [python, *command(*TINY)[1:]]
    done = subprocess.run(call, cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and (project / NETWORK).stat().st_size, done.stdout + done.stderr
    assert list((project / "src/modadd").rglob("*.pyc")), "jobs keep the library compiled all the same"


def test_a_user_who_is_not_root_builds_from_a_project_that_nobody_may_write():
    """Root becomes another user, with the first Python of this version that this user may run with its packages."""
    user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] * (os.geteuid() == 0)
    system = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    with TemporaryDirectory() as both:
        Path(both).chmod(0o777)
        project, folder = copy_tree(Path(both) / "project"), Path(both) / "build"
        for number, python in enumerate((sys.executable, system)):
            interpreter = environment_in(Path(both) / f"python{number}", python)
            # By a shell: setpriv itself may still do what root may.
            imports = [*user, "sh", "-c", f"'{interpreter}' -c 'import snakemake'"]
            if subprocess.run(imports, stderr=subprocess.DEVNULL).returncode == 0:
                break
        else:
            pytest.skip("Python, or its packages, are where no other user than root may read")
        folder.mkdir()
        subprocess.run(["chmod", "-R", "a+rX,a-w", project], check=True)
        folder.chmod(0o777)
        call = [
            *user,
            interpreter,
            *command(*TINY)[1:],
            "--snakefile",
            str(project / "Snakefile"),
            "--directory",
            str(folder),
        ]
        done = subprocess.run(call, cwd=folder, env=os.environ | {"HOME": str(folder)}, capture_output=True, text=True)
        assert done.returncode == 0 and (folder / NETWORK).stat().st_size, done.stdout + done.stderr
        assert not (project / "results").exists(), "something was written there"
