// Where a person begins: a question, and the questions asked before.

import { json } from "../api.js";
import { append, beginning, element, link, quoted } from "../dom.js";
import { problemCard } from "../problem.js";
import { questionForm } from "../session/question_form.js";
import { suggestions } from "../session/suggestions.js";
import { uuidOf, whenTold } from "../text.js";

const RECENT = 6;

export async function show(main, { query, signal }) {
  const page = element("div", { class: "ask" },
    element("div", { class: "ask-head" },
      element("h1", {}, "Ask your documents"),
      element("p", { class: "soft" }, "Every sentence of the answer leads to the facts behind it, and to the words they were read from.")));
  append(main, page);
  const asked = { signal, large: true, question: query.get("q") ?? "", collection: query.get("collection") ?? "" };
  const { form, field } = await questionForm(asked);
  const [suggested, before] = [element("div"), element("div")];
  append(page, form, suggested, before);
  field.focus({ preventScroll: true });
  if (!asked.question) suggestions(asked.collection || "default", signal).then((hint) => append(suggested, hint), () => {});
  json("/api/v1/traces", { query: { limit: RECENT }, signal })
    .then(async (recent) => append(before, recent.length ? recentQuestions(recent) : await nothingYet(signal)))
    .catch((error) => { if (!signal.aborted) append(before, problemCard(error)); });
}

// What to do first, where nothing was read yet.
async function nothingYet(signal) {
  const documents = await json("/api/v1/documents", { signal });
  if (documents.length) return null;
  return element("p", { class: "note" }, "There are no documents yet. Add some ",
    link("#/documents", "here"), ", or with ", element("code", {}, "provgraph ingest report.pdf"), ".");
}

function recentQuestions(traces) {
  return element("section", { "aria-labelledby": "recent", class: "stack-tight" },
    element("h2", { id: "recent", class: "small soft" }, "Asked before"),
    element("ul", { class: "recent" }, traces.map((trace) => element("li", {},
      link(`#/session/${uuidOf(trace.session)}`, quoted(beginning(trace.query))),
      element("span", { class: "small soft" }, outcome(trace), " · ", element("time", { datetime: trace.started }, whenTold(trace.started)))))));
}

function outcome(trace) {
  if (trace.stale.length) return element("span", { class: "warning" }, "stale");
  return { answered: "answered", refused: "no answer found", failed: "failed" }[trace.outcome] ?? trace.outcome ?? "at work";
}
