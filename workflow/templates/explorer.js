"use strict";
// The explorer's controls and pictures; what they show is computed by `modadd` (explorer_network.js).
(() => {
  const ENTRIES = JSON.parse(document.getElementById("data").textContent);
  const PANELS = 4, DASHES = ["solid", [8, 3], [2, 2], [8, 2, 2, 2]], MARKERS = ["circle", "square", "triangle", "diamond"];
  const PHI = Array.from({ length: 361 }, (_, i) => -Math.PI + i * Math.PI / 180);
  const { Plotting, ColumnDataSource, Range1d, LinearColorMapper, ColorBar, Span, Label, FixedTicker } = { ...Bokeh, ...Bokeh.Models ?? {} };
  const ndarray = Bokeh.require("core/util/ndarray").ndarray;
  const at = id => document.getElementById(id);
  const decoded = new Map();
  const seen = new Set(), stale = new Set();  // pictures in sight, and pictures to be drawn once they are
  let network, present, order, drawn, group, state, colours, pictures = {}, views = [], spoken, building = 0;
  let cache = null;  // once computed, the logits of every input: `whole` network, and `logits` of the neurons `present`

  const show = (x, digits = 2) => (Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x).toFixed(digits).replace("-", "−");
  const element = (name, text, attributes = {}) => Object.assign(document.createElement(name), { textContent: text }, attributes);
  const range = (start, end) => new Range1d({ start, end });
  const colour = name => {
    const probe = document.body.appendChild(element("span", "", { style: `color: var(--${name})` }));
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };

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
    cache = null;
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

  // --- pictures: built for a network, a group of frequencies and a colour scheme; afterwards only their data change ---

  function figure(settings) {
    const text = colour("text"), line = colour("line");
    const plot = Plotting.figure({
      height: 230, sizing_mode: "stretch_width", tools: "", toolbar_location: null, background_fill_color: null,
      border_fill_color: null, outline_line_color: null, min_border_right: 12, ...settings,
    });
    plot.title.text_color = text;
    plot.title.text_font_style = "normal";
    for (const axis of [...plot.below, ...plot.left]) Object.assign(axis, {
      axis_label_text_color: text, major_label_text_color: text, axis_line_color: line, major_tick_line_color: line,
      minor_tick_line_color: null, axis_label_text_font_style: "normal", axis_label_text_font_size: "12px",
    });
    for (const grid of plot.center) grid.grid_line_color = line, grid.grid_line_alpha = 0.5;
    return plot;
  }

  function angles(plot, axis, turns) {
    const ticks = turns.map(turn => turn * Math.PI);
    axis.ticker = new FixedTicker({ ticks });
    axis.major_label_overrides = new Map(ticks.map((tick, i) => [tick, turns[i] === 0 ? "0" : `${turns[i]}π`.replace("1π", "π").replace("-", "−")]));
  }

  const source = data => new ColumnDataSource({ data });
  const upright = (plot, dash) => {
    const span = new Span({ location: 0, dimension: "height", line_color: colour("good"), line_dash: dash, line_width: 2 });
    plot.add_layout(span);
    return span;
  };

  async function build() {
    const own = ++building, n = network.n, pi = Math.PI;
    const series = [0, 1, 2, 3].map(i => colour(`s${i}`)), grey = colour("grey"), text = colour("text");
    const top = 1.15 * Math.max(0, ...group.map(key => key.total / (2 * pi)));
    const made = { rectangles: [], lines: [], dots: [] }, places = [];
    group.forEach((key, i) => {
      const plot = figure({ title: `k = ${key.k}`, height: 210, min_border_left: 34, x_range: range(-pi, pi), y_range: range(-top, top), x_axis_label: "angle φ (rad)" });
      if (i === 0) plot.left[0].axis_label = "logits per radian";
      angles(plot, plot.below[0], [-1, 0, 1]);
      const boxes = source({ left: [], right: [], top: [] }), line = source({ x: [], y: [] });
      plot.quad({ field: "left" }, { field: "right" }, 0, { field: "top" }, { source: boxes, fill_color: colour("pale"), line_color: colour("page"), line_width: 0.4 });
      plot.line({ field: "x" }, { field: "y" }, { source: line, line_color: series[i], line_width: 2 });
      const label = new Label({ x: -pi + 0.1, y: top, text_baseline: "top", text_color: text, text_font_size: "12px" });
      plot.add_layout(label);
      made.rectangles.push({ boxes, line, label });
      places.push([plot, at("rectangles")]);
    });

    made.clusters = figure({ x_range: range(-1, n), y_range: range(-1, 1), x_axis_label: "answer c", y_axis_label: "logits, centred", height: 260 });
    const rows = [...group.map((_, i) => [series[i], DASHES[i], 2]), [grey, "solid", 1.5], [text, [1, 3], 2]];
    for (const [line_color, line_dash, line_width] of rows) {
      made.lines.push(source({ x: [], y: [] }));
      made.clusters.line({ field: "x" }, { field: "y" }, { source: made.lines.at(-1), line_color, line_dash, line_width });
    }
    made.at = upright(made.clusters, "solid");
    places.push([made.clusters, at("clusters")]);

    made.logits = figure({ x_range: range(-1, n), y_range: range(-1, 1), x_axis_label: "answer c", y_axis_label: "logit, centred", height: 260 });
    made.bars = source({ x: [], top: [], colour: [], alpha: [], hatch: [] });
    made.logits.vbar({ field: "x" }, 0.8, { field: "top" }, 0, {
      source: made.bars, fill_color: { field: "colour" }, line_color: null, hatch_pattern: { field: "hatch" }, hatch_color: text, hatch_scale: 6,
    });
    places.push([made.logits, at("logits")]);

    made.phases = figure({ x_range: range(-pi, pi), y_range: range(-2 * pi - 0.6, 2 * pi + 0.6), x_axis_label: "input phase φ (rad)", y_axis_label: "output phase ψ (rad)", height: 340 });
    angles(made.phases, made.phases.below[0], [-1, 0, 1]);
    angles(made.phases, made.phases.left[0], [-2, -1, 0, 1, 2]);
    made.phases.line([-pi, pi], [-2 * pi, 2 * pi], { line_color: grey, line_width: 1.5 });
    group.forEach((_, i) => {
      made.dots.push(source({ x: [], y: [] }));
      made.phases.scatter({ field: "x" }, { field: "y" }, { source: made.dots[i], marker: MARKERS[i], size: 6, fill_color: series[i], fill_alpha: 0.75, line_color: null });
    });
    places.push([made.phases, at("phases")]);

    made.map = figure({ x_range: range(-0.5, n - 0.5), y_range: range(-0.5, n - 0.5), x_axis_label: "a", y_axis_label: "b", height: 340 });
    made.mapper = new LinearColorMapper({ palette: Bokeh.Palettes.cividis(256), low: 0, high: 1, low_color: "white" });
    made.image = source({ image: [ndarray(new Float32Array(n * n), { dtype: "float32", shape: [n, n] })] });
    made.map.image({ image: { field: "image" }, x: -0.5, y: -0.5, dw: n, dh: n, color_mapper: made.mapper, source: made.image });
    made.chosen = source({ x: [], y: [] });
    made.map.scatter({ field: "x" }, { field: "y" }, { source: made.chosen, marker: "square", size: 13, fill_color: null, line_color: "white", line_width: 4 });
    made.map.scatter({ field: "x" }, { field: "y" }, { source: made.chosen, marker: "square", size: 13, fill_color: null, line_color: "black", line_width: 1.5 });
    made.map.add_layout(new ColorBar({ color_mapper: made.mapper, width: 10, padding: 4, background_fill_color: null, major_label_text_color: text }), "right");
    made.map.on_event("tap", ({ x, y }) => {
      if (Math.min(x, y) < -0.5 || Math.max(x, y) > n - 0.5) return;
      at("a").value = Math.round(x);
      at("b").value = Math.round(y);
      changed();
    });
    places.push([made.map, at("map")]);

    legend(series, grey, text);
    for (const view of views) view.remove();
    for (const id of ["rectangles", "clusters", "logits", "phases", "map"]) at(id).replaceChildren();
    pictures = made;
    stale.clear();
    for (const place of Object.keys(drawing)) drawing[place]();
    const opened = await Promise.all(places.map(([plot, place]) => Plotting.show(plot, place.appendChild(element("div", "", { className: "plot" })))));
    if (own === building) views = opened;
  }

  function legend(series, grey, text) {
    const rows = [...group.map((key, i) => [`k = ${key.k}`, series[i], DASHES[i]]), ["all other neurons", grey, "solid"], ["C, D past the ReLU", text, [1, 3]]];
    at("legend").replaceChildren(...rows.map(([words, stroke, dash]) => {
      const item = element("li", "");
      const dashes = dash === "solid" ? "" : ` stroke-dasharray="${dash.join(" ")}"`;
      item.innerHTML = `<svg viewBox="0 0 32 8" aria-hidden="true"><line x1="0" x2="32" y1="4" y2="4" stroke="${stroke}" stroke-width="3"${dashes}/></svg>`;
      item.append(words);
      return item;
    }));
  }

  function widen(span, values) {  // only ever wider, so that a moving slider compares like with like
    const low = Math.min(...values), high = Math.max(...values), room = 0.08 * (high - low);
    if (low < span.start || high > span.end) span.setv({ start: Math.min(span.start, low - room), end: Math.max(span.end, high + room) });
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

  const drawing = {
    rectangles() {
      const { a, b, c, laid } = state;
      group.forEach((key, i) => {
        const { left, right, top, sum, whole } = laid[network.keys.indexOf(key)], { boxes, line, label } = pictures.rectangles[i];
        boxes.data = { left, right, top };
        line.data = { x: PHI, y: modadd.curve(network, key, a, b, c, PHI) };
        label.text = `Σ ${show(sum)}, ∫ ${show(whole)}`;
      });
    },
    clusters() {
      const { n, right, sums } = state, x = [...Array(n).keys()], inGroup = group.map(key => network.keys.indexOf(key));
      const rest = sums.clusters.filter((_, i) => !inGroup.includes(i)).reduce((sum, y) => sum.map((s, c) => s + y[c]), sums.others);
      const lines = [...inGroup.map(i => sums.clusters[i]), rest, sums.residual];
      lines.forEach((y, i) => { pictures.lines[i].data = { x, y }; });
      widen(pictures.clusters.y_range, lines.flatMap(y => [Math.min(...y), Math.max(...y)]));
      pictures.at.location = right;
    },
    logits() {
      const { n, c, right, answer, sums } = state, x = [...Array(n).keys()];
      const fill = x.map(one => (one === right ? colours.good : one === answer ? colours.bad : colours.pale));
      const hatch = x.map(one => (one === c && c !== right ? "right_diagonal_line" : " "));
      pictures.bars.data = { x, top: sums.logits, colour: fill, hatch };
      widen(pictures.logits.y_range, [0, ...sums.logits]);
    },
    phases() {
      const turn = 2 * Math.PI, wrapped = angle => angle - turn * Math.round(angle / turn);
      group.forEach((key, i) => {
        const members = key.members.filter(j => present[j]), x = members.map(j => network.sigma[j]);
        pictures.dots[i].data = { x, y: members.map((j, m) => 2 * x[m] + wrapped(network.psi[j] - 2 * x[m])) };
      });
    },
    map() {
      const n = network.n;
      pictures.chosen.data = { x: [state.a], y: [state.b] };
      if (!cache || pictures.drawn === cache.margins) return;
      pictures.drawn = cache.margins;
      pictures.mapper.setv({ low: Math.max(0, cache.margins.smallest), high: cache.top });
      pictures.image.data = { image: [ndarray(cache.margins.map, { dtype: "float32", shape: [n, n] })] };
    },
  };

  function draw(...places) {
    for (const place of places) {
      stale.add(place);
      if (seen.has(place)) drawStale(place);
    }
  }

  function drawStale(place) {
    if (stale.delete(place)) drawing[place]();
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

  const readColours = () => { colours = { good: colour("good"), bad: colour("bad"), pale: colour("pale") }; };
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
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); build(); });
  const observer = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) {
      seen[isIntersecting ? "add" : "delete"](target.id);
      if (isIntersecting) drawStale(target.id);
    }
  }, { rootMargin: "100px" });
  for (const place of Object.keys(drawing)) observer.observe(at(place));
  readColours();
  chooseNetwork(ENTRIES[0].name).then(() => { document.body.dataset.ready = "yes"; });
})();
