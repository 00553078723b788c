from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.numpy import save, save_file
from support import NATIVE_LOGITS, WITH_RELU, refuses

from modadd.core.bits import ARITHMETIC, ON_GPU
from modadd.core.files import UNSEALED, FileError, write_sealed
from modadd.networks.initialisation import INITIALISATIONS, all_pairs
from modadd.networks.recipes import RECIPES
from modadd.networks.store import (
    Network,
    NetworkError,
    load_network,
    load_networks,
    read_tensors,
    save_networks,
    write_tensors,
)


@pytest.fixture
def saved(untrained, tmp_path):
    path = tmp_path / "seed0.safetensors"
    save_networks([untrained], path)
    return path


def test_a_network_survives_saving_and_loading(untrained, saved):
    loaded = load_network(saved)
    assert (loaded.recipe, loaded.seed, loaded.results) == (untrained.recipe, untrained.seed, untrained.results)
    assert [*loaded.parameters] == sorted(untrained.parameters), "the order in which sums over them are taken"
    for name, value in untrained.parameters.items():
        np.testing.assert_array_equal(loaded.parameters[name], value)
        assert loaded.parameters[name].dtype == np.float32


def test_networks_of_one_file_are_read_in_order_each_with_its_seed_and_results(untrained, tmp_path):
    other = {name: value + 1 for name, value in untrained.parameters.items()}
    pair = [untrained, replace(untrained, seed=5, parameters=other, results={"accuracy": 1.0})]
    save_networks(pair, tmp_path / "shard")
    for loaded, network in zip(load_networks(tmp_path / "shard"), pair, strict=True):
        assert (loaded.recipe, loaded.seed, loaded.results) == (network.recipe, network.seed, network.results)
        for name, value in network.parameters.items():
            np.testing.assert_array_equal(loaded.parameters[name], value)
    with refuses("expected one network, found 2", error=NetworkError):
        load_network(tmp_path / "shard")


def test_networks_of_two_recipes_or_shapes_are_not_put_in_one_file(untrained, tmp_path):
    longer = replace(untrained, recipe=replace(untrained.recipe, steps=41))
    with refuses("networks of one recipe", error=NetworkError):
        save_networks([untrained, longer], tmp_path / "shard")
    wider = replace(untrained, seed=5, parameters={**untrained.parameters, "W_E": np.zeros((7, 9), np.float32)})
    with refuses("seed 5", error=NetworkError):
        save_networks([untrained, wider], tmp_path / "shard")


@pytest.mark.parametrize("change", [lambda seeds: seeds + [1], lambda seeds: []], ids=["more", "none"])
def test_a_file_with_more_or_fewer_seeds_than_networks_is_refused(saved, change):
    tensors, metadata = read_tensors(saved)
    write_tensors(saved, tensors, metadata | {"seeds": change(metadata["seeds"])})
    with refuses(str(saved), error=NetworkError):
        load_network(saved)


def test_saving_twice_gives_equal_bytes(untrained, saved, tmp_path):
    save_networks([replace(untrained, parameters=dict(reversed(untrained.parameters.items())))], tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == saved.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "seed0.safetensors"], "nothing partial is left"


