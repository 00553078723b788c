"""The same bits as on this processor, on an AMD and an Intel of other generations, which qemu plays."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

from modadd.core.bits import as_a_job

QEMU = shutil.which("qemu-x86_64")


def small_list(folder: Path, *before: str) -> dict[str, str]:
    """What tests/small_list.py prints, run here or by an emulator; compiled loops are kept in a folder of its own."""
    environment = as_a_job() | {"NUMBA_CACHE_DIR": str(folder / "numba"), "MPLBACKEND": "agg"}
    line = [*before, sys.executable, str(ROOT / "tests/small_list.py")]
    done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout[done.stdout.index("{") :])


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The list as this processor computes it."""
    return small_list(tmp_path_factory.mktemp("here"))


@pytest.mark.skipif(QEMU is None, reason="needs qemu-x86_64 (Debian: qemu-user)")
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the reference is of x86-64")
@pytest.mark.parametrize("processor", ["EPYC-Milan", "Haswell"])
def test_another_processor_computes_the_same_bits(processor: str, here: dict[str, str], tmp_path: Path) -> None:
    assert small_list(tmp_path, QEMU, "-cpu", processor) == here
