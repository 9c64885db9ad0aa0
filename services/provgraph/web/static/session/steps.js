// How a question goes, step by step: what was looked for, how much was found, how much of it was chosen.

import { element, fill, plural, quoted } from "../dom.js";
import { endingOf } from "./ending.js";

const ORDER = ["session", "grounding", "retrieval", "selection", "answer"];
const NARROWING = new Set(["documents", "titles", "types", "since", "until", "where"]);
const CONCEPTS_SHOWN = 8;
const ENDINGS = { "known in part": "Known in part", "closest passages": "No direct answer" };

export function stepsOfTrace(trace) {
  const chunks = trace.flow === "document-rag" || (trace.edge_count === 0 && trace.selected_chunks.length > 0);
  return {
    narrowed: narrowedBy(trace.settings ?? []),
    concepts: trace.concepts,
    found: chunks ? trace.chunk_count : trace.edge_count,
    chosen: { facts: trace.selected.length, passages: trace.selected_chunks.length },
    thing: chunks ? "passage" : "fact",
    reached: trace.outcome ? "done" : "answer",
    outcome: trace.outcome,
    ending: endingOf(trace),
    judged: Boolean(trace.answer?.verdict),
  };
}

export function stepsOfLive(live) {
  const { concepts, found, chosen, step, thing } = live;
  return { concepts, found, chosen, thing, reached: ORDER.includes(step) ? step : "retrieval", outcome: null };
}

// A list that is filled anew by `update(steps)`.
export function stepList() {
  const node = element("ol", { class: "steps", "aria-label": "How the answer came about" });
  return { node, update: (steps) => fill(node, items(steps)) };
}

// The settings that narrowed the question to some documents, without their signs of JSON.
function narrowedBy(settings) {
  return settings.filter((setting) => NARROWING.has(setting.slice(0, setting.indexOf("="))))
    .map((setting) => setting.replace(/["[\]]/g, "").replace("=", ": ").replaceAll(",", ", ")).join("; ");
}

function items({ narrowed, concepts, found, chosen, thing, reached, outcome, ending, judged }) {
  const at = reached === "done" ? ORDER.length : ORDER.indexOf(reached);
  return [
    item("Asked", narrowed ? quoted(narrowed) : null, at, 0),
    item("Looked for", concepts.length ? conceptList(concepts) : null, at, 1),
    item("Found", at >= 2 ? plural(found, thing) : null, at, 2),
    item("Chose", at >= 3 ? chosenThings(chosen, thing) : null, at, 3),
    item(outcome ? ended(outcome, ending, judged) : "Answers", null, at, 4, outcome),
  ];
}

function item(label, detail, at, index, outcome) {
  const state = index < at ? "done" : index === at ? "now" : "open";
  return element("li", { class: `step step-${state}`, data: { outcome: outcome ?? "" }, "aria-current": state === "now" ? "step" : null },
    element("span", { class: "step-label" }, label), detail && element("span", { class: "step-detail" }, detail));
}

function conceptList(concepts) {
  const shown = concepts.slice(0, CONCEPTS_SHOWN).flatMap((concept) => [", ", quoted(concept)]).slice(1);
  const more = concepts.length - CONCEPTS_SHOWN;
  return [shown, more > 0 ? ` and ${more} more` : ""];
}

// Facts, passages or both; of nothing the thing that was looked for.
function chosenThings(chosen, thing) {
  const { facts = 0, passages = 0 } = chosen ?? {};
  const counts = [facts && plural(facts, "fact"), passages && plural(passages, "passage")].filter(Boolean);
  return counts.join(" and ") || plural(0, thing);
}

function ended(outcome, ending, judged) {
  if (judged) return outcome === "refused" ? "Not enough info" : "Judged";
  if (ENDINGS[ending]) return ENDINGS[ending];
  return { answered: "Answered", refused: "No answer found", failed: "Failed", "cut off": "Stopped", interrupted: "Interrupted" }[outcome] ?? outcome;
}
