// How the documents behind an answer came to their scores: as the answer counted them where it says so, as its trace
// keeps it, or else as the search ranks for the question now.

import { json } from "../api.js";
import { element, quoted } from "../dom.js";
import { number } from "../text.js";

const RANKED = 50;

// { explained, of(id) }: what the scores are, and the score of one document with what made it.
export async function rankings({ trace, heard }) {
  if (heard?.highlights) return counted(heard.highlights);
  if (trace.ranked_documents.length) return recorded(trace);
  const told = { query: trace.query, collection: trace.collection, limit: RANKED };
  return searched(await json("/api/v1/retrieve", { body: told }));
}

function counted({ method, documents, cut_off: cutOff }) {
  return {
    explained: ["Scores are those that this answer went by (", quoted(method), "). Each word of the question adds what its row says.",
      cutOff ? ` Sentences that score ${number(cutOff)} or more answer.` : ""],
    of(id) {
      const at = documents.findIndex((each) => each.document === id);
      if (at < 0) return notFound();
      return [rank(at, documents.length, documents[at].score), termTable(documents[at])];
    },
  };
}

function termTable({ title, terms }) {
  const weighted = terms.some((each) => each.weight !== null && each.weight !== undefined);
  const heads = ["Word", "Times", weighted && "Weight", "Adds"].filter(Boolean);
  return element("div", { class: "scrolled", role: "region", tabindex: 0, "aria-label": `Score of ${title}` },
    element("table", { class: "term-table small" },
      element("thead", {}, element("tr", {}, heads.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, terms.map((each) => element("tr", { class: "number" },
        element("th", { scope: "row" }, quoted(each.text)),
        element("td", {}, String(each.count)),
        weighted && element("td", {}, each.weight === null || each.weight === undefined ? "–" : number(each.weight)),
        element("td", {}, number(each.score)))))));
}

function recorded({ ranked_documents: documents, method }) {
  return {
    explained: ["Scores are those that this answer went by", method ? [" (", quoted(method), ")"] : "", ", as its trace keeps them."],
    of(id) {
      const at = documents.findIndex((each) => each.document === id);
      if (at < 0) return notFound();
      return [rank(at, documents.length, documents[at].score), element("p", { class: "reason" }, quoted(documents[at].reasoning))];
    },
  };
}

function searched({ method, documents, chunks }) {
  return {
    explained: ["Scores are of the search as it ranks for this question now (", quoted(method), "). A bar shows what each word of the question adds to the score of the document's best passage."],
    of(id) {
      const at = documents.findIndex((each) => each.id === id);
      if (at < 0) return element("p", { class: "small soft" }, "The search does not find it by the question's words: its facts led to it.");
      const best = chunks.filter((chunk) => chunk.document === id).sort((one, other) => other.score - one.score)[0];
      return [rank(at, documents.length, documents[at].score), best?.terms.length ? termBars(best.terms) : null];
    },
  };
}

function rank(at, count, score) {
  return element("p", { class: "small number" }, `Number ${at + 1} of ${count}, score ${number(score)}`);
}

function notFound() {
  return element("p", { class: "small soft" }, "It was not ranked for this question.");
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
