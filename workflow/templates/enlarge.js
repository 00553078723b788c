// A link to a figure opens it enlarged, with its caption and data; a link into something folded unfolds it.
const enlarged = document.getElementById("enlarged"), large = enlarged.querySelector("figure");

function enlarge(figure) {
  large.replaceChildren(...[...figure.children].map(child => child.cloneNode(true)));
  large.querySelector("img").loading = "eager";
  const place = document.createElement("a");
  place.href = `#${figure.closest("details, section").id || figure.closest("section").getAttribute("aria-labelledby")}`;
  place.textContent = "Show in context";
  large.querySelector("figcaption .quiet").append(" ", place);
  enlarged.showModal();
  enlarged.scrollTop = 0;
}

function unfold(target) {
  for (let folded = target?.closest("details"); folded; folded = folded.parentElement.closest("details")) folded.open = true;
}

function goTo() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  unfold(target);
  target?.scrollIntoView();
}

document.addEventListener("click", event => {
  const link = event.target.closest("a[href]");
  if (event.target === enlarged || event.target.matches(".close")) enlarged.close();
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = link.getAttribute("href"), inside = enlarged.contains(link);
  const target = address.startsWith("#") ? document.getElementById(address.slice(1)) : null;
  const figure = target?.matches("figure") ? target : !inside && link.matches("figure[id] > .enlarge") ? link.parentElement : null;
  if (figure) {
    event.preventDefault();
    enlarge(figure);
  } else if (target) {
    if (inside) enlarged.close();
    unfold(target);
  }
});
addEventListener("hashchange", goTo);
goTo();
