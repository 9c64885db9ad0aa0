// The sentences of a document that an answer by extraction weighed, with the quantities and names that it saw in them.

import { element, quoted, unseen } from "../dom.js";
import { Characters, number } from "../text.js";
import { term } from "./terms.js";

export function evidenceSentences(sentences, proof) {
  return element("ol", { class: "quotations", "aria-label": "Evidence" }, sentences.map((each) => {
    const cited = proof.placeOfKey.get(`${each.page} ${each.start} ${each.end}`);
    return element("li", {},
      element("p", { class: "small soft number" },
        cited ? `[${cited.number}] ` : "", `Page ${each.page_number}, characters ${each.start}–${each.end}, score ${number(each.score)}: ${counted(each)}`),
      element("p", { class: "words", dir: "auto" }, cited ? element("mark", { class: "place-mark" }, withMentions(each)) : withMentions(each)));
  }));
}

// What made the score of a sentence.
function counted({ coverage, density, chance }) {
  const read = chance ? ` + 0.5 × answer read ${number(chance)}` : "";
  return `coverage ${number(coverage)} × (0.75 + 0.25 × density ${number(density)})${read}`;
}

export function kindOfMention(mention) {
  return mention.type === "METRIC" ? "metric" : "entity";
}

// Mentions are told in characters of the page; of those that overlap, the first stands.
export function withMentions({ text, start, mentions }) {
  const words = new Characters(text);
  const parts = [];
  let at = 0;
  for (const mention of [...mentions].sort((one, other) => one.start - other.start)) {
    const [from, to] = [mention.start - start, mention.end - start];
    if (from < at || to > words.length) continue;
    const kind = kindOfMention(mention);
    parts.push(quoted(words.slice(at, from)), term(words.slice(from, to), kind), unseen(` (${kind})`));
    at = to;
  }
  return [...parts, quoted(words.slice(at))];
}
