// The end of a session that has no answer: what is known and what is missing, the closest passages, or nothing.

import { element, freshId, quoted } from "../dom.js";
import { sentenceNode } from "./answer.js";
import { chunkName } from "./chunks.js";
import { endingOf } from "./ending.js";
import { objectOf, relationOf, subjectOf } from "./terms.js";

const ADVICE = "Ask in other words, ask another way, or add documents that say it.";

export function refusalNode(proof, lighting) {
  const ending = endingOf(proof.trace);
  const shown = { "known in part": knownInPart, "closest passages": closestPassages }[ending] ?? nothingFound;
  return element("section", { class: "answer refusal", "aria-label": "Answer", data: { ending } },
    shown(proof, lighting), element("p", { class: "soft" }, ADVICE));
}

function knownInPart(proof, lighting) {
  const missing = proof.answerText.slice(proof.sentences.at(-1).end).trim();
  return [
    element("p", { class: "refusal-head" }, "There is no complete answer."),
    part("What is known", sentenceList(proof, lighting)),
    missing && part("What is missing", element("p", { class: "answer-text" }, quoted(missing))),
  ];
}

function closestPassages(proof, lighting) {
  return [
    element("p", { class: "refusal-head" }, "There is no direct answer."),
    part("Closest passages", element("p", { class: "soft small" }, "They are near to the question. Whether they answer it is not sure."),
      sentenceList(proof, lighting)),
  ];
}

function part(title, ...content) {
  const heading = freshId("part");
  return element("section", { class: "refusal-part", "aria-labelledby": heading }, element("h2", { id: heading }, title), content);
}

function sentenceList(proof, lighting) {
  return element("ul", { class: "refusal-sentences answer-text" },
    proof.sentences.map((each) => element("li", {}, sentenceNode(each, proof, lighting))));
}

// How the reason of a candidate begins that has nothing of the question.
const NOTHING_MET = "Covers 0% ";

function nothingFound({ trace }) {
  const first = trace.passed_over[0] ?? trace.passed_over_chunks[0];
  const best = first?.reasoning.startsWith(NOTHING_MET) ? null : first;
  const fact = best === trace.passed_over[0] ? best : null;
  const name = fact && [subjectOf(fact), " ", relationOf(fact), " ", objectOf(fact)];
  return [
    element("p", { class: "answer-text" }, trace.answer?.text || "No answer found."),
    element("p", {}, best
      ? "The documents of this collection do not say enough about this question, and nothing is made up."
      : "No document of this collection says anything about this question, and nothing is made up."),
    best && element("p", {}, "Nearest: ", name ?? chunkName(best), ". ", quoted(best.reasoning)),
  ];
}
