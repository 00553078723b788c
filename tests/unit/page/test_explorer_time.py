"""The explorer page's slider over training, what plays it, and its causal controls, in a browser."""

import re
from pathlib import Path

import pytest
from browser import visit
from explorers import MOVE, needs_browser, page_of, untrained, watched

from modadd.core.separable import margins
from modadd.networks.snapshots import read_history

pytestmark = pytest.mark.usefixtures("arithmetic")
SMALL = {"modulus": 13, "train_pairs": 84, "batch_size": 0}
SUMMARY = "document.getElementById('summary').textContent"
MOMENT = "document.getElementById('moment').getAttribute('aria-valuetext')"
VALUE = "+document.getElementById('moment').value"
PLAY = "document.getElementById('play').textContent"
DRAWN = "JSON.stringify(Bokeh.documents[0].roots().flatMap(root => root.renderers).map(one => one.data_source?.data.top ?? null))"


def watched_page(folder: Path, snapshots: list[int]) -> Path:
    """The page of a small network with these snapshots, and of one without any."""
    folder.mkdir()
    network = watched(folder / "run.safetensors", "embedding_mlp", snapshots, **SMALL)
    return page_of(
        folder,
        network,
        untrained("two_layer_mlp", modulus=7, train_pairs=15),
        checkpoints={0: folder / "run.safetensors"},
    )


@needs_browser
def test_every_moment_shows_the_network_as_it_was(tmp_path: Path) -> None:
    steps_done = [0, 3, 10, 400]
    page = watched_page(tmp_path / "page", steps_done)
    history = read_history(tmp_path / "page/study0/seed0.history.safetensors")

    async def steps(tab):
        first = await tab.evaluate(SUMMARY), await tab.evaluate(MOMENT)
        seen = []
        for index in (0, 1, 2, 3):
            await tab.evaluate(MOVE.format(id="moment", value=index))
            facts = await tab.evaluate(
                "document.getElementById('about').scrollIntoView(), new Promise(resolve => setTimeout(() => resolve(document.getElementById('about').textContent), 300))"
            )
            seen.append((await tab.evaluate(SUMMARY), await tab.evaluate(MOMENT), facts))
        return first, seen, tab.complaints

    first, seen, complaints = visit(page, tmp_path / "profile", steps)
    assert not complaints
    assert first == seen[-1][:2], "the last position is the trained network, and the first that is shown"
    for index, (summary, moment, facts) in enumerate(seen):
        found = margins(history.separable(index).logits())
        assert moment == ("400 of 400, trained" if index == 3 else f"{steps_done[index]} of 400")
        assert f"{(found > 0).sum()} of 169 inputs right" in summary
        if index < 3:
            assert f"margin {found[3, 5]:.2f}".replace("-", "−") in summary
            assert f"accuracy {float(f'{(found > 0).mean():.5f}'):g} over all 13² inputs" in facts
            assert "measured here" in facts and "as the workflow measured it" not in facts
        assert "all 4 snapshots that were kept are here, as many as a page of 8 MB holds" in facts


@needs_browser
def test_keys_move_through_training_and_play_stops_at_the_end(tmp_path: Path) -> None:
    page = watched_page(tmp_path / "page", [0, 1, 2, 5, 20])

    async def steps(tab):
        await tab.evaluate("document.getElementById('moment').focus()")
        await tab.press("ArrowLeft", 37)
        await tab.wait_for(f"{MOMENT} === '5 of 20'")
        await tab.wait_for("document.getElementById('spoken').textContent.startsWith('After 5 updates.')")
        await tab.press("Home", 36)
        await tab.wait_for(f"{MOMENT} === '0 of 20'")
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

    playing, paused, rested, visible, complaints = visit(page, tmp_path / "profile", steps)
    assert not complaints and not visible, "a network without snapshots has no slider"
    assert playing == "Pause" and paused[0] == "Play" and rested == paused[1] < 4


@needs_browser
def test_controls_shuffle_phases_and_drop_neurons_at_random(tmp_path: Path) -> None:
    page = watched_page(tmp_path / "page", [0, 400])
    trained = read_history(tmp_path / "page/study0/seed0.history.safetensors").separable(1)

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

    found, complaints = visit(page, tmp_path / "profile", steps)
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
def test_a_moment_of_the_published_size_is_drawn_at_once(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    checkpoint = tmp_path / "page/run.safetensors"
    network = watched(checkpoint, "pizza_transformer", [0, 1, 2, 3, 4, 5])
    page = page_of(tmp_path / "page", network, checkpoints={0: checkpoint})

    async def steps(tab):
        return [await tab.evaluate(MOVE.format(id="moment", value=index % 6)) for index in range(12)], tab.complaints

    milliseconds, complaints = visit(page, tmp_path / "profile", steps)
    assert not complaints
    assert min(milliseconds) < 500, "a tenth of a second on an idle machine; much else may run on this one"


@needs_browser
def test_whoever_wants_no_motion_goes_step_by_step(tmp_path: Path) -> None:
    page = watched_page(tmp_path / "page", [0, 1, 2, 20])

    async def steps(tab):
        await tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        await tab.wait_for(f"{PLAY} === 'Step'")
        found = []
        for _ in range(5):
            await tab.evaluate("document.getElementById('play').click()")
            await tab.evaluate("new Promise(resolve => setTimeout(resolve, 500))")
            found.append(await tab.evaluate(VALUE))
        return found, tab.complaints

    found, complaints = visit(page, tmp_path / "profile", steps)
    assert found == [0, 1, 2, 3, 0] and not complaints


@needs_browser
def test_the_page_fits_a_phone_in_light_and_dark(tmp_path: Path) -> None:
    page = watched_page(tmp_path / "page", [0, 20])
    inside = "['time', 'moment', 'play', 'control'].every(id => { const { left, right, height } = document.getElementById(id).getBoundingClientRect(); return left >= 0 && right <= innerWidth && height >= 20; })"

    async def steps(tab):
        found = []
        for index, scheme in enumerate(("light", "dark")):
            await tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            await tab.evaluate(MOVE.format(id="moment", value=index))
            found.append(await tab.evaluate(f"[document.documentElement.scrollWidth, innerWidth, {inside}]"))
        return found, tab.complaints

    found, complaints = visit(page, tmp_path / "profile", steps, width=375, height=700)
    assert all(content <= screen == 375 and fits for content, screen, fits in found) and not complaints
