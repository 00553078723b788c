"""One claim from nothing to its verdict, on a network stopped early; and one whose verdict is not the expected one."""

import re
import subprocess
import sys
from pathlib import Path

from support import SMOKE, copy_tree, paper, variables


def test_a_claim_is_built_judged_and_told_and_a_surprise_is_a_failure(tmp_path: Path) -> None:
    folder = copy_tree(tmp_path / "project")
    output = paper(folder, "check", "pizza_neurons_relabel", *SMOKE, "--folder", ".", "--cores", "1")
    missing, reading, *_ = output.splitlines()
    assert missing.startswith("Missing: 1 × train_network, 1 × notebooks, ")
    assert reading == f"Reading the rules and what is built in {folder}; stages follow as their jobs end"
    assert "Notebooks 1 of 1 after " in output
    assert re.search(r"^verdict +not judged$", output, re.M)
    assert re.search(r"^why +at scale 'smoke'; judged at laptop, paper, with CONFIG=config/config.yaml$", output, re.M)
    made = re.findall(r"^(?:figure|table|notebook) +(\S+)$", output, re.M)
    assert made[-1] == "results/notebooks/pizza_cosets.ipynb" and all((folder / name).exists() for name in made)
    assert not (folder / "figures/index.html").exists(), "only what the claim needs"

    question = folder / "notebooks/across/pizza_cosets.yaml"
    before, name, after = question.read_text(encoding="utf-8").partition("\n  model_a_neurons_relabel:\n")
    question.write_text(before + name + after.replace("at_least: 0.95", "at_least: 2", 1), encoding="utf-8")
    line = [sys.executable, "-m", "paper", "check", "model_a_neurons_relabel", *SMOKE, "--folder", "."]
    done = subprocess.run(line, cwd=folder, env=variables(folder), capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert (
        re.search(r"^reference +another verdict: (ours|statement) holds$", done.stdout, re.M)
        and "threshold  2, ours, set" in done.stdout
    )
