// The answer, sentence by sentence, each with numbered citations; a sentence that nothing supports says so.

import { append, button, element, unseen } from "../dom.js";
import { withMentions } from "./evidence_sentences.js";
import { originAttributes, originMark } from "./origin.js";
import { documentName } from "../text.js";

// The short answer is not said twice: where it is the first sentence, it stands above.
export function answerNode(proof, lighting) {
  const node = element("p", { class: "answer-text", dir: "auto" });
  let at = proof.saidShort ? proof.saidShort.end + 1 : 0;
  for (const sentence of proof.sentences) {
    if (sentence === proof.saidShort) continue;
    node.append(proof.answerText.slice(at, sentence.start), sentenceNode(sentence, proof, lighting));
    at = sentence.end;
  }
  node.append(proof.answerText.slice(at));
  return node;
}

export function sentenceNode(sentence, proof, lighting) {
  const words = element("bdi", { class: "sentence-words" }, withMentions(sentence));
  const node = element("span", { class: sentence.supported ? "sentence" : "sentence unsupported", ...originAttributes(sentence.origin) }, words);
  lighting.mark("sentences", sentence.index, node);
  if (!sentence.supported) {
    return append(node, element("span", { class: "pill pill-warning unsupported-mark" }, "no support found"), originMark(sentence.origin));
  }
  lighting.react(words, () => proof.aroundSentence(sentence), { press: null });
  return append(node, citations(sentence, proof, lighting), originMark(sentence.origin));
}

// The numbers behind a sentence.
export function citations(sentence, proof, lighting) {
  const cited = sentence.places.map((place) => citation(place, lighting, () => proof.aroundCitation(sentence, place)));
  if (!cited.length) cited.push(citationOfFacts(sentence, proof, lighting));
  return [unseen(" "), element("span", { class: "cites" }, cited)];
}

// A button with the number of a place. `around` is what it lights.
export function citation(place, lighting, around) {
  const name = `Source ${place.number}: ${documentName(place)}, page ${place.page_number}`;
  const node = button(String(place.number), null, { class: "cite", "aria-label": name, "aria-pressed": "false", title: `${documentName(place)}, page ${place.page_number}` });
  lighting.mark("places", place.key, node);
  lighting.react(node, around);
  return node;
}

// A sentence whose words are nobody's own: a list of names that several facts gave.
function citationOfFacts(sentence, proof, lighting) {
  const count = sentence.edges.length + sentence.chunks.length;
  const node = button(`${count}×`, null, { class: "cite", "aria-label": `The ${count} behind this sentence`, "aria-pressed": "false" });
  lighting.react(node, () => proof.aroundSentence(sentence));
  return node;
}
