// Taking a document back: what would go is shown first, and nothing goes before a person says so.

import { json } from "../api.js";
import { append, button, element, fill, plural, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";

const ROUTE = "/api/v1/documents";

// Opens a dialog with the report of a dry run; `onRemoved()` is called when the document is gone.
export async function askToRemove(document_, collection, { signal, onRemoved }) {
  const body = element("div", { class: "stack-tight", "aria-live": "polite" }, element("p", { class: "soft" }, "Looking at what would go…"));
  const redact = element("input", { type: "checkbox", id: "redact" });
  const remove = button("Delete", null, { class: "danger", disabled: true });
  const dialog = element("dialog", { class: "card stack", "aria-labelledby": "removal" },
    element("h2", { id: "removal" }, "Delete “", quoted(document_.title), "”?"), body,
    element("div", { class: "row" }, redact, element("label", { for: "redact" }, "Take out the answers that quote it as well")),
    element("div", { class: "row" }, remove, button("Keep it", () => dialog.close(), { class: "secondary", autofocus: true })));
  const ask = (more) => json(ROUTE, { method: "DELETE", signal, query: { id: document_.id, collection, redact: redact.checked, ...more } });
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
      tell(`${document_.title} is deleted.`);
      onRemoved();
    } catch (error) {
      if (error.name !== "AbortError") fill(body, problemCard(error, { heading: "h3" }));
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  signal.addEventListener("abort", () => dialog.close(), { once: true });
  append(document.body, dialog);
  dialog.showModal();
  await tellReport();
}

function reportOf(report) {
  const rows = [
    ["goes", `${plural(report.pages, "page")}, ${plural(report.chunks, "chunk")}`],
    ["goes", plural(report.facts_removed, "fact")],
    ["goes", plural(report.entities_removed, "thing that nothing else tells of", "things that nothing else tells of")],
    ["stays", `${plural(report.facts_kept, "fact")} that other documents say too`],
    ["stale", plural(report.stale.length, "answer that stood on it", "answers that stood on it")],
  ];
  if (report.redacted.length) rows.push(["goes", `the words of ${plural(report.redacted.length, "answer")}`]);
  return element("dl", { class: "report" }, rows.map(([what, told]) => element("div", {},
    element("dt", {}, { goes: "Goes", stays: "Stays", stale: "Becomes stale" }[what]), element("dd", { class: "number" }, told))));
}
