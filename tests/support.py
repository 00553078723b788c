"""What several test files need: networks with known answers, checks of messages, copies of the project."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import torch

from modadd.core import code
from modadd.core.bits import FIGURE_FORMATS
from modadd.core.code import KNOWN
from modadd.core.files import sha256
from modadd.core.neurons import neurons_of
from modadd.core.separable import Separable
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.foreign import External, read_external
from modadd.quadrature.scheme import schemes_of
from paper import code as code_of_jobs
from paper.__main__ import main
from paper.ledger.read.entries import read_ledger
from paper.ledger.read.published import read_published
from paper.yaml_files import read_yaml

ROOT = Path(__file__).resolve().parents[1]
SCHEMAS = ROOT / "workflow" / "schemas"
CONFIG_SCHEMA = SCHEMAS / "config.schema.yaml"
WITH_RELU = [name for name, architecture in ARCHITECTURES.items() if architecture.activation == "relu"]
LEDGER = read_ledger()  # of the project, which takes a second to read; no test changes it
NOTEBOOKS = sorted(ROOT.glob("notebooks/*/*.py"))
SMOKE = ("--configfile", "config/smoke.yaml")
CACHES = ("*.pyc", "*.nbi", "*.nbc")  # of Python and of numba; what they are of is checked when they are read


def published_weights(name: str) -> External:
    """Weights that others published, from where `workflow/dev/keep.py weights` puts them, or from beside the repository; else the test is skipped."""
    source = read_published(ROOT / "data/published/values.json")[name]
    places = [ROOT / f"data/external/{name}.pt", *sorted(ROOT.parent.glob("shared/reference/*.pt"))]
    found = next((path for path in places if path.exists() and sha256(path) == source["sha256"]), None)
    if found is None:
        pytest.skip(f"the published weights are not at {places[0]}; `python workflow/dev/keep.py weights` fetches them")
    return read_external(found, source["format"], source["sha256"])


def perfect_network(n=7, frequencies=(1, 2, 3), m=8, alpha=1.5, beta=0.5, first_angle=0.3):
    """m neurons per frequency with φ evenly spaced around the circle and ψ = 2φ exactly; nothing bypasses the ReLU."""
    k = np.repeat(frequencies, m)
    phi = np.tile(first_angle + 2 * np.pi * np.arange(m) / m, len(frequencies))
    angle = 2 * np.pi / n * np.outer(np.arange(n), k)
    table = alpha * np.cos(angle + phi)
    return Separable(table, table, beta * np.cos(angle + 2 * phi).T, np.zeros((n, n)), np.zeros((n, n)))


def perfect_scheme(m=8, n=7):
    """The quadrature scheme of the perfect network of frequency 1."""
    return schemes_of(neurons_of(perfect_network(n, frequencies=(1,), m=m)))[1]


def native_logits(p, pairs):
    """Logits of the one-layer transformer, step by step: attention ½, ½ at the last position, no LayerNorm."""
    stream = p["W_E"][pairs] + p["W_pos"]  # (pairs, 2 positions, d_model)
    last = stream[:, 1]
    for W_V, W_O in zip(p["W_V"], p["W_O"], strict=True):
        values = stream @ W_V
        last = last + (values[:, 0] / 2 + values[:, 1] / 2) @ W_O
    activations = torch.relu(last @ p["W_in"] + p["b_in"])
    return (last + activations @ p["W_out"] + p["b_out"]) @ p["W_U"]


def native_two_layer_logits(p, pairs):
    """Logits of the two-layer MLP: one embedding for both numbers, added up; no biases."""
    return torch.relu((p["W_E"][pairs[:, 0]] + p["W_E"][pairs[:, 1]]) @ p["W_in"]) @ p["W_U"]


def native_embedding_logits(p, pairs):
    """Logits of the embedding MLP: an embedding for each number, concatenated, a hidden layer, biases."""
    embedded = torch.cat([p["E_a"][pairs[:, 0]], p["E_b"][pairs[:, 1]]], dim=1)
    return torch.relu(embedded @ p["W_in"] + p["b_in"]) @ p["W_out"] + p["b_out"]


def native_group_logits(p, pairs):
    """Logits of one hidden layer on a group: a vector of neurons for each number, added up; no biases."""
    return torch.relu(p["U"][pairs[:, 0]] + p["V"][pairs[:, 1]]) @ p["W_out"]


def native_square_logits(p, pairs):
    """The same with u² for the ReLU."""
    return (p["U"][pairs[:, 0]] + p["V"][pairs[:, 1]]) ** 2 @ p["W_out"]


def native_factored_logits(p, pairs):
    """Logits of one hidden layer behind an embedding for each number, and behind a linear layer where there is one; no biases."""
    from_a, from_b = p["E_a"][pairs[:, 0]], p["E_b"][pairs[:, 1]]
    if "W_mid_a" in p:
        from_a, from_b = from_a @ p["W_mid_a"], from_b @ p["W_mid_b"]
    return torch.relu(from_a @ p["W_a"] + from_b @ p["W_b"]) @ p["W_out"]


def native_one_hot_logits(p, pairs):
    """Logits of one hidden layer that reads both numbers one-hot, side by side; biases."""
    n = len(p["U"])
    read = torch.nn.functional.one_hot(pairs, n).reshape(len(pairs), 2 * n).to(p["U"].dtype)
    return torch.relu(read @ torch.cat([p["U"], p["V"]]) + p["b_in"]) @ p["W_out"] + p["b_out"]


def native_shared_embedding_logits(p, pairs):
    """Logits of the embedding MLP with one embedding for both numbers."""
    return torch.relu(p["W_E"][pairs].flatten(1) @ p["W_in"] + p["b_in"]) @ p["W_out"] + p["b_out"]


NATIVE_LOGITS = {
    "pizza_transformer": native_logits,
    "two_layer_mlp": native_two_layer_logits,
    "embedding_mlp": native_embedding_logits,
    "group_mlp": native_group_logits,
    "square_mlp": native_square_logits,
    "factored_mlp": native_factored_logits,
    "twice_factored_mlp": native_factored_logits,
    "flax_one_hot_mlp": native_one_hot_logits,
    "flax_one_embedding_mlp": native_shared_embedding_logits,
    "flax_two_embedding_mlp": native_embedding_logits,
}


def native_loss(parameters, pairs, n, architecture="pizza_transformer"):
    """Mean cross-entropy over the pairs in float64, and its gradient in every native parameter by autograd."""
    double = {name: torch.as_tensor(value).detach().double().requires_grad_() for name, value in parameters.items()}
    pairs = torch.from_numpy(pairs)
    loss = torch.nn.functional.cross_entropy(NATIVE_LOGITS[architecture](double, pairs), pairs.sum(1) % n)
    return loss.item(), dict(zip(double, torch.autograd.grad(loss, list(double.values())), strict=True))


def relative_error(found, expected):
    """‖found − expected‖ / ‖expected‖."""
    return float((found.double() - expected.double()).norm() / expected.double().norm())


def forget_code() -> None:
    """Let code be read anew: its files have changed."""
    for function in (*vars(code).values(), *vars(code_of_jobs).values()):
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def project_files() -> list[str]:
    """What a clone would hold: tracked files and new ones that git does not ignore."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [name for name in names if name and (ROOT / name).exists()]


