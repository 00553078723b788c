"use strict";
// The explorer's pictures: made for a trained network, some of its key frequencies (`group`, by their place among them) and a
// colour scheme; afterwards only their data change.
const pictures = (() => {
  const DASHES = ["solid", [8, 3], [2, 2], [8, 2, 2, 2]], MARKERS = ["circle", "square", "triangle", "diamond"];
  const PHI = Array.from({ length: 361 }, (_, i) => -Math.PI + i * Math.PI / 180);
  const { Plotting, ColumnDataSource, Range1d, LinearColorMapper, ColorBar, Span, Label, FixedTicker } = { ...Bokeh, ...Bokeh.Models ?? {} };
  const ndarray = Bokeh.require("core/util/ndarray").ndarray;
  const at = id => document.getElementById(id);
  const show = (x, digits = 2) => (Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x).toFixed(digits).replace("-", "−");
  const element = (name, text, attributes = {}) => Object.assign(document.createElement(name), { textContent: text }, attributes);
  const range = (start, end) => new Range1d({ start, end });
  const colour = name => {
    const probe = document.body.appendChild(element("span", "", { style: `color: var(--${name})` }));
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };

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

  /** New pictures, with the places they belong to; `choose(a, b)` is called where the map is clicked. */
  function make(trained, group, choose) {
    const n = trained.n, pi = Math.PI, keys = group.map(i => trained.keys[i]);
    const series = [0, 1, 2, 3].map(i => colour(`s${i}`)), grey = colour("grey"), text = colour("text");
    const top = 1.15 * Math.max(0, ...keys.map(key => key.total / (2 * pi)));
    const made = { group, rectangles: [], lines: [], dots: [], colours: { good: colour("good"), bad: colour("bad"), pale: colour("pale") } };
    const places = [];
    keys.forEach((key, i) => {
      const plot = figure({ title: `k = ${key.k}`, height: 210, min_border_left: 34, x_range: range(-pi, pi), y_range: range(-top, top), x_axis_label: "angle φ (rad)" });
      if (i === 0) plot.left[0].axis_label = "logits per radian";
      angles(plot, plot.below[0], [-1, 0, 1]);
      const boxes = source({ left: [], right: [], top: [] }), line = source({ x: [], y: [] });
      plot.quad({ field: "left" }, { field: "right" }, 0, { field: "top" }, { source: boxes, fill_color: colour("pale"), line_color: colour("page"), line_width: 0.4 });
      plot.line({ field: "x" }, { field: "y" }, { source: line, line_color: series[i], line_width: 2 });
      const label = new Label({ x: -pi + 0.1, y: top, text_baseline: "top", text_color: text, text_font_size: "12px" });
      plot.add_layout(label);
      made.rectangles.push({ plot, boxes, line, label });
      places.push([plot, "rectangles"]);
    });

    made.clusters = figure({ x_range: range(-1, n), y_range: range(-1, 1), x_axis_label: "answer c", y_axis_label: "logits, centred", height: 260 });
    const rows = [...group.map((_, i) => [series[i], DASHES[i], 2]), [grey, "solid", 1.5], [text, [1, 3], 2]];
    for (const [line_color, line_dash, line_width] of rows) {
      made.lines.push(source({ x: [], y: [] }));
      made.clusters.line({ field: "x" }, { field: "y" }, { source: made.lines.at(-1), line_color, line_dash, line_width });
    }
    made.at = upright(made.clusters, "solid");
    places.push([made.clusters, "clusters"]);

    made.logits = figure({ x_range: range(-1, n), y_range: range(-1, 1), x_axis_label: "answer c", y_axis_label: "logit, centred", height: 260 });
    made.bars = source({ x: [], top: [], colour: [] });
    made.logits.vbar({ field: "x" }, 0.8, { field: "top" }, 0, { source: made.bars, fill_color: { field: "colour" }, line_color: null });
    made.looked = source({ x: [], top: [] });
    made.logits.vbar({ field: "x" }, 0.8, { field: "top" }, 0, {
      source: made.looked, fill_color: null, line_color: null, hatch_pattern: "right_diagonal_line", hatch_color: text, hatch_scale: 6,
    });
    places.push([made.logits, "logits"]);

    made.phases = figure({ x_range: range(-pi, pi), y_range: range(-2 * pi - 0.6, 2 * pi + 0.6), x_axis_label: "input phase φ (rad)", y_axis_label: "output phase ψ (rad)", height: 340 });
    angles(made.phases, made.phases.below[0], [-1, 0, 1]);
    angles(made.phases, made.phases.left[0], [-2, -1, 0, 1, 2]);
    made.phases.line([-pi, pi], [-2 * pi, 2 * pi], { line_color: grey, line_width: 1.5 });
    group.forEach((_, i) => {
      made.dots.push(source({ x: [], y: [] }));
      made.phases.scatter({ field: "x" }, { field: "y" }, { source: made.dots[i], marker: MARKERS[i], size: 6, fill_color: series[i], fill_alpha: 0.75, line_color: null });
    });
    places.push([made.phases, "phases"]);

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
      choose(Math.round(x), Math.round(y));
    });
    places.push([made.map, "map"]);

    return { ...made, places };
  }

  /** Put the pictures of `make` into the page, in the place of those of `before`. */
  async function open({ places }, before) {
    for (const view of before) view.remove();
    for (const [, place] of places) at(place).replaceChildren();
    return Promise.all(places.map(([plot, place]) => Plotting.show(plot, at(place).appendChild(element("div", "", { className: "plot" })))));
  }

  function legend(keys) {
    const [grey, text, ...series] = ["grey", "text", "s0", "s1", "s2", "s3"].map(colour);
    const rows = [...keys.map((key, i) => [`k = ${key.k}`, series[i], DASHES[i]]), ["all other neurons", grey, "solid"], ["C, D past the ReLU", text, [1, 3]]];
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

  /** Each writes one picture's data: what `state` says of one input and the neurons, `every` of all inputs. */
  const drawing = {
    rectangles({ group, rectangles }, { network, a, b, c, laid }) {
      group.forEach((place, i) => {
        const { left, right, top, sum, whole } = laid[place], { plot, boxes, line, label } = rectangles[i];
        const y = modadd.curve(network, network.keys[place], a, b, c, PHI);
        boxes.data = { left, right, top };
        line.data = { x: PHI, y };
        label.text = `Σ ${show(sum)}, ∫ ${show(whole)}`;
        widen(plot.y_range, y);
      });
    },
    clusters({ group, lines: sources, clusters, at: upright }, { n, right, sums }) {
      const x = [...Array(n).keys()];
      const rest = sums.clusters.filter((_, i) => !group.includes(i)).reduce((sum, y) => sum.map((s, c) => s + y[c]), sums.others);
      const lines = [...group.map(i => sums.clusters[i]), rest, sums.residual];
      lines.forEach((y, i) => { sources[i].data = { x, y }; });
      widen(clusters.y_range, lines.flatMap(y => [Math.min(...y), Math.max(...y)]));
      upright.location = right;
    },
    logits({ bars, looked, logits, colours }, { n, c, right, answer, sums }) {
      const x = [...Array(n).keys()];
      const fill = x.map(one => (one === right ? colours.good : one === answer ? colours.bad : colours.pale));
      bars.data = { x, top: sums.logits, colour: fill };
      looked.data = c === right ? { x: [], top: [] } : { x: [c], top: [sums.logits[c]] };
      widen(logits.y_range, [0, ...sums.logits]);
    },
    phases({ group, dots }, { network, present }) {
      const turn = 2 * Math.PI, wrapped = angle => angle - turn * Math.round(angle / turn);
      group.forEach((place, i) => {
        const members = network.keys[place].members.filter(j => present[j]), x = members.map(j => network.sigma[j]);
        dots[i].data = { x, y: members.map((j, m) => 2 * x[m] + wrapped(network.psi[j] - 2 * x[m])) };
      });
    },
    map(made, { a, b, n }, every) {
      made.chosen.data = { x: [a], y: [b] };
      if (!every || made.drawn === every.margins) return;
      made.drawn = every.margins;
      made.mapper.setv({ low: Math.max(0, Math.fround(every.margins.smallest)), high: every.top });  // as the map is kept, or its least is white
      made.image.data = { image: [ndarray(every.margins.map, { dtype: "float32", shape: [n, n] })] };
    },
  };

  return { drawing, element, legend, make, open, show };
})();
