// Taking documents back: what would go is shown first, and nothing goes before a person says so.

import { json } from "../api.js";
import { openDialog } from "../dialog.js";
import { button, element, fill, plural, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";

const ROUTE = "/api/v1/documents";

// Opens a dialog with the report of a dry run; `onRemoved()` is called when the documents are gone.
export async function askToRemove(documents, collection, { signal, onRemoved }) {
  const name = documents.length === 1 ? ["“", quoted(documents[0].title), "”"] : plural(documents.length, "document");
  const body = element("div", { class: "stack-tight", "aria-live": "polite" }, element("p", { class: "soft" }, "Looking at what would go…"));
  const redact = element("input", { type: "checkbox", id: "redact" });
  const remove = button("Delete", null, { class: "danger", disabled: true });
  const dialog = openDialog(["Delete ", name, "?"], [body,
    element("div", { class: "row" }, redact, element("label", { for: "redact" }, "Take out the answers that quote it as well")),
    element("div", { class: "row" }, remove, button("Keep it", () => dialog.close(), { class: "secondary", autofocus: true }))], signal);
  const ask = async (more) => {
    const reports = [];
    for (const { id } of documents) reports.push(await json(ROUTE, { method: "DELETE", signal, query: { id, collection, redact: redact.checked, ...more } }));
    return reports;
  };
  const tellReport = async () => {
    remove.disabled = true;
    try {
      fill(body, reportOf(await ask({ dry_run: true })));
      remove.disabled = false;
    } catch (error) {
      if (error.name !== "AbortError") fill(body, problemCard(error, { heading: "h3" }));
    }
  };
  redact.addEventListener("change", tellReport);
  remove.addEventListener("click", async () => {
    remove.disabled = true;
    try {
      await ask({ by: "the page" });
      dialog.close();
      tell(documents.length === 1 ? `${documents[0].title} is deleted.` : `${plural(documents.length, "document")} deleted.`);
      onRemoved();
    } catch (error) {
      if (error.name !== "AbortError") fill(body, problemCard(error, { heading: "h3" }));
    }
  });
  await tellReport();
}

// Of several documents, the sums: each report is of that document alone.
function reportOf(reports) {
  const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
  const distinct = (list) => new Set(reports.flatMap(list)).size;
  const rows = [
    ["goes", `${plural(sum((each) => each.pages), "page")}, ${plural(sum((each) => each.chunks), "chunk")}`],
    ["goes", plural(sum((each) => each.facts_removed), "fact")],
    ["goes", plural(sum((each) => each.entities_removed), "thing that nothing else tells of", "things that nothing else tells of")],
    ["stays", `${plural(sum((each) => each.facts_kept), "fact")} that other documents say too`],
    ["stale", plural(distinct((each) => each.stale), "answer that stood on it", "answers that stood on it")],
  ];
  const redacted = distinct((each) => each.redacted);
  if (redacted) rows.push(["goes", `the words of ${plural(redacted, "answer")}`]);
  return element("dl", { class: "report" }, rows.map(([what, told]) => element("div", {},
    element("dt", {}, { goes: "Goes", stays: "Stays", stale: "Becomes stale" }[what]), element("dd", { class: "number" }, told))));
}
