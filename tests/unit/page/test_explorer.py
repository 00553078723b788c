"""The explorer: its data by hand-made networks, its JavaScript against the library, the page in a browser."""

import base64
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, visit
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, SMOKE, copy_tree, perfect_network, snakemake

from build_explorer import build_explorer
from modadd.core.fourier import angular_frequency
from modadd.core.separable import Separable, centred, margins
from modadd.crt.contributions import contribution
from modadd.networks.initialisation import drawn
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network, save_networks
from modadd.page.explorer import claims_about, entry, half_angles, name_of, packed
from modadd.quadrature.torus import own_factor, pair_schemes, pair_sum

TEMPLATES = ROOT / "workflow/templates"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no node on this machine to run the page's JavaScript")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine to open the page")


def unpacked(text: str) -> np.ndarray:
    """The numbers of a packed table."""
    return np.frombuffer(base64.b64decode(text), "<f4")


def random_network(n: int = 11, h: int = 13) -> Separable:
    """A network of five tables without any symmetry."""
    rng = np.random.default_rng(7)
    shapes = {"A": (n, h), "B": (n, h), "W": (h, n), "C": (n, n), "D": (n, n)}
    return Separable(**{T: rng.standard_normal(shape) for T, shape in shapes.items()})


def in_node(network: Separable, code: str) -> object:
    """What a JavaScript function body returns, given `m`, the page's functions, and `net`, the decoded network."""
    start = f"const m = require({json.dumps(str(TEMPLATES / 'explorer_network.js'))});"
    read = "const net = m.decode(JSON.parse(require('fs').readFileSync(0)));"
    script = f"{start}{read}process.stdout.write(JSON.stringify((() => {{ {code} }})()));"
    data = json.dumps(entry(network, []))
    return json.loads(
        subprocess.run([NODE, "-e", script], input=data, capture_output=True, text=True, check=True).stdout
    )


ALL = "const all = new Uint8Array(net.h).fill(1), each = [...Array(net.h).keys()];"
LOGITS = (
    ALL
    + "const L = new Float64Array(net.n ** 3); m.writeResidual(net, L, 0, net.n); m.addNeurons(net, L, each, 1, 0, net.n);"
)


def test_packing_keeps_float32_row_by_row() -> None:
    table = np.array([[1.5, -2.0], [0.25, 3e-20]])
    np.testing.assert_array_equal(unpacked(packed(table)), table.astype(np.float32).ravel())


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


ANGLES = st.floats(-np.pi, np.pi)


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


def test_a_network_that_does_nothing_has_no_frequencies() -> None:
    zero = np.zeros((5, 3))
    found = entry(Separable(zero, zero, zero.T, np.zeros((5, 5)), np.zeros((5, 5))), [])
    assert found["key"] == [] and found["accuracy"] == 0


def test_claims_and_notebooks_about_a_network() -> None:
    notebooks = {
        "one": {"title": "One?", "network": "x/seed0"},
        "two": {"title": "Two?", "network": "y/seed0", "others": ["x/seed0"]},
        "three": {"title": "Three?", "network": "y/seed0"},
    }
    claims = [
        {"id": "p", "notebook": "one", "value": "accuracy"},
        {"id": "q", "notebook": "two", "value": "x_rms_mismatch", "network": "x/seed0"},
        {"id": "r", "notebook": "two", "value": "accuracy"},
        {"id": "s", "notebook": "one", "value": "another"},
    ]
    found = claims_about({"notebooks": notebooks, "claims": claims}, "x/seed0")
    assert found["notebooks"] == {"one": "One?", "two": "Two?"}
    assert found["claims"] == {"accuracy": ["p"], "frequencies": [], "phases": ["q"], "error": []}


@needs_node
@pytest.mark.parametrize("network", [random_network(), perfect_network()], ids=["random", "perfect"])
def test_javascript_logits_and_margins_are_the_library_s(network: Separable) -> None:
    n, logits = network.modulus, network.logits()
    found = in_node(
        network,
        LOGITS + "const { map, smallest, right } = m.margins(L, net.n); return [[...L], [...map], smallest, right];",
    )
    np.testing.assert_allclose(np.reshape(found[0], (n, n, n)), logits, atol=1e-5)  # tables are sent in float32
    np.testing.assert_allclose(np.reshape(found[1], (n, n)).T, margins(logits), atol=1e-5)
    assert found[2] == pytest.approx(margins(logits).min(), abs=1e-5)
    assert found[3] == (margins(logits) > 0).sum()


