// The documents behind an answer: how the search ranks each for the question, by which words, and what it is cited for.

import { json } from "../api.js";
import { append, element, fill, plural, quoted } from "../dom.js";
import { problemCard } from "../problem.js";
import { number } from "../text.js";

const RANKED = 50;

export function sourcesPanel(panel, { proof, pages }) {
  const { trace } = proof;
  if (!proof.documents.length) return append(panel, element("p", { class: "soft" }, "This answer cites no document."));
  const explained = element("p", { class: "soft small" });
  const list = element("ol", { class: "documents" });
  const cards = proof.documents.map((document) => documentCard(document, pages));
  append(list, cards.map((card) => card.node));
  append(panel, explained, list);
  const told = { query: trace.query, collection: trace.collection, limit: RANKED };
  return json("/api/v1/retrieve", { body: told }).then((ranked) => {
    fill(explained, `Scores are of the search as it ranks for this question now (`, quoted(ranked.method), `). A bar shows what each word of the question adds to the score of the document's best passage.`);
    for (const card of cards) card.rank(ranked);
  }).catch((error) => append(explained, problemCard(error)));
}

function documentCard(document, pages) {
  const ranking = element("div", { class: "ranking" });
  const node = element("li", { class: "card document" },
    element("div", { class: "row row-spread" },
      element("h3", {}, quoted(document.title)),
      element("span", { class: "small soft" }, `cited ${plural(document.places.length, "time")}`)),
    ranking,
    element("ol", { class: "quotations" }, document.places.map((place) => quotation(place, pages))));
  const rank = (ranked) => fill(ranking, rankingOf(document.id, ranked));
  return { node, rank };
}

function rankingOf(id, ranked) {
  const at = ranked.documents.findIndex((each) => each.id === id);
  if (at < 0) return element("p", { class: "small soft" }, "The search does not find it by the question's words: its facts led to it.");
  const best = ranked.chunks.filter((chunk) => chunk.document === id).sort((one, other) => other.score - one.score)[0];
  return [
    element("p", { class: "small number" }, `Number ${at + 1} of ${ranked.documents.length}, score ${number(ranked.documents[at].score)}`),
    best?.terms.length ? termBars(best.terms) : null,
  ];
}

function termBars(terms) {
  const most = Math.max(...terms.map((each) => each.score), Number.MIN_VALUE);
  return element("dl", { class: "term-bars" }, terms.map((each) => element("div", {},
    element("dt", {}, quoted(each.text)),
    element("dd", { class: "number" },
      element("span", { class: "score-bar", "aria-hidden": "true" },
        element("span", { class: "score-fill", style: { width: `${Math.round((each.score / most) * 100)}%` } })),
      number(each.score)))));
}

// The cited words between what stands before and after them on the page.
function quotation(place, pages) {
  const words = element("p", { class: "words" }, element("mark", { class: "place-mark" }, quoted(place.text)));
  const node = element("li", {},
    element("p", { class: "small soft number" }, `[${place.number}] Page ${place.page_number}, characters ${place.start}–${place.end}`), words);
  pages.text(place.page).then((page) => {
    const before = around(page.slice(Math.max(0, place.start - 160), place.start), -1);
    const after = around(page.slice(place.end, place.end + 160), 1);
    fill(words, element("span", { class: "soft" }, before), element("mark", { class: "place-mark" }, page.slice(place.start, place.end)),
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
