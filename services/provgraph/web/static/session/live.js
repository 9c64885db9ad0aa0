// Sessions at work. One that this tab began goes on when its view is left; one that another tab or person began, or
// that was under way when the page was loaded anew, is watched from its first message.

import { events, json } from "../api.js";
import { uuidOf } from "../text.js";

const TG = "https://trustgraph.ai/ns/";
const STEP = /^urn:trustgraph:prov:([a-z]+):/;
const SESSION = /^urn:trustgraph:session:/;
const running = new Map();
const HEARD_TO_THE_END = 20;
const heard = new Map();

// What a session has told so far; "change" is dispatched with every message, and `step` names the last step told.
export class LiveSession extends EventTarget {
  constructor() {
    super();
    Object.assign(this, { id: "", query: "", step: "", concepts: [], found: 0, chosen: null, text: "", thing: "fact", verdict: null, highlights: null, shortAnswer: null, reasons: new Map(), ended: false, problem: null });
  }

  take(message) {
    if (message.explain_id) this.explain(message.explain_id, message.explain_triples ?? []);
    this.text += message.response ?? "";
    this.verdict = message.verdict ?? this.verdict;
    this.shortAnswer = message.short_answer ?? this.shortAnswer;
    this.highlights = message.highlights ?? this.highlights;
    this.dispatchEvent(new Event("change"));
  }

  end(problem = null) {
    if (this.ended) return;
    Object.assign(this, { ended: true, problem });
    this.dispatchEvent(new Event("change"));
  }

  explain(iri, triples) {
    const values = (name) => triples.filter((each) => each.p.i === TG + name).map((each) => each.o.v ?? each.o.i);
    if (SESSION.test(iri)) {
      this.id = uuidOf(iri);
      this.query = values("query")[0] ?? "";
    }
    for (const { s, p, o } of triples) {
      if (p.i === `${TG}reasoning`) this.reasons.set(s.i, o.v);
    }
    this.step = STEP.exec(iri)?.[1] ?? "session";
    if (this.step === "grounding") this.concepts = values("concept");
    if (this.step === "retrieval") {
      const passages = values("chunkCount")[0];
      this.thing = passages === undefined ? "fact" : "passage";
      this.found = Number(passages ?? values("edgeCount")[0] ?? 0);
    }
    if (this.step === "selection") this.chosen = { facts: values("selectedEdge").length, passages: values("selectedChunk").length };
  }
}

// Asks; resolves when the session has its name. Raises `Problem` for a question that cannot be asked.
export function begin(address, body) {
  return followed(events(address, { body, isLast: (message) => message.end_of_session }));
}

// The session with that UUID as it goes on. Raises `Problem` where the service no longer keeps it.
export function watch(id) {
  const known = running.get(id);
  if (known) return Promise.resolve(known);
  const address = `/api/v1/sessions/${encodeURIComponent(id)}/events`;
  return followed(events(address, { isLast: (message) => message.end_of_session }));
}

// What this tab heard of a session to its end, `verdict` and `highlights` with all that a trace does not keep; null of
// one that it did not hear.
export function heardOf(id) {
  return heard.get(id) ?? Promise.resolve(null);
}

export function stop(id) {
  return json(`/api/v1/sessions/${encodeURIComponent(id)}/stop`, { method: "POST" });
}

async function followed(messages) {
  const live = new LiveSession();
  const first = await messages.next();
  if (!first.done) {
    live.take(first.value.data);
    running.set(live.id, live);
  }
  const ended = drain(messages, live);
  if (live.id) keepHeard(live.id, ended);
  return live;
}

async function drain(messages, live) {
  try {
    for await (const message of messages) live.take(message.data);
    live.end();
  } catch (problem) {
    live.end(problem);
  } finally {
    running.delete(live.id);
  }
  return live;
}

// The last few only: highlights of a long answer are large.
function keepHeard(id, ended) {
  heard.set(id, ended);
  if (heard.size > HEARD_TO_THE_END) heard.delete(heard.keys().next().value);
}
