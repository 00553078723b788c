"""A project of one notebook and one population: what is left to build, and what a second build finds that differs."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from support import SMOKE, jobs_of, paper, script, snakemake, variables


@pytest.fixture(scope="module")
def one_notebook(smoke_build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smoke build again, of a project with one notebook and the populations that it is judged on; its reference."""
    folder = shutil.copytree(smoke_build, tmp_path_factory.mktemp("one_notebook") / "project")
    for path in folder.glob("notebooks/*/*.yaml"):
        if path.stem != "phases":
            path.unlink()
    study = {
        "place": 0,
        "questions": {"how well": ["phases"]},
    }  # without a front: that shows figures of other notebooks
    (folder / "notebooks/quadrature/study.yaml").write_text(yaml.safe_dump(study))
    for name in ("config", "smoke"):
        config = yaml.safe_load((folder / f"config/{name}.yaml").read_text(encoding="utf-8"))
        needed = ("pizza_transformer", "q_rounding", "q_seeds")
        config["datasets"] = {name: config["datasets"][name] for name in needed}
        config.pop("notebooks", None)
        (folder / f"config/{name}.yaml").write_text(yaml.safe_dump(config))
    snakemake(folder, "--cores", "1", *SMOKE)
    script(folder, "reference")
    return folder


# Verify, which finds its own folder in place of one that is built again: from the code of the folder in which this runs.
COMPARE = """
import shutil, sys
from pathlib import Path
from paper.commands import verify
verify.KEPT = Path(sys.argv[1])
verify.rebuild = lambda folder, *_: shutil.copytree(".", folder, dirs_exist_ok=True)
verify.compare(retrain=False, cores="1", gpus=0)
"""


def test_verify_finds_no_difference_between_a_build_and_itself(one_notebook: Path, tmp_path: Path) -> None:
    line = [sys.executable, "-c", COMPARE, str(tmp_path)]
    done = subprocess.run(line, cwd=one_notebook, env=variables(one_notebook), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Compared with the checksums" in done.stdout and "0 difference(s)" in done.stdout


def test_verify_rebuilds_without_training_and_names_what_differs_and_by_how_much(
    one_notebook: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(one_notebook, tmp_path / "project")
    figure, numbers = folder / "figures/phases/phase_law.svg", folder / "data/reference/numbers.json"
    changed = figure.read_text(encoding="utf-8") + "<!-- by hand -->\n"
    figure.write_text(changed, encoding="utf-8")
    expected = json.loads(numbers.read_text())
    expected["printed_sign_of_the_law"]["measured"] += 0.25
    numbers.write_text(json.dumps(expected))
    output = paper(folder, "verify", "--cores", "1", check=False)
    rules = jobs_of((folder / "results/verify/build.log").read_text(encoding="utf-8"))
    assert "notebook_phases" in rules and not {"train_network", "train_shard"} & rules
    assert "the first that differs, in the order of the graph: figures/phases/phase_law.svg" not in output
    assert "6 difference(s)" in output and "what was built instead" in output and "Traceback" not in output
    assert re.search(r"figures/phases/phase_law.svg +other bytes +this folder", output)
    assert re.search(r"claim printed_sign_of_the_law .*\(by 0.25\) +data/reference", output)
    for page in ("index", "claims"):  # a smoke build's pages show the reference's verdicts and numbers
        assert re.search(rf"figures/{page}.html +other bytes +this folder", output)
        assert re.search(rf"figures/{page}.html +other content +data/reference", output)
    instead = (folder / "results/verify/figures/phases/phase_law.svg").read_text(encoding="utf-8")
    assert instead + "<!-- by hand -->\n" == figure.read_text(encoding="utf-8") == changed
