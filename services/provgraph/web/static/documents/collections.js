// The collections there are: one is chosen, made, or removed with all that is in it.

import { json } from "../api.js";
import { openDialog } from "../dialog.js";
import { button, element, fill, link, plural, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";

const ROUTE = "/api/v1/collections";
const DEFAULT = "default";

// The choice of a collection at the head of `view`, which is shown anew for another one.
export async function collectionField(collection, view, signal) {
  const collections = await json(ROUTE, { signal });
  const names = [...new Set([collection, ...collections.map((each) => each.collection)])];
  const select = element("select", { id: "collection" }, names.map((name) => element("option", { value: name, selected: name === collection }, name)));
  select.addEventListener("change", () => open(view, select.value));
  return element("div", { class: "field" }, element("label", { for: "collection" }, "Collection"), select);
}

// Controls to make a collection, and to remove the one that is shown.
export function collectionControls(collection, view, signal) {
  return [
    button("New collection", () => askForName(view, signal), { class: "quiet" }),
    link(`#/access?${new URLSearchParams({ collection })}`, "Access"),
    collection !== DEFAULT && button("Remove collection", () => askToRemove(collection, view, signal), { class: "quiet" }),
  ];
}

function open(view, collection) {
  location.hash = `#/${view}?${new URLSearchParams({ collection })}`;
}

function askForName(view, signal) {
  const said = element("div");
  const field = element("input", { id: "new-collection", type: "text", required: true, maxlength: 100, autocomplete: "off", spellcheck: "false" });
  const form = element("form", { class: "stack" },
    element("div", { class: "field" }, element("label", { for: "new-collection" }, "Name"), field),
    element("div", { class: "row" }, button("Make it", null, { type: "submit", class: "primary" }), button("Cancel", () => dialog.close())), said);
  const dialog = openDialog("New collection", form, signal);
  field.focus();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const collection = field.value.trim();
    try {
      await json(ROUTE, { body: { collection }, signal });
      dialog.close();
      tell(`The collection ${collection} is made.`);
      open(view, collection);
    } catch (error) {
      if (error.name !== "AbortError") fill(said, problemCard(error, { heading: "h3" }));
    }
  });
}

function askToRemove(collection, view, signal) {
  const said = element("div");
  const remove = button("Remove", async () => {
    remove.disabled = true;
    try {
      await json(ROUTE, { method: "DELETE", query: { collection }, signal });
      dialog.close();
      tell(`The collection ${collection} is removed.`);
      open(view, DEFAULT);
    } catch (error) {
      if (error.name !== "AbortError") fill(said, problemCard(error, { heading: "h3" }));
      remove.disabled = false;
    }
  }, { class: "danger" });
  const goes = element("p", { role: "status" });
  const dialog = openDialog(["Remove the collection “", quoted(collection), "”?"], [
    goes, element("div", { class: "row" }, remove, button("Keep it", () => dialog.close(), { autofocus: true })), said], signal);
  remove.disabled = true;
  // What is there now, not what the list showed: it may be behind what was just added.
  json("/api/v1/documents", { query: { collection }, signal }).then((documents) => {
    fill(goes, `Its ${plural(documents.length, "document")}, their facts, and the answers from them go, and cannot be had back.`);
    remove.disabled = false;
  }, (error) => error.name !== "AbortError" && fill(said, problemCard(error, { heading: "h3" })));
}
