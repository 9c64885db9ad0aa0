// What a document is known by: its title, and its metadata, a line for each name and value.

import { request } from "../api.js";
import { openDialog } from "../dialog.js";
import { button, element, fill, tell } from "../dom.js";
import { problemCard } from "../problem.js";
import { metadataPairs } from "./table.js";

// `onSaved` is called when the document has its new metadata.
export function editMetadata(tree, collection, { signal, onSaved }) {
  const lines = [...tree.creators.map((name) => `author=${name}`), ...(tree.date ? [`date=${tree.date}`] : []), ...metadataPairs(tree)];
  const title = element("input", { id: "document-title", value: tree.title, required: true, maxlength: "1000" });
  const text = element("textarea", { id: "metadata", class: "code", rows: Math.min(12, lines.length + 3), spellcheck: "false", "aria-describedby": "metadata-hint" });
  text.value = lines.join("\n");
  const said = element("div");
  const form = element("form", { class: "stack" },
    element("div", { class: "stack-tight" }, element("label", { for: "document-title" }, "Title"), title),
    element("div", { class: "stack-tight" }, element("label", { for: "metadata" }, "Metadata"), text,
      element("p", { id: "metadata-hint", class: "small soft" }, "A line for each: name=value, such as company=PepsiCo. Questions can be narrowed by them.")),
    element("div", { class: "row" }, button("Save", null, { type: "submit", class: "primary" }), button("Cancel", () => dialog.close())), said);
  const dialog = openDialog("Edit title and metadata", form, signal);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await request("/api/v1/documents/metadata", { method: "PUT", body: { collection, document: tree.id, title: title.value, metadata: valuesOf(text.value) }, signal });
      dialog.close();
      tell("Title and metadata are saved.");
      onSaved();
    } catch (error) {
      if (error.name !== "AbortError") fill(said, problemCard(error, { heading: "h3" }));
    }
  });
}

function valuesOf(text) {
  const values = {};
  for (const line of text.split("\n").filter((each) => each.trim())) {
    const [name, ...value] = line.split("=");
    (values[name.trim()] ??= []).push(value.join("=").trim());
  }
  return values;
}
