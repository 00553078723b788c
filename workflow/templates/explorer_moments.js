"use strict";
// A network as it was at a moment of its training, from the packed snapshots of the page (page/explorer_history.py).
const moments = (() => {
  const inPage = typeof module === "undefined", { bytes, grouped } = inPage ? modadd : require("./explorer_network.js");
  const { boxes, read } = inPage ? neurons : require("./explorer_neurons.js");
  const bases = new Map();

  /** Row j holds the j-th function of the orthonormal basis on Z_n: constant, sin 1, cos 1, sin 2 … */
  function basis(n) {
    if (!bases.has(n)) bases.set(n, Float64Array.from({ length: n * n }, (_, at) => {
      const j = Math.floor(at / n), k = Math.floor((j + 1) / 2), angle = 2 * Math.PI * k * (at % n) / n;
      return Math.sqrt((j === 0 || 2 * k === n ? 1 : 2) / n) * (j % 2 ? sine(angle, k, n) : Math.cos(angle));
    }));
    return bases.get(n);
  }
  const sine = (angle, k, n) => (2 * k === n ? Math.cos(angle) : Math.sin(angle));  // the last of an even n is a cosine

  /** The bytes that zlib has packed into a base64 text. */
  async function inflated(text) {
    const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  /** Coefficients of every table of one snapshot, [numbers, rows, columns] by name: rows are basis functions. */
  async function coefficients(history, index) {
    const packed = await inflated(history.packed[index]), half = packed.length / 2, found = {};
    let at = 0;
    for (const name of ["A", "B", "W", "C", "D"].filter(one => one in history.tables)) {
      const [rows, columns] = history.tables[name], unit = history.units[name][index], numbers = new Float64Array(rows * columns);
      for (let i = 0; i < numbers.length; i++, at++) {
        const written = packed[at] | packed[half + at] << 8;
        numbers[i] = (written >> 1 ^ -(written & 1)) * unit;  // 0, −1, 1, −2, 2 … were written as 0, 1, 2, 3, 4 …
      }
      found[name] = [numbers, rows, columns];
    }
    return found;
  }

  /** The table of some coefficients, a row for each residue. */
  function table([numbers, n, columns]) {
    const values = new Float64Array(n * columns), functions = basis(n);
    for (let j = 0; j < n; j += 2) for (let x = 0; x < n; x++) {  // two functions in one pass
      const next = Math.min(j + 1, n - 1), p = functions[j * n + x], q = next > j ? functions[next * n + x] : 0;
      for (let i = 0, one = j * columns, two = next * columns, to = x * columns; i < columns; i++) {
        values[to + i] += p * numbers[one + i] + q * numbers[two + i];
      }
    }
    return values;
  }

  /** The same rows as columns; one column alone stands for `wide` equal ones. */
  function turned(values, rows, columns, wide = columns) {
    return Float64Array.from({ length: wide * rows }, (_, at) => values[(at % rows) * columns + (columns === 1 ? 0 : Math.floor(at / rows))]);
  }

  /** The network at one snapshot. Its key frequencies are those of the trained one, whose later neurons are thus watched. */
  async function at(trained, history, index) {
    const { n, h } = trained, found = await coefficients(history, index);
    const A = table(found.A), B = found.B ? table(found.B) : A, W = turned(table(found.W), n, h);
    const [C, D] = ["C", "D"].map(name => (found[name] ? turned(table(found[name]), n, found[name][2], n) : new Float64Array(n * n)));
    const own = read({ A: found.A[0], B: (found.B ?? found.A)[0], W: found.W[0] }, n, h);
    const then = grouped({ ...trained, ...own, A, B, W, C, D }, trained.keys.map(({ k }) => ({ k })));
    return { ...then, ...boxes(then) };
  }

  return { at };
})();
if (typeof module !== "undefined") module.exports = moments;