@needs_node
def test_removed_neurons_are_subtracted_and_come_back() -> None:
    network, gone = random_network(), [2, 5, 6]
    code = "const whole = [...L]; m.addNeurons(net, L, [2, 5, 6], -1, 0, net.n); const less = [...L];"
    found = in_node(
        network, LOGITS + code + "m.addNeurons(net, L, [6, 2, 5], 1, 0, net.n); return [whole, less, [...L]];"
    )
    expected = network.logits() - contribution(network, np.array(gone))
    np.testing.assert_allclose(found[1], expected.ravel(), atol=1e-5)
    np.testing.assert_allclose(found[2], found[0], atol=1e-12)


@needs_node
def test_parts_of_one_input_add_up_to_its_centred_logits() -> None:
    network = random_network()
    a, b = 4, 9
    found = in_node(
        network,
        ALL + f"const p = m.parts(net, m.preactivations(net, {a}, {b}), all, {a}, {b});"
        "return [p.clusters.map(one => [...one]), [...p.others], [...p.residual], [...p.logits]];",
    )
    frequency = np.array(entry(network, [])["neurons"]["frequency"])
    for cluster, k in zip(found[0], pair_schemes(network), strict=True):
        expected = contribution(network, np.flatnonzero(frequency == k))[a, b]
        np.testing.assert_allclose(cluster, centred(expected), atol=1e-5)
    np.testing.assert_allclose(found[2], centred(network.residual()[a, b]), atol=1e-5)
    np.testing.assert_allclose(found[3], centred(network.logits()[a, b]), atol=1e-5)
    np.testing.assert_allclose(np.sum(found[0], axis=0) + found[1] + found[2], found[3], atol=1e-12)


@needs_node
@pytest.mark.parametrize("network", [random_network(), perfect_network()], ids=["random", "perfect"])
def test_rectangles_cosines_and_integral_of_every_frequency(network: Separable) -> None:
    a, b, c = 3, 6, 1
    frequency = np.array(entry(network, [])["neurons"]["frequency"])
    rows = in_node(
        network,
        ALL + f"const pre = m.preactivations(net, {a}, {b}); return net.keys.map(key => {{"
        f"const r = m.rectangles(net, key, pre, all, {c});"
        "const area = r.top.reduce((sum, top, i) => sum + top * (r.right[i] - r.left[i]), 0);"
        f"return [r.sum, area, r.identity, m.cosines(net, key, all, {a}, {b}, {c}), m.integral(net, key, {a}, {b}, {c})]; }});",
    )
    for (k, scheme), (rectangles, area, identity, cosines, integral) in zip(
        pair_schemes(network).items(), rows, strict=True
    ):
        own = np.flatnonzero(frequency == k)
        pre, W = (network.A[a] + network.B[b])[own], centred(network.W[own])[:, c]
        assert rectangles == pytest.approx(np.abs(pre) @ W / 2, abs=1e-5)
        assert area == pytest.approx(rectangles, abs=1e-4), "the drawn areas are the sum"
        assert identity == pytest.approx(pre @ W / 2, abs=1e-5)
        turn, unit = np.exp(1j * angular_frequency(k, network.modulus) * c), scheme.total / (2 * np.pi)
        if np.allclose(network.A, network.B):  # pair_sum leaves a difference of amplitudes out, as does `cosines`
            assert cosines == pytest.approx(rectangles, abs=1e-5), "a perfect network is nothing but its cosines"
        assert cosines == pytest.approx(unit * (pair_sum(scheme)[a, b] * turn).real, abs=1e-5)
        factor = own_factor(scheme)[(a - b) % network.modulus]
        phase = angular_frequency(k, network.modulus) * (a + b - c)
        assert integral == pytest.approx(unit * 4 / 3 * factor * np.cos(phase), abs=1e-5)


@needs_node
def test_the_curve_integrates_to_the_integral() -> None:
    code = (
        "const phi = Array.from({ length: 20000 }, (_, i) => -Math.PI + (i + 0.5) * Math.PI / 10000);"
        "return net.keys.map(key => [m.curve(net, key, 3, 6, 1, phi).reduce((x, y) => x + y) * Math.PI / 10000,"
        "m.integral(net, key, 3, 6, 1)]);"
    )
    for area, integral in in_node(perfect_network(), code):
        assert area == pytest.approx(integral, abs=1e-5)


def page_of(folder: Path, *networks: Network) -> Path:
    """The page of some networks, saved and built as the workflow does."""
    files = [folder / f"study{number}/seed{network.seed}.safetensors" for number, network in enumerate(networks)]
    for network, file in zip(networks, files, strict=True):
        save_networks([network], file)
    page = folder / "explorer.html"
    build_explorer(files, [], ROOT / "data/claims.yaml", TEMPLATES / "explorer.html.j2", page)
    return page


