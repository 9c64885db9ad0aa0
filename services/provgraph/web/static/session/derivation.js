// How a short answer follows, as a small proof tree: each step with its value, its reason and its words; what a step
// was derived from stands below it.

import { button, element, freshId, plural, quoted } from "../dom.js";
import { citation } from "./answer.js";
import { objectOf, relationOf, subjectOf } from "./terms.js";
import { documentName } from "../text.js";

export function derivationNode(proof, lighting) {
  const { steps } = proof;
  if (!steps.length) return null;
  const heading = freshId("derivation");
  const drawn = new Set();
  const root = steps.find((each) => each.id === proof.shortAnswer.derivation) ?? steps.at(-1);
  return element("section", { class: "derivation", "aria-labelledby": heading },
    element("h2", { id: heading }, "How it follows", element("span", { class: "soft small" }, ` ${plural(steps.length, "step")}`)),
    element("ul", { class: "derivation-tree" }, stepNode(root, { proof, lighting, drawn })));
}

// A step that two others used is drawn under the first, and named under the second.
function stepNode(step, drawing) {
  const { proof, lighting, drawn } = drawing;
  if (drawn.has(step.id)) return element("li", { class: "derivation-branch soft small" }, `Step ${step.index + 1}, shown above: `, quoted(step.value));
  drawn.add(step.id);
  const head = button(null, null, { class: "derivation-head", "aria-pressed": "false" });
  head.append(element("span", { class: "derivation-number number" }, `Step ${step.index + 1}`), " ",
    element("span", { class: "derivation-operation" }, quoted(step.operation)), " ",
    element("span", { class: "derivation-value" }, quoted(step.value)));
  const card = element("div", { class: "derivation-step", data: { step: step.id, operation: step.operation } },
    head,
    element("p", { class: "reason" }, quoted(step.explanation)),
    inputsOf(step, proof, lighting),
    step.sparql && element("details", { class: "small" }, element("summary", {}, "The same as a query"), element("pre", { class: "code", tabindex: 0 }, step.sparql)));
  lighting.mark("steps", step.id, card);
  lighting.react(card, () => proof.aroundStep(step), { press: head });
  const earlier = step.earlier.map((id) => proof.stepById.get(id)).filter(Boolean);
  return element("li", { class: "derivation-branch" }, card,
    earlier.length > 0 && element("ul", { "aria-label": `What step ${step.index + 1} used` }, earlier.map((each) => stepNode(each, drawing))));
}

// Sentences in their words with their places; facts as facts; what is not among the evidence as the trace words it.
function inputsOf(step, proof, lighting) {
  const items = [
    ...step.sentences.map((sentence) => sentenceItem(sentence, proof, lighting)),
    ...step.edges.map((edge) => element("li", {}, subjectOf(edge), " ", relationOf(edge), " ", objectOf(edge), " ",
      proof.placesOfEdge.get(edge.id).map((place) => citation(place, lighting, () => proof.aroundEdge(edge))))),
    ...step.otherInputs.map((words) => element("li", { class: "words" }, quoted(words))),
  ];
  return items.length > 0 && element("ul", { class: "derivation-inputs", "aria-label": `Evidence of step ${step.index + 1}` }, items);
}

function sentenceItem(sentence, proof, lighting) {
  const words = element("q", { class: "words" }, quoted(sentence.text));
  return element("li", {}, words, sentence.places.map((place) =>
    [" ", element("span", { class: "derivation-place small soft" }, citation(place, lighting, () => proof.aroundCitation(sentence, place)),
      element("span", { class: "source-name" }, quoted(documentName(place)), `, p. ${place.page_number}`))]));
}
