// A finished session: its answer beside its evidence, and its sources.

import { append, button, element, plural, quoted } from "../dom.js";
import { tabbed } from "../tabs.js";
import { answerNode } from "./answer.js";
import { chunkList } from "./chunks.js";
import { derivationNode } from "./derivation.js";
import { edgeList } from "./edges.js";
import { Lighting } from "./lighting.js";
import { originLegend } from "./origin.js";
import { PagePictures } from "./page_picture.js";
import { PANES } from "./panes.js";
import { passedOver } from "./passed_over.js";
import { Proof } from "./proof.js";
import { Pages } from "./reader.js";
import { refusalNode } from "./refusal.js";
import { provedShortAnswer } from "./short_answer.js";
import { sourcesPanel } from "./sources.js";
import { legend } from "./terms.js";
import { verdictNode } from "./verdict.js";

// `answer` stands in the place of the answer where there is none yet; `heard` is the session as this tab heard it.
// `opened` keeps the names of the tabs that a person has opened, for the report that takes this one's place. Ended by
// `signal`.
export function report(trace, { signal, opened, answer = null, heard = null }) {
  const proof = new Proof(trace, heard);
  const proven = {
    proof, lighting: new Lighting(), pages: new Pages(trace.collection), pictures: new PagePictures(trace.collection, signal), signal,
    opened,
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") proven.lighting.release();
  }, { signal });
  const tabs = tabbed("What to see of this session", [
    { name: "answer", label: "Answer & evidence", show: (panel) => append(panel, answerAndEvidence(proven, answer)) },
    { name: "sources", label: `Sources (${proof.documents.length})`, show: (panel) => sourcesPanel(panel, proven) },
  ], { first: opened.view, onOpen: (name) => { opened.view = name; } });
  return tabs.node;
}

function answerAndEvidence(proven, answer) {
  const { proof } = proven;
  const left = element("div", { class: "stack" }, answer ?? told(proven), evidence(proven), passedOver(proof.trace));
  if (!proof.places.length) return element("div", { class: "left" }, left);
  return element("div", { class: "columns session-columns" }, left, beside(proven));
}

function told(proven) {
  const { proof, lighting } = proven;
  const { trace } = proof;
  if (trace.answer?.verdict) return verdictNode(proven);
  if (trace.outcome === "refused") return refusalNode(proof, lighting);
  if (trace.outcome !== "answered") return broken(trace);
  const unsupported = proof.sentences.filter((sentence) => !sentence.supported).length;
  const node = element("section", { class: "answer", "aria-label": "Answer" },
    proof.shortAnswer && provedShortAnswer(proof, lighting),
    answerNode(proof, lighting),
    originLegend(proof),
    proof.sentences.some((each) => each.mentions?.length) && legend(),
    unsupported > 0 && element("p", { class: "note note-warning small" },
      `Nothing in the evidence supports ${plural(unsupported, "sentence")} of this answer. Read it with care.`));
  return proof.shortAnswer ? [node, derivationNode(proof, lighting)] : node;
}

function broken(trace) {
  const said = trace.answer?.text;
  return element("section", { class: "answer", "aria-label": "Answer" },
    said && element("p", { class: "answer-text" }, quoted(said)),
    element("div", { class: trace.outcome === "failed" ? "card problem" : "card" },
      element("h2", { class: trace.outcome === "failed" ? "problem-title" : null },
        { failed: "The answer failed", "cut off": "Stopped", interrupted: "Interrupted" }[trace.outcome] ?? "No answer"),
      element("p", {}, quoted(trace.failure ?? "There is no answer."))));
}

function evidence({ proof, lighting }) {
  const judged = Boolean(proof.trace.answer?.verdict);
  const passages = judged && proof.edges.length ? [] : proof.chunks;  // the facts of a claim were read from its passages
  const counts = [proof.edges.length && plural(proof.edges.length, "fact"), passages.length && plural(passages.length, "passage")];
  const count = counts.filter(Boolean).join(" and ");
  if (!count) return null;
  return element("section", { class: "stack-tight", "aria-label": "Evidence" },
    element("div", { class: "row row-spread" }, element("h2", {}, `${evidenceTitle(proof.trace)}${count}`), legendOf(proof)),
    proof.edges.length > 0 && edgeList(proof, lighting),
    passages.length > 0 && chunkList(proof, lighting));
}

// Only an answer is because of something.
function evidenceTitle({ answer, outcome }) {
  if (answer?.verdict) return "Read for it: ";
  return outcome === "refused" ? "Found for it: " : "Because of ";
}

// Where there are terms to tell apart.
function legendOf(proof) {
  return proof.edges.length > 0 ? legend() : null;
}

// On a narrow screen the panes are a sheet that comes up when something is pressed.
function beside(proven) {
  const tabs = PANES.map((pane) => ({ ...pane, show: (panel) => pane.show(panel, proven) }));
  const close = button("Close", () => {
    const { keeper } = proven.lighting;
    proven.lighting.release();
    keeper?.focus();
  }, { class: "quiet sheet-close" });
  const { opened } = proven;
  const panes = tabs.length > 1
    ? tabbed("Beside the answer", tabs, { first: opened.pane, onOpen: (name) => { opened.pane = name; } }).node
    : alone(tabs[0]);
  const node = element("aside", { class: "beside", "aria-label": "Sources in context" }, close, panes);
  proven.lighting.addEventListener("change", () => node.toggleAttribute("data-open", proven.lighting.keeper !== null));
  return node;
}

function alone(tab) {
  const panel = element("div", { class: "panel" });
  tab.show(panel);
  return panel;
}
