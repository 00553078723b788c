"""The explorer page as it is built, in a browser."""

import re
from pathlib import Path

from browser import visit
from explorers import MOVE, needs_browser, page_of, untrained

from modadd.core.separable import margins


@needs_browser
def test_the_page_answers_sliders_and_keys_without_a_complaint(browser: str, tmp_path: Path) -> None:
    network = untrained("pizza_transformer")  # n = 59, 512 neurons
    page = page_of(tmp_path, network, untrained("embedding_mlp", modulus=13, train_pairs=84, batch_size=0))
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

    summary, whole, complaints, requests = visit(browser, page, steps)
    assert f"margin {expected[4, 5]:.2f}".replace("-", "−") in summary
    assert whole.startswith(f"{(expected > 0).sum()} of 3481 inputs right"), "neurons that came back are all back"
    assert not complaints
    assert [request for request in requests if not request.startswith("file:")] == [], "the page must need no network"


def test_every_slider_and_list_of_the_page_has_a_label(tmp_path: Path) -> None:
    text = page_of(tmp_path, untrained("two_layer_mlp", modulus=13, train_pairs=50)).read_text(encoding="utf-8")
    body = text[: text.index("<script>")]
    controls = re.findall(r'<(?:input|select) id="(\w+)"', body)
    assert controls and set(controls) == set(re.findall(r'<label for="(\w+)"', body))
    assert 'aria-live="polite"' in body
    assert not re.search(r'(?:href|src)="https?:', body), "the page must need no network"
