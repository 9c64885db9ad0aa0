// One session: its question and its answer.

import { json } from "../api.js";
import { element, quoted } from "../dom.js";

export async function show(main, { id, signal }) {
  const trace = await json(`/api/v1/traces/${encodeURIComponent(id)}`, { signal });
  main.append(element("article", { class: "narrow stack" },
    element("h1", {}, quoted(trace.query)),
    element("p", { class: "words" }, quoted(trace.answer?.text ?? ""))));
}