@pytest.mark.parametrize("name", RECIPES)
def test_every_architecture_survives_and_has_the_logits_of_the_network_written_out(small, tmp_path, name):
    parameters = {
        key: value.numpy() + (0.1 if key.startswith("b_") else 0)
        for key, value in INITIALISATIONS[name](small[name], 2).items()
    }
    save_networks([Network(small[name], 2, parameters, {"accuracy": 0.5})], tmp_path / "network")
    loaded = load_network(tmp_path / "network")
    assert loaded.recipe == small[name]
    double = {key: torch.from_numpy(value).double() for key, value in loaded.parameters.items()}
    expected = NATIVE_LOGITS[name](double, torch.from_numpy(all_pairs(13))).numpy()
    np.testing.assert_allclose(loaded.logits().reshape(169, 13), expected, rtol=1e-10, atol=1e-10)
    if name in WITH_RELU:  # tables that an architecture has not are zero
        np.testing.assert_allclose(loaded.separable().logits().reshape(169, 13), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda tensors: tensors.pop("W_V"), ["'W_V' is missing", "W_E, W_pos"]),
        (lambda tensors: tensors.update(W_ein=tensors["W_in"]), ["unknown tensor 'W_ein'", "did you mean 'W_in'?"]),
        (lambda tensors: tensors.update(W_U=tensors["W_U"][:, :, :6]), ["'W_U'", "float32 (1, 8, 7)", "(1, 8, 6)"]),
        (lambda tensors: tensors.update(W_E=tensors["W_E"].astype(float)), ["'W_E'", "expected float32", "float64"]),
        (
            lambda tensors: tensors["b_in"].__setitem__((0, slice(2)), (np.nan, np.inf)),
            ["'b_in'", "2 values that are not finite"],
        ),
    ],
    ids=["missing", "mistyped", "shape", "type", "not finite"],
)
def test_a_tensor_that_is_not_of_the_recipe_is_named(saved, change, words):
    tensors, metadata = read_tensors(saved)
    change(tensors)
    write_tensors(saved, tensors, metadata)
    with refuses(str(saved), *words, error=NetworkError):
        load_network(saved)


def test_file_of_others_is_refused(untrained, saved):
    save_file(dict(untrained.parameters), saved)
    with refuses(str(saved), "no checksum of this project", error=FileError):
        load_network(saved)
    write_sealed(saved, save(dict(untrained.parameters), {"other": UNSEALED}))
    with refuses(str(saved), "'modadd' metadata", error=NetworkError):
        load_network(saved)


@pytest.mark.parametrize("key", ["recipe", "seeds", "results"])
def test_metadata_of_another_version_is_refused(saved, key):
    tensors, metadata = read_tensors(saved)
    write_tensors(saved, tensors, {name: value for name, value in metadata.items() if name != key})
    with refuses(str(saved), key, "build it again", error=NetworkError):
        load_network(saved)


@pytest.mark.parametrize("old", [{"products": "openblas"}, {"arithmetic": "another"}], ids=["products", "arithmetic"])
def test_a_network_of_another_version_s_bits_is_refused_with_the_version_unless_it_is_kept(untrained, tmp_path, old):
    path = tmp_path / "seed0.safetensors"
    save_networks([replace(untrained, origin={"torch": "2.12.0", "numpy": "2.4.0"} | old)], path)
    words = ("; torch 2.12.0, numpy 2.4.0), which has other bits; ", "delete the file to train it here", *old.values())
    with refuses(f"{path}: expected a network trained by {ARITHMETIC}", *words, error=NetworkError):
        load_network(path)
    assert load_network(path, kept=True).seed == untrained.seed


@pytest.mark.parametrize("arithmetic", [ARITHMETIC, *ON_GPU])
def test_a_network_of_this_version_s_bits_is_read(untrained, tmp_path, arithmetic):
    save_networks([replace(untrained, origin={"arithmetic": arithmetic})], tmp_path / "seed0.safetensors")
    assert load_network(tmp_path / "seed0.safetensors").origin["arithmetic"] == arithmetic


def test_unknown_recipe_number_is_refused(saved):
    tensors, metadata = read_tensors(saved)
    write_tensors(saved, tensors, metadata | {"recipe": metadata["recipe"] | {"dropout": 0.1}})
    with refuses(str(saved), "dropout", error=NetworkError):
        load_network(saved)


def test_unknown_architecture_is_refused_with_the_nearest_valid_name(untrained, tmp_path):
    network = replace(untrained, recipe=replace(untrained.recipe, architecture="pizza_transfomer"))
    with refuses("did you mean 'pizza_transformer'?", error=NetworkError):
        save_networks([network], tmp_path / "network")


def test_refused_save_leaves_the_folder_as_it_was(untrained, saved):
    before = saved.read_bytes()
    bad = replace(untrained, parameters={**untrained.parameters, "W_E": np.full((7, 8), np.nan, np.float32)})
    with refuses(str(saved), "'W_E'", error=NetworkError):
        save_networks([bad], saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved], "nothing half-written may be left"
