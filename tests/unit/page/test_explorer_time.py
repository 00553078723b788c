"""The explorer page's slider over training, what plays it, and its causal controls, in a browser."""

import re
from pathlib import Path

import pytest
from browser import visit
from explorers import MOVE, needs_browser, page_of, untrained, watched

from modadd.core.bits import set_arithmetic
from modadd.core.separable import margins
from modadd.networks.snapshots import History, read_history

pytestmark = pytest.mark.usefixtures("arithmetic")
SMALL = {"modulus": 13, "train_pairs": 84, "batch_size": 0}
SUMMARY = "document.getElementById('summary').textContent"
MOMENT = "document.getElementById('moment').getAttribute('aria-valuetext')"
VALUE = "+document.getElementById('moment').value"
PLAY = "document.getElementById('play').textContent"
DRAWN = "JSON.stringify(Bokeh.documents[0].roots().flatMap(root => root.renderers).map(one => one.data_source?.data.top ?? null))"


STEPS = [0, 3, 10, 100, 400]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small network with snapshots after these STEPS, and of one without any."""
    set_arithmetic()  # before the first test of the module does so
    folder = tmp_path_factory.mktemp("page")
    checkpoint = folder / "run.safetensors"
    network = watched(checkpoint, "embedding_mlp", STEPS, **SMALL)
    return page_of(folder, network, untrained("two_layer_mlp", modulus=7, train_pairs=15), checkpoints={0: checkpoint})


def history_of(page: Path) -> History:
    """The snapshots of the page's first network."""
    return read_history(page.with_name("study0") / "seed0.history.safetensors")


@needs_browser
def test_every_moment_shows_the_network_as_it_was(browser: str, page: Path) -> None:
    history = history_of(page)

    async def steps(tab):
        first = await tab.evaluate(SUMMARY), await tab.evaluate(MOMENT)
        seen = []
        for index in range(len(STEPS)):
            await tab.evaluate(MOVE.format(id="moment", value=index))
            facts = await tab.evaluate(
                "document.getElementById('about').scrollIntoView(), new Promise(resolve => setTimeout(() => resolve(document.getElementById('about').textContent), 300))"
            )
            seen.append((await tab.evaluate(SUMMARY), await tab.evaluate(MOMENT), facts))
        return first, seen, tab.complaints

    first, seen, complaints = visit(browser, page, steps)
    assert not complaints
    assert first == seen[-1][:2], "the last position is the trained network, and the first that is shown"
    for index, (summary, moment, facts) in enumerate(seen):
        found = margins(history.separable(index).logits())
        assert moment == ("400 of 400, trained" if index == 4 else f"{STEPS[index]} of 400")
        assert f"{(found > 0).sum()} of 169 inputs right" in summary
        if index < 4:
            assert f"margin {found[3, 5]:.2f}".replace("-", "−") in summary
            assert f"accuracy {float(f'{(found > 0).mean():.5f}'):g} over all 13² inputs" in facts
            assert "measured here" in facts and "as the workflow measured it" not in facts
        assert "all 5 snapshots that were kept are here, as many as a page of 8 MB holds" in facts


@needs_browser
def test_keys_move_through_training_and_play_stops_at_the_end(browser: str, page: Path) -> None:
    async def steps(tab):
        await tab.evaluate("document.getElementById('moment').focus()")
        await tab.press("ArrowLeft", 37)
        await tab.wait_for(f"{MOMENT} === '100 of 400'")
        await tab.wait_for("document.getElementById('spoken').textContent.startsWith('After 100 updates.')")
        await tab.press("Home", 36)
        await tab.wait_for(f"{MOMENT} === '0 of 400'")
        await tab.evaluate("document.getElementById('play').focus()")
        await tab.press(" ", 32)
        playing = await tab.evaluate(PLAY)
        await tab.wait_for(f"{VALUE} >= 1")
        await tab.press(" ", 32)
        paused = await tab.evaluate(PLAY), await tab.evaluate(VALUE)
        await tab.evaluate("new Promise(resolve => setTimeout(resolve, 600))")
        rested = await tab.evaluate(VALUE)
        await tab.evaluate("document.getElementById('play').click()")
        await tab.wait_for(f"{VALUE} === 4 && {PLAY} === 'Play'")
        await tab.evaluate("document.getElementById('network').value = 'study1/seed0'")
        await tab.evaluate("document.getElementById('network').dispatchEvent(new Event('change'))")
        await tab.wait_for(f"/mod 7.* of 49 inputs/.test({SUMMARY})")
        hidden = await tab.evaluate("document.getElementById('time').checkVisibility()")
        return playing, paused, rested, hidden, tab.complaints

    playing, paused, rested, visible, complaints = visit(browser, page, steps)
    assert not complaints and not visible, "a network without snapshots has no slider"
    assert playing == "Pause" and paused[0] == "Play" and rested == paused[1] < 4


