// The headings of the claims table are buttons that put its rows in order: upwards, downwards, as in the ledger.
const table = document.getElementById("claims"), ledger = [...table.tBodies[0].rows], headings = [...table.tHead.rows[0].cells];
const choice = document.getElementById("order"), ORDERS = { ascending: 1, descending: -1 };

function keyOf(row, column) {
  const text = row.cells[column].textContent.trim();
  return headings[column].dataset.order === "number" ? parseFloat(text.replaceAll("−", "-")) : text.toLowerCase();
}

function inOrder(column, order) {
  const keys = new Map(ledger.map(row => [row, keyOf(row, column)])), missing = row => Number.isNaN(keys.get(row));
  return ledger.toSorted((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    if (missing(one) || missing(other)) return missing(one) - missing(other);
    return ORDERS[order] * (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
  });
}

function sort(chosen) {
  const [column, order] = chosen.split(" ");
  choice.value = chosen;
  headings.forEach((heading, index) => chosen && index === +column ? heading.ariaSort = order : heading.removeAttribute("aria-sort"));
  table.tBodies[0].append(...(chosen ? inOrder(+column, order) : ledger));
}

choice.append(new Option("as in the ledger", ""));
headings.forEach((heading, column) => {
  const button = document.createElement("button"), orders = Object.keys(ORDERS).map(order => `${column} ${order}`);
  button.type = "button";
  button.textContent = heading.textContent;
  button.addEventListener("click", () => sort([...orders, ""][orders.indexOf(choice.value) + 1]));
  heading.replaceChildren(button);
  for (const order of Object.keys(ORDERS)) choice.append(new Option(`${button.textContent}, ${order}`, `${column} ${order}`));
});
choice.addEventListener("change", () => sort(choice.value));
form.addEventListener("reset", () => sort(""));
