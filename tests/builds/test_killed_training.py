"""A training that is killed, and goes on where it was."""

import json
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from support import command, copy_tree, snakemake

from paper.snakemake import remove_lock


def lock_removed(folder: Path) -> bool:
    """Remove the lock as soon as the job of the killed run has ended, which looks for its run every second."""
    for _ in range(100):
        with suppress(ValueError):
            return remove_lock(folder)
        time.sleep(0.1)
    return False


def test_killed_training_leaves_no_output_and_resumes_to_the_same_bits(tmp_path: Path) -> None:
    target = "results/networks/tiny/seed1.safetensors"
    sizes = {"modulus": 13, "d_model": 8, "d_mlp": 16, "steps": 200_000}
    tiny = json.dumps({"tiny": {"recipe": "pizza_transformer", **sizes, "seeds": [1], "snapshots": 200}})
    arguments = (target, "--cores", "1", "--config", f"datasets={tiny}")
    folder = copy_tree(tmp_path)
    with (folder / "src/modadd/training/train.py").open("a") as module:
        module.write(
            "BETWEEN_CHECKPOINTS = 5e9  # a fraction of a second\nimport sys\nprint('library:', __file__, file=sys.stderr)\n"
        )
    checkpoint = folder / "results/checkpoints/tiny/seed1/seed1.safetensors"
    process = subprocess.Popen(
        command(*arguments), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    deadline = time.monotonic() + 600
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert checkpoint.exists(), "the run ended before it wrote a checkpoint"
    assert lock_removed(folder), "there was a lock, and the job of a killed run ends with it"
    assert not (folder / target).exists(), "a killed training must leave no network"
    snakemake(folder, *arguments)
    assert not checkpoint.parent.exists(), "a finished training drops its checkpoints"
    resumed = (folder / target).read_bytes()
    shutil.rmtree((folder / target).parent)
    assert f"library: {folder}" in snakemake(folder, *arguments), "an installed copy of the library was used instead"
    assert (folder / target).read_bytes() == resumed
