"""The explorer page as it is built: in a browser, and with another network of the config."""

import json
import re
from pathlib import Path

from browser import visit
from explorers import MOVE, needs_browser, page_of, untrained
from support import SMOKE, copy_tree, snakemake

from modadd.core.separable import margins
from modadd.page.explorer_history import LARGEST


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
                await tab.evaluate(MOVE.format(id=id, value=value))  # returns when it is answered
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
    histories = json.loads(re.search(r'id="histories">(.*?)</script>', text, re.DOTALL)[1])
    assert {"pizza_transformer/seed0", "mod_31/seed0"} <= set(histories), "networks trained alone have their snapshots"
    assert page.stat().st_size <= LARGEST
