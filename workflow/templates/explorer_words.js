"use strict";
// What the explorer says in words and tables: of one input, of every input, of the network.
const words = (() => {
  const { element, show } = pictures;
  const at = id => document.getElementById(id);
  let spoken;

  function tableRow([name, ...cells]) {
    const row = element("tr", "");
    row.append(element("th", name, { scope: "row" }), ...cells.map(cell => element("td", cell)));
    return row;
  }

  /** The value of a slider, beside it and for a screen reader. */
  function value(id, text) {
    at(`${id}-value`).textContent = text;
    at(id).setAttribute("aria-valuetext", text);
  }

  /** The table of one input and answer, and the sums of the frequencies `group`. */
  function numbers({ network, present, c, right, sums, laid }, group) {
    const left = network.others.filter(i => present[i]).length;
    const rows = network.keys.map((key, i) => [
      key.k, laid[i].neurons === key.members.length ? laid[i].neurons : `${laid[i].neurons} of ${key.members.length}`,
      ...[laid[i].sum, laid[i].cosines, laid[i].whole, laid[i].identity, sums.clusters[i][c]].map(x => show(x)),
    ]);
    const rest = [["other neurons", left, sums.others[c]], ["C, D", "–", sums.residual[c]], ["sum: the logit", "–", sums.logits[c]]];
    rows.push(...rest.map(([name, count, adds]) => [name, count, "–", "–", "–", "–", show(adds)]));
    at("numbers").replaceChildren(...rows.map(tableRow));
    at("table-c").textContent = c;
    at("rectangles-said").textContent = "Sums: " + group
      .map(i => `k = ${network.keys[i].k}: rectangles ${show(laid[i].sum)}, integral ${show(laid[i].whole)}`).join("; ") + " (logits).";
  }

  /** The sentence on one input and on all, with what was done to the neurons; a screen reader hears it, with the moment, once a
   * slider has come to rest. */
  function say({ network, a, b, n, right, answer, margin }, group, every, done, moment) {
    const all = every ? `${every.margins.right} of ${n * n} inputs right, smallest margin ${show(every.margins.smallest)}.` : "Computing every input …";
    const here = `${a} + ${b} ≡ ${right} (mod ${n}): the network answers ${answer}, ${margin > 0 ? "right" : "wrong"}, margin ${show(margin)}.`;
    const text = [here, ...done, all].join(" ");
    at("summary").textContent = text;
    at("summary").className = margin > 0 ? "right" : "wrong";
    at("map-said").textContent = all;
    clearTimeout(spoken);
    spoken = setTimeout(() => { at("spoken").textContent = [moment, text, `Frequencies drawn: ${group.map(i => network.keys[i].k).join(", ")}.`].filter(Boolean).join(" "); }, 600);
  }

  /** The network's own numbers: as the workflow measured them, or, of another moment or with shuffled phases, as they come
   * out here. `facts` are said beside its own. */
  function about(network, trained, every, facts) {
    const link = (text, href) => element("a", text, { href }), own = network === trained;
    const claims = number => (own ? network.claims[number].flatMap(id => [" ", link(`[${id}]`, `claims.html#claim-${id}`)]) : []);
    const fact = (text, number) => { const item = element("li", text); if (number) item.append(...claims(number)); return item; };
    const { n, h } = network, { accuracy, smallest } = own ? { accuracy: network.accuracy, smallest: network.smallest_margin }
      : { accuracy: every?.ofWhole.right / n ** 2, smallest: every?.ofWhole.smallest };
    const known = own || every ? `accuracy ${+accuracy.toFixed(5)} over all ${n}² inputs, smallest margin ${show(smallest)}` : "computing every input …";
    const frequencies = own ? network.keys.map(key => key.k) : neurons.keyFrequencies(network);
    at("about-title").textContent = own ? "This network, as the workflow measured it" : "This network as chosen above, measured here";
    at("facts").replaceChildren(
      ...[...network.facts, ...facts].map(text => fact(text)),
      fact(`Modulus ${n}, ${h} neurons; ${known}.`, "accuracy"),
      fact(`Frequencies that carry at least a hundredth of the weight: ${frequencies.join(", ") || "none"}.`, "frequencies"),
    );
    const table = "The table below: how far the phases are from ψ = φ_a + φ_b, and the sums from their integrals. Claims on this:";
    const phases = fact(table, "phases");
    phases.append(...claims("error"));
    if (own && network.claims.phases.length + network.claims.error.length) at("facts").append(phases);
    const rows = network.keys.map(key => [key, own ? key : neurons.measured(network, key)]);
    at("measured").replaceChildren(...rows.map(([key, { rms, error }]) => tableRow([key.k, key.members.length, show(rms, 4), show(error, 4)])));
    const notebooks = Object.entries(network.notebooks).flatMap(([id, title]) => [element("br"), link(title, `notebooks/${id}.html`)]);
    at("ledger").replaceChildren(notebooks.length ? "Notebooks on this network:" : "No notebook of the ledger is about this network.", ...notebooks);
  }

  return { about, numbers, say, value };
})();
