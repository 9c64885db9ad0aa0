// The form for a text to check and its sources, and the claims as they come.

import { events } from "../api.js";
import { append, button, element, fill, tell } from "../dom.js";
import { problemCard } from "../problem.js";
import { choiceOf } from "./asking_form.js";
import { claimCard, summaryNode } from "./checked_claims.js";

const ADDRESS = "/api/v1/attribution";
const BETWEEN = /^\s*-{3,}\s*$/m;
const PASTED = "";

export function checkForm({ collections, collection, signal }) {
  const field = area("checked-text", "Text", 8, 20_000);
  const sources = area("checked-sources", "Sources, a line of --- between two of them", 8, 2_000_000);
  const options = [[PASTED, "the sources below"], ...collections.map((each) => [each.collection, each.collection])];
  const against = choiceOf("checked-against", "Check against", options, collection);
  const check = button("Check", null, { type: "submit", class: "primary" });
  const results = element("section", { class: "checked", "aria-label": "Claims" });
  const form = element("form", { class: "check-form" },
    field.node, against.node, sources.node, element("div", { class: "row" }, check));
  const choose = () => {
    sources.node.hidden = against.value !== PASTED;
    sources.control.required = against.value === PASTED;
  };
  against.control.addEventListener("change", choose);
  choose();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (check.disabled) return;
    check.disabled = true;
    try {
      await judge(request(field.control.value, sources.control.value, against.value), results, signal);
    } catch (problem) {
      if (!signal.aborted) append(results, problemCard(problem));
    } finally {
      check.disabled = false;
    }
  });
  return { form, field: field.control, results };
}

function area(id, label, rows, most) {
  const control = element("textarea", { id, rows, required: true, maxlength: most, autocomplete: "off", class: "checked-field" });
  return { control, node: element("div", { class: "field checked-area" }, element("label", { for: id }, label), control) };
}

function request(text, pasted, collection) {
  if (collection) return { text, collection };
  const texts = pasted.split(BETWEEN).map((each) => each.trim()).filter(Boolean);
  return { text, sources: texts.map((each, index) => ({ id: `source ${index + 1}`, text: each })) };
}

// Shows each claim as soon as it is judged.
async function judge(body, results, signal) {
  const said = element("p", { class: "soft" }, "Reading …");
  const list = element("ol", { class: "checked-claims" });
  fill(results, said, list);
  let done = 0;
  let total = 0;
  const isLast = (data) => "not_enough_info" in data || "status" in data;
  for await (const { name, data } of events(ADDRESS, { body, isLast, signal })) {
    if (name === "problem") throw data;
    if (name === "progress") total = data.total;
    if (name === "claim") {
      done += 1;
      append(list, claimCard(data, done));
      said.textContent = `${done} of ${total} sentences`;
    }
    if (name === "summary") {
      fill(said, ...summaryNode(data));
      tell(said.textContent);
    }
  }
}
