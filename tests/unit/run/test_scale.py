"""What a build on a GPU cost, as docs/scale.md says it."""

import pytest
from scale import on_gpu, runs_on_gpu
from support import ROOT, told_by

from modadd.core.parquet import read_table, write_table


def trained_in(folder, moduli):
    """A folder with one population, the kept networks of these moduli, whose only job took 30 seconds."""
    rows = read_table(ROOT / "data/populations/t_groups.parquet")
    write_table(rows[rows.modulus.isin(moduli)], folder / "results/populations/t.parquet")
    job = folder / "results/benchmarks/train_shard/t/seeds.jsonl"
    job.parent.mkdir(parents=True)
    job.write_text('{"s": 30.0}\n')
    return folder


def test_a_run_on_a_gpu_says_what_a_thousand_networks_cost(tmp_path):
    runs = runs_on_gpu(trained_in(tmp_path, [251]))
    (run,) = runs.to_dict("records")
    assert (run["modulus"], run["networks at once"], run["jobs"], run["seconds a job"]) == (251, 3, 1, 30.0)
    assert run["pairs an update"] == 251**2
    row = on_gpu(runs).splitlines()[-1].split("|")
    assert [cell.strip() for cell in row[-3:-1]] == ["0.5", "167"]  # 30 s / 3 / 20,000 updates; 30 s / 3 · 1000 / 60


@pytest.mark.parametrize("moduli", [[113, 251], [11]], ids=["two recipes", "a CPU"])
def test_what_says_nothing_about_a_gpu_is_refused(tmp_path, moduli):
    with pytest.raises(ValueError, match="holds no population of one recipe that a GPU trained"):
        runs_on_gpu(trained_in(tmp_path, moduli))


def test_a_folder_without_a_build_is_one_line(tmp_path):
    _, sentence = told_by("scale", str(tmp_path))
    assert sentence.startswith(f"scale: {tmp_path} holds no population") and "\n" not in sentence
