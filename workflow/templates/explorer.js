"use strict";
// The explorer's controls, summary and tables; `modadd` (explorer_network.js) computes, `pictures` (explorer_pictures.js) draws.
(() => {
  const ENTRIES = JSON.parse(document.getElementById("data").textContent);
  const PANELS = 4;  // frequencies drawn at once
  const { element, show } = pictures;
  const at = id => document.getElementById(id);
  const decoded = new Map();
  const seen = new Set(), stale = new Set();  // pictures in sight, and pictures to be drawn once they are
  let network, present, order, drawn, group, state, made, views = [], spoken;
  let cache = null;  // once computed, the logits of every input: `whole` network, and `logits` of the neurons `present`

  // --- controls ---

  const input = () => {
    const a = +at("a").value, b = +at("b").value, right = (a + b) % network.n;
    return { a, b, right, c: (right + +at("e").value) % network.n };
  };

  function options(select, entries) {
    select.replaceChildren(...entries.map(([value, text]) => element("option", text, { value })));
  }

  function chooseNetwork(name) {
    const entry = ENTRIES.find(one => one.name === name);
    if (!decoded.has(name)) decoded.set(name, modadd.decode(entry));
    network = decoded.get(name);
    for (const id of ["a", "b", "e"]) {
      at(id).max = network.n - 1;
      at(id).value = id === "e" ? 0 : Math.min(at(id).value, network.n - 1);
    }
    const strongest = [...network.keys].sort((x, y) => y.total - x.total);
    drawn = [];
    for (let i = 0; i < strongest.length; i += PANELS) drawn.push(strongest.slice(i, i + PANELS).sort((x, y) => x.k - y.k));
    options(at("shown"), drawn.length ? drawn.map((keys, i) => [i, keys.map(key => key.k).join(", ")]) : [[0, "none"]]);
    const whole = [["all", "weakest first"], ["all strongest", "strongest first"]];
    options(at("scope"), [...whole, ...network.keys.map(key => [key.k, `of frequency ${key.k}, weakest first`])]);
    group = drawn[0] ?? [];
    cache = made = null;
    chooseScope();
    about();
    compute();
    return Promise.all([build(), fillCache()]);
  }

  function chooseScope() {
    const scope = at("scope").value;
    order = modadd.removalOrder(network, +scope, scope.endsWith("strongest"));
    at("removed").max = order.length;
    at("removed").value = 0;
    remove();
  }

  function remove() {
    present = new Uint8Array(network.h).fill(1);
    for (const i of order.slice(0, +at("removed").value)) present[i] = 0;
  }

  // --- logits of every input: filled once in slices of rows, then changed by the neurons that come or go ---

  async function fillCache() {
    const own = network, { n, h } = own, whole = new Float64Array(n ** 3), neurons = [...Array(h).keys()];
    cache = null;
    let paused = performance.now();
    for (let a = 0; a < n; a++) {
      modadd.writeResidual(own, whole, a, a + 1);
      modadd.addNeurons(own, whole, neurons, 1, a, a + 1);
      if (performance.now() - paused > 30) {
        await new Promise(resolve => setTimeout(resolve));
        if (network !== own) return;  // another one was chosen meanwhile
        paused = performance.now();
      }
    }
    const margins = modadd.margins(whole, n);
    cache = { whole, margins, logits: whole.slice(), present: new Uint8Array(h).fill(1), top: margins.map.reduce((x, y) => Math.max(x, y), 0) };
    changeCache();
    draw("map");
    say();
  }

  function changeCache() {
    if (!cache) return;
    const { n, h } = network, neurons = [...Array(h).keys()];
    const between = before => [neurons.filter(i => before[i] && !present[i]), neurons.filter(i => !before[i] && present[i])];
    const starts = [  // the nearest of: as last drawn, with every neuron, with none
      [between(cache.present), () => {}],
      [between(new Uint8Array(h).fill(1)), () => cache.logits.set(cache.whole)],
      [between(new Uint8Array(h)), () => modadd.writeResidual(network, cache.logits, 0, n)],
    ];
    const [[gone, back], start] = starts.reduce((x, y) => (y[0].flat().length < x[0].flat().length ? y : x));
    start();
    modadd.addNeurons(network, cache.logits, gone, -1, 0, n);
    modadd.addNeurons(network, cache.logits, back, 1, 0, n);
    cache.present = present.slice();
    cache.margins = modadd.margins(cache.logits, n);
  }

  // --- pictures ---

  async function build() {
    const own = made = pictures.make(network, group, (a, b) => {
      at("a").value = a;
      at("b").value = b;
      changed();
    });
    stale.clear();
    for (const place of Object.keys(pictures.drawing)) { stale.add(place); drawStale(place); }
    pictures.legend(group);
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
    state = { a, b, c, right, n, sums, laid, ...found };
    draw("rectangles", "clusters", "logits", "map");
    numbers();
    say();
  }

  function draw(...places) {
    for (const place of places) {
      stale.add(place);
      if (seen.has(place)) drawStale(place);
    }
  }

  function drawStale(place) {
    if (made && stale.delete(place)) pictures.drawing[place](made, state, cache, present);
  }

  function numbers() {
    const { c, right, sums, laid } = state, left = network.others.filter(i => present[i]).length;
    const rows = network.keys.map((key, i) => [
      key.k, laid[i].neurons === key.neurons ? key.neurons : `${laid[i].neurons} of ${key.neurons}`,
      ...[laid[i].sum, laid[i].cosines, laid[i].whole, laid[i].identity, sums.clusters[i][c]].map(x => show(x)),
    ]);
    const rest = [["other neurons", left, sums.others[c]], ["C, D", "–", sums.residual[c]], ["sum: the logit", "–", sums.logits[c]]];
    rows.push(...rest.map(([name, count, adds]) => [name, count, "–", "–", "–", "–", show(adds)]));
    at("numbers").replaceChildren(...rows.map(tableRow));
    at("table-c").textContent = c;
    at("rectangles-said").textContent = "Sums: " + group.map(key => network.keys.indexOf(key))
      .map(i => `k = ${network.keys[i].k}: rectangles ${show(laid[i].sum)}, integral ${show(laid[i].whole)}`).join("; ") + " (logits).";
    const looked = c === right ? `${c} (right)` : `${c} (right + ${at("e").value})`;
    const values = { a: state.a, b: state.b, e: looked, removed: `${at("removed").value} of ${order.length}` };
    for (const [id, words] of Object.entries(values)) {
      at(`${id}-value`).textContent = words;
      at(id).setAttribute("aria-valuetext", words);
    }
  }

  function tableRow([name, ...cells]) {
    const row = element("tr", "");
    row.append(element("th", name, { scope: "row" }), ...cells.map(cell => element("td", cell)));
    return row;
  }

  function say() {
    const { a, b, n, right, answer, margin } = state, gone = +at("removed").value;
    const every = cache
      ? `${cache.margins.right} of ${n * n} inputs right, smallest margin ${show(cache.margins.smallest)}.`
      : "Computing every input …";
    const words = [
      `${a} + ${b} ≡ ${right} (mod ${n}): the network answers ${answer}, ${margin > 0 ? "right" : "wrong"}, margin ${show(margin)}.`,
      gone ? `${gone} neurons removed.` : "", every,
    ].filter(Boolean).join(" ");
    at("summary").textContent = words;
    at("summary").className = margin > 0 ? "right" : "wrong";
    at("map-said").textContent = every;
    clearTimeout(spoken);  // a screen reader hears where a slider comes to rest, not every step
    spoken = setTimeout(() => { at("spoken").textContent = `${words} Frequencies drawn: ${group.map(key => key.k).join(", ")}.`; }, 600);
  }

  function about() {
    const link = (text, href) => element("a", text, { href });
    const claims = number => network.claims[number].flatMap(id => [" ", link(`[${id}]`, `index.html#claim-${id}`)]);
    const fact = (text, number) => { const item = element("li", text); if (number) item.append(...claims(number)); return item; };
    at("facts").replaceChildren(
      ...network.facts.map(text => fact(text)),
      fact(`Modulus ${network.n}, ${network.h} neurons; accuracy ${+network.accuracy.toFixed(5)} over all ${network.n}² inputs, smallest margin ${show(network.smallest_margin)}.`, "accuracy"),
      fact(`Frequencies that carry at least a hundredth of the weight: ${network.keys.map(key => key.k).join(", ") || "none"}.`, "frequencies"),
      fact("The table below: how far the phases are from ψ = φ_a + φ_b, and the sums from their integrals. Claims on this:", "phases"),
    );
    at("facts").lastChild.append(...claims("error"));
    at("facts").lastChild.hidden = !network.claims.phases.length && !network.claims.error.length;
    at("measured").replaceChildren(...network.keys.map(key => tableRow([key.k, key.neurons, show(key.rms, 4), show(key.error, 4)])));
    const notebooks = Object.entries(network.notebooks).flatMap(([id, title]) => [element("br"), link(title, `notebooks/${id}.html`)]);
    at("ledger").replaceChildren(notebooks.length ? "Notebooks on this network:" : "No notebook of the ledger is about this network.", ...notebooks);
  }

  // --- wiring ---

  const painted = async () => {
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  };

  async function timed(change) {  // data-milliseconds: from the event to the painted picture, for the tests
    const start = performance.now();
    change();
    await painted();
    document.body.dataset.milliseconds = (performance.now() - start).toFixed(1);
    document.body.dataset.changes = +(document.body.dataset.changes ?? 0) + 1;
  }
  const changed = () => timed(compute);
  const removedChanged = () => timed(() => { remove(); changeCache(); compute(); draw("phases"); });

  options(at("network"), ENTRIES.map(entry => [entry.name, `${entry.name} (mod ${entry.modulus})`]));
  at("a").value = 3;
  at("b").value = 5;
  for (const id of ["a", "b", "e"]) at(id).addEventListener("input", changed);
  at("removed").addEventListener("input", removedChanged);
  at("scope").addEventListener("change", () => { chooseScope(); removedChanged(); });
  at("network").addEventListener("change", () => chooseNetwork(at("network").value));
  at("shown").addEventListener("change", () => { group = drawn[+at("shown").value] ?? []; build().then(compute); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", build);
  const observer = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) {
      seen[isIntersecting ? "add" : "delete"](target.id);
      if (isIntersecting) drawStale(target.id);
    }
  }, { rootMargin: "100px" });
  for (const place of Object.keys(pictures.drawing)) observer.observe(at(place));
  chooseNetwork(ENTRIES[0].name).then(() => { document.body.dataset.ready = "yes"; });
})();
