// A collection of papers: how they hang together, what they are about, and questions to all or some of them.

import { json } from "../api.js";
import { append, element, fill, plural, quoted } from "../dom.js";
import { collectionField } from "../documents/collections.js";
import { follow, JobCard, dropZone } from "../documents/ingest.js";
import { PaperGraphs } from "../papers/graphs.js";
import { paperList } from "../papers/list.js";
import { paperQuestion } from "../papers/question.js";
import { PaperChoice } from "../papers/choice.js";
import { problemCard } from "../problem.js";

const BUILD = { address: "/api/v1/research/build", jobs: "/api/v1/research/builds", kinds: "PDFs, and BibTeX files that describe them" };

export async function show(main, { query, signal }) {
  const collection = query.get("collection") || "default";
  const found = element("div", { class: "stack" });
  const again = () => showPapers(found, collection, { signal });
  append(main, element("div", { class: "stack papers-view" },
    element("div", { class: "row row-spread" }, element("h1", {}, "Papers"), await collectionField(collection, "papers", signal)),
    found, additions(collection, { signal, onDone: again })));
  await again();
}

async function showPapers(host, collection, { signal }) {
  try {
    const known = await json("/api/v1/research/papers", { query: { collection }, signal });
    const choice = new PaperChoice(known);
    fill(host,
      element("p", { class: "soft", role: "status" }, known.papers.length
        ? `${plural(known.papers.length, "paper")}, ${plural(known.likenesses.length, "pair")} alike.`
        : "There is no paper yet. Search for some, or give files, below."),
      gapsOf(known.gaps));
    if (!known.papers.length) return;
    const question = paperQuestion(choice, collection);
    const graphs = new PaperGraphs(choice, collection, signal);
    append(host, question, element("div", { class: "columns papers-columns" }, graphs.node, paperList(choice, collection)));
  } catch (error) {
    if (error.name !== "AbortError") fill(host, problemCard(error, { onRetry: () => showPapers(host, collection, { signal }) }));
  }
}

function gapsOf(gaps) {
  if (!gaps.length) return null;
  return element("details", { class: "note note-warning small" },
    element("summary", {}, `${plural(gaps.length, "paper")} could not be had`),
    element("ul", { class: "stack-tight" }, gaps.map((gap) => element("li", {}, quoted(gap.title), ": ", quoted(gap.reason)))));
}

// Two ways in: a search for a topic, and files.
function additions(collection, { signal, onDone }) {
  const jobs = element("div", { class: "stack-tight jobs" });
  const field = element("input", { id: "topic", type: "text", maxlength: 500, required: true, autocomplete: "off" });
  const most = element("input", { id: "most", type: "number", min: 1, max: 100, value: 15, required: true });
  const form = element("form", { class: "row papers-search" },
    element("div", { class: "field papers-topic" }, element("label", { for: "topic" }, "Search arXiv for"), field),
    element("div", { class: "field" }, element("label", { for: "most" }, "At most"), most),
    element("button", { type: "submit", class: "secondary" }, "Search and read"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const topic = field.value.trim();
    if (topic) follow(new JobCard(topic, BUILD, collection), { topic, max_results: Number(most.value), collection }, jobs, { signal, onDone, into: BUILD });
  });
  return element("section", { class: "stack", "aria-labelledby": "add-papers" },
    element("h2", { id: "add-papers" }, "Add papers"), form, jobs, dropZone(collection, { signal, onDone, into: BUILD }).node);
}
