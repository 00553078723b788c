"""What goes to the explorer page of a network made by hand."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import perfect_network

from modadd.networks.foreign import External
from paper.page.explorer import base64_of, entry, facts_of, half_angles, name_of

ANGLES = st.floats(-np.pi, np.pi)


def unpacked(text: str) -> np.ndarray:
    """The numbers of a packed table."""
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_packing_keeps_float32_row_by_row() -> None:
    table = np.array([[1.5, -2.0], [0.25, 3e-20]])
    np.testing.assert_array_equal(unpacked(base64_of(table)), table.astype(np.float32).ravel())


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("results/networks/mod_31/seed2.safetensors", "mod_31/seed2"),
        ("results/exhibits/c91_batch.safetensors", "c91_batch/exhibit"),
        ("results/external/kissane.safetensors", "external/kissane"),
    ],
)
def test_networks_are_named_as_in_the_ledger(path: str, name: str) -> None:
    assert name_of(Path(path)) == name


def test_a_network_read_from_a_file_is_not_called_published_for_it_may_be_the_readers_own() -> None:
    said = " ".join(facts_of(External("two_layer_mlp", "abc123", {})))
    assert "ublished" not in said and "read from a file" in said and "abc123" in said


@given(st.lists(st.tuples(ANGLES, ANGLES), min_size=1, max_size=5))
def test_half_angles_add_up_to_both_phases_on_the_shorter_way(pairs: list[tuple[float, float]]) -> None:
    phi_a, phi_b = np.array(pairs).T
    sigma, delta = half_angles(phi_a, phi_b)
    assert (np.abs(delta) <= np.pi / 2 + 1e-12).all()
    np.testing.assert_allclose(np.exp(1j * (sigma + delta)), np.exp(1j * phi_a), atol=1e-12)
    np.testing.assert_allclose(np.exp(1j * (sigma - delta)), np.exp(1j * phi_b), atol=1e-12)


def test_entry_of_a_perfect_network() -> None:
    found = entry(perfect_network(n=7, frequencies=(1, 3), m=8), ["by hand"])
    assert [key["k"] for key in found["key"]] == [1, 3] and [key["neurons"] for key in found["key"]] == [8, 8]
    assert max(key["rms"] for key in found["key"]) < 1e-12
    assert set(found["tables"]) == {"A", "W"}, "B equals A, C and D are zero: none of them is sent"
    widths = unpacked(found["neurons"]["right"]) - unpacked(found["neurons"]["left"])
    np.testing.assert_allclose(widths, 2 * np.pi / 8, rtol=1e-6)  # eight equal neurons share the circle; float32
    assert json.loads(json.dumps(found)) == found
