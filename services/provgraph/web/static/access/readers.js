// Who may read each document of a collection: groups and people by name; where none is named, whoever may read the
// collection.

import { json } from "../api.js";
import { element, fill, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";
import { listed } from "./tokens.js";

const ROUTE = "/api/v1/documents/readers";

export async function readerSection(collection, signal) {
  const documents = await json(ROUTE, { query: { collection }, signal });
  const said = element("div");
  return element("section", { class: "stack", "aria-labelledby": "readers" },
    element("h2", { id: "readers" }, "Readers of documents"),
    element("p", { class: "soft" }, "Groups and people by name, with commas. A document that names none is for all who may read the collection."), said,
    element("table", { class: "reader-table" },
      element("thead", {}, element("tr", {}, ["Document", "Readers"].map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, documents.map((each) => row(each, { collection, signal, said })))));
}

// Kept when the field is left or Enter is pressed.
function row({ id, title, readers }, { collection, signal, said }) {
  const field = element("input", { type: "text", "aria-label": `Readers of ${title}`, placeholder: "everybody", autocomplete: "off", value: readers.join(", ") });
  field.addEventListener("change", async () => {
    fill(said);
    try {
      const [kept] = await json(ROUTE, { method: "PUT", body: { collection, documents: [id], readers: listed(field.value) }, signal });
      field.value = kept.readers.join(", ");
      tell(`Readers of ${title}: ${field.value || "everybody"}.`);
    } catch (error) {
      if (error.name !== "AbortError") fill(said, problemCard(error, { heading: "h3" }));
    }
  });
  return element("tr", {}, element("th", { scope: "row" }, quoted(title)), element("td", {}, field));
}
