"""A build that is copied or moved: its results belong to the config and code beside them."""

import os
import shutil
import subprocess
import sys

from support import ROOT, SMOKE, jobs_of, paper, snakemake

MODULUS = ("  two_layer_mlp:\n", "  two_layer_mlp:\n    modulus: 61\n    train_pairs: 1116\n")
RAISES = "\nraise RuntimeError('the code of the copy')\n"


def test_a_copied_build_runs_what_a_changed_config_asks_for_and_nothing_else(smoke_build, tmp_path):
    """A copy has new times; what its files are of is in Snakemake's records, which are copied too."""
    folder = tmp_path / "project"
    subprocess.run(["cp", "-r", smoke_build, folder], check=True)
    config = folder / SMOKE[1]
    text = config.read_text(encoding="utf-8")
    assert text.count(MODULUS[0]) == 1
    config.write_text(text.replace(*MODULUS), encoding="utf-8")
    plan = jobs_of(snakemake(folder, "-n", *SMOKE))
    assert {"train_network", "notebook_mlp_spectra", "judge_claims", "build_site"} <= plan
    of_populations = {rule for rule in plan if rule.startswith(("train_", "measure_", "gather_"))}
    assert "notebook_phases" not in plan and of_populations <= {"train_network", "measure_stages"}


def test_a_copy_uses_its_own_code_with_the_environment_of_the_first_folder(smoke_build, tmp_path):
    folder = shutil.copytree(smoke_build, tmp_path / "project", symlinks=True)
    with (folder / "workflow/paper/ledger/judge/verdicts.py").open("a") as module:
        module.write(RAISES)
    assert "the code of the copy" in paper(folder, "check", "phase_line", *SMOKE, "--folder", ".", check=False)


def test_a_folder_with_its_environment_imports_its_own_library_wherever_it_is(tmp_path):
    """The line of the Makefile that makes the library known to an environment, in a folder that is then moved."""
    (makefile,) = [line for line in (ROOT / "Makefile").read_text().splitlines() if "modadd.pth" in line]
    folder = tmp_path / "here"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
    places = [folder / "src/modadd/__init__.py", folder / "workflow/paper/__init__.py"]
    for place in places:
        place.parent.mkdir(parents=True)
        place.write_text("")
    line = makefile.strip().partition(" #")[0].replace("$(VENV)", ".venv").replace("$$", "$")
    subprocess.run(["sh", "-c", line], cwd=folder, check=True)
    folder = folder.rename(tmp_path / "there")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    told = [folder / ".venv/bin/python", "-c", "import modadd, paper; print(modadd.__file__, paper.__file__)"]
    done = subprocess.run(told, cwd=tmp_path, env=environment, capture_output=True, text=True)
    moved = [str(folder / place.relative_to(tmp_path / "here")) for place in places]
    assert done.stdout.split() == moved, done.stderr
