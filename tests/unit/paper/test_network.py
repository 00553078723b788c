"""A network of one's own: its name, its file, its explorer."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from state_dicts import imported, saved, transformer_state, two_layer_state
from support import ROOT, refuses, told_by

from paper.commands.network import entry_of, name_of, write_explorer


@pytest.mark.parametrize(("file", "name"), [("My-net 2.pt", "my_net_2"), ("7x.pt", "own_7x"), ("_a.pt", "own__a")])
def test_a_file_gives_a_name_that_a_config_takes(file, name):
    assert name_of(Path(file)) == name and re.fullmatch("[a-z][a-z0-9_]*", name)


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
    assert entry_of(path, "two_layer_mlp", activation=None, operation="") == plain
    said = {"activation": "square", "tensors": {"W_in": "0.weight"}, "tokens": ["a", 5, "b"]}
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
    assert "unknown format 'two_layer'; did you mean 'two_layer_mlp'?" in sentence and "\n" not in sentence
    assert printed == f"Reading {tmp_path}/bad.pt as two_layer_mlp, then its answer to every input\n"
    assert printed_too.startswith(f"Reading {path} as two_layer, ")
    usage, status = told_by("network")
    assert usage.startswith("usage: python -m paper network") and status == 2
