// Past sessions, the newest first; those whose answer no longer stands are marked, and say why.

import { json } from "../api.js";
import { append, beginning, button, element, fill, link, plural, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";
import { uuidOf, whenTold } from "../text.js";
import { downloads } from "./download.js";

const CHECKED = "attribution";

const LIMIT = 100;
const TOLD = { answered: ["answered", "good"], refused: ["no answer found", "warning"], failed: ["failed", "danger"], "cut off": ["stopped", "warning"], interrupted: ["interrupted", "danger"] };

export async function traceList(main, { query, signal }) {
  const stale = query.get("stale") === "true";
  const only = element("input", { type: "checkbox", id: "stale", checked: stale });
  only.addEventListener("change", () => { location.hash = only.checked ? "#/traces?stale=true" : "#/traces"; });
  const list = element("div", { class: "stack" });
  append(main, element("div", { class: "stack" },
    element("div", { class: "row row-spread" }, element("h1", {}, "Traces"),
      element("div", { class: "row" }, only, element("label", { for: "stale" }, "Only stale answers"))), list));
  const traces = await json("/api/v1/traces", { query: { limit: LIMIT, stale }, signal });
  fill(list,
    element("p", { class: "soft", role: "status" }, summary(traces, stale)),
    element("ol", { class: "traces" }, traces.map((trace) => traceItem(trace, signal))));
}

function summary(traces, stale) {
  if (!traces.length) return stale ? "No answer is stale." : "No question was asked yet.";
  return `${traces.length === LIMIT ? "The newest " : ""}${plural(traces.length, stale ? "stale answer" : "session")}`;
}

function traceItem(trace, signal) {
  const uuid = uuidOf(trace.session);
  const [told, look] = TOLD[trace.outcome] ?? ["at work", ""];
  const said = element("div");
  return element("li", { class: "card trace" },
    element("div", { class: "row row-spread" },
      element("h2", {}, link(`#/session/${uuid}`, quoted(beginning(trace.query)))),
      element("span", { class: "row" },
        trace.stale.length > 0 && element("span", { class: "pill pill-warning" }, "stale"),
        element("span", { class: look ? `pill pill-${look}` : "pill" }, told))),
    element("p", { class: "small soft" }, element("time", { datetime: trace.started }, whenTold(trace.started)), " · ", quoted(trace.collection)),
    trace.stale.map((reason) => element("p", { class: "note note-warning small" }, quoted(reason))),
    element("div", { class: "row trace-actions" },
      button("Copy link", (event) => copyLink(uuid, event.target), { class: "quiet" }),
      button("Ask again", (event) => askAgain(trace, event.target, said, signal), { class: "quiet" }),
      element("span", { class: "row", role: "group", "aria-label": "Download" }, downloads(uuid, signal))),
    said);
}

async function copyLink(uuid, control) {
  const address = `${location.origin}${location.pathname}#/session/${uuid}`;
  try {
    await navigator.clipboard.writeText(address);
    control.textContent = "Link copied";
    tell("The link is copied.");
  } catch {
    control.textContent = address;
  }
}

// Only questions to the graph keep their settings; of the others, words and collection are asked again.
function asAgain({ query, collection }, flow, uuid) {
  if (flow === CHECKED) return { text: query, collection };
  return flow === "graph-rag" ? { again: uuid } : { query, collection };
}

// The same question, put to what the documents say now; then what has changed.
async function askAgain(trace, control, said, signal) {
  const uuid = uuidOf(trace.session);
  control.disabled = true;
  control.textContent = "Asking…";
  try {
    const [{ flows }, { flow }] = await Promise.all([json("/api/v1/flows", { signal }), json(`/api/v1/traces/${encodeURIComponent(uuid)}`, { signal })]);
    const { address } = flow === CHECKED ? { address: "/api/v1/attribution" } : flows.find((each) => each.name === flow) ?? flows[0];
    const answer = await json(address, { body: asAgain(trace, flow, uuid), signal });
    location.hash = `#/traces/${uuidOf(answer.session ?? answer.summary.session)}?before=${uuid}`;
  } catch (error) {
    if (error.name !== "AbortError") fill(said, problemCard(error, { heading: "h3" }));
    control.disabled = false;
    control.textContent = "Ask again";
  }
}
