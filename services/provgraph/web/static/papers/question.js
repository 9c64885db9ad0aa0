// The field for a question to papers: to those that are chosen, or to all.

import { choiceOf, askingForm } from "../session/asking_form.js";
import { begin } from "../session/live.js";

const ADDRESS = "/api/v1/research";
const KEPT_AS = "provgraph-conversation";
const FROM = [["hybrid", "words and meaning"], ["words", "words alone"], ["meaning", "meaning alone"]];
const ALPHA = { words: 0, meaning: 1 };

export function paperQuestion(choice, collection) {
  const ranked = choiceOf("ranked", "Found by", FROM, "hybrid");
  const send = (query) => begin(ADDRESS, {
    query, collection, papers: [...choice.chosen], conversation: conversation(collection), alpha: ALPHA[ranked.value] ?? 0.5,
  });
  const { form } = askingForm({
    id: "question", label: "Question to the papers", verb: "Ask", text: "",
    placeholder: "Which data set is it trained on?", large: true, choices: [ranked], send,
  });
  return form;
}

// One conversation for each collection in a tab: what was asked before is remembered, also after a look at an answer.
function conversation(collection) {
  const key = `${KEPT_AS}-${collection}`;
  try {
    const kept = sessionStorage.getItem(key) ?? `page-${crypto.randomUUID()}`;
    sessionStorage.setItem(key, kept);
    return kept;
  } catch {
    return "";
  }
}
