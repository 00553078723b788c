"""Commands on a copy in which nothing is built: dry runs, bad input, one target, interruption."""

import shutil
import subprocess
import sys
from pathlib import Path

from support import LEDGER, ROOT, commit, copy_tree, jobs_of, snakemake

from paper.config import read_config
from paper.outputs import TIMED, outputs_of, write_config
from paper.proofs import PROOF_LIBRARY, THEOREMS
from paper.yaml_files import read_yaml


def test_a_study_is_the_notebooks_of_its_recipe() -> None:
    notebooks = LEDGER["notebooks"]
    plan = jobs_of(snakemake(ROOT, "study_m", "-n", "--forceall"))
    mine = {f"notebook_{n}" for n, entry in notebooks.items() if entry["inputs"]["shown"].startswith("two_layer_mlp/")}
    assert {rule for rule in plan if rule.startswith("notebook_")} == mine


def test_outputs_are_files_of_results_and_figures_but_for_those_that_tell_the_time(in_root: None) -> None:
    config = read_config("config/config.yaml", "config/smoke.yaml")
    outputs = outputs_of(config | {"proofs": True})
    assert {name.split("/")[0] for name in outputs} == {"results", "figures"} and not {*TIMED} & {*outputs}
    places = {name.split("/")[1] for name in outputs if name.startswith("results/")}
    folders = {"networks", "populations", "stages", "exhibits", "notebooks", "values", "proofs"}
    rows = {"competition.parquet", "published_log.parquet", "symmetric_sets.parquet"}
    assert places == folders | rows
    assert THEOREMS in outputs and PROOF_LIBRARY not in outputs, "a folder can be neither compared nor packed"
    trained = outputs_of(config, rules="train_")
    assert {*trained} < {*outputs} and "results/networks/pizza_transformer/seed50.losses.parquet" in trained
    assert {name.split("/")[1] for name in trained} == {"networks", "populations", *rows}


def test_a_written_config_keeps_the_order_of_the_networks_on_the_page(tmp_path: Path) -> None:
    write_config({"datasets": {"b": {}, "a": {}}}, tmp_path / "config.yaml")
    assert list(read_yaml(tmp_path / "config.yaml")["datasets"]) == ["b", "a"]


def test_a_review_bundle_is_refused_where_a_file_names_an_author_and_runs(tmp_path: Path) -> None:
    folder = copy_tree(tmp_path / "project")
    name, address = " ".join(("Mira", "Example")), "@".join(("mira", "example.org"))  # in no file of the copy
    (folder / "CITATION.cff").write_text(f"authors: {name}\n")
    for writer in (name, "us"):
        (folder / "NOTES.md").write_text(f"Written by {writer}.\n")
        commit(folder, name, address)
        done = subprocess.run(["workflow/dev/review.sh"], cwd=folder, capture_output=True, text=True)
        assert (done.returncode > 0) == ("HEAD:NOTES.md" in done.stdout) == (writer == name), done.stdout + done.stderr
    shutil.unpack_archive(folder / "results/review_bundle.zip", tmp_path / "unpacked")
    unpacked = tmp_path / "unpacked/modadd"
    for name in (".git", "CITATION.cff", "codemeta.json"):
        assert not (unpacked / name).exists()
    assert "train_network" in snakemake(unpacked, "-n", "results/networks/pizza_transformer/seed0.safetensors")


def test_code_is_formatted_and_imports_are_those_of_the_contract() -> None:
    """Rules are linted in tests/builds/test_elsewhere.py."""
    subprocess.run([sys.executable, "-m", "snakefmt", "--check", "Snakefile", "workflow"], cwd=ROOT, check=True)
    for check in (["format", "--check"], ["check"]):
        python = ["src", "workflow", "notebooks", "tests"]
        subprocess.run([sys.executable, "-m", "ruff", *check, "--no-cache", *python], cwd=ROOT, check=True)
    subprocess.run([Path(sys.executable).with_name("lint-imports"), "--no-cache"], cwd=ROOT, check=True)


def test_every_folder_of_modules_is_seen_by_the_contracts() -> None:
    """import-linter passes over a folder without __init__.py, though Python imports from it."""
    folders = {file.parent for root in ("src/modadd", "workflow/paper") for file in (ROOT / root).rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_dry_run_of_the_largest_config(tmp_path: Path) -> None:
    """That of the smoke config, and of the default one, is in many other tests."""
    assert "train_network" in snakemake(copy_tree(tmp_path), "-n", "--configfile", "config/paper.yaml")


def test_a_build_among_the_rules_is_refused_in_one_line(tmp_path: Path) -> None:
    """Snakemake finds the rules in this folder, too."""
    said = snakemake(copy_tree(tmp_path) / "workflow", "-n", check=False)
    assert f"run snakemake in {tmp_path}, or in an empty folder" in said and "Job stats" not in said


def test_a_module_with_a_prefix_is_refused_in_one_line(tmp_path: Path) -> None:
    """Its rules would be planned, and every notebook would then look for its files elsewhere."""
    (tmp_path / "Snakefile").write_text(
        f'configfile: "{ROOT}/config/config.yaml"\n\nmodule modadd:\n    snakefile: "{ROOT}/workflow/Snakefile"\n'
        '    config: config\n    prefix: "ext"\n\nuse rule * from modadd\n'
    )
    said = snakemake(tmp_path, "-n", "results/values/phases.json", check=False)
    assert "prefix and replace_prefix: notebooks are given their files as text" in said
