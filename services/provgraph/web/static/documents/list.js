// The documents of a collection: files are added, read again, and taken back.

import { json } from "../api.js";
import { append, button, element, fill, plural } from "../dom.js";
import { problemCard } from "../problem.js";
import { collectionControls, collectionField } from "./collections.js";
import { dropZone, follow, JobCard } from "./ingest.js";
import { askToRemove } from "./removal.js";
import { DocumentTable } from "./table.js";

export async function documentList(main, { query, signal }) {
  const collection = query.get("collection") || "default";
  const list = element("div", { class: "stack" });
  const rereading = element("div", { class: "row" });
  const show = () => showDocuments({ list, rereading }, collection, { signal, zone, again: show });
  const zone = dropZone(collection, { signal, onDone: () => show() });
  append(main, element("div", { class: "stack documents-view" },
    element("div", { class: "row row-spread" }, element("h1", {}, "Documents"),
      element("div", { class: "row collection-row" }, await collectionField(collection, "documents", signal),
        collectionControls(collection, "documents", signal))),
    zone.node, rereading, list));
  await show();
}

async function showDocuments({ list, rereading }, collection, { signal, zone, again }) {
  try {
    const [documents, { readings }] = await Promise.all([
      json("/api/v1/documents", { query: { collection, counts: true }, signal }),
      json("/api/v1/documents/readings", { query: { collection }, signal }),
    ]);
    fill(rereading, rereadControls(documents, readings, collection, { signal, zone, again }));
    const remove = (some) => askToRemove(some, collection, { signal, onRemoved: again });
    fill(list, documents.length
      ? new DocumentTable(documents, collection, remove).node
      : element("p", { class: "soft", role: "status" }, "There is no document yet. Add one: questions are answered from documents alone."));
  } catch (error) {
    if (error.name !== "AbortError") fill(list, problemCard(error, { onRetry: again }));
  }
}

// What can be read again: chunks that failed, and what an older version of an extractor read.
function rereadControls(documents, readings, collection, { signal, zone, again }) {
  const failed = documents.filter((each) => each.failed_chunks > 0).length;
  const outdated = Math.max(0, ...readings.filter((each) => each.outdated).map((each) => each.documents));
  const control = (label, address) => button(label, () => {
    const into = { address, jobs: "/api/v1/jobs" };
    follow(new JobCard(label, into, collection), { collection }, zone.jobs, { signal, onDone: again, into });
  });
  return [
    failed > 0 && control(`Read again what failed in ${plural(failed, "document")}`, "/api/v1/documents/retry"),
    outdated > 0 && control(`Read again ${plural(outdated, "document")} that an older version read`, "/api/v1/documents/reread"),
  ];
}
