// What changed from one session to another: the answer, sentence by sentence, and the facts behind it.

import { json } from "../api.js";
import { append, beginning, element, link, plural, quoted } from "../dom.js";
import { number, uuidOf, whenTold } from "../text.js";

const MARKS = { same: "span", removed: "del", added: "ins" };

export async function differenceView(main, { id, query, signal }) {
  const path = `/api/v1/traces/${encodeURIComponent(id)}/difference`;
  const found = await json(path, { query: { before: query.get("before") ?? "" }, signal });
  append(main, element("article", { class: "stack" },
    element("p", {}, link("#/traces", "All traces")),
    element("h1", {}, quoted(beginning(found.after.query))),
    element("p", { class: found.changed ? "note note-warning" : "note" }, verdict(found)),
    element("p", { class: "row" }, side("Before", found.before), side("Now", found.after)),
    element("section", { class: "stack-tight", "aria-labelledby": "changed-answer" }, element("h2", { id: "changed-answer" }, "The answer"), answerOf(found)),
    facts("Facts that were lost", found.lost, "before"),
    facts("Facts that were gained", found.gained, "after"),
    facts("Facts that were kept", found.kept, "after")));
}

function verdict(found) {
  if (found.before.outcome !== found.after.outcome) return `The outcome changed from ${found.before.outcome} to ${found.after.outcome}.`;
  if (found.changed) return "The answer changed.";
  return found.lost.length || found.gained.length ? "The answer is the same, from other facts." : "Nothing changed: the same answer from the same facts.";
}

function side(label, session) {
  return link(`#/session/${uuidOf(session.session)}`, `${label}: ${whenTold(session.started)}`);
}

function answerOf(found) {
  if (!found.answer.length) return element("p", { class: "soft" }, "Neither session has an answer.");
  return element("p", { class: "answer-text difference" }, found.answer.map((piece) => [
    element(MARKS[piece.kind], { class: `piece-${piece.kind}` },
      piece.kind !== "same" && element("span", { class: "unseen" }, piece.kind === "added" ? "Added: " : "Removed: "), quoted(piece.text)), " "]));
}

function facts(title, edges, score) {
  if (!edges.length) return null;
  return element("section", { class: "stack-tight" },
    element("h2", {}, `${title} (${plural(edges.length, "fact")})`),
    element("ul", { class: "facts" }, edges.map((edge) => element("li", { class: "evidence" },
      element("div", { class: "evidence-head" },
        element("span", {}, quoted(edge.subject, { class: "term entity" }), " ", quoted(edge.relation, { class: "relation" }), " ", quoted(edge.object, { class: "term" })),
        edge[score] !== null && element("span", { class: "score number" }, number(edge[score]))),
      edge.why && element("p", { class: "reason" }, quoted(edge.why))))));
}
