"use strict";
// The innermost loop of the page: eight neurons' part of one row of logits, sum[c] += Σ_j p_j W[w_j + c] for all answers c. Pairs of
// doubles at a time in WebAssembly, assembled here; one at a time in JavaScript, more slowly, where a browser has no such pairs.
const kernel = (() => {
  const PAIR = 16, EIGHT = [0, 1, 2, 3, 4, 5, 6, 7], I32 = 0x7f, F64 = 0x7c, V128 = 0x7b;  // bytes of a pair; types
  const PAGE = 2 ** 16, END = 16, AT = 17, FIRST = 18;  // bytes of a page of memory; places of the parameter `end` and of the locals

  /** One function (p_0 … p_7: f64, addresses of w_0 … w_7, end: i32), which reads and writes `sum` from address 0 up to end. */
  function assembled() {
    const number = x => (x < 0x80 ? [x] : [x & 0x7f | 0x80, ...number(x >> 7)]), counted = bytes => [...number(bytes.length), ...bytes];
    const section = (id, ...entries) => [id, ...counted([entries.length, ...entries.flat()])];
    const get = place => [0x20, place], set = place => [0x21, place], add = [0x6a], load = [0xfd, 0x00, 3, 0];
    const splat = [0xfd, 0x14], plus = [0xfd, 0xf0, 0x01], times = [0xfd, 0xf2, 0x01], store = [0xfd, 0x0b, 3, 0];
    const code = [
      2, 1, I32, 8, V128,  // locals: `at`, and a pair of every p
      ...EIGHT.flatMap(j => [...get(j), ...splat, ...set(FIRST + j)]),
      0x03, 0x40,  // loop
      ...get(AT), ...get(AT), ...load,
      ...EIGHT.flatMap(j => [...get(8 + j), ...get(AT), ...add, ...load, ...get(FIRST + j), ...times, ...plus]),
      ...store,
      ...get(AT), 0x41, PAIR, ...add, 0x22, AT, ...get(END), 0x49, 0x0d, 0,  // at += PAIR; again if at < end
      0x0b, 0x0b,
    ];
    return new Uint8Array([
      0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,  // WebAssembly, version 1
      ...section(1, [0x60, ...counted([...EIGHT.map(() => F64), ...EIGHT.map(() => I32), I32]), 0]),
      ...section(2, [1, 0x6d, 1, 0x6d, 2, 0, 1]),  // the memory "m" of "m"
      ...section(3, [0]),
      ...section(7, [1, 0x66, 0, 0]),  // the function "f"
      ...section(10, counted(code)),
    ]);
  }

  const paired = typeof WebAssembly === "object" && WebAssembly.validate(assembled());
  const memory = paired ? new WebAssembly.Memory({ initial: 1 }) : null;
  const add = paired ? new WebAssembly.Instance(new WebAssembly.Module(assembled()), { m: { m: memory } }).exports.f : null;
  let held = null;  // what the memory holds: the sum of one row, then the rows of one W

  /** The sum of one row over n answers, and the loop that adds eight neurons to it; `w` names their rows of W, from j on. */
  function of(W, n) {
    if (!paired) return { sum: new Float64Array(n), addEight: inJavaScript };
    if (held?.W !== W) held = hold(W, n, 8 * 2 * Math.ceil(n / 2));
    return held;
  }

  function hold(W, n, row) {
    const h = W.length / n, lacking = Math.ceil((1 + h) * row / PAGE) - memory.buffer.byteLength / PAGE;
    if (lacking > 0) memory.grow(lacking);
    for (let i = 0; i < h; i++) new Float64Array(memory.buffer, (1 + i) * row, n).set(W.subarray(i * n, i * n + n));
    const addEight = (_, p, w, j) => add(p[j], p[j + 1], p[j + 2], p[j + 3], p[j + 4], p[j + 5], p[j + 6], p[j + 7],
      row + row * w[j], row + row * w[j + 1], row + row * w[j + 2], row + row * w[j + 3],
      row + row * w[j + 4], row + row * w[j + 5], row + row * w[j + 6], row + row * w[j + 7], row);
    return { W, addEight, sum: new Float64Array(memory.buffer, 0, n) };
  }

  /** The same without WebAssembly. */
  function inJavaScript(W, p, w, j, sum) {
    const n = sum.length, p0 = p[j], p1 = p[j + 1], p2 = p[j + 2], p3 = p[j + 3], p4 = p[j + 4], p5 = p[j + 5], p6 = p[j + 6], p7 = p[j + 7];
    const w0 = n * w[j], w1 = n * w[j + 1], w2 = n * w[j + 2], w3 = n * w[j + 3];
    const w4 = n * w[j + 4], w5 = n * w[j + 5], w6 = n * w[j + 6], w7 = n * w[j + 7];
    for (let c = 0; c < n; c++) {
      sum[c] += p0 * W[w0 + c] + p1 * W[w1 + c] + p2 * W[w2 + c] + p3 * W[w3 + c]
        + p4 * W[w4 + c] + p5 * W[w5 + c] + p6 * W[w6 + c] + p7 * W[w7 + c];
    }
  }

  return { inJavaScript, of };
})();
if (typeof module !== "undefined") module.exports = kernel;