@needs_browser
def test_controls_shuffle_phases_and_drop_neurons_at_random(browser: str, page: Path) -> None:
    trained = history_of(page).separable(len(STEPS) - 1)

    async def steps(tab):
        found = {"trained": await tab.evaluate(SUMMARY), "pictures": await tab.evaluate(DRAWN)}
        offered = "document.querySelector('#control [value=random]').disabled"
        found["too early"] = await tab.evaluate(offered)
        for again in ("phases", "phases again"):
            await tab.evaluate(MOVE.format(id="control", value="trained"))
            await tab.evaluate(MOVE.format(id="control", value="phases"))
            found[again] = await tab.evaluate(SUMMARY), await tab.evaluate(DRAWN)
        await tab.evaluate(MOVE.format(id="control", value="trained"))
        found["back"] = await tab.evaluate(SUMMARY), await tab.evaluate(DRAWN)
        scope = await tab.evaluate("document.getElementById('scope').options[2].value")
        await tab.evaluate(MOVE.format(id="scope", value=scope))
        found["offered"] = await tab.evaluate(offered)
        await tab.evaluate(MOVE.format(id="removed", value=3))
        found["removed"] = await tab.evaluate(SUMMARY)
        await tab.evaluate(MOVE.format(id="control", value="random"))
        found["random"] = (
            await tab.evaluate(SUMMARY),
            await tab.evaluate("document.getElementById('removed-value').textContent"),
        )
        await tab.evaluate(MOVE.format(id="scope", value="all"))
        found["control of all"] = await tab.evaluate("document.getElementById('control').value")
        return found, tab.complaints

    found, complaints = visit(browser, page, steps)
    assert not complaints
    assert f"{(margins(trained.logits()) > 0).sum()} of 169" in found["trained"]
    assert found["phases"] == found["phases again"], "the same choice gives the same picture"
    assert "Phases ψ shuffled" in found["phases"][0] and found["phases"][1] != found["pictures"]
    assert found["back"] == (found["trained"], found["pictures"])
    assert found["too early"] and not found["offered"], "only in the place of a frequency's neurons"
    assert "3 neurons removed." in found["removed"]
    assert "3 of all neurons removed at random." in found["random"][0] and found["random"][1] == "3 at random"
    assert re.sub(r"\d+ .*removed[^.]*\.", "", found["random"][0]) != re.sub(
        r"\d+ .*removed[^.]*\.", "", found["removed"]
    )
    assert found["control of all"] == "trained"


@needs_browser
def test_a_moment_of_the_published_size_is_drawn_at_once(browser: str, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.safetensors"
    network = watched(checkpoint, "pizza_transformer", [0, 1, 2, 3, 4, 5])
    page = page_of(tmp_path, network, checkpoints={0: checkpoint})

    async def steps(tab):
        return [await tab.evaluate(MOVE.format(id="moment", value=index % 6)) for index in range(12)], tab.complaints

    milliseconds, complaints = visit(browser, page, steps)
    assert not complaints
    assert min(milliseconds) < 500, "a tenth of a second on an idle machine; much else may run on this one"


@needs_browser
def test_whoever_wants_no_motion_goes_step_by_step(browser: str, page: Path) -> None:
    async def steps(tab):
        await tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        await tab.wait_for(f"{PLAY} === 'Step'")
        found = []
        for _ in range(6):
            await tab.evaluate("document.getElementById('play').click()")
            await tab.evaluate("new Promise(resolve => setTimeout(resolve, 500))")
            found.append(await tab.evaluate(VALUE))
        return found, tab.complaints

    found, complaints = visit(browser, page, steps)
    assert found == [0, 1, 2, 3, 4, 0] and not complaints


@needs_browser
def test_the_page_fits_a_phone_in_light_and_dark(browser: str, page: Path) -> None:
    inside = "['time', 'moment', 'play', 'control'].every(id => { const { left, right, height } = document.getElementById(id).getBoundingClientRect(); return left >= 0 && right <= innerWidth && height >= 20; })"

    async def steps(tab):
        found = []
        for index, scheme in enumerate(("light", "dark")):
            await tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            await tab.evaluate(MOVE.format(id="moment", value=index))
            found.append(await tab.evaluate(f"[document.documentElement.scrollWidth, innerWidth, {inside}]"))
        return found, tab.complaints

    found, complaints = visit(browser, page, steps, width=375, height=700)
    assert all(content <= screen == 375 and fits for content, screen, fits in found) and not complaints
