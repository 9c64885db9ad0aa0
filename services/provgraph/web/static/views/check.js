// Where a person has a text of somebody else's checked, claim by claim, against pasted sources or a collection.

import { json } from "../api.js";
import { append, element } from "../dom.js";
import { checkForm } from "../session/check_form.js";

export async function show(main, { query, signal }) {
  const page = element("div", { class: "ask" },
    element("div", { class: "ask-head" },
      element("h1", {}, "Check a text"),
      element("p", { class: "soft" }, "Paste what somebody wrote, such as an answer of another assistant. Each of its claims is judged by the sources that you paste, or by a collection; citations such as [1] are followed.")));
  append(main, page);
  const collections = await json("/api/v1/collections", { signal });
  const { form, field, results } = checkForm({ collections, collection: query.get("collection") ?? "", signal });
  append(page, form, results);
  field.focus({ preventScroll: true });
}
