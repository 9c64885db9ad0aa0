// Leads from the hash of the address to the view that it names.

import { element, fill } from "./dom.js";
import { problemCard } from "./problem.js";
import { themeToggle } from "./theme_toggle.js";
import { FIRST, VIEWS } from "./views.js";

const main = document.getElementById("main");
let leaving = new AbortController();
let visits = 0;

function route(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const slash = path.indexOf("/");
  const name = slash < 0 ? path : path.slice(0, slash);
  const view = name ? VIEWS.find((each) => each.name === name) : FIRST;
  return { name, view, id: slash < 0 ? "" : decoded(path.slice(slash + 1)), query: new URLSearchParams(query) };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function visit() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const { name, view, id, query } = route(location.hash);
  markCurrent(view ?? FIRST);
  document.title = `${view?.label ?? "ProvGraph"} · ProvGraph`;
  const first = visits === 0;
  visits += 1;
  fill(main);
  main.dataset.view = view?.name ?? "";
  try {
    if (!view) return fill(main, noSuchView(name));
    const { show } = await view.load();
    if (!signal.aborted) await show(main, { id, query, signal, markUnder: (other) => markCurrent({ name: other }) });
  } catch (error) {
    if (!signal.aborted) fill(main, problemCard(error, { onRetry: visit, heading: "h1" }));
  } finally {
    if (!first && !signal.aborted) focusHeading();
  }
}

// So that keyboard and screen reader go on where the new view begins, unless the view has put the focus itself.
function focusHeading() {
  if (main.contains(document.activeElement)) return;
  const heading = main.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (heading ?? main).focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

function noSuchView(name) {
  return element("div", { class: "card narrow" },
    element("h1", {}, "There is no such view"),
    element("p", {}, "This page has nothing called ", element("bdi", {}, `“${name}”`), "."),
    element("p", {}, element("a", { href: `#/${FIRST.name}` }, "Ask a question")));
}

function markCurrent(view) {
  const links = VIEWS.filter((each) => each.label).map((each) => element("li", {},
    element("a", {
      href: `#/${each.name}`,
      "aria-current": each.name === (view.under ?? view.name) ? "page" : null,
    }, each.label)));
  fill(document.getElementById("views"), links);
}

// The skip link leads to the content without becoming a view of its own.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
themeToggle(document.getElementById("theme"));
window.addEventListener("hashchange", visit);
visit();
