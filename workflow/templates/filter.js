// The claims table shows the rows that every chosen filter and the search words agree with; the URL keeps the choice.
const form = document.getElementById("filter"), rows = [...document.querySelectorAll("#claims tbody tr")];
const count = document.getElementById("count");

function agrees(row, key, wanted) {
  if (!wanted) return true;
  if (key === "words") return wanted.toLowerCase().split(/\s+/).every(word => row.textContent.toLowerCase().includes(word));
  return row.dataset[key].split("|").includes(wanted);
}

function apply() {
  const chosen = [...new FormData(form)].filter(([, wanted]) => wanted);
  for (const row of rows) row.hidden = !chosen.every(([key, wanted]) => agrees(row, key, wanted));
  count.textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} claims`;
}

form.hidden = false;
form.addEventListener("input", apply);
form.addEventListener("reset", () => setTimeout(apply));
form.addEventListener("submit", event => event.preventDefault());
for (const [key, wanted] of new URLSearchParams(location.search)) if (form.elements[key]) form.elements[key].value = wanted;
apply();
