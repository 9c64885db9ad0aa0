// The field for a claim that the documents are to judge.

import { json } from "../api.js";
import { askingForm, choiceOf, collectionChoice, engineOptions, keepChoice, lastChoice } from "./asking_form.js";
import { begin } from "./live.js";
import { narrowing } from "./narrowing.js";

const ADDRESS = "/api/v1/verify";

// A form that judges and leads to the session. `claim` stands in it; `large` is for the view that is nothing else.
export async function claimForm({ signal, label = "Claim", claim = "", collection = "", large = false }) {
  const [{ model }, collections] = await Promise.all([
    json("/api/v1/flows", { signal }), json("/api/v1/collections", { signal }),
  ]);
  const last = lastChoice();
  const within = collectionChoice(collections, collection || last.collection);
  const engine = choiceOf("engine", "Judged by", engineOptions(model ? ["model-free", "model"] : ["model-free"], model), last.engine);
  const narrowed = narrowing(() => within.value);
  const send = (text) => {
    keepChoice({ collection: within.value, engine: engine.value });
    return begin(ADDRESS, { claim: text, collection: within.value, engine: engine.value, ...narrowed.fields });
  };
  return askingForm({
    id: "claim", label, verb: "Judge", placeholder: "Marie Curie discovered polonium in 1898.", text: claim, large,
    choices: [within, engine, narrowed], send,
  });
}
