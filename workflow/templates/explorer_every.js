"use strict";
// The logits of every input: filled once row by row, then changed by the neurons that come or go.
const everyInput = (() => {
  const { addNeurons, margins, writeResidual } = typeof module === "undefined" ? modadd : require("./explorer_network.js");

  /** Fill them, with a pause for whoever asked after every row of inputs; returns them, of the `whole` network, with their margins
   * and the largest of these, and the `margins` of the neurons `present`. */
  function* filled(network) {
    const { n, h } = network, whole = new Float64Array(n ** 3), neurons = [...Array(h).keys()];
    writeResidual(network, whole, 0, n);
    for (let a = 0; a < n; a++) {
      addNeurons(network, whole, neurons, 1, a, a + 1);
      yield a;
    }
    const ofWhole = margins(whole, n), top = ofWhole.map.reduce((x, y) => Math.max(x, y), 0);
    return { whole, margins: ofWhole, ofWhole, top, logits: null, present: new Uint8Array(h).fill(1) };
  }

  /** Take away the neurons that have gone since, and add those that are back: from the nearest of three known states. */
  function change(cache, network, present) {
    const { n, h } = network, neurons = [...Array(h).keys()];
    if (present.every(one => one)) Object.assign(cache, { logits: null, margins: cache.ofWhole });
    else {
      const between = before => [neurons.filter(i => before[i] && !present[i]), neurons.filter(i => !before[i] && present[i])];
      const starts = [  // as last drawn, with every neuron, with none
        ...(cache.logits ? [[between(cache.present), () => {}]] : []),
        [between(new Uint8Array(h).fill(1)), () => { cache.logits = cache.whole.slice(); }],
        [between(new Uint8Array(h)), () => { cache.logits = new Float64Array(n ** 3); writeResidual(network, cache.logits, 0, n); }],
      ];
      const [[gone, back], start] = starts.reduce((x, y) => (y[0].flat().length < x[0].flat().length ? y : x));
      start();
      addNeurons(network, cache.logits, gone, -1, 0, n);
      addNeurons(network, cache.logits, back, 1, 0, n);
      cache.margins = margins(cache.logits, n);
    }
    cache.present = present.slice();
  }

  return { filled, change };
})();
if (typeof module !== "undefined") module.exports = everyInput;
