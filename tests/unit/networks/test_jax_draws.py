"""Draws of jax's generator: the published answers of its hash, numbers that jax gave, and jax itself where it is installed."""

import math

import numpy as np
import pytest

from modadd.networks.jax_draws import Key, he_normal, normal, permutation, threefry2x32, truncated_normal, uniform

NEW, OLD = Key(0, 133), Key(0, 133, partitionable=False)
KEYS = [Key(0, seed, new) for seed in (0, 133, 2**31 + 5) for new in (True, False)]


@pytest.mark.parametrize(
    ("words", "key", "expected"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
        ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_hashes_are_the_known_answers_of_random123(words, key, expected):
    """kat_vectors of Random123: threefry2x32 with 20 rounds."""
    first, second = (np.array([word], np.uint32) for word in words)
    assert tuple(int(hashed[0]) for hashed in threefry2x32(key, first, second)) == expected


# The rest is what jax 0.10.2 gave for the seed 133, by its flag jax_threefry_partitionable.
def test_a_number_is_folded_in_alike_by_both_forms():
    assert NEW.folded(77) == Key(2814300704, 3371495479)
    assert OLD.folded(77) == Key(2814300704, 3371495479, partitionable=False)


def test_both_forms_split_a_key_otherwise():
    assert NEW.split() == [Key(4121159359, 2339802900), Key(624790416, 1858312355)]
    assert OLD.split() == [Key(3375859447, 2963325614, False), Key(2684699708, 1190369127, False)]


def test_both_forms_draw_other_words():
    assert NEW.bits(3).tolist() == [2127915435, 1274942259, 1764934347]
    assert OLD.bits(3).tolist() == [3375859447, 726924045, 2684699708], "an odd number of words"


def test_both_forms_permute_otherwise():
    assert permutation(NEW, 10).tolist() == [4, 0, 1, 5, 3, 9, 8, 2, 7, 6]
    assert permutation(OLD, 10).tolist() == [2, 1, 4, 0, 8, 9, 5, 7, 3, 6]
    assert permutation(NEW, 1).tolist() == [0]


def of_hex(*numbers):
    return [float.fromhex(number) for number in numbers]


def test_numbers_are_those_of_jax_to_the_last_bit():
    assert uniform(NEW, 2).tolist() == of_hex("0x1.fb55a0p-2", "0x1.2ff848p-2")
    assert normal(NEW, 2).tolist() == of_hex("-0x1.763cc8p-7", "-0x1.11263ap-1")
    assert truncated_normal(NEW, 2).tolist() == of_hex("-0x1.65360ep-7", "-0x1.039122p-1")
    assert he_normal(NEW, 1, 2).tolist() == [of_hex("-0x1.1f26f4p-6", "-0x1.a1513ep-1")]
    assert normal(OLD, 2).tolist() == of_hex("-0x1.0e59fap+0", "-0x1.5b4a52p-3")
    assert he_normal(OLD, 1, 2).tolist() == [of_hex("-0x1.9699f2p+0", "-0x1.0a5c46p-2")]


def test_kernels_have_the_variance_of_he_and_stay_within_two_deviations():
    kernel = he_normal(Key(0, 1), 128, 4096)
    assert kernel.std() == pytest.approx(math.sqrt(2 / 128), rel=5e-3)
    assert np.abs(kernel).max() < 2 * math.sqrt(2 / 128) / 0.8796


@pytest.mark.parametrize("key", KEYS)
def test_every_draw_is_that_of_jax(key):
    jax = pytest.importorskip("jax", reason="JAX is an optional extra")
    shape, he = (513, 401), jax.nn.initializers.he_normal()
    with jax.threefry_partitionable(key.partitionable):
        seed = jax.random.PRNGKey(key.low)
        for found, expected in (
            ([[k.high, k.low] for k in key.split(3)], jax.random.split(seed, 3)),
            ([key.folded(77).high, key.folded(77).low], jax.random.fold_in(seed, 77)),
            (key.bits(7, 9), jax.random.bits(seed, (7, 9))),
            (uniform(key, *shape), jax.random.uniform(seed, shape)),
            (normal(key, *shape), jax.random.normal(seed, shape)),
            (truncated_normal(key, *shape), jax.random.truncated_normal(seed, -2, 2, shape)),
            (he_normal(key, *shape), he(seed, shape)),
            (permutation(key, 2304), jax.random.permutation(seed, 2304)),
        ):
            assert np.array_equal(found, np.asarray(expected))


def test_parameters_have_the_keys_that_flax_gives_them():
    jax = pytest.importorskip("jax", reason="JAX is an optional extra")
    linen = pytest.importorskip("flax.linen", reason="flax is no requirement of the project")
    he = jax.nn.initializers.he_normal()

    class Inner(linen.Module):
        @linen.compact
        def __call__(self, x):
            bias = jax.nn.initializers.normal(1.0)
            return linen.Dense(20, name="dense_1", kernel_init=he, bias_init=bias)(x)

    class Outer(linen.Module):
        @linen.compact
        def __call__(self, x):
            return Inner(name="inner")(linen.Embed(48, 16, name="embedding_a", embedding_init=he)(x))

    seed = Key(0, 5)
    found = Outer().init(jax.random.PRNGKey(5), np.zeros(2, np.int32))["params"]
    dense = found["inner"]["dense_1"]
    for drawn, expected in (
        (he_normal(seed.of_parameter("embedding_a"), 48, 16), found["embedding_a"]["embedding"]),
        (he_normal(seed.of_parameter("inner", "dense_1"), 16, 20), dense["kernel"]),
        (normal(seed.of_parameter("inner", "dense_1", draw=2), 20), dense["bias"]),
    ):
        assert np.array_equal(drawn, np.asarray(expected))
