"""What an edit reruns: a table of edits, each with the jobs whose code it changes."""

import shutil
from pathlib import Path

import pytest
from support import NOTEBOOKS, ROOT, forget_code

from modadd.core import code
from modadd.populations.columns.every import COLUMNS
from paper.code import ENVIRONMENT
from paper.datasets import EXPERIMENTS

SCRIPTS, PAPER, LIBRARY = "workflow/scripts", "workflow/paper", "src/modadd"
NOTEBOOK_JOBS = {path.stem for path in NOTEBOOKS}
EVERY_JOB = "every job"
TRAINING = ("train_networks", "train_populations")
ANALYSIS, ALL = "and others, but no training", "and others"
# What is replaced in which file; jobs whose code it changes, among others where another word stands beside them: all but training,
# or all. Those that read what they make run again, too.
EDITS = {
    "a docstring of the step": ("training/step.py", '"""', '"""Reworded: ', set()),
    "a comment in the separable form": ("core/separable.py", "\n\n\n", "\n\n\n# A remark.\n", set()),
    "a plot": ("notebooks/quadrature/phases.py", "# %%", "1 + 1\n# %%", {"phases"}),
    "a search by hand": ("handmade/search.py", "CHUNK = ", "CHUNK = 1 * ", {"hand_coded", "smallest_networks"}),
    "the style of figures": ("plots/figures.py", "_STYLE", "_LOOKS", NOTEBOOK_JOBS | {"build_site"}),
    "how claims are judged": (
        "workflow/paper/ledger/judge/verdicts.py",
        "    return ",
        "    return 0 or ",
        {"judge_claims", "build_notebook_pages", "build_site", "build_unseen", "write_provenance"},
    ),
    "a limit of Study C": (
        "crt/clusters.py",
        "MOSTLY = 0.5",
        "MOSTLY = 0.6",
        {"measure embedding_mlp", "choose_exhibit", "cluster_embeddings", "coset_neurons", ANALYSIS},
    ),
    "a new measure of Study Q": (
        "quadrature/neuron_measures.py",
        "\n\n\n@measure(",
        '\n\n\n@measure("new", "1")\ndef new(network):\n    """New (ours)."""\n    return 1.0\n\n\n@measure(',
        {"measure pizza_transformer", "seeds", "weight_decay", ANALYSIS},
    ),
    "one measure of Study Q": (
        "quadrature/scheme_measures.py",
        "neurons_in(network).share_W.min()",
        "float(neurons_in(network).share_W.min())",
        {"measure any_activation", "measure pizza_transformer", "measure two_layer_mlp", "seeds", "phases", ANALYSIS},
    ),
    "a measure of Study C": (
        "crt/embedding_weights.py",
        "LARGEST = 3.0",
        "LARGEST = 3.5",
        {"measure embedding_mlp", "cluster_populations", ANALYSIS},
    ),
    "a measure of snapshots": (
        "populations/stages.py",
        "RADIUS_EVERY = 25",
        "RADIUS_EVERY = 50",
        {"measure_stages", "development"},
    ),
    "when a network has generalised": (
        "populations/events.py",
        "0.99",
        "0.98",
        {"balls", "training_watched", "development", "two_layer_mlp", "early_signals"},
    ),
    "the training in which frequencies compete": (
        "training/competition.py",
        "UPDATES = 3000",
        "UPDATES = 2000",
        {"train competition", "changed_weights", "mode_equations"},
    ),
    "the loss": ("training/step.py", "return loss / n_pairs", "return loss / n_pairs + 0", {"train_networks", ALL}),
    "the optimiser": ("training/step.py", "* root + epsilon", "* root + 2 * epsilon", {"train_networks", ALL}),
    "the exponential": ("training/fused.py", "0.4999999403953552", "0.4999999403953553", {"train_networks", ALL}),
    "the product of matrices": ("training/tiles.py", "DEPTH = 256", "DEPTH = 512", {"train_networks", ALL}),
    "the words of an error": (
        "networks/store.py",
        "tensor '{tensor}' is missing",
        "there is no '{tensor}'",
        {"train_networks", "phases", ALL},
    ),
    "the number of threads": ("core/bits.py", '"OMP_NUM_THREADS": "1"', '"OMP_NUM_THREADS": "2"', EVERY_JOB),
    "a variable of jobs": ("workflow/paper/environment.py", '"PYTHONDONTWRITEBYTECODE": ""', '"NEW": ""', EVERY_JOB),
    "the networks of another recipe": (
        "workflow/paper/headers.py",
        "held.get(key) != value",
        "value != held.get(key)",
        {f"measure {kind}" for kind in COLUMNS} | NOTEBOOK_JOBS,
    ),
    "how a notebook is executed": ("workflow/paper/execution.py", "indent=1", "indent=2", NOTEBOOK_JOBS),
    "the page of a notebook": (
        "workflow/paper/page/notebooks.py",
        "nobackground=True",
        "nobackground=False",
        {"build_notebook_pages"},
    ),
    "which line computes a value": (
        "workflow/paper/page/cells.py",
        "mentioned[-1] if mentioned else 1",
        "mentioned[-1] if mentioned else 2",
        {"build_site"},
    ),
    "a command": ("workflow/paper/commands/look.py", "figure: ", "picture: ", set()),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the code, which the fingerprints are of, with those of all jobs before any edit."""
    folder = tmp_path_factory.mktemp("edits")
    shutil.copytree(ROOT / SCRIPTS, folder / SCRIPTS, ignore=shutil.ignore_patterns("__pycache__"))
    for code_of in (PAPER, LIBRARY):
        shutil.copytree(ROOT / code_of, folder / code_of, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    (folder / ".snakemake").mkdir()
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setitem(code.FOLDERS, "modadd", folder / "src")
        patched.setitem(code.FOLDERS, "paper", folder / "workflow")
        yield folder, codes()
    forget_code()


def codes():
    """The fingerprint of every job that has one of its own: rules by their scripts, measuring jobs by their networks,
    experiments by their names."""
    forget_code()
    scripts = {path.stem: [str(path)] for path in Path(SCRIPTS).glob("*.py") if path.stem != "own_code"}
    measure = scripts.pop("measure_shard")
    scripts |= {f"measure {kind}": [*measure, f"{LIBRARY}/populations/columns/{kind}.py"] for kind in COLUMNS}
    execute = scripts.pop("execute_notebook")
    scripts |= {path.stem: [str(path.relative_to(ROOT)), *execute] for path in NOTEBOOKS}
    scripts["train_populations"] += scripts["train_networks"]
    train = scripts.pop("train_experiment")
    scripts |= {f"train {name}": [*train, f"{LIBRARY}/populations/{name}.py"] for name in EXPERIMENTS}
    return {job: code.code_behind(*ENVIRONMENT, *files) for job, files in scripts.items()}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_changes_the_code_of_what_it_reruns(project, edit):
    folder, before = project
    name, old, new, expected = EDITS[edit]
    file = folder / name if name.startswith(("notebooks/", PAPER)) else folder / LIBRARY / name
    original = file.read_text(encoding="utf-8")
    assert old in original, f"{name} no longer holds '{old}'"
    try:
        file.write_text(original.replace(old, new, -1 if new.isidentifier() else 1), encoding="utf-8")
        after = codes()
    finally:
        file.write_text(original, encoding="utf-8")
    changed = {job for job, found in after.items() if found != before[job]}
    if expected is EVERY_JOB:
        assert changed == before.keys()
    elif expected & {ANALYSIS, ALL}:
        assert expected - {ANALYSIS, ALL} <= changed and (ALL in expected or changed.isdisjoint(TRAINING))
    else:
        assert changed == expected
