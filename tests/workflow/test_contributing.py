"""The steps of CONTRIBUTING.md, done in a copy of the project with the code and the commands of that page."""

import json
import re
import shutil
import textwrap

import pytest
from pages import blocks, run, section_of
from support import LEDGER_SCHEMA, ROOT, copy_tree, project_files

from modadd.ledger.entries import read_ledger
from modadd.ledger.verdicts import NOT_JUDGED, OURS_FAILS, OURS_HOLDS, judge
from modadd.run.yaml_files import read_yaml

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


def test_adding_a_claim_touches_one_notebook_and_one_entry(smoke_build, tmp_path):
    project = shutil.copytree(smoke_build, tmp_path / "project")
    notebook, ledger = project / "notebooks/quadrature/phases.py", project / "data/claims.yaml"
    (line,), (entry,), (commands,) = (blocks(PAGE, "Add a claim", language) for language in ("python", "yaml", "bash"))
    before = notebook.read_text(encoding="utf-8")
    notebook.write_text(before.replace("\n}\nrecord(", f"\n    {line}}}\nrecord("), encoding="utf-8")
    ledger.write_text(ledger.read_text(encoding="utf-8") + indented(entry), encoding="utf-8")
    for command in commands.splitlines():
        run(project, command)
    assert changed(project) == {"notebooks/quadrature/phases.py", "data/claims.yaml"}

    old, new = read_ledger(ROOT / "data/claims.yaml", LEDGER_SCHEMA), read_ledger(ledger, LEDGER_SCHEMA)
    assert new["notebooks"] == old["notebooks"] and new["claims"][:-1] == old["claims"]
    claim = new["claims"][-1]
    recorded = json.loads((project / "results/values/phases.json").read_text())
    measured = recorded["values"][claim["value"]]
    stopped_early = judge(claim, recorded, "laptop")
    assert stopped_early.verdict == NOT_JUDGED and "100 steps" in stopped_early.note
    judged = judge(claim, recorded | {"network": PUBLISHED}, "laptop")
    assert judged.measured == measured > 0
    assert judged.verdict == (OURS_HOLDS if measured >= claim["threshold"] else OURS_FAILS)


def test_adding_a_network_gives_an_existing_notebook_another_target(project):
    study, notebook, claim = blocks(PAGE, "Add a network", "yaml")
    commands, _ = blocks(PAGE, "Add a network", "bash")
    config, ledger = project / "config/config.yaml", project / "data/claims.yaml"
    before, entry = config.read_text(encoding="utf-8"), "  pizza_transformer:\n    seeds: [0]\n"
    assert before.count(entry) == 1
    config.write_text(before.replace(entry, indented(study)), encoding="utf-8")
    before = ledger.read_text(encoding="utf-8")
    text = before.replace("\nclaims:\n", f"\n{indented(notebook)}\nclaims:\n") + indented(claim)
    ledger.write_text(text, encoding="utf-8")
    build = commands.splitlines()[0]
    plan = run(project, f"{build} --dry-run")
    assert "Executing notebooks/quadrature/phases.py on pizza_transformer/seed50" in plan
    assert re.search(r"^train_network +1$", plan, re.M) and "notebook_phases_50" in plan
    assert read_ledger(ledger, LEDGER_SCHEMA)["notebooks"]["phases_50"]["source"] == "phases"
    assert read_yaml(config)["studies"]["pizza_transformer"]["seeds"] == [0, 50]
    assert changed(project) == {"config/config.yaml", "data/claims.yaml"}


def test_adding_a_study_names_places_that_exist():
    section = section_of(PAGE, "Add a study")
    missing = {"ARCHITECTURES", "INITIALISATIONS", "SPLITS", "RECIPES", "MODULES", "NATIVE_LOGITS", "small"}
    for step in re.split(r"\n\d\. |; ", section):
        files = re.findall(r"`([\w/]+\.py)`:", step)
        for name in re.findall(r"`(\w+)`", step) if files else []:
            text = (ROOT / files[0]).read_text(encoding="utf-8")
            assert re.search(rf"^(def )?{name}\b", text, re.M), f"{files[0]} has no {name}"
            missing.discard(name)
    assert not missing, f"CONTRIBUTING.md no longer names {missing}"
