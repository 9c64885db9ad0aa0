// The facts that were chosen, each with its score, the reason and who gave it, and every sentence that says it.

import { button, element, plural, quoted } from "../dom.js";
import { documentName, number } from "../text.js";
import { citation } from "./answer.js";
import { objectOf, relationOf, subjectOf } from "./terms.js";

export function edgeList(proof, lighting) {
  return element("ol", { class: "facts" }, proof.edges.map((edge) => edgeItem(edge, proof, lighting)));
}

function edgeItem(edge, proof, lighting) {
  const fact = button(null, null, { class: "fact", "aria-pressed": "false" });
  fact.append(subjectOf(edge), " ", relationOf(edge), " ", objectOf(edge));
  const item = element("li", { class: "evidence" },
    element("div", { class: "evidence-head" }, fact, score(edge, proof.mostScore)),
    reasonOf(edge),
    edge.contradictions.map(contradiction),
    edge.past_sources.map(pastSource),
    sourceRow(proof.placesOfEdge.get(edge.id), proof, lighting));
  lighting.mark("edges", edge.id, item);
  lighting.react(item, () => proof.aroundEdge(edge), { press: fact });
  return item;
}

// Why something was chosen, and who says so: a model's own words, or what was measured.
export function reasonOf(chosen) {
  return element("p", { class: "reason" }, quoted(chosen.reasoning),
    chosen.agent && [" ", element("span", { class: "by" }, "— ", quoted(chosen.agent))]);
}

// The score with a bar of its share of `most`: some rankings end at 1, others do not.
export function score({ score: value, rerank_score: again }, most) {
  const told = again === undefined || again === null ? "" : `, then ${number(again, 1)} of 10`;
  return element("span", { class: "score number", title: `Score of the ranking${told}` },
    element("span", { class: "score-bar", "aria-hidden": "true" },
      element("span", { class: "score-fill", style: { width: `${Math.round(Math.max(0, Math.min(1, value / most)) * 100)}%` } })),
    number(value), told);
}

export function sourceRow(places, proof, lighting) {
  if (!places.length) return element("p", { class: "warning small" }, "No document says this any more.");
  return element("ul", { class: "source-row" }, places.map((place) => element("li", {},
    citation(place, lighting, () => proof.aroundPlace(place)),
    element("span", { class: "source-name" }, quoted(documentName(place)), `, p. ${place.page_number}`))));
}

function contradiction(rival) {
  return element("p", { class: "note note-warning small" }, "Contradicted: ",
    quoted(rival.subject), " ", quoted(rival.relation), " ", quoted(rival.object),
    `, in ${plural(rival.documents, "document")}.`);
}

function pastSource(past) {
  return element("p", { class: "note small" }, "Its document no longer says: ",
    element("q", {}, quoted(past.text)), " (", quoted(past.title), `, p. ${past.page_number})`);
}
