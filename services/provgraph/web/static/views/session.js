// One session, past or at work, at an address of its own that can be shared.

import { json, Problem } from "../api.js";
import { copyButton, menu } from "../clipboard.js";
import { append, beginning, button, element, fill, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";
import { claimForm } from "../session/claim_form.js";
import { copyControls } from "../session/citing.js";
import { turnList, turnOf, turnsBefore } from "../session/conversation.js";
import { endingOf } from "../session/ending.js";
import { heardOf, stop, watch } from "../session/live.js";
import { Proof } from "../session/proof.js";
import { questionForm } from "../session/question_form.js";
import { report } from "../session/report.js";
import { shortAnswerNode } from "../session/short_answer.js";
import { stepList, stepsOfLive, stepsOfTrace } from "../session/steps.js";
import { uuidOf, whenTold } from "../text.js";
import { downloads, proofDownload } from "../traces/download.js";

const CLAIMS = "fact-verification";
const ENDINGS = {
  "known in part": "There is no complete answer: what is known and what is missing is shown.",
  "closest passages": "There is no direct answer: the closest passages are shown.",
};

export async function show(main, { id, query, signal, markUnder }) {
  const read = () => json(`/api/v1/traces/${encodeURIComponent(id)}`, { signal });
  const trace = await read();
  const view = frame(trace);
  append(main, view.node);
  document.title = `${beginning(trace.query)} · ProvGraph`;
  if (trace.flow === CLAIMS) markUnder("claims");
  const turns = [];
  view.onFinished = (told) => turns.push(turnOf(id, told));
  converse(view, trace, { query, signal, turns }).catch((error) => { if (!signal.aborted) view.broke(error); });
  if (trace.outcome) {
    const heard = await heardOf(id);
    if (heard) tell(endOf(trace));  // asked in this tab, and answered before the view was there
    return view.finished(trace, signal, heard);
  }
  return follow(view, { id, read, signal });
}

// A session at work: its steps and its words as they come, and its evidence as soon as it is chosen.
async function follow(view, { id, read, signal }) {
  let live;
  try {
    live = await watch(id);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 404) throw problem;
    return view.finished(await read(), signal);
  }
  let evidenceShown = false;
  const change = async () => {
    view.growing(live);
    if (live.ended) return ended();
    if (live.chosen && (live.chosen.facts || live.chosen.passages) && !evidenceShown) {
      evidenceShown = true;
      const chosen = await read();
      if (!live.ended && !signal.aborted) view.evident(chosen, signal);
    }
  };
  const ended = async () => {
    view.settle();
    if (live.problem) return view.broke(live.problem);
    const trace = await read();
    tell(endOf(trace));
    view.finished(trace, signal, live);
  };
  view.atWork(() => stop(id).catch((problem) => view.broke(problem)));
  const heard = () => { if (!signal.aborted) change().catch((error) => { if (!signal.aborted) view.broke(error); }); };
  live.addEventListener("change", heard, { signal });
  heard();
}

// The turns before this one, and the field for the next, which points back to this one too once it has ended.
async function converse(view, trace, { query, signal, turns }) {
  const before = await turnsBefore(query, signal);
  turns.unshift(...before);
  fill(view.turns, turnList(before));
  const { form } = await nextForm(trace, signal, turns);
  fill(view.form, form);
}

function nextForm({ flow, collection }, signal, turns) {
  return flow === CLAIMS
    ? claimForm({ signal, label: "Judge another claim", collection })
    : questionForm({ signal, label: "Ask a follow-up, or something else", collection, flow, turns });
}

function endOf(trace) {
  const { answer, outcome } = trace;
  if (answer?.verdict) return `The verdict is: ${answer.verdict.label}.`;
  if (outcome === "answered") return answer?.short_answer ? `The answer is: ${answer.short_answer.text}.` : "The answer is complete.";
  return ENDINGS[endingOf(trace)] ?? "The session has ended without an answer.";
}

function frame(trace) {
  const steps = stepList();
  const controls = element("div", { class: "row session-controls" });
  const notes = element("div", { class: "stack-tight" });
  const body = element("div", { class: "session-body" });
  const words = element("p", { class: "answer-text growing", dir: "auto" });
  const short = element("div");
  const growing = element("section", { class: "answer", "aria-label": "Answer", "aria-busy": "true" }, short, words);
  const form = element("div", { class: "session-form" });
  const turns = element("div");
  const node = element("article", { class: "session" }, turns,
    element("header", { class: "session-head" },
      element("div", { class: "session-title" }, element("h1", {}, quoted(beginning(trace.asked_as || trace.query))), controls),
      trace.asked_as && element("p", { class: "understood" }, element("span", { class: "soft" }, "Understood as "), quoted(trace.query)),
      element("div", { class: "row row-spread session-facts" }, steps.node,
        element("p", { class: "small soft" }, quoted(trace.flow), " · ", quoted(trace.collection), " · ",
          element("time", { datetime: trace.started }, whenTold(trace.started)))),
      notes),
    body, form);
  steps.update(stepsOfTrace(trace));
  const opened = {};
  let shown = new AbortController();

  // Only one report listens at a time: the one before it goes with its listeners.
  function place(told, signal, { answer = null, heard = null }) {
    shown.abort();
    shown = new AbortController();
    fill(body, report(told, { signal: AbortSignal.any([signal, shown.signal]), opened, answer, heard }));
  }

  return {
    node,
    form,
    turns,
    onFinished: () => {},
    atWork(onStop) {
      fill(controls, button("Stop", (event) => { event.target.disabled = true; onStop(); }, { class: "danger" }));
      fill(body, growing);
    },
    growing(live) {
      steps.update(stepsOfLive(live, trace.flow));
      words.textContent = live.text;
      if (live.shortAnswer) fill(short, shortAnswerNode(live.shortAnswer, live.reasons.get(live.shortAnswer.derivation)));
    },
    evident: (told, signal) => place(told, signal, { answer: growing }),
    settle() {
      fill(controls);
      growing.setAttribute("aria-busy", "false");
      words.classList.remove("growing");
    },
    broke(problem) {
      append(notes, problemCard(problem, { onRetry: () => window.dispatchEvent(new HashChangeEvent("hashchange")) }));
    },
    finished(told, signal, heard = null) {
      steps.update(stepsOfTrace(told));
      fill(controls, controlsOf(told, signal));
      fill(notes, told.stale.map((reason) => element("p", { class: "note note-warning" }, "This answer is stale: ", quoted(reason))),
        told.warnings.map((warning) => element("p", { class: "note note-warning" }, quoted(warning))));
      place(told, signal, { heard });
      this.onFinished(told);
    },
  };
}

// What to take along of a finished session: its link, its answer with citations, its proof.
function controlsOf(trace, signal) {
  const uuid = uuidOf(trace.session);
  const proof = new Proof(trace);
  return [
    proof.sentences.length > 0 && menu("Copy answer", copyControls(proof, uuid, signal)),
    menu("Save", proofDownload(uuid, signal), downloads(uuid, signal)),
    copyButton("Copy link", () => location.href, { copied: "Link copied", instead: () => "Copy it from the address bar" }),
  ];
}