def copy_tree(folder: Path) -> Path:
    """A copy of the project as a clone would hold it, with what is known here: fingerprints of code, compiled modules.

    Both take longer to compute than most of what a test then does.
    """
    compiled = (path for cache in CACHES for path in (ROOT / "workflow").rglob(f"__pycache__/{cache}"))
    for name in (*project_files(), *(str(path.relative_to(ROOT)) for path in compiled)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    if (ROOT / KNOWN).exists():
        (folder / KNOWN).parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / KNOWN, folder / KNOWN)
    return folder


def commit(folder: Path, name: str = "a", address: str = "a@example.org") -> Path:
    """Commit all files of a folder, which is a repository from then on."""
    author = ("-c", f"user.name={name}", "-c", f"user.email={address}")
    for step in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "all")):
        subprocess.run(["git", *author, *step], cwd=folder, check=True)
    return folder


def printed_by(item: str) -> Any:
    """What an item of a source prints; it is named SOURCE/ITEM."""
    source, name = item.split("/")
    return read_yaml(ROOT / f"data/papers/{source}.yaml")["items"][name]["prints"]


@contextmanager
def refuses(*fragments, error=ValueError):
    """The block must raise `error` with a message of one line that holds every fragment."""
    with pytest.raises(error) as raised:
        yield
    message = str(raised.value)
    assert "\n" not in message, f"an error message must be one line, got:\n{message}"
    for fragment in fragments:
        assert fragment in message, f"the message should say '{fragment}', so that the reader can act on it: {message}"


