// Who may use the service, and who may read which document.

import { json } from "../api.js";
import { readerSection } from "../access/readers.js";
import { tokenSection } from "../access/tokens.js";
import { append, element, quoted } from "../dom.js";
import { collectionField } from "../documents/collections.js";

const SETS_READERS = new Set(["admin", "writer"]);

export async function show(main, { query, signal }) {
  const collection = query.get("collection") || "default";
  const { name, role } = await json("/api/v1/whoami", { signal });
  append(main, element("div", { class: "stack access-view" },
    element("div", { class: "row row-spread" }, element("h1", {}, "Access"), await collectionField(collection, "access", signal)),
    element("p", { class: "soft" }, "You are here as ", name ? [quoted(name), ", "] : "", role, "."),
    role === "admin" && await tokenSection(signal),
    SETS_READERS.has(role) ? await readerSection(collection, signal) : element("p", {}, "Who may read what, an admin or a writer says.")));
}
