"""The recipes of docs/recipes.md, on the smoke config, with the commands and the diffs of that page."""

import hashlib
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
import yaml
import yte
from pages import blocks, run
from support import ROOT, SMOKE, copy_tree, jobs_of, snakemake

from modadd.networks.foreign import read_external
from paper.page.explorer_history import LARGEST_PAGE

PAGE = "docs/recipes.md"
HEADINGS = re.findall(r"^## (.*)$", (ROOT / PAGE).read_text(encoding="utf-8"), re.MULTILINE)
FIGURE = "figures/phases/phase_law.svg"


def heading(title):
    """The numbered heading of a recipe."""
    (found,) = [heading for heading in HEADINGS if heading.partition(". ")[2] == title]
    return found


def code(title, language):
    """The only code block of a recipe in this language."""
    (block,) = blocks(PAGE, heading(title), language)
    return block


def smoke(title, dry=True):
    """The command of a recipe, on the smoke config."""
    line = code(title, "bash").strip()
    before, option, after = line.partition("--configfile ")
    line = f"{before}{option}config/smoke.yaml {after}" if option else f"{line} --configfile config/smoke.yaml"
    return line + (" --dry-run" if dry else " --cores 2")


def count(plan, rule):
    """How many jobs of a rule a dry run would start."""
    return int(re.search(rf"^{rule} +(\d+)$", plan, re.MULTILINE)[1])


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with nothing built in it; its smoke config has a job for each shard, as large ones have."""
    folder = copy_tree(tmp_path_factory.mktemp("recipes") / "project")
    config = folder / SMOKE[1]
    config.write_text(config.read_text(encoding="utf-8").replace("together: true", "together: false"), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def built(project):
    """The same folder with the one figure that the last recipe asks for."""
    run(project, smoke("Only one figure", dry=False))
    return project


@pytest.mark.parametrize(
    ("title", "network"),
    [("Another modulus", "mod_31/seed0"), ("Another number of neurons", "narrow/seed0")],
)
def test_a_study_of_ones_own_is_trained_alone(project, title, network):
    plan = run(project, smoke(title))
    assert jobs_of(plan) == {"train_network"} and count(plan, "train_network") == 1
    assert f"Training {network}" in plan


def test_one_more_seed_is_a_row_more(project):
    plan = run(project, smoke("One more seed"))
    assert count(plan, "train_shard") == count(plan, "measure_shard") == 2
    assert {"gather_population", "notebook_seeds"} <= jobs_of(plan)


def test_another_penalty_is_trained_shard_by_shard(project):
    plan = run(project, smoke("Another setting of the optimiser"))
    assert jobs_of(plan) == {"train_shard", "measure_shard", "gather_population"} and count(plan, "train_shard") == 2


def test_a_thousand_networks_make_sixty_three_shards_of_sixteen_and_four_shards_a_submission(project, monkeypatch):
    title, profile = "A thousand networks on a cluster", project / "profiles/slurm/config.yaml"
    with monkeypatch.context() as patched:  # the profile as it reads with the plugin, which alone would submit
        patched.setattr("importlib.util.find_spec", lambda name: name)
        patched.chdir(project)
        content = yte.process_yaml(profile.read_text(), require_use_yte=True)
    assert content.pop("executor") == "slurm"
    profile.write_text(yaml.safe_dump(content))
    (project / "config/thousand.yaml").write_text(code(title, "yaml"))
    plan = run(project, smoke(title))
    assert count(plan, "train_shard") == count(plan, "measure_shard") == 63
    groups = Counter(re.findall(r"Group job (\w+)", plan))
    assert groups == {"shards": 16, "rows": 8, "tables": 1}


def test_a_checkpoint_of_ones_own_is_read_by_notebooks_and_explorer(project):
    title, file = "A checkpoint of your own", project / "data/external/mine.pt"
    (project / "save.py").write_text(code(title, "python"))
    run(project, "python save.py")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    config = code(title, "yaml").replace("HASH", digest)
    entry = yaml.safe_load(config)["datasets"]["mine"]
    assert read_external(project / entry["path"], entry["format"], entry["sha256"]).modulus == 113
    (project / "config/mine.yaml").write_text(config)
    plan = run(project, smoke(title))
    assert {"import_network", "notebook_cross_study", "notebook_two_layer_mlp", "build_explorer"} <= jobs_of(plan)
    assert "Checking the weights of mine" in plan


def test_one_figure_is_built_with_what_it_needs_and_nothing_else(built):
    assert (built / FIGURE).exists() and not (built / "figures/index.html").exists()
    assert [path.name for path in sorted((built / "results/networks").rglob("*.safetensors"))] == [
        "seed0.history.safetensors",
        "seed0.safetensors",
    ]


def test_a_parameter_of_a_notebook_reruns_this_notebook_alone(built):
    assert jobs_of(run(built, smoke("Another parameter of a notebook"))) == {"notebook_phases"}


def test_another_style_draws_the_figure_again(built):
    first, *lines = code("A figure in another style", "diff").splitlines()
    old, new = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
    style, before = built / first.removeprefix("--- "), (built / FIGURE).read_text(encoding="utf-8")
    text = style.read_text(encoding="utf-8")
    assert text.count(old) == 1
    style.write_text(text.replace(old, new), encoding="utf-8")
    assert jobs_of(run(built, smoke("A figure in another style", dry=False))) == {"notebook_phases"}
    assert (built / FIGURE).read_text(encoding="utf-8") != before


def test_networks_of_other_moduli_by_config_are_trained_and_join_the_explorer(
    smoke_build: Path, tmp_path: Path
) -> None:
    folder, moduli = shutil.copytree(smoke_build, tmp_path / "project"), (97, 60)
    short = {"recipe": "pizza_transformer", "steps": 3, "seeds": [0], "snapshots": 2}
    added = {f"mod_{n}": {**short, "modulus": n} for n in moduli}
    said = snakemake(
        folder, "figures/explorer.html", "--cores", "1", *SMOKE, "--config", f"datasets={json.dumps(added)}"
    )
    assert jobs_of(said) == {"train_network", "build_explorer"}, "the config's own networks stay"
    page = folder / "figures/explorer.html"
    data = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)[1]
    shown = {network["name"]: network["modulus"] for network in json.loads(data)}
    assert {f"mod_{n}/seed0": n for n in moduli}.items() <= shown.items()
    assert {"pizza_transformer/seed0", "c91_batch/exhibit"} <= set(shown)
    histories = re.search(r'id="histories">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)[1]
    assert {"pizza_transformer/seed0", "mod_97/seed0"} <= set(json.loads(histories)), "with their snapshots"
    assert page.stat().st_size <= LARGEST_PAGE
