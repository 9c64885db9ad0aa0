// A term of a fact: entities and values differ in colour and in their line, so that neither needs the other.

import { element, quoted } from "../dom.js";

const METRIC = /metric|measure|score|quantity/i;

export function subjectOf(edge) {
  return term(edge.subject, kindOf(edge.subject_types, edge.triple.s), edge.subject_types);
}

export function objectOf(edge) {
  return term(edge.object, kindOf(edge.object_types, edge.triple.o), edge.object_types);
}

export function relationOf(edge) {
  return quoted(edge.relation, { class: "relation" });
}

// "metric" for values and what is called a metric, else "entity".
export function kindOf(types, json) {
  return json?.t === "l" || types.some((type) => METRIC.test(type)) ? "metric" : "entity";
}

export function term(text, kind, types = []) {
  return quoted(text, { class: `term ${kind}`, title: types.join(", ") || (kind === "metric" ? "value" : null) });
}

export function legend() {
  return element("p", { class: "legend small soft" },
    term("entity", "entity"), " ", term("value or metric", "metric"), " ", element("mark", { class: "place-mark" }, "cited words"));
}
