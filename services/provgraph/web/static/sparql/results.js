// Results of a query as a table; IRIs lead to what the page has of them, else to all that is said of them.

import { element, fill, plural, quoted } from "../dom.js";
import { uuidOf } from "../text.js";

const MOST_ROWS = 500;
const SESSION = /^urn:trustgraph:session:/;
const PAGE = /^(.+)\/version\/[0-9a-f]{32}\/page\/[0-9]+$/s;
const DOCUMENT = /^urn:trustgraph:doc:[0-9a-f]{32}$/;
export const PREFIXES = {
  e: "http://trustgraph.ai/e/",
  tg: "https://trustgraph.ai/ns/",
  prov: "http://www.w3.org/ns/prov#",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  dc: "http://purl.org/dc/elements/1.1/",
  oa: "http://www.w3.org/ns/oa#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
};

// `body` is of SPARQL 1.1 Query Results JSON, with triple terms as RDF 1.2 has them.
export function showResults(host, body, collection, truncated) {
  if (typeof body.boolean === "boolean") return fill(host, element("p", { class: "answer-text" }, body.boolean ? "Yes" : "No"));
  const names = body.head.vars;
  const rows = body.results.bindings;
  const shown = rows.slice(0, MOST_ROWS);
  return fill(host,
    element("p", { class: "soft", role: "status" }, [plural(rows.length, "row"), rows.length > MOST_ROWS && `, the first ${MOST_ROWS} of them shown`, truncated && ". The service's limit of rows was reached: there are more."]),
    rows.length > 0 && element("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": "Results" }, element("table", { class: "results" },
      element("thead", {}, element("tr", {}, names.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, shown.map((row) => element("tr", {}, names.map((name) => element("td", {}, row[name] && termNode(row[name], collection)))))))));
}

function termNode(term, collection) {
  if (term.type === "uri") return iri(term.value, collection);
  if (term.type === "triple") {
    const { subject, predicate, object } = term.value;
    return element("span", {}, "⟪ ", [subject, predicate, object].flatMap((each) => [termNode(each, collection), " "]), "⟫");
  }
  if (term.type === "bnode") return element("code", {}, `_:${term.value}`);
  return quoted(term.value, { title: term["xml:lang"] ?? term.datatype ?? null });
}

function iri(value, collection) {
  return element("a", { href: addressOf(value, collection), class: "code iri", title: value }, quoted(shortened(value)));
}

export function addressOf(value, collection) {
  if (SESSION.test(value)) return `#/session/${uuidOf(value)}`;
  const page = PAGE.exec(value);
  if (page) return `#/documents/${encodeURIComponent(page[1])}?${new URLSearchParams({ collection, page: value })}`;
  if (DOCUMENT.test(value)) return `#/documents/${encodeURIComponent(value)}?${new URLSearchParams({ collection })}`;
  return `#/sparql?${new URLSearchParams({ about: value, collection })}`;
}

export function shortened(value) {
  const known = Object.entries(PREFIXES).find(([, start]) => value.startsWith(start) && value.length > start.length);
  let readable = known ? `${known[0]}:${value.slice(known[1].length)}` : value;
  try { readable = decodeURIComponent(readable); } catch { /* it stays as it is written */ }
  return readable.length <= 64 ? readable : `${readable.slice(0, 24)}…${readable.slice(-38)}`;
}
