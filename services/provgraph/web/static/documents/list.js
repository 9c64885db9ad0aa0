// All documents of a collection.

import { json } from "../api.js";
import { append, button, element, fill, plural, quoted, unseen } from "../dom.js";
import { problemCard } from "../problem.js";
import { dropZone } from "./ingest.js";
import { askToRemove } from "./removal.js";

export async function documentList(main, { query, signal }) {
  const collections = await json("/api/v1/collections", { signal });
  const collection = query.get("collection") || "default";
  const select = element("select", { id: "collection" }, [...new Set([collection, ...collections.map((each) => each.collection)])].map((name) => element("option", { value: name, selected: name === collection }, name)));
  select.addEventListener("change", () => { location.hash = `#/documents?collection=${encodeURIComponent(select.value)}`; });
  const list = element("div", { class: "stack" });
  const show = () => showDocuments(list, collection, { signal, again: show });
  append(main, element("div", { class: "stack documents-view" },
    element("div", { class: "row row-spread" }, element("h1", {}, "Documents"),
      element("div", { class: "field" }, element("label", { for: "collection" }, "Collection"), select)),
    dropZone(collection, { signal, onDone: show }), list));
  await show();
}

async function showDocuments(list, collection, { signal, again }) {
  try {
    const documents = await json("/api/v1/documents", { query: { collection, counts: true }, signal });
    const count = element("p", { class: "soft", role: "status" }, documents.length ? plural(documents.length, "document") : "There is no document yet. Add one: questions are answered from documents alone.");
    fill(list, count, documents.length && tableOf(documents, collection, { signal, again }));
  } catch (error) {
    if (error.name !== "AbortError") fill(list, problemCard(error, { onRetry: again }));
  }
}

function tableOf(documents, collection, { signal, again }) {
  return element("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": "Documents" }, element("table", { class: "document-table" },
    element("thead", {}, element("tr", {}, ["Title", "Pages", "Chunks", "Facts", "Type", "By"].map((head) => element("th", { scope: "col" }, head)), element("th", { scope: "col" }, unseen("Actions")))),
    element("tbody", {}, documents.map((each) => element("tr", {},
      element("td", {}, element("a", { href: documentAddress(each.id, collection) }, quoted(each.title)),
        each.source && each.source !== each.title && element("div", { class: "small soft" }, quoted(each.source)),
        metadataOf(each),
        each.failed_chunks > 0 && element("span", { class: "pill pill-warning" }, `${plural(each.failed_chunks, "chunk")} not read`)),
      element("td", { class: "number" }, each.pages),
      element("td", { class: "number" }, count(each.chunks)),
      element("td", { class: "number" }, count(each.facts)),
      element("td", {}, shortType(each.media_type)),
      element("td", {}, quoted([each.creators.slice(0, 3).join(", "), each.date.slice(0, 4)].filter(Boolean).join(", "))),
      element("td", {}, button("Delete", () => askToRemove(each, collection, { signal, onRemoved: again }), { class: "quiet", "aria-label": `Delete ${each.title}` })))))));
}

// What was given with a document.
export function metadataOf({ metadata = {} }) {
  const pairs = Object.entries(metadata).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  return pairs.length > 0 && element("div", { class: "small soft" }, quoted(pairs.join(", ")));
}

export function documentAddress(id, collection, place = {}) {
  return `#/documents/${encodeURIComponent(id)}?${new URLSearchParams({ collection, ...place })}`;
}

function count(number) {
  return (number ?? 0).toLocaleString("en");
}

function shortType(type) {
  const names = { "application/pdf": "PDF", "text/plain": "Text", "text/html": "HTML", "text/markdown": "Markdown", "application/json": "JSON", "application/x-ndjson": "JSONL" };
  return names[type] ?? (type.includes("wordprocessing") ? "DOCX" : type);
}
