// The documents behind an answer: how each is ranked for the question, by which words, and what it is cited for.

import { append, element, fill, plural, quoted } from "../dom.js";
import { problemCard } from "../problem.js";
import { evidenceSentences } from "./evidence_sentences.js";
import { withTerms } from "./reader.js";
import { rankings } from "./rankings.js";
import { legend } from "./terms.js";

export function sourcesPanel(panel, { proof, pages }) {
  const weighed = new Map((proof.heard?.highlights?.documents ?? []).map((each) => [each.document, each.evidence]));
  if (!proof.documents.length) return append(panel, element("p", { class: "soft" }, "This answer cites no document."));
  const explained = element("p", { class: "soft small" });
  const cards = proof.documents.map((document) => documentCard(document, pages, weighed.get(document.id), proof));
  append(panel, explained, proof.sentences.some((each) => each.mentions?.length) && legend(), element("ol", { class: "documents" }, cards.map((card) => card.node)));
  return rankings(proof).then((ranked) => {
    fill(explained, ranked.explained);
    for (const card of cards) fill(card.ranking, ranked.of(card.id));
  }).catch((error) => append(explained, problemCard(error)));
}

function documentCard(document, pages, weighed, proof) {
  const ranking = element("div", { class: "ranking" });
  const node = element("li", { class: "card document" },
    element("div", { class: "row row-spread" },
      element("h2", {}, quoted(document.title)),
      element("span", { class: "small soft" }, `cited ${plural(document.places.length, "time")}`)),
    ranking,
    weighed?.length
      ? evidenceSentences(weighed, proof)
      : element("ol", { class: "quotations" }, document.places.map((place) => quotation(place, pages, proof.mentionsOn(place.page)))));
  return { id: document.id, node, ranking };
}

// The cited words between what stands before and after them on the page.
function quotation(place, pages, mentions) {
  const words = element("p", { class: "words" }, element("mark", { class: "place-mark" }, quoted(place.text)));
  const node = element("li", {},
    element("p", { class: "small soft number" }, `[${place.number}] Page ${place.page_number}, characters ${place.start}–${place.end}`), words);
  pages.text(place.page).then((page) => {
    const before = around(page.slice(Math.max(0, place.start - 160), place.start), -1);
    const after = around(page.slice(place.end, place.end + 160), 1);
    fill(words, element("span", { class: "soft" }, before), element("mark", { class: "place-mark" }, withTerms(page.slice(place.start, place.end), [], mentions)),
      element("span", { class: "soft" }, after));
  }).catch(() => {});
  return node;
}

function around(text, side) {
  const paragraphs = text.split(/\n\s*\n/);
  const nearest = side < 0 ? paragraphs.at(-1) : paragraphs[0];
  if (paragraphs.length > 1) return nearest;
  return side < 0 ? `…${nearest.replace(/^\S*\s/, "")}` : `${nearest.replace(/\s\S*$/, "")}…`;
}
