"""The steps of CONTRIBUTING.md, done in a copy of the project with the code and the commands of that page."""

import json
import re
import shutil
import textwrap

import pytest
from pages import blocks, run, section_of
from support import LEDGER, ROOT, copy_tree, project_files

from modadd.ledger.entries import read_ledger
from modadd.ledger.verdicts import NOT_JUDGED, OURS_FAILS, OURS_HOLDS, judge
from modadd.planning.yaml_files import read_yaml

PAGE = "CONTRIBUTING.md"
PUBLISHED = {"accuracy": 1.0, "steps": 10_000, "deviations": {}}  # the standing of a network trained by its recipe


def indented(block, spaces=2):
    """A block of a list or mapping as deep as the ledger and the config have it."""
    return textwrap.indent(block, " " * spaces)


def changed(folder):
    """Files of the project that are not as they are here."""
    return {name for name in project_files() if (folder / name).read_bytes() != (ROOT / name).read_bytes()}


@pytest.fixture
def project(tmp_path):
    """A copy of the project."""
    return copy_tree(tmp_path / "project")


def test_adding_a_claim_touches_one_notebook_and_what_stands_beside_it(smoke_build, tmp_path):
    project = shutil.copytree(smoke_build, tmp_path / "project")
    notebook, question = project / "notebooks/quadrature/phases.py", project / "notebooks/quadrature/phases.yaml"
    (line,), (entry,), (commands,) = (blocks(PAGE, "Add a claim", language) for language in ("python", "yaml", "bash"))
    before = notebook.read_text(encoding="utf-8")
    notebook.write_text(before.replace("\n}\nrecord(", f"\n    {line}}}\nrecord("), encoding="utf-8")
    question.write_text(question.read_text(encoding="utf-8") + indented(entry), encoding="utf-8")
    for command in commands.splitlines():
        run(project, command)
    assert changed(project) == {"notebooks/quadrature/phases.py", "notebooks/quadrature/phases.yaml"}

    old, new = LEDGER, read_ledger(project)
    (claim,) = (claim for claim in new["claims"] if claim not in old["claims"])
    assert new["notebooks"] == old["notebooks"] and len(new["claims"]) == len(old["claims"]) + 1
    recorded = json.loads((project / "results/values/phases.json").read_text())
    measured = recorded["values"][claim["value"]]
    stopped_early = judge(claim, recorded, "laptop")
    assert stopped_early.verdict == NOT_JUDGED and "100 steps" in stopped_early.note
    judged = judge(claim, recorded | {"network": PUBLISHED}, "laptop")
    assert judged.measured == measured > 0
    assert judged.verdict == (OURS_HOLDS if measured >= claim["threshold"] else OURS_FAILS)


def test_adding_a_network_gives_an_existing_notebook_another_target(project):
    study, question = blocks(PAGE, "Add a network", "yaml")
    commands, _ = blocks(PAGE, "Add a network", "bash")
    config, added = project / "config/config.yaml", "notebooks/quadrature/phases_50.yaml"
    before, entry = config.read_text(encoding="utf-8"), "  pizza_transformer:\n    seeds: [0]\n"
    assert before.count(entry) == 1
    config.write_text(before.replace(entry, indented(study)), encoding="utf-8")
    (project / added).write_text(question, encoding="utf-8")
    build = commands.splitlines()[0]
    plan = run(project, f"{build} --dry-run")
    assert "Executing notebooks/quadrature/phases.py on pizza_transformer/seed50" in plan
    assert re.search(r"^train_network +1$", plan, re.M) and "notebook_phases_50" in plan
    assert read_ledger(project)["notebooks"]["phases_50"]["source"] == "phases"
    assert read_yaml(config)["datasets"]["pizza_transformer"]["seeds"] == [0, 50]
    assert changed(project) == {"config/config.yaml"} and not (ROOT / added).exists(), "one file is changed, one added"


def test_adding_a_study_names_places_that_exist():
    section = section_of(PAGE, "Add a study")
    missing = {"ARCHITECTURES", "INITIALISATIONS", "SPLITS", "RECIPES", "COLUMNS", "NATIVE_LOGITS", "small"}
    for step in re.split(r"\n\d\. |; ", section):
        files = re.findall(r"`([\w/]+\.py)`:", step)
        for name in re.findall(r"`(\w+)`", step) if files else []:
            text = (ROOT / files[0]).read_text(encoding="utf-8")
            assert re.search(rf"^(def )?{name}\b", text, re.M), f"{files[0]} has no {name}"
            missing.discard(name)
    assert not missing, f"CONTRIBUTING.md no longer names {missing}"
