import pytest
from support import ROOT

from modadd.planning.outputs import write_config
from modadd.planning.yaml_files import read_yaml
from modadd.run.project import copy_if_new, copy_project, project_files


@pytest.fixture
def project(tmp_path):
    """A small project outside any clone, with something built in it."""
    files = {
        "LICENSE": "Permission ...",
        ".gitignore": "results/\nfigures/*\n!figures/README.md\n",
        "code/run.py": "print(1)\n",
        "figures/README.md": "built",
        "figures/built.svg": "<svg/>",
        "results/values.json": "{}",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    return tmp_path


def test_outside_a_clone_the_files_of_a_project_are_those_that_are_not_ignored(project):
    assert project_files(project) == [
        *(".gitignore", "LICENSE", "code/run.py", "figures/README.md", "picture.png"),
    ]


def test_in_a_clone_they_are_the_tracked_ones():
    files = project_files(ROOT)
    assert "workflow/Snakefile" in files and "figures/README.md" in files
    assert not any(name.startswith(("results/", ".git/", ".venv/")) for name in files)


def test_a_copy_keeps_the_time_of_what_is_the_same(project, tmp_path_factory):
    copy = tmp_path_factory.mktemp("copy")
    copy_project(project, copy)
    before = (copy / "LICENSE").stat().st_mtime_ns
    copy_if_new(project / "LICENSE", copy / "LICENSE")
    assert (copy / "LICENSE").stat().st_mtime_ns == before
    (project / "LICENSE").write_text("MIT")
    copy_project(project, copy)
    assert (copy / "LICENSE").read_text() == "MIT" and not (copy / "results").exists()


def test_a_copy_loses_the_files_that_the_project_no_longer_has_and_no_other(project, tmp_path_factory):
    copy = tmp_path_factory.mktemp("copy")
    copy_project(project, copy)
    (copy / "build.log").write_text("made in the copy")
    (project / "code/run.py").rename(project / "code/go.py")
    copy_project(project, copy)
    assert [path.name for path in (copy / "code").iterdir()] == ["go.py"] and (copy / "build.log").exists()


def test_a_config_names_published_weights_by_absolute_paths(project, monkeypatch):
    monkeypatch.chdir(project)
    write_config({"datasets": {"b": {}, "a": {}, "z": {"path": "w.pt"}}}, project / "config.yaml")
    config = read_yaml(project / "config.yaml")
    assert config["datasets"]["z"]["path"] == str(project / "w.pt")
    assert list(config["datasets"]) == ["b", "a", "z"], "the order of the networks on the page"
