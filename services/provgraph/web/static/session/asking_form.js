// A field with its choices, sent by Enter or its button; what it begins is shown at the address of its session.

import { button, element } from "../dom.js";
import { problemCard } from "../problem.js";
import { sessionAddress } from "./conversation.js";

const KEPT_AS = "provgraph-asking";

// `send(text)` begins and gives the session at work; `large` is for the view that is nothing else. `turns` are what the
// conversation has had before.
export function askingForm({ id, label, verb, placeholder, text = "", large = false, turns = [], choices, send }) {
  const field = element("textarea", {
    id, rows: large ? 2 : 1, required: true, maxlength: 8000, autocomplete: "off",
    placeholder: large ? placeholder : label, class: "question-field",
  });
  field.value = text;
  const said = element("div", { class: "form-said" });
  const ask = button(verb, null, { type: "submit", class: "primary" });
  const form = element("form", { class: large ? "question-form large" : "question-form" },
    element("div", { class: "question-row" }, element("label", { for: id, class: "unseen" }, label), field, ask),
    element("div", { class: "row question-options" }, choices.map((choice) => choice.node)), said);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (ask.disabled) return;
    said.replaceChildren();
    ask.disabled = true;
    try {
      const live = await send(field.value);
      location.hash = sessionAddress(live.id, turns);
    } catch (problem) {
      said.replaceChildren(problemCard(problem));
    } finally {
      ask.disabled = false;
    }
  });
  return { form, field };
}

// A choice with its label; hidden where there is nothing to choose, but for the collection.
export function choiceOf(id, label, options, chosen) {
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

export function collectionChoice(collections, chosen) {
  const names = collections.map((each) => each.collection);
  return choiceOf("collection", "Collection", names.map((name) => [name, name]), names.includes(chosen) ? chosen : "default");
}

// Engines as they are offered to a person; `model` is the name of the language model.
export function engineOptions(names, model) {
  return names.map((name) => [name, name === "model" ? model : "rules, without a model"]);
}

// What was chosen last is chosen next time.
export function lastChoice() {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS)) ?? {};
  } catch {
    return {};
  }
}

export function keepChoice(choice) {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify({ ...lastChoice(), ...choice }));
  } catch {
    // The next question begins with what the service offers first.
  }
}
