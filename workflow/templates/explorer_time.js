"use strict";
// The slider over the snapshots of training, and what plays them. The last position is the trained network.
const time = (() => {
  const FRAME = 150;  // milliseconds that a played snapshot stays at least
  const at = id => document.getElementById(id), count = number => number.toLocaleString("en");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let history = null, playing = 0, runs = 0, moved = () => {};  // playing: the number of the run that plays, 0 for none

  const last = () => history.steps.length, position = () => +at("moment").value;
  const done = () => (position() === last() ? history.updates : history.steps[position()]);

  /** Show the slider for a network's history, at its end; hide it where there is none. */
  function offer(offered) {
    pause();
    history = "DecompressionStream" in globalThis ? offered ?? null : null;
    at("time").hidden = !history;
    if (!history) return;
    at("moment").max = last();
    at("moment").value = last();
    say();
  }

  /** Whether the trained network itself is chosen; else `index` is that of the snapshot. */
  const atEnd = () => !history || position() === last();

  function say() {
    words.value("moment", `${count(done())} of ${count(history.updates)}${atEnd() ? ", trained" : ""}`);
  }

  /** The moment in a sentence; none of the trained network. */
  const sentence = () => (atEnd() ? "" : `After ${count(done())} updates.`);

  /** Which snapshots are here, in a sentence. */
  function kept(offered) {
    if (!offered) return "No snapshots of its training are on this page.";
    const few = offered.every === 1 ? "all" : `one in ${offered.every} of the`;
    return `Training: ${few} ${offered.kept} snapshots that were kept are here, as many as a page of ${offered.megabytes} MB holds.`;
  }

  async function step() {
    at("moment").value = atEnd() ? 0 : position() + 1;
    say();
    await moved();
  }

  /** Play from here, or from the start where this is the end; a step alone where motion is unwanted. */
  async function play() {
    if (playing) return pause();
    if (still.matches) return step();
    const run = playing = ++runs;
    label();
    do {
      const begun = performance.now();
      await step();
      await new Promise(resolve => setTimeout(resolve, Math.max(0, FRAME - (performance.now() - begun))));
    } while (playing === run && !atEnd());
    if (playing === run) pause();
  }

  function pause() {
    playing = 0;
    label();
  }

  function label() {
    const word = still.matches ? "Step" : playing ? "Pause" : "Play";
    at("play").textContent = word;
    at("play").setAttribute("aria-label", `${word}: training`);
  }

  /** Call `then` at every move, and await it while playing. */
  function wire(then) {
    moved = then;
    at("moment").addEventListener("input", () => { pause(); say(); moved(); });
    at("play").addEventListener("click", play);
    still.addEventListener("change", pause);
  }

  return { atEnd, index: position, kept, offer, sentence, wire };
})();
