"""Builds elsewhere: `snakemake --directory`, the workflow as a module, a Python that may not keep modules compiled."""

import pytest
from support import SMOKE, copy_tree, jobs_of, snakemake

MODULE = """
configfile: "{project}/config/config.yaml"

module modadd:
    snakefile: "{project}/workflow/Snakefile"
    config: config

use rule * from modadd
"""


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
    snakemake(project, "write_captions", "--cores", "1", *call)
    assert list((tmp_path / "results/captions/phases").glob("*.rst"))
    assert not list((project / "results").rglob("*.rst")), "nothing is written beside the project's own files"


def test_a_config_of_the_folder_takes_the_place_of_the_projects(project, tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_text("scale: huge\n")
    refused = snakemake(project, "--dry-run", "--directory", str(tmp_path), check=False)
    assert "config: top level: key 'datasets' is missing" in refused


def test_another_workflow_has_it_as_a_module(project, planned, tmp_path):
    (tmp_path / "Snakefile").write_text(MODULE.format(project=project))
    plan = snakemake(tmp_path, "--dry-run", "--configfile", str(project / SMOKE[1]), "--", "all")
    assert jobs_of(plan) == planned


def test_jobs_keep_the_library_compiled_where_the_users_python_may_not(tmp_path, monkeypatch):
    project = copy_tree(tmp_path / "project")
    for compiled in project.rglob("*.pyc"):
        compiled.unlink()
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    snakemake(project, "write_captions", "--cores", "1", *SMOKE)
    assert list((project / "workflow/scripts/modadd").rglob("*.pyc"))
