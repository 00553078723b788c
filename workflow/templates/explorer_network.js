"use strict";
// What a network computes, from its tables: logits(a, b, c) = Σ_i ReLU(A[a,i] + B[b,i]) W[i,c] + C[a,c] + D[b,c].
// Pure functions of n residues and h neurons, in double precision; tables lie row by row, as in modadd.separable.
const modadd = (() => {
  const cos = Math.cos, TURN = 2 * Math.PI, EIGHT = 8;

  /** The bytes of a base64 text. */
  function bytes(text) {
    const characters = atob(text), found = new Uint8Array(characters.length);
    for (let i = 0; i < found.length; i++) found[i] = characters.charCodeAt(i);
    return found;
  }
  const unpack = text => new Float32Array(bytes(text).buffer);

  /** A network of the page's data, its tables decoded: no B where it is A, no C or D where they are zero. */
  function decode(entry) {
    const { modulus: n, width: h, tables } = entry, double = text => Float64Array.from(unpack(text));
    const network = { ...entry, n, h, A: double(tables.A), W: double(tables.W) };
    network.B = tables.B ? double(tables.B) : network.A;
    network.C = tables.C ? double(tables.C) : new Float64Array(n * n);
    network.D = tables.D ? double(tables.D) : new Float64Array(n * n);
    for (const name of ["r", "sigma", "delta", "psi", "left", "right"]) network[name] = unpack(entry.neurons[name]);
    return grouped({ ...network, frequency: entry.neurons.frequency }, entry.key);
  }

  /** The same network with its neurons sorted by the frequencies of `keys`: `members` of each, `others` of none. */
  function grouped(network, keys) {
    const { n, h, W, r, frequency } = network, of = new Map(keys.map(({ k }) => [k, []])), others = [];
    for (let i = 0; i < h; i++) (of.get(frequency[i]) ?? others).push(i);
    const own = keys.map(key => ({ ...key, members: of.get(key.k), total: of.get(key.k).reduce((sum, i) => sum + r[i], 0) }));
    const meanW = Float64Array.from({ length: h }, (_, i) => mean(W.subarray(i * n, i * n + n)));
    return { ...network, keys: own, others, meanW };
  }

  const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
  const centred = values => { const m = mean(values); return values.map(value => value - m); };

  /** A_i(a) + B_i(b) of every neuron. */
  function preactivations({ A, B, h }, a, b) {
    return Float64Array.from({ length: h }, (_, i) => A[a * h + i] + B[b * h + i]);
  }

  /** Σ_i ReLU(pre_i) W_i(c) over some neurons, those that are still there. */
  function contribution({ W, n }, pre, neurons, present) {
    const sum = new Float64Array(n);
    for (const i of neurons) {
      if (present[i] && pre[i] > 0) for (let c = 0; c < n; c++) sum[c] += pre[i] * W[i * n + c];
    }
    return sum;
  }

  /** What each key frequency, the other neurons, and C, D past the ReLU add to the logits of one input; each centred over c. */
  function parts(network, pre, present, a, b) {
    const { n, C, D } = network;
    const clusters = network.keys.map(key => centred(contribution(network, pre, key.members, present)));
    const others = centred(contribution(network, pre, network.others, present));
    const residual = centred(Float64Array.from({ length: n }, (_, c) => C[a * n + c] + D[b * n + c]));
    const logits = Float64Array.from({ length: n }, (_, c) => others[c] + residual[c]);
    for (const cluster of clusters) for (let c = 0; c < n; c++) logits[c] += cluster[c];
    return { clusters, others, residual, logits };
  }

  /** Logits of the inputs of rows a = from … to − 1 before any neuron: C + D. Written to logits[(a n + b) n + c]. */
  function writeResidual({ C, D, n }, logits, from, to) {
    for (let a = from; a < to; a++) for (let b = 0; b < n; b++) for (let c = 0; c < n; c++)
      logits[(a * n + b) * n + c] = C[a * n + c] + D[b * n + c];
  }

  /** Add (sign 1) or take away (sign −1) some neurons' part in the logits: all that a change costs. Of the inputs with
   * a = from … to − 1; where B is A, of those with b ≥ a and their mirror images. */
  function addNeurons({ A, B, W, n, h }, logits, neurons, sign, from, to) {
    const active = new Float64Array(neurons.length + EIGHT), rows = new Int32Array(neurons.length + EIGHT);
    const sum = new Float64Array(n);
    for (let a = from; a < to; a++) for (let b = A === B ? a : 0; b < n; b++) {
      let count = 0;
      for (const i of neurons) {
        const pre = A[a * h + i] + B[b * h + i];
        active[count] = sign * pre;  // overwritten by the next if this one is not active: quicker than a branch
        rows[count] = i;
        count += +(pre > 0);
      }
      while (count % EIGHT) { active[count] = 0; rows[count++] = 0; }  // no part of the sum
      sum.fill(0);
      for (let j = 0; j < count; j += EIGHT) addEight(W, active, rows, j, sum);
      for (let c = 0, row = (a * n + b) * n; c < n; c++) logits[row + c] += sum[c];
      if (A === B && a !== b) for (let c = 0, row = (b * n + a) * n; c < n; c++) logits[row + c] += sum[c];
    }
  }

  /** Eight neurons' part of one row of logits, sum[c] += Σ_i p[i] W[w[i], c] for i = j … j + 7. Each alone would take three
   * times as long. */
  function addEight(W, p, w, j, sum) {
    const n = sum.length;
    const p0 = p[j], p1 = p[j + 1], p2 = p[j + 2], p3 = p[j + 3], p4 = p[j + 4], p5 = p[j + 5], p6 = p[j + 6], p7 = p[j + 7];
    const w0 = n * w[j], w1 = n * w[j + 1], w2 = n * w[j + 2], w3 = n * w[j + 3];
    const w4 = n * w[j + 4], w5 = n * w[j + 5], w6 = n * w[j + 6], w7 = n * w[j + 7];
    for (let c = 0; c < n; c++) {
      sum[c] += p0 * W[w0 + c] + p1 * W[w1 + c] + p2 * W[w2 + c] + p3 * W[w3 + c]
        + p4 * W[w4 + c] + p5 * W[w5 + c] + p6 * W[w6 + c] + p7 * W[w7 + c];
    }
  }

  /** The best answer of one row of logits, and the right one's margin over the best wrong one. */
  function judge(logits, row, n, right) {
    let rival = -1;
    for (let c = 0; c < n; c++) if (c !== right && (rival < 0 || logits[row + c] > logits[row + rival])) rival = c;
    const margin = logits[row + right] - logits[row + rival];
    return { answer: margin > 0 ? right : rival, rival, margin };
  }

  /** Margin of every input, at b n + a (rows of the picture are b), with the smallest one and the share answered right. */
  function margins(logits, n) {
    const map = new Float32Array(n * n);
    let smallest = Infinity, right = 0;
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) {
      const { margin } = judge(logits, (a * n + b) * n, n, (a + b) % n);
      map[b * n + a] = margin;
      smallest = Math.min(smallest, margin);
      right += margin > 0;
    }
    return { map, smallest, right };
  }

  /** Factor of a frequency at a − b, mean over its neurons of |cos(w_k(a−b)/2 + δ_i)| by weight, times Σr/2π: logits per radian. */
  function strength(network, key, a, b) {
    const half = Math.PI * key.k * (a - b) / network.n;
    return key.members.reduce((sum, i) => sum + network.r[i] * Math.abs(cos(half + network.delta[i])), 0) / TURN;
  }

  /** The integral that the absolute-value parts |A_i + B_i| W_i(c)/2 of one frequency stand for, in logits: (4/3) cos(w_k(a+b−c)). */
  function integral(network, key, a, b, c) {
    return 4 / 3 * strength(network, key, a, b) * cos(TURN * key.k * (a + b - c) / network.n);
  }

  /** The same sum if every neuron were its cosines alone: Σ r_i |cos(w_k(a−b)/2 + δ_i) cos(w_k(a+b)/2 + σ_i)| cos(w_k c + ψ_i). */
  function cosines(network, key, present, a, b, c) {
    const { r, delta, sigma, psi } = network, half = Math.PI * key.k / network.n;
    return key.members.reduce((sum, i) => sum + present[i] * r[i]
      * Math.abs(cos(half * (a - b) + delta[i]) * cos(half * (a + b) + sigma[i])) * cos(2 * half * c + psi[i]), 0);
  }

  /** The curve under which the rectangles lie: strength · |cos(w_k(a+b)/2 + φ)| cos(w_k c + 2φ), at each φ (rad). */
  function curve(network, key, a, b, c, phi) {
    const factor = strength(network, key, a, b), w = Math.PI * key.k / network.n;
    return phi.map(x => factor * Math.abs(cos(w * (a + b) + x)) * cos(2 * w * c + 2 * x));
  }

  /** Rectangles of one frequency: area |A_i(a) + B_i(b)| W_i(c)/2, W centred over c, width 2π r_i/Σr; cut at ±π. With their sum,
   * and that of the identity parts (A_i(a) + B_i(b)) W_i(c)/2. */
  function rectangles(network, key, pre, present, c) {
    const { W, meanW, n, r } = network, left = [], right = [], top = [];
    let sum = 0, identity = 0;
    for (const i of key.members) {
      if (!present[i]) continue;
      const half = pre[i] * (W[i * n + c] - meanW[i]) / 2, area = Math.abs(pre[i]) * (W[i * n + c] - meanW[i]) / 2;
      sum += area;
      identity += half;
      const turns = TURN * Math.ceil((-Math.PI - network.left[i]) / TURN);
      for (const shift of [turns - TURN, turns]) {
        const from = Math.max(network.left[i] + shift, -Math.PI), to = Math.min(network.right[i] + shift, Math.PI);
        if (from >= to) continue;
        left.push(from);
        right.push(to);
        top.push(area * key.total / (TURN * r[i]));
      }
    }
    return { left, right, top, sum, identity };
  }

  /** The order in which neurons are removed: by weight r, the weakest or the strongest first, of all or of one frequency. */
  function removalOrder(network, scope, strongestFirst) {
    const key = network.keys.find(one => one.k === scope);
    const neurons = key ? [...key.members] : [...Array(network.h).keys()];
    return neurons.sort((i, j) => (strongestFirst ? network.r[j] - network.r[i] : network.r[i] - network.r[j]) || i - j);
  }

  return { addNeurons, bytes, cosines, curve, decode, grouped, integral, judge, margins, parts, preactivations, rectangles, removalOrder, strength, writeResidual };
})();
if (typeof module !== "undefined") module.exports = modadd;
