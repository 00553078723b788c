"""Fixtures; and under test every call into the library is checked against the shapes in its signature."""

import gc
import importlib
import pkgutil
import sys
from dataclasses import is_dataclass, replace
from functools import wraps
from unittest.mock import patch

from beartype import beartype
from hypothesis import settings
from jaxtyping import install_import_hook, jaxtyped

gc.disable()  # nothing that is imported here will be garbage: no collection goes through it, now or later
import modadd.certificates.loops  # these first, out of the hook's reach: numba cannot compile the checks
import modadd.training.competition_loops
import modadd.training.step

# Then what the library imports from others: inside the hook Python reads none of it from its compiled files.
for package in (
    *("IPython", "beartype", "bokeh.plotting", "jupytext", "matplotlib.pyplot", "pandas", "papermill"),
    *("pygments.lexers.python", "scipy.optimize", "scipy.stats", "snakemake.api", "torch"),
):
    importlib.import_module(package)


def checked(definition):
    """A function, or a dataclass, of which every call is checked; axes of one name have one size within it.

    jaxtyping's own decorator checks each argument twice, and binds it by name: that takes as long as the call.
    """
    if isinstance(definition, type):
        if is_dataclass(definition):
            definition.__init__ = checked(definition.__init__)
        return definition
    strict = beartype(definition)

    @wraps(definition)
    def call(*arguments, **named):
        with jaxtyped("context"):
            return strict(*arguments, **named)

    return definition if strict is definition else call


# Before the first import of the library; the hook decorates every definition of it with `jaxtyped(...)`.
with patch("jaxtyping.jaxtyped", lambda typechecker: checked), install_import_hook(["modadd", "paper"], None):
    import paper

    for package in (modadd, paper):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)

import matplotlib
import pytest
import torch
import yaml
from browser import chromium
from filelock import FileLock
from one_claim import ITEM, STATED
from support import ROOT, SMOKE, copy_tree, snakemake

from modadd.core.bits import set_arithmetic

gc.freeze()
gc.enable()
torch.set_num_threads(1)  # float sums depend on the number of threads
matplotlib.use("Agg")
settings.register_profile("modadd", deadline=None, derandomize=True, database=None, max_examples=50)
settings.load_profile("modadd")


@pytest.fixture
def tiny():
    """The published recipe, shrunk to n = 7 and 40 steps: trained in a tenth of a second."""
    published = modadd.networks.recipes.RECIPES["pizza_transformer"]
    return replace(published, modulus=7, train_pairs=39, d_model=8, n_heads=2, d_mlp=16, steps=40)


@pytest.fixture(scope="session")
def small():
    """The published recipes on n = 13 for 60 steps, by name; no size is a multiple of a vector register."""
    sizes = {"modulus": 13, "d_model": 10, "d_mlp": 19, "steps": 60, "train_pairs": 130}
    found = {}
    for name, recipe in modadd.networks.recipes.RECIPES.items():
        found[name] = replace(
            recipe, **sizes, batch_size=26 * bool(recipe.batch_size), n_heads=2 * bool(recipe.n_heads)
        )
    return found


@pytest.fixture
def untrained(tiny):
    """A network of the tiny recipe, at its initial parameters."""
    drawn = modadd.networks.initialisation.pizza_transformer(tiny, 0)
    parameters = {name: value.numpy() for name, value in drawn.items()}
    results = {"accuracy": 0.25, "train_loss": 2.0, "held_out_loss": 2.5}
    return modadd.networks.store.Network(tiny, 0, parameters, results)


@pytest.fixture
def ledger_with(tmp_path):
    """Reads a project of one study with the question `phases`, one source with one item, and one claim, from files.

    `claims` are those of the question, which may have more keys; `questions` are further ones, `items` those of the
    source, and `files` whatever else there is.
    """

    def read(claims={"angle": STATED}, questions=None, items=None, study=None, files=None, **question):
        inputs = {"shown": "pizza_transformer/seed0", **question.pop("inputs", {})}
        phases = {"title": "A question?", "inputs": inputs, **question, "claims": claims}
        content = {
            f"notebooks/one/{name}.yaml": entry for name, entry in {"phases": phases, **(questions or {})}.items()
        }
        content["notebooks/one/study.yaml"] = {"place": 1, "questions": {}} | (study or {})
        content["data/papers/Q.yaml"] = {"reference": "A paper", "items": {"angle_term": ITEM} | (items or {})}
        for name, entry in (content | (files or {})).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(yaml.safe_dump(entry, sort_keys=False, allow_unicode=True), encoding="utf-8")
        return paper.ledger.read.entries.read_ledger(tmp_path)

    return read


@pytest.fixture
def checkpoint(tmp_path):
    """Where a run may keep its checkpoint."""
    return tmp_path / "run.safetensors"


@pytest.fixture
def arithmetic():
    """That of a job which computes in float32."""
    set_arithmetic()


@pytest.fixture(autouse=True)
def subnormals_kept_between_tests():
    """What a test calls may flush them, and then Hypothesis draws no float."""
    yield
    torch.set_flush_denormal(False)


@pytest.fixture(autouse=True)
def no_figure_left_open():
    """A notebook executed in this process later would show it as an output of its own."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture
def backend_kept():
    """A notebook executed in this process draws inline, and tests that follow do not."""
    before = matplotlib.get_backend()
    yield
    matplotlib.use(before)


@pytest.fixture(scope="session")
def smoke_build(tmp_path_factory, worker_id):
    """The smoke config, built on two cores by the first process of pytest that needs it; for all to copy, none to change."""
    of_process = tmp_path_factory.getbasetemp()
    place = of_process if worker_id == "master" else of_process.parent
    folder, built = place / "smoke", place / "smoke.built"
    with FileLock(place / "smoke.lock"):
        if not built.exists():
            snakemake(copy_tree(folder), "--cores", "2", *SMOKE)
            built.touch()
    return folder


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Chromium, which opens a tab for each test."""
    with chromium(tmp_path_factory.mktemp("browser")) as address:
        yield address


@pytest.fixture
def in_root(monkeypatch):
    """Run from the root of the repository, as every command of the README does."""
    monkeypatch.chdir(ROOT)
