// The verdict on a claim: its label by sign and word, how sure it is, and the words for and against it side by side.

import { element, freshId, plural, quoted } from "../dom.js";
import { citation } from "./answer.js";
import { elementTable } from "./elements.js";
import { objectOf, relationOf, subjectOf } from "./terms.js";
import { documentName } from "../text.js";

const LABELS = {
  SUPPORTS: { sign: "✓", kind: "supports", meaning: "The documents support this claim." },
  REFUTES: { sign: "✕", kind: "refutes", meaning: "The documents refute this claim." },
  "NOT ENOUGH INFO": { sign: "?", kind: "unknown", meaning: "The documents say too little about this claim." },
};

export function verdictNode(proven) {
  const { trace, heard } = proven.proof;
  const { label, confidence, explanation } = trace.answer.verdict;
  const { sign, kind, meaning } = LABELS[label];
  return element("section", { class: "answer verdict", "aria-label": "Verdict" },
    element("div", { class: `verdict-head verdict-${kind}` },
      element("span", { class: "verdict-sign", "aria-hidden": "true" }, sign),
      element("div", {}, element("p", { class: "verdict-label" }, label), element("p", { class: "soft" }, meaning))),
    element("p", { class: "answer-text" }, quoted(explanation)),
    element("dl", { class: "verdict-measures" },
      measure("Confidence", confidence, "How often verdicts like this one are right")),
    (heard?.verdict?.notes ?? []).map((note) => element("p", { class: "note note-warning small" }, quoted(note))),
    elementTable(trace.answer.verdict.elements ?? heard?.verdict?.elements, proven),
    element("div", { class: "verdict-sides" },
      side("for", "For", "No words found speak for it.", proven),
      side("against", "Against", "No words found speak against it.", proven)));
}

function measure(name, share, title) {
  const percent = `${Math.round(share * 100)}%`;
  return element("div", { title },
    element("dt", {}, name),
    element("dd", { class: "number" },
      element("span", { class: "score-bar", "aria-hidden": "true" }, element("span", { class: "score-fill", style: { width: percent } })),
      percent));
}

function side(stance, name, none, proven) {
  const heading = freshId(stance);
  const found = proven.proof.sentences.filter((sentence) => sentence.stance === stance);
  return element("section", { class: `verdict-side side-${stance}`, "aria-labelledby": heading },
    element("h2", { id: heading }, name, element("span", { class: "soft small" }, ` ${plural(found.length, "passage")}`)),
    found.length
      ? element("ul", { class: "findings" }, found.map((sentence) => finding(sentence, stance, proven)))
      : element("p", { class: "soft small" }, none));
}

// Words of a document, where they stand, and the facts that were read from them.
function finding(sentence, stance, { proof, lighting }) {
  const [place] = sentence.places;
  const words = element("q", { class: "sentence-words words" }, quoted(place?.text ?? sentence.text));
  const facts = sentence.edges.map((id) => proof.edgeById.get(id)).filter(Boolean);
  const node = element("li", { class: "finding sentence" },
    words,
    reasonFor(place, stance, proof.heard),
    place ? where(place, sentence, proof, lighting) : element("p", { class: "warning small" }, "No document says this any more."),
    facts.length > 0 && element("ul", { class: "finding-facts small", "aria-label": "Facts read from these words" },
      facts.map((edge) => element("li", {}, subjectOf(edge), " ", relationOf(edge), " ", objectOf(edge)))));
  lighting.mark("sentences", sentence.index, node);
  lighting.react(node, () => proof.aroundSentence(sentence), { press: null });
  return node;
}

function where(place, sentence, proof, lighting) {
  return element("p", { class: "source-row" },
    citation(place, lighting, () => proof.aroundCitation(sentence, place)),
    element("span", { class: "source-name" }, quoted(documentName(place)), `, p. ${place.page_number}`));
}

// The trace keeps no reasons of single words; whoever heard the verdict being given has them.
function reasonFor(place, stance, heard) {
  const said = (heard?.verdict?.[stance] ?? []).find(({ source }) => place
    && source.page === place.page && source.start === place.start && source.end === place.end);
  return said && element("p", { class: "reason" }, quoted(said.reason));
}
