"use strict";
// The explorer's controls and the order in which things are computed. `modadd`, `neurons`, `moments` and `everyInput` compute,
// `pictures` draws, `words` says, `time` is the slider over training.
(() => {
  const [ENTRIES, HISTORIES] = ["data", "histories"].map(id => JSON.parse(document.getElementById(id).textContent));
  const PANELS = 4;  // frequencies drawn at once
  const SLICE = { first: 80, later: 30 };  // milliseconds of computing before the page may answer; small networks need one
  const CONTROLS = { trained: "as trained", phases: "shuffle phases", random: "drop as many at random" };
  const { element } = pictures;
  const at = id => document.getElementById(id);
  const decoded = new Map();
  const seen = new Set(), stale = new Set();  // pictures in sight, and pictures to be drawn once they are
  let trained, network, present, order = [], drawn, group, state, made, views = [], arrivals = 0, highest;
  let every = null;  // once computed, the logits of every input

  const input = () => {
    const a = +at("a").value, b = +at("b").value, right = (a + b) % network.n;
    return { a, b, right, c: (right + +at("e").value) % network.n };
  };

  function options(select, entries) {
    select.replaceChildren(...entries.map(([value, text]) => element("option", text, { value })));
  }

  // --- which network: its name, a moment of its training, a control ---

  function chooseNetwork(name) {
    if (!decoded.has(name)) decoded.set(name, modadd.decode(ENTRIES.find(one => one.name === name)));
    network = trained = decoded.get(name);
    for (const id of ["a", "b", "e"]) {
      at(id).max = network.n - 1;
      at(id).value = id === "e" ? 0 : Math.min(at(id).value, network.n - 1);
    }
    const strongest = [...network.keys.keys()].sort((x, y) => network.keys[y].total - network.keys[x].total);
    drawn = [];
    for (let i = 0; i < strongest.length; i += PANELS) drawn.push(strongest.slice(i, i + PANELS).sort((x, y) => x - y));
    const named = places => places.map(i => network.keys[i].k).join(", ");
    options(at("shown"), drawn.length ? drawn.map((places, i) => [i, named(places)]) : [[0, "none"]]);
    const whole = [["all", "weakest first"], ["all strongest", "strongest first"]];
    options(at("scope"), [...whole, ...network.keys.map(key => [key.k, `of frequency ${key.k}, weakest first`])]);
    group = drawn[0] ?? [];
    every = made = null;
    highest = 0;
    time.offer(HISTORIES[name]);
    chooseScope();
    compute();
    const first = HISTORIES[name] ? () => moments.at(trained, HISTORIES[name], 0) : () => {};  // so that the first move waits for no compiler
    return Promise.all([build(), arrive()]).then(first);
  }

  async function arrive() {
    const arrival = ++arrivals, moment = time.atEnd() ? trained : await moments.at(trained, HISTORIES[trained.name], time.index());
    if (arrival !== arrivals) return;
    network = at("control").value === "phases" ? neurons.phasesShuffled(moment) : moment;
    reorder();
    const filling = everyInput.filled(network);
    let step = filling.next(), begun = performance.now(), slice = SLICE.first;
    for (; !step.done; step = filling.next()) {
      if (performance.now() - begun < slice) continue;
      if (slice === SLICE.first) { every = null; compute(); }
      slice = SLICE.later;
      await new Promise(resolve => setTimeout(resolve));
      if (arrival !== arrivals) return;  // another one was chosen meanwhile
      begun = performance.now();
    }
    every = step.value;
    highest = every.top = Math.max(highest, every.top);  // the map's colours: only ever wider, so that a moving slider compares like with like
    everyInput.change(every, network, present);
    compute();
  }

  // --- which neurons ---

  function chooseScope() {
    for (const option of at("control").options) option.disabled = option.value === "random" && !+at("scope").value;
    if (at("control").selectedOptions[0].disabled) at("control").value = "trained";
    order = [];
    at("removed").value = 0;
    reorder();
  }

  function reorder() {  // all removed stay all, however many they are by now
    const scope = at("scope").value, all = order.length && +at("removed").value === order.length;
    order = modadd.removalOrder(network, +scope, scope.endsWith("strongest"));
    at("removed").max = order.length;
    if (all) at("removed").value = order.length;
    remove();
  }

  function remove() {
    const from = at("control").value === "random" ? neurons.shuffled(Array(network.h).keys(), 0) : order;
    present = new Uint8Array(network.h).fill(1);
    for (const i of from.slice(0, +at("removed").value)) present[i] = 0;
  }

  // --- pictures ---

  async function build() {
    const own = made = pictures.make(trained, group, (a, b) => {
      at("a").value = a;
      at("b").value = b;
      changed();
    });
    draw(...Object.keys(drawing));
    pictures.legend(group.map(i => trained.keys[i]));
    const before = views;
    views = [];
    const opened = await pictures.open(own, before);
    if (own === made) views = opened;
    else for (const view of opened) view.remove();  // others were made meanwhile
  }

  // What one input shows; `state` is computed at once, the pictures draw it when they are in sight.
  function compute() {
    const { a, b, c, right } = input(), n = network.n, pre = modadd.preactivations(network, a, b);
    const sums = modadd.parts(network, pre, present, a, b), found = modadd.judge(sums.logits, 0, n, right);
    const laid = network.keys.map(key => ({
      ...modadd.rectangles(network, key, pre, present, c), whole: modadd.integral(network, key, a, b, c),
      cosines: modadd.cosines(network, key, present, a, b, c), neurons: key.members.filter(i => present[i]).length,
    }));
    state = { network, present, a, b, c, right, n, sums, laid, ...found };
    draw(...Object.keys(drawing));
    words.numbers(state, group);
    words.say(state, group, every, changes(), time.sentence());
    const removed = `${at("removed").value} ${at("control").value === "random" ? "at random" : `of ${order.length}`}`;
    for (const [id, text] of Object.entries({
      a, b, e: c === right ? `${c} (right)` : `${c} (right + ${at("e").value})`, removed,
    })) words.value(id, text);
  }

  function changes() {
    const gone = +at("removed").value, control = at("control").value;
    const away = control === "random" ? `${gone} of all neurons removed at random.` : gone ? `${gone} neurons removed.` : "";
    return [control === "phases" ? "Phases ψ shuffled in each frequency." : "", away].filter(Boolean);
  }

  const about = () => words.about(network, trained, every, [time.kept(HISTORIES[trained.name])]);
  const drawing = { ...pictures.drawing, about };
  const drawnFor = {};  // what the slower ones were drawn for: they change with the network or its neurons alone

  function draw(...places) {
    for (const place of places) {
      stale.add(place);
      if (seen.has(place)) drawStale(place);
    }
  }

  function drawStale(place) {
    const own = { about: [network, every?.ofWhole], phases: [network, present, made] }[place];
    if (own?.every((one, i) => one === drawnFor[place]?.[i])) stale.delete(place);
    if (!made || !stale.delete(place)) return;
    drawnFor[place] = own;
    drawing[place](made, state, every);
  }

  // --- wiring ---

  const painted = async () => {
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  };

  async function timed(change) {  // data-milliseconds: from the event to the painted picture, for the tests
    const start = performance.now();
    await change();
    await painted();
    document.body.dataset.milliseconds = (performance.now() - start).toFixed(1);
    document.body.dataset.changes = +(document.body.dataset.changes ?? 0) + 1;
  }
  const changed = () => timed(compute);
  const removedChanged = () => timed(() => { remove(); if (every) everyInput.change(every, network, present); compute(); });

  options(at("network"), ENTRIES.map(entry => [entry.name, `${entry.name} (mod ${entry.modulus})`]));
  options(at("control"), Object.entries(CONTROLS));
  at("a").value = 3;
  at("b").value = 5;
  for (const id of ["a", "b", "e"]) at(id).addEventListener("input", changed);
  at("removed").addEventListener("input", removedChanged);
  at("scope").addEventListener("change", () => { chooseScope(); removedChanged(); });
  at("control").addEventListener("change", () => timed(arrive));
  time.wire(() => timed(arrive));
  at("network").addEventListener("change", () => chooseNetwork(at("network").value));
  at("shown").addEventListener("change", () => { group = drawn[+at("shown").value] ?? []; build().then(compute); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", build);
  const observer = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) {
      seen[isIntersecting ? "add" : "delete"](target.id);
      if (isIntersecting) drawStale(target.id);
    }
  }, { rootMargin: "100px" });
  for (const place of Object.keys(drawing)) observer.observe(at(place));
  chooseNetwork(ENTRIES[0].name).then(() => { document.body.dataset.ready = "yes"; });
})();
