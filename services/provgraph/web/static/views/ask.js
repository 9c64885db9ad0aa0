// A question to a collection, by a way of asking that the service has.

import { events, json } from "../api.js";
import { button, element, quoted } from "../dom.js";
import { uuidOf } from "../text.js";

export async function show(main, { signal }) {
  const [offered, collections] = await Promise.all([
    json("/api/v1/flows", { signal }), json("/api/v1/collections", { signal }),
  ]);
  const field = element("textarea", { id: "question", rows: 2, required: true, maxlength: 8000 });
  const flow = choice("flow", offered.flows.map((each) => [each.address, each.name]));
  const collection = choice("collection", collections.map((each) => [each.collection, each.collection]));
  const form = element("form", { class: "card stack narrow" },
    element("h1", {}, "Ask, and see why"),
    element("label", { for: "question" }, "Question"), field,
    element("div", { class: "row" }, labelled("Way of asking", flow), labelled("Collection", collection),
      button("Ask", null, { type: "submit", class: "primary" })));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = { query: field.value, collection: collection.value };
    const asked = events(flow.value, { body, isLast: (data) => data.end_of_session });
    for await (const message of asked) {
      location.hash = `#/session/${uuidOf(message.data.explain_id)}`;
      return;
    }
  });
  main.append(form);
  field.focus();
}

function choice(id, options) {
  return element("select", { id }, options.map(([value, label]) => element("option", { value }, label)));
}

function labelled(label, control) {
  return element("span", { class: "field" }, element("label", { for: control.id }, label), control);
}
