"""What a file of networks says of itself: a recipe that is not the config's is refused, old arithmetic is told."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support import refuses

from modadd.core.bits import ARITHMETIC
from modadd.core.files import write_whole
from modadd.networks.recipes import RECIPES
from modadd.networks.store import write_tensors
from paper.headers import header_of, require_recipes, train_again

PUBLISHED = RECIPES["pizza_transformer"]
NETWORK = "results/networks/pizza_transformer/seed0.safetensors"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def of_modulus(n):
    """The published recipe with another modulus, as a job's parameters have it."""
    return replace(PUBLISHED, modulus=n, train_pairs=900).as_dict()


def test_networks_of_another_recipe_are_refused_with_what_the_config_says_and_what_was_found():
    write_tensors(Path(NETWORK), {}, {"recipe": of_modulus(59), "seeds": [0]})
    require_recipes({NETWORK: of_modulus(59)})
    with refuses(f"{NETWORK}: expected networks with modulus 31", "found modulus 59 in its header", "delete the file"):
        require_recipes({"results/networks/missing.safetensors": of_modulus(31), NETWORK: of_modulus(31)})


def test_a_header_is_read_alone_and_a_damaged_one_is_left_to_its_reader():
    write_tensors(Path(NETWORK), {}, {"recipe": {"modulus": 59}})
    assert header_of(Path(NETWORK))["recipe"] == {"modulus": 59}
    a_list = json.dumps({"__metadata__": {"modadd": "[1]"}}).encode()
    of_a_list = len(a_list).to_bytes(8, "little") + a_list
    for content in (b"", b"12345678", b"\xff" * 9, Path(NETWORK).read_bytes()[:30], of_a_list):
        write_whole(Path(NETWORK), content)
        assert header_of(Path(NETWORK)) is None
        require_recipes({NETWORK: of_modulus(31)})


def test_networks_that_train_again_are_counted_with_what_trained_them(tmp_path):
    assert train_again(tmp_path) == ""
    old = {"arithmetic": "chains of fused multiply-adds"}
    for name, seeds, origin in (
        ("populations/c91_batch/seeds0-1", [0, 1], old),
        ("networks/embedding_mlp/seed0", [0], old),
        ("populations/c91_batch/seeds2", [2], {"arithmetic": ARITHMETIC}),
        ("populations/t_sets/seeds0", [0], {}),
    ):
        header = {"recipe": of_modulus(59), "seeds": seeds, "origin": origin}
        write_tensors(tmp_path / f"{name}.safetensors", {}, header)
    (tmp_path / "networks/embedding_mlp/seed0.history.safetensors").write_bytes(b"damaged")
    said = train_again(tmp_path)
    assert said.startswith(f"3 networks in {tmp_path} were trained by chains of fused multiply-adds; ")
    assert f"train again by {ARITHMETIC}" in said and "\n" not in said
