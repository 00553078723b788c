"""What an edit reruns: a table of edits, each with the jobs whose code it changes."""

import shutil
from pathlib import Path

import pytest
from support import NOTEBOOKS, ROOT, forget_code

from modadd.core import code
from modadd.planning.paths import EXPERIMENTS
from modadd.populations.columns.every import COLUMNS
from modadd.run.fingerprints import ENVIRONMENT

SCRIPTS = "workflow/scripts"
NOTEBOOK_JOBS = {path.stem for path in NOTEBOOKS}
TRAINING = {"train_networks"}
EVERY_JOB = "every job"
# What is replaced in which file, and the jobs whose code it changes; those that read what they make run again, too.
EDITS = {
    "a docstring of the step": ("training/step.py", '"""', '"""Reworded: ', set()),
    "a comment in the separable form": ("core/separable.py", "\n\n\n", "\n\n\n# A remark.\n", set()),
    "a did-you-mean sentence": ("core/wording.py", "did you mean", "perhaps you mean", set()),
    "the words of an error": ("networks/store.py", "tensor '{tensor}' is missing", "there is no '{tensor}'", set()),
    "the type of an argument": ("core/neurons.py", "network: TwoTables", "network: object", set()),
    "a function that nothing calls": ("training/network.py", "\n\n\n", "\n\n\ndef new():\n    return 1\n\n\n", set()),
    "the name of a variable of the figure style": ("page/figures.py", "_STYLE", "_LOOKS", NOTEBOOK_JOBS),
    "a plot": ("notebooks/quadrature/phases.py", "# %%", "1 + 1\n# %%", {"phases"}),
    "a search by hand": ("handmade/search.py", "CHUNK = ", "CHUNK = 1 * ", {"hand_coded"}),
    "how claims are judged": (
        "ledger/verdicts.py",
        "    return ",
        "    return 0 or ",
        {"judge_claims", "judge_held_out"},
    ),
    "a limit of Study C": (
        "crt/clusters.py",
        "MOSTLY = 0.5",
        "MOSTLY = 0.6",
        {"measure embedding_mlp", "choose_exhibit", "cluster_embeddings", "coset_neurons"},
    ),
    "a new measure of Study Q": (
        "quadrature/neuron_measures.py",
        "\n\n\n@measure(",
        '\n\n\n@measure("new", "1")\ndef new(network):\n    """New (ours)."""\n    return 1.0\n\n\n@measure(',
        {"measure pizza_transformer", "seeds", "weight_decay"},
    ),
    "one measure of Study Q": (
        "quadrature/measures.py",
        "neurons_in(network).share_W.min()",
        "float(neurons_in(network).share_W.min())",
        {
            *("measure any_activation", "measure pizza_transformer", "measure two_layer_mlp", "development"),
            *("mlp_key_frequencies", "mlp_variance_explained", "other_activations", "secondary_frequencies", "seeds"),
            "weight_decay",
        },
    ),
    "a measure of Study C": (
        "crt/embedding_weights.py",
        "LARGEST = 3.0",
        "LARGEST = 3.5",
        {"measure embedding_mlp", "cluster_populations"},
    ),
    "a measure of snapshots": ("populations/stages.py", "RADIUS_EVERY = 25", "RADIUS_EVERY = 50", {"measure_stages"}),
    "when a network has generalised": ("populations/events.py", "0.99", "0.98", {"balls", "training_watched"}),
    "the loss": ("training/step.py", "return loss / n_pairs", "return loss / n_pairs + 0", TRAINING),
    "the optimiser": ("training/step.py", "* root + epsilon", "* root + 2 * epsilon", TRAINING),
    "the exponential": ("training/fused.py", "0.4999999403953552", "0.4999999403953553", TRAINING),
    "the training in which frequencies compete": (
        "training/competition.py",
        "UPDATES = 3000",
        "UPDATES = 2000",
        {"train competition", "changed_weights", "mode_equations"},
    ),
    "the product of matrices": ("training/tiles.py", "DEPTH = 256", "DEPTH = 512", TRAINING),
    "the number of threads": ("core/bits.py", '"OMP_NUM_THREADS": "1"', '"OMP_NUM_THREADS": "2"', EVERY_JOB),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the code, which the fingerprints are of, with those of all jobs before any edit."""
    folder = tmp_path_factory.mktemp("edits")
    shutil.copytree(ROOT / SCRIPTS, folder / SCRIPTS, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    (folder / ".snakemake").mkdir()
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setattr(code, "LIBRARY", folder / SCRIPTS / "modadd")
        yield folder, codes()
    forget_code()


def codes():
    """The fingerprint of every job that has one of its own: rules by their scripts, measuring jobs by their networks,
    experiments by their names."""
    forget_code()
    scripts = {path.stem: [str(path)] for path in Path(SCRIPTS).glob("*.py")}
    measure = scripts.pop("measure_shard")
    scripts |= {f"measure {kind}": [*measure, f"{SCRIPTS}/modadd/populations/columns/{kind}.py"] for kind in COLUMNS}
    execute = scripts.pop("execute_notebook")
    scripts |= {path.stem: [str(path.relative_to(ROOT)), *execute] for path in NOTEBOOKS}
    train = scripts.pop("train_experiment")
    scripts |= {f"train {name}": train for name in EXPERIMENTS}
    rows = {f"train {name}": [f"modadd.populations.{name}.{name}_rows"] for name in EXPERIMENTS}
    return {
        job: code.code_behind(*files, definitions=[ENVIRONMENT, *rows.get(job, [])]) for job, files in scripts.items()
    }


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_changes_the_code_of_what_it_reruns(project, edit):
    folder, before = project
    name, old, new, expected = EDITS[edit]
    file = folder / name if name.startswith("notebooks/") else folder / SCRIPTS / "modadd" / name
    original = file.read_text(encoding="utf-8")
    assert old in original, f"{name} no longer holds '{old}'"
    try:
        file.write_text(original.replace(old, new, -1 if new.isidentifier() else 1), encoding="utf-8")
        after = codes()
    finally:
        file.write_text(original, encoding="utf-8")
    changed = {job for job, found in after.items() if found != before[job]}
    assert changed == (set(before) if expected is EVERY_JOB else expected)
