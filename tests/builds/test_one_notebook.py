"""A project of one notebook and one population: what is left to build, and what a second build finds that differs."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from support import SMOKE, jobs_of, paper, script, snakemake

from paper.commands import verify


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


def test_verify_finds_no_difference_between_a_build_and_itself(
    one_notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(one_notebook)
    monkeypatch.setattr(verify, "KEPT", tmp_path)
    monkeypatch.setattr(verify, "rebuild", lambda folder, *_: shutil.copytree(".", folder, dirs_exist_ok=True))
    verify.compare(retrain=False, cores="1", gpus=0)
    output = capsys.readouterr().out
    assert "Compared with the checksums" in output and "0 difference(s)" in output


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
    assert "2 difference(s)" in output and "what was built instead" in output and "Traceback" not in output
    assert re.search(r"figures/phases/phase_law.svg +other bytes +this folder", output)
    assert re.search(r"claim printed_sign_of_the_law .*\(by 0.25\) +data/reference", output)
    instead = (folder / "results/verify/figures/phases/phase_law.svg").read_text(encoding="utf-8")
    assert instead + "<!-- by hand -->\n" == figure.read_text(encoding="utf-8") == changed
