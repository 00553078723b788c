"use strict";
// The neurons of a network as its tables have them, and what chance makes of them: the library's three_dfts, largest_error,
// boxes and with_psi for the browser. Pure functions; random choices take a seed, so that the same choice gives the same picture.
const neurons = (() => {
  const { cos, sin, PI } = Math, TURN = 2 * PI;
  const rest = angle => (angle % TURN + TURN) % TURN, wrap = angle => PI - rest(PI - angle);  // in [0, 2π), in (−π, π]

  /** Amplitude and phase of column i of some coefficients (basis functions first: constant, sin 1, cos 1 …) at frequency k. */
  function cosineAt(table, n, h, i, k) {
    const alone = 2 * k === n, c = table[(alone ? n - 1 : 2 * k) * h + i], s = alone ? 0 : table[(2 * k - 1) * h + i];
    return { amplitude: Math.hypot(c, s) * Math.sqrt((alone ? 1 : 2) / n), phase: Math.atan2(-s, c) };
  }

  /** Frequency that carries most of the variance of A_i and B_i together, the lowest of equals; 1 where none varies. */
  function ownFrequency({ A, B }, n, h, i) {
    const square = j => A[j * h + i] ** 2 + B[j * h + i] ** 2;
    let best = 1, most = 0;
    for (let k = 1; 2 * k <= n; k++) {
      const power = 2 * k === n ? square(n - 1) : square(2 * k - 1) + square(2 * k);
      if (power > most) [best, most] = [k, power];
    }
    return best;
  }

  /** Of every neuron, from the coefficients of A, B and W: frequency, weight r, angles σ, δ, ψ (rad). */
  function read(coefficients, n, h) {
    const found = { frequency: new Int32Array(h) };
    for (const name of ["r", "sigma", "delta", "psi"]) found[name] = new Float64Array(h);
    for (let i = 0; i < h; i++) {
      const k = found.frequency[i] = ownFrequency(coefficients, n, h, i);
      const [a, b, w] = ["A", "B", "W"].map(name => cosineAt(coefficients[name], n, h, i, k));
      found.r[i] = (a.amplitude + b.amplitude) / 2 * w.amplitude;
      found.delta[i] = wrap(a.phase - b.phase) / 2;
      found.sigma[i] = wrap(a.phase - found.delta[i]);
      found.psi[i] = w.phase;
    }
    return found;
  }

  /** Frequencies whose neurons have at least a hundredth of all weight, in order. */
  function keyFrequencies({ frequency, r, n, h }) {
    const weight = new Float64Array(n);
    for (let i = 0; i < h; i++) weight[frequency[i]] += r[i];
    const all = weight.reduce((x, y) => x + y);
    return [...weight.keys()].filter(k => weight[k] > 0 && weight[k] >= 0.01 * all);
  }

  /** Left and right edge of the boxes of every key frequency's neurons, as wide as their weight, shifted together so that
   * they reach as little as possible from σ: the zero of a derivative that only grows. */
  function boxes({ keys, sigma, r, h }) {
    const left = new Float64Array(h), right = new Float64Array(h);
    for (const { members, total } of keys) {
      const nodes = members.map(i => [i, rest(sigma[i])]).sort((x, y) => x[1] - y[1]);
      let edge = 0;
      for (const [i] of nodes) [left[i], right[i], edge] = [edge, edge + TURN * r[i] / total, edge + TURN * r[i] / total];
      const slope = shift => nodes.reduce((sum, [i, node]) => sum + Math.abs(right[i] + shift - node) - Math.abs(left[i] + shift - node), 0);
      let low = -2 * TURN, high = 2 * TURN;
      while (high - low > 1e-12) slope((low + high) / 2) < 0 ? low = (low + high) / 2 : high = (low + high) / 2;
      for (const [i] of nodes) { left[i] += low; right[i] += low; }
    }
    return { left, right };
  }

  /** Of one frequency: rms of ψ − φ_a − φ_b by weight (rad), and the largest error of its sum over 4/3; NaN without weight. */
  function measured({ n, r, sigma, delta, psi }, { k, members, total }) {
    if (!(total > 0)) return { rms: NaN, error: NaN };
    const m = members.length, square = members.reduce((sum, i) => sum + r[i] * wrap(psi[i] - 2 * sigma[i]) ** 2, 0);
    const tabled = angle => Float64Array.from({ length: n * m }, (_, j) => cos(TURN * k * Math.floor(j / m) / n + angle(members[j % m])));
    const x = tabled(i => sigma[i] + delta[i]), y = tabled(i => sigma[i] - delta[i]);
    const [re, im] = [cos, sin].map(part => Float64Array.from(members, i => PI * r[i] / total * part(psi[i])));
    const mean = half => members.reduce((sum, i) => sum + r[i] * Math.abs(cos(half + delta[i])), 0) / total;
    const factor = Float64Array.from({ length: 2 * n }, (_, d) => mean(PI * k * (d - n) / n));
    let largest = 0;
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) {
      const theta = TURN * k * (a + b) / n, whole = 4 / 3 * factor[a - b + n];
      let u = -whole * cos(theta), v = whole * sin(theta);
      for (let j = 0, p = a * m, q = b * m; j < m; j++) {
        const size = Math.abs(x[p + j] + y[q + j]);
        u += size * re[j];
        v += size * im[j];
      }
      largest = Math.max(largest, u * u + v * v);
    }
    return { rms: Math.sqrt(square / total), error: Math.sqrt(largest) / (4 / 3) };
  }

  /** Numbers in [0, 1) that only a seed decides (the generator mulberry32). */
  function generator(seed) {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6D2B79F5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), state | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  /** The same values in an order that only a seed decides, every order as likely as another. */
  function shuffled(values, seed) {
    const order = [...values], random = generator(seed);
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }

  /** The network whose neurons of one key frequency have exchanged their output phases ψ at random, at each key frequency:
   * W_i is turned at that frequency, its amplitude and its other frequencies stay. */
  function phasesShuffled(network) {
    const { n, W: before } = network, W = before.slice(), psi = Float64Array.from(network.psi);
    for (const { k, members } of network.keys) {
      const others = shuffled(members, k), wave = [cos, sin].map(f => Float64Array.from({ length: n }, (_, c) => f(TURN * k * c / n)));
      members.forEach((i, m) => {
        let re = 0, im = 0;
        for (let c = 0; c < n; c++) { re += before[i * n + c] * wave[0][c]; im -= before[i * n + c] * wave[1][c]; }
        psi[i] = network.psi[others[m]];
        const amplitude = Math.hypot(re, im) * (2 * k === n ? 1 : 2) / n, phase = Math.atan2(im, re);  // of the table itself
        const u = amplitude * (cos(psi[i]) - cos(phase)), v = amplitude * (sin(psi[i]) - sin(phase));
        for (let c = 0; c < n; c++) W[i * n + c] += u * wave[0][c] - v * wave[1][c];
      });
    }
    return { ...network, W, psi, keys: network.keys.map(({ rms, error, ...key }) => key) };
  }

  return { boxes, keyFrequencies, measured, phasesShuffled, read, shuffled };
})();
if (typeof module !== "undefined") module.exports = neurons;
