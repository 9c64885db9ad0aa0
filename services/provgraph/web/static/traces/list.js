// Past sessions, the newest first, twenty a screen; those whose answer no longer stands are marked, and say why.

import { json } from "../api.js";
import { copyButton } from "../clipboard.js";
import { append, beginning, button, element, fill, link, quoted } from "../dom.js";
import { problemCard } from "../problem.js";
import { uuidOf, whenTold } from "../text.js";
import { downloads, proofDownload } from "./download.js";

const CHECKED = "attribution";
const CLAIMS = "fact-verification";
const SCREEN = 20;
const TYPING_MS = 250;
const TOLD = { answered: ["answered", "good"], refused: ["no answer found", "warning"], failed: ["failed", "danger"], "cut off": ["stopped", "warning"], interrupted: ["interrupted", "danger"], running: ["at work", ""] };

export async function traceList(main, { query, signal }) {
  const { flows } = await json("/api/v1/flows", { signal });
  const list = element("div", { class: "stack" });
  const filters = new Filters(flows, query, () => showTraces(list, filters, signal));
  append(main, element("div", { class: "stack" }, element("h1", {}, "Traces"), filters.node, list));
  await showTraces(list, filters, signal);
}

// What is looked for stands in the address too, so that a screen of results can be shared and come back to.
class Filters {
  constructor(flows, query, onChange) {
    this.text = element("input", { id: "trace-text", type: "search", value: query.get("text") ?? "", autocomplete: "off" });
    const names = [...flows.map((flow) => flow.name), CLAIMS, CHECKED];
    this.flow = choice("trace-flow", "any", names.map((name) => [name, name]), query.get("flow"));
    this.outcome = choice("trace-outcome", "any", Object.entries(TOLD).map(([name, [told]]) => [name, told]), query.get("outcome"));
    this.stale = element("input", { type: "checkbox", id: "stale", checked: query.get("stale") === "true" });
    this.offset = Number(query.get("offset")) || 0;
    const change = () => this.go(0, onChange);
    let typing = 0;
    this.text.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(change, TYPING_MS); });
    for (const control of [this.flow, this.outcome, this.stale]) control.addEventListener("change", change);
    this.onChange = onChange;
    this.node = element("form", { class: "row filters", role: "search", on: { submit: (event) => event.preventDefault() } },
      field("trace-text", "Question has", this.text), field("trace-flow", "Answered from", this.flow), field("trace-outcome", "Outcome", this.outcome),
      element("span", { class: "row" }, this.stale, element("label", { for: "stale" }, "Only stale answers")));
  }

  go(offset, onChange = this.onChange) {
    this.offset = offset;
    history.replaceState(null, "", `#/traces${this.given.size ? "?" : ""}${this.given}`);
    onChange();
  }

  get given() {
    const all = { text: this.text.value.trim(), flow: this.flow.value, outcome: this.outcome.value, stale: this.stale.checked || "", offset: this.offset || "" };
    return new URLSearchParams(Object.entries(all).filter(([, value]) => value));
  }
}

function field(id, label, control) {
  return element("span", { class: "field" }, element("label", { for: id }, label), control);
}

function choice(id, any, options, chosen) {
  return element("select", { id }, element("option", { value: "" }, any),
    options.map(([value, label]) => element("option", { value, selected: value === chosen }, label)));
}

// One more than a screen holds is asked for: whether there is a next screen.
async function showTraces(list, filters, signal) {
  const { given } = filters;
  const query = { ...Object.fromEntries(given), limit: SCREEN + 1 };
  try {
    const traces = await json("/api/v1/traces", { query, signal });
    if (String(given) !== String(filters.given)) return;
    const shown = traces.slice(0, SCREEN);
    fill(list,
      element("p", { class: "soft", role: "status" }, summary(shown, filters)),
      element("ol", { class: "traces" }, shown.map((trace) => traceItem(trace, signal))),
      screens(traces.length > SCREEN, filters));
  } catch (error) {
    if (error.name !== "AbortError") fill(list, problemCard(error, { onRetry: () => showTraces(list, filters, signal) }));
  }
}

function summary(shown, { given, offset }) {
  if (shown.length) return `Sessions ${offset + 1} to ${offset + shown.length}, the newest first`;
  if (given.get("stale")) return "No answer is stale.";
  return given.size ? "No session fits." : "No question was asked yet.";
}

function screens(more, filters) {
  const { offset } = filters;
  if (!more && !offset) return null;
  return element("nav", { class: "row", "aria-label": "Screens" },
    button("Newer", () => filters.go(Math.max(0, offset - SCREEN)), { disabled: !offset }),
    button("Older", () => filters.go(offset + SCREEN), { disabled: !more }));
}

function traceItem(trace, signal) {
  const uuid = uuidOf(trace.session);
  const [told, look] = TOLD[trace.outcome ?? "running"] ?? [trace.outcome, ""];
  const said = element("div");
  const address = `${location.origin}${location.pathname}#/session/${uuid}`;
  return element("li", { class: "trace" },
    element("div", { class: "trace-head" },
      element("h2", {}, link(`#/session/${uuid}`, quoted(beginning(trace.query)))),
      element("p", { class: "small soft" }, element("time", { datetime: trace.started }, whenTold(trace.started)), " · ", quoted(trace.flow), " · ", quoted(trace.collection))),
    element("span", { class: "row" },
      trace.stale.length > 0 && element("span", { class: "pill pill-warning" }, "stale"),
      element("span", { class: look ? `pill pill-${look}` : "pill" }, told)),
    element("div", { class: "row trace-actions" },
      copyButton("Copy link", () => address, { copied: "Link copied", instead: () => address, class: "quiet" }),
      button("Ask again", (event) => askAgain(trace, event.target, said, signal), { class: "quiet" }),
      element("span", { class: "row", role: "group", "aria-label": "Download" }, proofDownload(uuid, signal), downloads(uuid, signal))),
    trace.stale.map((reason) => element("p", { class: "note note-warning small" }, quoted(reason))),
    said);
}

// Only questions to the graph keep their settings; of the others, words and collection are asked again.
function asAgain({ query, collection, flow }, uuid) {
  if (flow === CHECKED) return { text: query, collection };
  if (flow === CLAIMS) return { claim: query, collection };
  return flow === "graph-rag" ? { again: uuid } : { query, collection };
}

// The same question, put to what the documents say now; then what has changed.
async function askAgain(trace, control, said, signal) {
  const uuid = uuidOf(trace.session);
  control.disabled = true;
  control.textContent = "Asking…";
  try {
    const { flows } = await json("/api/v1/flows", { signal });
    const own = { [CHECKED]: "/api/v1/attribution", [CLAIMS]: "/api/v1/verify" };
    const address = own[trace.flow] ?? (flows.find((each) => each.name === trace.flow) ?? flows[0]).address;
    const answer = await json(address, { body: asAgain(trace, uuid), signal });
    location.hash = `#/traces/${uuidOf(answer.session ?? answer.summary.session)}?before=${uuid}`;
  } catch (error) {
    if (error.name !== "AbortError") fill(said, problemCard(error, { heading: "h3" }));
    control.disabled = false;
    control.textContent = "Ask again";
  }
}
