// The field for a question, and how it is to be answered: what is offered is what the service has.

import { json } from "../api.js";
import { askingForm, choiceOf, collectionChoice, engineOptions, keepChoice, lastChoice } from "./asking_form.js";
import { historyOf } from "./conversation.js";
import { begin } from "./live.js";
import { narrowing } from "./narrowing.js";

// A form that asks and leads to the session. `question` stands in it; `large` is for the view that is nothing else;
// `turns` are what a follow-up may point back to.
export async function questionForm({ signal, label = "Question", question = "", collection = "", flow = "", large = false, turns = [] }) {
  const [offered, collections] = await Promise.all([
    json("/api/v1/flows", { signal }), json("/api/v1/collections", { signal }),
  ]);
  const last = lastChoice();
  const flows = choiceOf("flow", "Answer from", offered.flows.map((each) => [each.address, flowTitle(each)]),
    offered.flows.find((each) => each.name === flow)?.address ?? last.flow);
  const within = collectionChoice(collections, collection || last.collection);
  const engine = choiceOf("engine", "Written by", [], last.engine);
  const narrowed = narrowing(() => within.value);
  const offerEngines = () => engine.offer(enginesOf(offered, flows.value));
  flows.control.addEventListener("change", offerEngines);
  offerEngines();
  const send = (query) => {
    keepChoice({ flow: flows.value, collection: within.value, engine: engine.value });
    const body = { query, collection: within.value, ...narrowed.fields };
    if (engine.value) body.engine = engine.value;
    const { fields = [] } = offered.flows.find((each) => each.address === flows.value) ?? {};
    if (turns.length && fields.includes("history")) body.history = historyOf(turns);
    return begin(flows.value, body);
  };
  return askingForm({
    id: "question", label, verb: "Ask", placeholder: "Who discovered polonium?", text: question, large, turns,
    choices: [flows, within, engine, narrowed], send,
  });
}

function flowTitle(flow) {
  return flow.title.replace(/^Answer from /, "") || flow.name;
}

function enginesOf({ model, flows }, address) {
  return engineOptions(flows.find((each) => each.address === address)?.engines ?? [], model);
}
