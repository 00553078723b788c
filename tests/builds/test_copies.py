"""A build that is copied, packed, moved, or has lost Snakemake's memory: its results belong to the config and code beside them."""

import os
import shutil
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from release import packed
from support import ROOT, SMOKE, command, jobs_of, snakemake

MODULUS = ("  two_layer_mlp:\n", "  two_layer_mlp:\n    modulus: 61\n    train_pairs: 1116\n")
LONG_AGO = 315_532_800  # seconds: the first day of 1980, the date of every file of a release
RAISES = "\nraise RuntimeError('the code of the copy')\n"


def unpacked(build: Path, folder: Path) -> None:
    """As a release has it: every file of one date, nothing of Snakemake's own."""
    names = [path for path in build.rglob("*") if path.is_file() and ".snakemake" not in path.relative_to(build).parts]
    files = {str(path.relative_to(build)): path.read_bytes() for path in names}
    with zipfile.ZipFile(BytesIO(packed(files))) as archive:
        archive.extractall(folder)
    for path in folder.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO))  # as `unzip` does


def copied(build: Path, folder: Path) -> None:
    subprocess.run(["cp", "-r", build, folder], check=True)


@pytest.mark.parametrize("made", [unpacked, copied])
def test_a_build_that_has_gone_elsewhere_runs_what_a_changed_config_asks_for_and_nothing_else(
    smoke_build, tmp_path, made
):
    """A copy has new times, and what it had is in the records; without these nothing is known of it."""
    folder = tmp_path / "project"
    made(smoke_build, folder)
    config = folder / SMOKE[1]
    text = config.read_text(encoding="utf-8")
    assert text.count(MODULUS[0]) == 1
    config.write_text(text.replace(*MODULUS), encoding="utf-8")
    plan = jobs_of(snakemake(folder, "-n", *SMOKE))
    assert {"train_network", "notebook_mlp_spectra", "judge_claims", "build_site"} <= plan
    assert not {"notebook_phases", "train_shard", "measure_shard", "gather_population"} & plan
    shutil.rmtree(folder / "results/made")
    done = subprocess.run(command("-n", *SMOKE), cwd=folder, capture_output=True, text=True)
    said = [line for line in (done.stdout + done.stderr).splitlines() if "no record of the config and code" in line]
    assert done.returncode and len(said) == 1 and "`make clean` deletes all" in said[0], done.stdout + done.stderr


def test_a_copy_uses_its_own_code_with_the_environment_of_the_first_folder(smoke_build, tmp_path):
    folder = shutil.copytree(smoke_build, tmp_path / "project", symlinks=True)
    with (folder / "workflow/scripts/modadd/ledger/verdicts.py").open("a") as module:
        module.write(RAISES)
    assert "the code of the copy" in paper(folder, "check", "phase_line", *SMOKE, "--folder", ".", check=False)


def test_a_folder_with_its_environment_imports_its_own_library_wherever_it_is(tmp_path):
    """The line of the Makefile that makes the library known to an environment, in a folder that is then moved."""
    (makefile,) = [line for line in (ROOT / "Makefile").read_text().splitlines() if "modadd.pth" in line]
    folder = tmp_path / "here"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
    library = folder / "workflow/scripts/modadd"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("")
    line = makefile.strip().partition(" #")[0].replace("$(VENV)", ".venv").replace("$$", "$")
    subprocess.run(["sh", "-c", line], cwd=folder, check=True)
    folder = folder.rename(tmp_path / "there")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    told = [folder / ".venv/bin/python", "-c", "import modadd; print(modadd.__file__)"]
    done = subprocess.run(told, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == str(folder / "workflow/scripts/modadd/__init__.py"), done.stderr
