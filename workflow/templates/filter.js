// The table shows the claims that every chosen filter and the search words agree with; the URL keeps the choice. Claims of
// this project stay out of sight until the switch, a choice of their source, or a link to one of them shows them.
const form = document.getElementById("filter"), rows = [...document.querySelectorAll("#claims tbody tr")];
const count = document.getElementById("count"), own = form.elements.own, isOwn = row => agrees(row, "paper", "B");

function agrees(row, key, wanted) {
  if (key === "words") return wanted.toLowerCase().split(/\s+/).every(word => row.textContent.toLowerCase().includes(word));
  return row.dataset[key].split("|").includes(wanted);
}

function apply() {
  const chosen = [...new FormData(form)].filter(([key, wanted]) => wanted && key !== "own");
  const agreeing = new Set(rows.filter(row => chosen.every(([key, wanted]) => agrees(row, key, wanted))));
  const paper = form.elements.paper.value;
  for (const row of rows) row.hidden = !agreeing.has(row) || (isOwn(row) && !own.checked && !agrees(row, "paper", paper));
  const left = [...agreeing].filter(row => row.hidden).length;
  count.textContent = `${agreeing.size - left} of ${rows.length} claims` + (left ? `; ${left} more of our own` : "");
}

function showTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.matches("#claims tr")) return;
  if (target.hidden) own.checked = true, apply();
  target.scrollIntoView();
}

form.hidden = false;
form.addEventListener("input", apply);
form.addEventListener("reset", () => setTimeout(apply));
form.addEventListener("submit", event => event.preventDefault());
for (const [key, wanted] of new URLSearchParams(location.search)) {
  if (key === "own") own.checked = true;
  else if (form.elements[key]) form.elements[key].value = wanted;
}
apply();
showTarget();
addEventListener("hashchange", showTarget);
