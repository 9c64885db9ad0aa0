// The answer in a few words, large, with one line of why.

import { element, quoted } from "../dom.js";
import { citations } from "./answer.js";
import { originMark } from "./origin.js";

const KINDS = { entity: "a name", date: "a date", number: "a number", "yes-no": "yes or no", list: "a list", count: "a count", span: "words of a document" };

// `why` is the explanation of the step that gave it, empty where it is not known yet.
export function shortAnswerNode({ text, kind }, why, cites = null) {
  return element("div", { class: "short-answer", data: { kind, origin: "derived" } },
    element("p", { class: "short-answer-label small soft" }, `Short answer: ${KINDS[kind] ?? kind}`),
    element("p", { class: "short-answer-text" }, quoted(text), cites, originMark("derived")),
    why && element("p", { class: "short-answer-why" }, quoted(why)));
}

// Of a finished session. The first sentence of an answer may be the short answer itself: it is said once, here.
export function provedShortAnswer(proof, lighting) {
  const last = proof.steps.at(-1);
  const said = proof.saidShort;
  const node = shortAnswerNode(proof.shortAnswer, last?.explanation, said && citations(said, proof, lighting));
  if (last) lighting.mark("steps", last.id, node);
  if (last) lighting.react(node, () => proof.aroundStep(last), { press: null });
  return node;
}
