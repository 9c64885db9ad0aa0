// The graph of a whole collection: a thing is searched, what lies around it is drawn, and any thing in it leads on.

import { append, button, element, fill, plural, quoted, tell } from "../dom.js";
import { collectionField } from "../documents/collections.js";
import { mountPlacedGraph } from "../graph.js";
import { problemCard } from "../problem.js";
import { factRows } from "../sparql/fact_rows.js";

const SUGGESTED = 12;
const TYPING_MS = 250;
const SIZES = [30, 60, 120, 250, 500, 1000, 2500, 5000];
const OF_WHOLE = 500;

// #/graph?collection=…&entity=IRI&entity=IRI&relation=IRI&since=1890&until=1910&most=60, or whole=true in place of entities
export async function show(main, { query, signal }) {
  const state = { collection: query.get("collection") || "default", entities: query.getAll("entity"), whole: query.has("whole"), relation: query.get("relation") ?? "", since: query.get("since") ?? "", until: query.get("until") ?? "" };
  state.most = Number(query.get("most")) || (state.whole ? OF_WHOLE : SIZES[1]);
  const host = element("div", { class: "explorer-graph card" });
  const suggestions = element("ul", { class: "row suggestions", "aria-label": "Things of the collection" });
  const search = element("input", { id: "entity-search", type: "search", autocomplete: "off", placeholder: "Marie Curie" });
  const head = element("div", { class: "row filters" },
    element("div", { class: "field" }, element("label", { for: "entity-search" }, "Search a thing"), search), await collectionField(state.collection, "graph", signal));
  const said = element("p", { class: "small soft", role: "status" });
  append(main, element("div", { class: "stack" }, element("h1", {}, "Graph"), head, said, suggestions));
  const suggest = () => showSuggestions({ suggestions, said }, search.value.trim(), state, signal);
  let typing = 0;
  search.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(suggest, TYPING_MS); });
  if (!state.whole) append(head, button("Whole collection", () => go(state, { entities: [], whole: true, relation: "", most: OF_WHOLE })));
  if (!state.entities.length && !state.whole) return suggest();
  append(head, await relationField(state, signal), yearField("since", "From year", state), yearField("until", "Until year", state), sizeField(state));
  append(main.firstChild, element("h2", { class: "unseen" }, "Facts"), host);
  drawAround(host, state, signal);
}

function addressOf({ collection, entities, whole, relation, since, until, most }) {
  const given = new URLSearchParams({ collection });
  for (const entity of entities) given.append("entity", entity);
  if (whole) given.set("whole", "true");
  for (const [name, value] of Object.entries({ relation, since, until })) if (value) given.set(name, value);
  if (most !== SIZES[1]) given.set("most", most);
  return `#/graph?${given}`;
}

function go(state, change) {
  location.hash = addressOf({ ...state, ...change });
}

// The things whose names have the words; without words, those of which most is said.
async function showSuggestions({ suggestions, said }, text, state, signal) {
  try {
    const found = await factRows(text ? namedLike(text) : mostSaid(), state.collection, signal);
    fill(suggestions, found.map(({ thing, name }) => element("li", {},
      button(quoted(name.value), () => go(state, { entities: [thing.value], whole: false, relation: "", most: SIZES[1] }), { class: "suggestion" }))));
    said.textContent = found.length ? (text ? plural(found.length, "thing") : "Of these the documents say most:") : "No thing has such a name.";
  } catch (error) {
    if (error.name !== "AbortError") fill(suggestions, element("li", {}, problemCard(error)));
  }
}

function namedLike(text) {
  return `SELECT DISTINCT ?thing ?name WHERE { ?thing rdfs:label ?name . FILTER(CONTAINS(LCASE(STR(?name)), ${JSON.stringify(text.toLowerCase())}))
    ?thing ?relation ?other . FILTER(?relation != rdfs:label && ?relation != rdf:type) } ORDER BY STRLEN(STR(?name)) LIMIT ${SUGGESTED}`;
}

function mostSaid() {
  return `SELECT ?thing (SAMPLE(?label) AS ?name) (COUNT(DISTINCT ?fact) AS ?facts) WHERE { ?thing rdfs:label ?label ; ?relation ?other .
    FILTER(?relation != rdfs:label && ?relation != rdf:type) BIND(CONCAT(STR(?relation), STR(?other)) AS ?fact) } GROUP BY ?thing ORDER BY DESC(?facts) LIMIT ${SUGGESTED}`;
}

function sizeField(state) {
  const control = element("select", { id: "graph-size" }, SIZES.map((size) => element("option", { value: size, selected: size === state.most }, `${size} facts`)));
  control.addEventListener("change", () => go(state, { most: Number(control.value) }));
  return element("div", { class: "field" }, element("label", { for: "graph-size" }, "At most"), control);
}

// A year that bounds the facts: they are a date, or a sentence that says them names a year.
function yearField(name, label, state) {
  const control = element("input", { id: `graph-${name}`, type: "number", min: 1000, max: 2099, step: 1, class: "year", value: state[name] });
  control.addEventListener("change", () => { if (control.reportValidity()) go(state, { [name]: control.value }); });
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control);
}

// The relations of the things that are drawn around, or of all.
async function relationField(state, signal) {
  const things = state.entities.filter((entity) => /^[a-z][\w+.-]*:/i.test(entity)).map((entity) => `<${entity.replace(/[<>"{}|^`\\\s]/g, (char) => encodeURIComponent(char))}>`).join(" ");
  const found = await factRows(`SELECT ?relation (SAMPLE(?label) AS ?name) (COUNT(*) AS ?facts) WHERE {
    ${state.whole ? "?thing ?relation ?other" : `VALUES ?thing { ${things} } { ?thing ?relation ?other } UNION { ?other ?relation ?thing }`} FILTER(?relation != rdfs:label && ?relation != rdf:type)
    OPTIONAL { ?relation rdfs:label ?label } } GROUP BY ?relation ORDER BY DESC(?facts) LIMIT 200`, state.collection, signal);
  const control = element("select", { id: "graph-relation" }, element("option", { value: "" }, "all"), found.map(({ relation, name, facts }) =>
    element("option", { value: relation.value, selected: relation.value === state.relation }, `${name?.value ?? relation.value} (${facts.value})`)));
  control.addEventListener("change", () => go(state, { relation: control.value }));
  return element("div", { class: "field" }, element("label", { for: "graph-relation" }, "Relation"), control);
}

function drawAround(host, state, signal) {
  const { collection, entities, relation, since, until, most } = state;
  const source = {
    path: "/api/v1/knowledge", query: { collection, entity: entities, relation: relation ? [relation] : [], since: since || null, until: until || null, most },
    hint: () => "Choose a thing to see its facts and where each was read, or to go on from it.", empty: relation || since || until ? "No fact is of these years or of this relation." : "There is no fact yet. Add documents: facts are read from them.",
  };
  mountPlacedGraph(host, source, { signal, actions: (node) => nodeActions(node, state) });
}

function nodeActions(node, state) {
  if (node.term?.t !== "i") return null;
  const { i: thing } = node.term;
  const drawn = state.entities.includes(thing);
  const without = state.entities.filter((entity) => entity !== thing);
  return element("div", { class: "row" },
    !drawn && !state.whole && button("Expand", () => { tell(`Expanded by ${node.label}`); go(state, { entities: [...state.entities, thing], relation: "" }); }),
    drawn && without.length > 0 && button("Fold", () => go(state, { entities: without })),
    button("Only this", () => go(state, { entities: [thing], whole: false, relation: "", most: SIZES[1] }), { class: "quiet" }));
}
