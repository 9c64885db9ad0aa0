// What could be asked, from the relations that a collection has: "polonium was discovered by …" → "Who was polonium
// discovered by?". Only relations that make a plain question are taken, each once.

import { element, link, quoted } from "../dom.js";
import { factRows } from "../sparql/fact_rows.js";

const MOST = 4;
// What somebody does, so that "who" can ask for it where the type of the other is not known.
const DONE_BY_PEOPLE = new Set(["acquired", "composed", "created", "designed", "developed", "directed", "discovered", "established",
  "founded", "invented", "led", "owned", "painted", "produced", "written"]);
const RELATIONS = `SELECT ?thing ?relation ?object ?kind WHERE { ?subject ?predicate ?object ; rdfs:label ?thing . ?predicate rdfs:label ?relation .
  FILTER(REGEX(?relation, "^(was|is) [a-z]+ (by|in|on|in the year)$") && REGEX(?thing, "^[A-Za-z].{2,40}$"))
  OPTIONAL { ?object a ?kind } } LIMIT 400`;

export async function suggestions(collection, signal) {
  const questions = [];
  const asked = new Set();
  for (const row of await factRows(RELATIONS, collection, signal)) {
    const question = questionOf(row);
    if (!question || asked.has(row.relation.value) || asked.has(row.thing.value)) continue;
    asked.add(row.relation.value).add(row.thing.value);
    questions.push(question);
    if (questions.length === MOST) break;
  }
  if (!questions.length) return null;
  return element("section", { "aria-labelledby": "suggested", class: "stack-tight" },
    element("h2", { id: "suggested", class: "small soft" }, "You could ask"),
    element("ul", { class: "row suggestions" }, questions.map((question) =>
      element("li", {}, link(`#/ask?${new URLSearchParams({ q: question, collection })}`, quoted(question))))));
}

function questionOf({ thing, relation, object, kind }) {
  const [verb, participle, preposition] = relation.value.split(" ");
  const type = kind?.value.replace(/^.*[/#]/, "") ?? "";
  const somebody = type ? type === "Person" || type === "Organization" : DONE_BY_PEOPLE.has(participle);
  if (preposition === "by" && somebody) return `Who ${verb} ${thing.value} ${participle} by?`;
  if (preposition === "in" && type === "Place") return `Where ${verb} ${thing.value} ${participle}?`;
  if (object.type === "literal" && /^\d{4}(-|$)/.test(object.value)) return `When ${verb} ${thing.value} ${participle}?`;
  return "";
}
