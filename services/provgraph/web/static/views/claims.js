// Where a person puts a claim before the documents.

import { append, element, link } from "../dom.js";
import { claimForm } from "../session/claim_form.js";

export async function show(main, { query, signal }) {
  const page = element("div", { class: "ask" },
    element("div", { class: "ask-head" },
      element("h1", {}, "Judge a claim"),
      element("p", { class: "soft" }, "Say something that may be true. The documents support it, refute it, or say too little; the words for and against it are shown where they stand."),
      element("p", {}, link("#/check", "Check a whole text"), ", such as an answer of another assistant.")));
  append(main, page);
  const asked = { signal, large: true, claim: query.get("q") ?? "", collection: query.get("collection") ?? "" };
  const { form, field } = await claimForm(asked);
  append(page, form);
  field.focus({ preventScroll: true });
}
