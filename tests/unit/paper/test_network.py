"""A network of one's own: its name, its file, its explorer."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from state_dicts import imported, saved, transformer_state, two_layer_state
from support import ROOT, refuses, told_by

from paper.commands.network import entry_of, everything, name_of, write_explorer


@pytest.mark.parametrize(("file", "name"), [("My-net 2.pt", "my_net_2"), ("7x.pt", "own_7x"), ("_a.pt", "own__a")])
def test_a_file_gives_a_name_that_a_config_takes(file, name):
    assert name_of(Path(file), {"mine"}) == name and re.fullmatch("[a-z][a-z0-9_]*", name)


def test_a_file_that_is_called_like_a_dataset_has_a_name_of_its_own():
    assert name_of(Path("mine.pt"), {"mine"}) == "own_mine"
    assert name_of(Path("mine.pt"), {"mine", "own_mine"}) == "own_own_mine"


def test_the_command_for_everything_builds_where_the_network_was_put():
    files = ["config/smoke.yaml", "results/own/x.yaml"]
    assert everything(files[1:], Path(".")) == "snakemake --cores all --configfile results/own/x.yaml"
    said = "snakemake --cores all --directory results/smoke --configfile config/smoke.yaml results/own/x.yaml"
    assert everything(files, Path("results/smoke")) == said


@pytest.mark.parametrize("target", ["network FILE", "look NETWORK"])
def test_make_takes_a_file_whose_name_has_spaces(target):
    name, key = target.split()
    command = ["make", "--no-print-directory", "-n", name, f"{key}=my net.npz"]  # also where make runs the tests
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert shlex.split(done.stdout.splitlines()[-1])[-4:] == ["-m", "paper", name, "my net.npz"]


def test_a_file_gives_an_entry_with_what_is_said_of_it(tmp_path):
    with refuses(f"{tmp_path / 'none.pt'}: no such file; expected a file of tensors"):
        entry_of(tmp_path / "none.pt", "two_layer_mlp")
    path, sha256 = saved(two_layer_state(), tmp_path / "mine.pt")
    plain = {"path": str(path), "format": "two_layer_mlp", "sha256": sha256}
    assert entry_of(path, "two_layer_mlp", activation=None, operation=None) == plain
    said = {"activation": "square", "tensors": {"W_in": "0.weight"}, "tokens": []}
    assert entry_of(path, "two_layer_mlp", **said) == plain | said


def test_its_explorer_holds_it_alone(tmp_path, in_root):
    network = imported(two_layer_state(n=7, d_model=5, d_mlp=9), "two_layer_mlp", tmp_path)
    said = write_explorer("mine", network, tmp_path / "figures/network_mine.html")
    assert said == f"Explorer: {(tmp_path / 'figures/network_mine.html').as_uri()}"
    page = (tmp_path / "figures/network_mine.html").read_text(encoding="utf-8")
    assert re.findall(r'"name": "([a-z]+/[a-z0-9]+)"', page) == ["external/mine"]


def test_a_network_without_a_separable_form_has_no_explorer(tmp_path, in_root):
    network = imported(transformer_state(), "zhong_softmax", tmp_path)
    assert write_explorer("mine", network, tmp_path / "page.html").startswith("No explorer")
    assert not (tmp_path / "page.html").exists()


def test_without_a_file_or_with_a_bad_one_the_command_says_so_in_one_line(tmp_path):
    (tmp_path / "bad.pt").write_bytes(b"no pickle")
    printed, sentence = told_by("network", str(tmp_path / "bad.pt"), "two_layer_mlp")
    assert sentence.startswith(f"network: {tmp_path}/bad.pt: expected tensors by name") and "\n" not in sentence
    path, _ = saved(two_layer_state(), tmp_path / "mine.pt")
    printed_too, sentence = told_by("network", str(path), "two_layer")
    words = "network: config: datasets.mine.format: unknown value 'two_layer'; did you mean 'two_layer_mlp'?"
    assert sentence.startswith(words) and "\n" not in sentence and not printed_too
    assert printed == f"Reading {tmp_path}/bad.pt as two_layer_mlp, then its answer to every input\n"
    usage, status = told_by("network")
    assert usage.startswith("usage: python -m paper network") and status == 2


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("--tensors", "{W: ", "--tensors: not YAML: "),
        ("--tensors", "{W_in: 5}", "datasets.mine.tensors.W_in: expected string, got 5"),
        ("--tensors", "{W_inn: a}", "datasets.mine.tensors: unknown role 'W_inn'; did you mean 'W_in'?"),
        ("--tokens", "5", "datasets.mine.tokens: expected array, got 5"),
        ("--tokens", "[[1], a]", "datasets.mine.tokens.0: expected string or integer, got [1]"),
        ("--tokens", "[]", "datasets.mine.tokens: "),
        ("--operation", "additon", "datasets.mine.operation: unknown operation 'additon'; did you mean 'addition'?"),
    ],
)
def test_what_is_said_of_a_file_is_checked_before_it_is_read(tmp_path, option, text, said):
    path, _ = saved(two_layer_state(), tmp_path / "mine.pt")
    printed, sentence = told_by("network", str(path), option, text)
    assert said in sentence and "\n" not in sentence and not printed
    assert not (ROOT / "results/own/mine.yaml").exists()
