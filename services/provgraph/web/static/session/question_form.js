// The field for a question, and how it is to be answered: what is offered is what the service has.

import { json } from "../api.js";
import { button, element } from "../dom.js";
import { problemCard } from "../problem.js";
import { begin } from "./live.js";

const KEPT_AS = "provgraph-asking";

// A form that asks and leads to the session. `question` stands in it; `large` is for the view that is nothing else.
export async function questionForm({ signal, label = "Question", question = "", collection = "", flow = "", large = false }) {
  const [offered, collections] = await Promise.all([
    json("/api/v1/flows", { signal }), json("/api/v1/collections", { signal }),
  ]);
  const last = kept();
  const field = element("textarea", {
    id: "question", rows: large ? 2 : 1, required: true, maxlength: 8000, autocomplete: "off",
    placeholder: large ? "Who discovered polonium?" : label, class: "question-field",
  });
  field.value = question;
  const flows = select("flow", "Answer from", offered.flows.map((each) => [each.address, flowTitle(each)]),
    offered.flows.find((each) => each.name === flow)?.address ?? last.flow);
  const within = select("collection", "Collection", collections.map((each) => [each.collection, each.collection]), collection || last.collection);
  const engine = select("engine", "Written by", [], last.engine);
  const said = element("div", { class: "form-said" });
  const ask = button("Ask", null, { type: "submit", class: "primary" });
  const form = element("form", { class: large ? "question-form large" : "question-form" },
    element("div", { class: "question-row" },
      element("label", { for: "question", class: "unseen" }, label), field, ask),
    element("div", { class: "row question-options" }, flows.node, within.node, engine.node), said);
  const offerEngines = () => engine.offer(enginesOf(offered, flows.value));
  flows.control.addEventListener("change", offerEngines);
  offerEngines();
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (ask.disabled) return;
    keep({ flow: flows.value, collection: within.value, engine: engine.value });
    said.replaceChildren();
    ask.disabled = true;
    try {
      const body = { query: field.value, collection: within.value };
      if (engine.value) body.engine = engine.value;
      const live = await begin(flows.value, body);
      location.hash = `#/session/${live.id}`;
    } catch (problem) {
      said.replaceChildren(problemCard(problem));
    } finally {
      ask.disabled = false;
    }
  });
  return { form, field };
}

function flowTitle(flow) {
  return flow.title.replace(/^Answer from /, "") || flow.name;
}

function enginesOf({ model, flows }, address) {
  const names = flows.find((each) => each.address === address)?.engines ?? [];
  return names.map((name) => [name, name === "model" ? model : "rules, without a model"]);
}

function select(id, label, options, chosen) {
  const control = element("select", { id });
  const node = element("span", { class: "field" }, element("label", { for: id }, label), control);
  function offer(offered) {
    const before = control.value || chosen;
    control.replaceChildren(...offered.map(([value, text]) => element("option", { value }, text)));
    if (offered.some(([value]) => value === before)) control.value = before;
    else if (offered.some(([value]) => value === "model")) control.value = "model";
    node.hidden = offered.length < 2 && id !== "collection";
  }
  offer(options);
  return { node, control, offer, get value() { return control.value; } };
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS)) ?? {};
  } catch {
    return {};
  }
}

function keep(choice) {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(choice));
  } catch {
    // The next question begins with what the service offers first.
  }
}