def untrained(recipe_name: str, **changes: int) -> Network:
    """A network of a published recipe at its initial parameters."""
    recipe = replace(RECIPES[recipe_name], **changes)
    parameters = {name: value.numpy() for name, value in drawn(recipe, 0).items()}
    return Network(recipe, 0, parameters, {"accuracy": 0.0, "train_loss": 2.0, "held_out_loss": 2.5})


SLIDE = """(async (id, value) => {{
  const slider = document.getElementById(id), before = +(document.body.dataset.changes ?? 0);
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
  while (+(document.body.dataset.changes ?? 0) === before) await new Promise(resolve => setTimeout(resolve, 5));
}})({id!r}, {value})"""


@needs_browser
def test_the_page_answers_sliders_and_keys_without_a_complaint(tmp_path: Path) -> None:
    network = untrained("pizza_transformer")  # n = 59, 512 neurons
    page = page_of(tmp_path / "page", network, untrained("embedding_mlp", modulus=13, train_pairs=84, batch_size=0))
    expected = margins(network.separable().logits())

    async def steps(tab):
        await tab.evaluate("document.getElementById('a').focus()")
        await tab.press("ArrowRight", 39)
        await tab.wait_for("document.getElementById('spoken').textContent.startsWith('4 + 5')")
        summary = await tab.evaluate("document.getElementById('summary').textContent")
        for id, values in {"a": (20, 34), "e": (1, 5), "removed": (1, 2, 260, 512, 0)}.items():
            for value in values:
                await tab.evaluate(SLIDE.format(id=id, value=value))  # returns when it is answered
        whole = await tab.evaluate("document.getElementById('map-said').textContent")
        await tab.evaluate(
            "for (const name of ['study1/seed0', 'study0/seed0', 'study1/seed0']) {"  # before any of them is drawn
            "const list = document.getElementById('network'); list.value = name; list.dispatchEvent(new Event('change')); }"
        )
        await tab.wait_for("/mod 13.* of 169 inputs/.test(document.getElementById('summary').textContent)")
        await tab.wait_for("document.querySelectorAll('#map > div').length === 1")
        return summary, whole, tab.complaints, tab.requests

    summary, whole, complaints, requests = visit(page, tmp_path / "profile", steps)
    assert f"margin {expected[4, 5]:.2f}".replace("-", "−") in summary
    assert whole.startswith(f"{(expected > 0).sum()} of 3481 inputs right"), "neurons that came back are all back"
    assert not complaints
    assert [request for request in requests if not request.startswith("file:")] == [], "the page must need no network"


@needs_browser
def test_the_page_of_a_phone_is_as_wide_as_the_phone(tmp_path: Path) -> None:
    page = page_of(tmp_path / "page", untrained("two_layer_mlp", modulus=13, train_pairs=50))

    async def steps(tab):
        return await tab.evaluate("[document.documentElement.scrollWidth, innerWidth]"), tab.complaints

    (content, screen), complaints = visit(page, tmp_path / "profile", steps, width=375, height=700)
    assert content <= screen == 375 and not complaints


def test_every_slider_and_list_of_the_page_has_a_label(tmp_path: Path) -> None:
    text = page_of(tmp_path, untrained("two_layer_mlp", modulus=13, train_pairs=50)).read_text(encoding="utf-8")
    body = text[: text.index("<script>")]
    controls = re.findall(r'<(?:input|select) id="(\w+)"', body)
    assert controls and set(controls) == set(re.findall(r'<label for="(\w+)"', body))
    assert 'aria-live="polite"' in body
    assert not re.search(r'(?:href|src)="https?:', body), "the page must need no network"


def test_another_modulus_by_config_is_trained_and_joins_the_explorer(tmp_path: Path) -> None:
    folder = copy_tree(tmp_path)
    moduli = (31, 97, 60)
    added = {f"mod_{n}": {"recipe": "pizza_transformer", "modulus": n, "steps": 3, "seeds": [0]} for n in moduli}
    short = {
        "pizza_transformer": {"seeds": [0], "steps": 3},
        "two_layer_mlp": {"steps": 3},
        "embedding_mlp": {"steps": 56},
    }
    populations = {"c91_batch": {"seeds": 1, "steps": 56}, "c91_full": {"seeds": 1, "steps": 3}}
    overrides = f"studies={json.dumps(added | short)}", f"populations={json.dumps(populations)}"
    snakemake(folder, "figures/explorer.html", "--cores", "1", *SMOKE, "--config", *overrides)
    page = folder / "figures/explorer.html"
    text = page.read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    shown = {network["name"]: network for network in json.loads(data[1])}
    assert {f"mod_{n}/seed0": n for n in moduli}.items() <= {
        name: own["modulus"] for name, own in shown.items()
    }.items()
    assert {"pizza_transformer/seed0", "c91_batch/exhibit"} <= set(shown), "the config's own networks stay"
    assert page.stat().st_size < 8e6
