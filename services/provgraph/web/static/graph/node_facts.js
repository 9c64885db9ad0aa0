// The facts of one thing in a graph, and where each was read: sources are looked up when a fact is opened.

import { json } from "../api.js";
import { element, fill, link, plural, quoted } from "../dom.js";
import { problemCard } from "../problem.js";

export function nodeFacts(node, drawing, collection, signal) {
  return [
    element("h3", {}, quoted(node.label), node.detail && element("span", { class: "small soft" }, " ", quoted(node.detail))),
    element("ul", { class: "stack-tight graph-fact-list" }, node.edges.map((edge) => element("li", {}, factOf(edge, drawing, collection, signal)))),
  ];
}

function factOf(edge, drawing, collection, signal) {
  const [subject, object] = [drawing.nodes.get(edge.subject), drawing.nodes.get(edge.object)];
  const words = [quoted(subject.label), " ", quoted(edge.label, { class: "relation" }), " ", quoted(object.label)];
  if (!edge.triple) return element("p", { class: "small" }, words);
  const found = element("div", { class: "graph-sources", "aria-live": "polite" });
  const opened = element("details", { class: "small" }, element("summary", {}, element("span", {}, words)), found);
  opened.addEventListener("toggle", () => {
    if (opened.open && !found.hasChildNodes()) showSources(found, edge.triple, collection, signal);
  });
  return opened;
}

async function showSources(found, triple, collection, signal) {
  fill(found, element("p", { class: "soft" }, "Looking it up…"));
  try {
    const query = { s: written(triple.s), p: written(triple.p), o: written(triple.o), collection };
    const lineage = await json("/api/v1/lineage", { query, signal });
    fill(found, lineage.sources.length
      ? element("ul", { class: "stack-tight" }, lineage.sources.map((source) => sourceOf(source, collection)))
      : element("p", { class: "soft" }, "No document says it any more."));
    if (lineage.contradictions.length) found.append(element("p", { class: "warning" }, `Contradicted by ${plural(lineage.contradictions.length, "fact")}.`));
  } catch (error) {
    if (error.name !== "AbortError") fill(found, problemCard(error, { heading: "h4" }));
  }
}

function sourceOf(source, collection) {
  const address = `#/documents/${encodeURIComponent(source.document)}?${new URLSearchParams({ collection, page: source.page, start: source.start, end: source.end })}`;
  return element("li", {},
    element("q", { class: "words" }, quoted(source.text)), " ",
    link(address, quoted(source.title), `, page ${source.page_number}`));
}

// A term as the service reads it: an IRI bare, a literal as in N-Triples.
export function written(term) {
  if (term.t === "i") return term.i;
  const value = JSON.stringify(term.v);
  if (term.ln) return `${value}@${term.ln}`;
  return term.dt ? `${value}^^<${term.dt}>` : value;
}