def variables(folder: Path) -> dict[str, str]:
    """The environment in which Python imports the packages of this folder, as `make` has it."""
    code = [str((folder / name).resolve()) for name in ("src", "workflow")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(code)}


def command(*arguments: str) -> list[str]:
    """A snakemake call with this interpreter's own environment."""
    return [sys.executable, "-m", "snakemake", *arguments]


def snakemake(folder: Path, *arguments: str, check: bool = True) -> str:
    """Run snakemake in a folder and return everything it printed."""
    done = subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True)
    output = done.stdout + done.stderr
    assert done.returncode == 0 or not check, f"snakemake {' '.join(arguments)} failed:\n{output[-6000:]}"
    return output


def paper(folder: Path, *words: str, check: bool = True) -> str:
    """Run a command of this project, from the code of a folder and in it, and return everything it printed."""
    return _printed(folder, ["-m", "paper", *words], variables(folder), check)


def script(folder: Path, name: str, *words: str, check: bool = True) -> str:
    """Run a script of maintainers in a folder and return everything it printed; it finds the code of that folder."""
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return _printed(folder, [f"workflow/dev/{name}.py", *words], plain, check)


def _printed(folder: Path, words: list[str], environment: Mapping[str, str], check: bool) -> str:
    line = [sys.executable, *words]
    done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True)
    output = done.stdout + done.stderr
    assert done.returncode == 0 or not check, f"{' '.join(line)} failed:\n{output[-6000:]}"
    return output


def told_by(*words: str) -> tuple[str, str | int | None]:
    """What a command of this project prints in this process, and what it ends with: a status, or a sentence."""
    printed = io.StringIO()
    with (
        chdir(ROOT),
        patch.object(sys, "argv", ["paper", *words]),
        redirect_stdout(printed),
        pytest.raises(SystemExit) as end,
    ):
        main()
    return printed.getvalue(), end.value.code


# In a process of its own, as a job does: there no call is checked, and a column of a table passes for an array.
EXECUTE = """
import json, sys
from pathlib import Path
from paper.execution import execute
for source, executed, parameters in json.load(sys.stdin):
    execute(Path(source), Path(executed), parameters)
"""


def execute_notebooks(calls: Sequence[tuple[Path, Path, Mapping[str, Any]]]) -> None:
    """Execute each source as the notebook that is named beside it, with parameters; files may be given as paths.

    Figures are saved in one format.
    """
    line = [sys.executable, "-c", EXECUTE]
    given = json.dumps(calls, default=str)
    done = subprocess.run(
        line, input=given, cwd=ROOT, env=variables(ROOT) | {FIGURE_FORMATS: "svg"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]


def jobs_of(plan: str) -> set[str]:
    """The rules of a dry run's table of jobs."""
    return set(re.findall(r"^(\w+) +\d+$", plan, flags=re.MULTILINE)) - {"total"}
