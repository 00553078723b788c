"""The files for hosted machines, for the workflow catalog and for containers say what the project itself says."""

import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from support import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = {*re.findall(r"^([a-z]+):", MAKEFILE, re.M), ".venv/ready"}
HOSTED = {path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github/workflows").glob("*.yml")}
CHECKS, PAGES = HOSTED["checks"]["jobs"]["checks"], HOSTED["pages"]["jobs"]["pages"]
STEPS = {step.get("uses", "").split("@")[0] or step["name"]: step for step in CHECKS["steps"]}
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def make_targets(text: str) -> set[str]:
    """What `make` is asked for at the ends of lines."""
    return set(re.findall(r"\bmake ([\w./]+)$", text, re.M))


@pytest.mark.parametrize("job", [CHECKS, PAGES], ids=["checks", "pages"])
def test_actions_are_pinned_by_full_versions(job: dict) -> None:
    uses = [step["uses"] for step in job["steps"] if "uses" in step]
    assert uses and all(re.fullmatch(r"actions/[a-z-]+@v\d+\.\d+\.\d+", action) for action in uses)


def test_python_is_the_one_of_the_environment() -> None:
    version = STEPS["actions/setup-python"]["with"]["python-version"]
    assert f"python ={version}" in yaml.safe_load((ROOT / "envs/environment.yaml").read_text())["dependencies"]
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"] == f">={version}"


@pytest.mark.parametrize("step", [name for name, step in STEPS.items() if "run" in step])
def test_commands_of_the_steps_are_there(step: str) -> None:
    for line in STEPS[step]["run"].splitlines():
        program, *words = shlex.split(line)
        if program == "make":
            assert {*words} <= TARGETS, f"{line}: expected one of {', '.join(sorted(TARGETS))}"
        elif program != "git":
            assert program.startswith(".venv/bin/") and Path(sys.executable).with_name(Path(program).name).exists(), (
                line
            )


def test_unit_tests_run_as_make_test_runs_all() -> None:
    command = re.search(r"^test:.*\n\t\$\(VENV\)/(.+)$", MAKEFILE, re.M)[1]
    assert STEPS["Unit tests"]["run"] == f".venv/{command} tests/unit" and (ROOT / "tests/unit").is_dir()


def test_the_page_is_where_the_smoke_build_puts_it() -> None:
    folder = re.search(r'"--folder".*Path\("(.+?)"\)', (ROOT / "workflow/tools/smoke.py").read_text())[1]
    last = CHECKS["steps"][-1]["with"]["path"].split()
    assert last[0] == f"{folder}/figures" and all(path.startswith(f"{folder}/") for path in last)


def test_the_pages_are_a_full_build_with_page_and_explorer() -> None:
    runs = [step["run"] for step in PAGES["steps"] if "run" in step]
    assert runs == ["make"] and re.search(r"^\.DEFAULT_GOAL := all$", MAKEFILE, re.M)
    (published,) = (step["with"]["path"] for step in PAGES["steps"] if "upload-pages-artifact" in step.get("uses", ""))
    assert published == "figures" and "figures/index.html" in (ROOT / "workflow/rules/targets.smk").read_text()
    versions = {job["steps"][1]["with"]["python-version"] for job in (CHECKS, PAGES)}
    assert len(versions) == 1
    assert PAGES["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}


def test_the_catalog_finds_what_it_asks_for() -> None:
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["report"] and (ROOT / "workflow/Snakefile").exists() and (ROOT / "config/README.md").exists()


def test_the_image_is_made_by_make_from_what_a_clone_holds() -> None:
    assert ".venv/ready" in make_targets(DOCKERFILE) <= TARGETS
    ignored, left_out = ((ROOT / name).read_text().split() for name in (".gitignore", ".dockerignore"))
    assert [line.removesuffix("/") for line in ignored] == [line.removeprefix("**/") for line in left_out]
