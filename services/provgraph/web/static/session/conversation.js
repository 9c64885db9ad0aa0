// The turns before a session, which its address names, the oldest first: #/session/C?after=A,B. A follow-up carries
// them to the service, so that "and when did she die?" has somebody to point back to.

import { json, Problem } from "../api.js";
import { element, link, quoted } from "../dom.js";

const MOST_TURNS = 8;

// Each turn as { id, question, answer }; what is no longer kept is left out.
export async function turnsBefore(query, signal) {
  const ids = (query.get("after") ?? "").split(",").filter(Boolean).slice(-MOST_TURNS);
  const traces = await Promise.all(ids.map((id) => json(`/api/v1/traces/${encodeURIComponent(id)}`, { signal }).catch(leftOut)));
  return traces.flatMap((trace, index) => (trace ? [turnOf(ids[index], trace)] : []));
}

// A finished session as a turn: what it was understood to ask, and its answer in a few words.
export function turnOf(id, { query, answer }) {
  return { id, question: query, answer: answer?.short_answer?.text ?? answer?.sentences?.[0]?.text ?? "" };
}

export function historyOf(turns) {
  return turns.map(({ question, answer }) => ({ question, answer }));
}

// The address of the session that comes after `turns`.
export function sessionAddress(id, turns = []) {
  const after = turns.slice(-MOST_TURNS).map((turn) => turn.id).join(",");
  return `#/session/${id}${after && `?after=${after}`}`;
}

export function turnList(turns) {
  if (!turns.length) return null;
  return element("ol", { class: "turns small", "aria-label": "Asked before in this conversation" }, turns.map((turn, index) => element("li", {},
    link(sessionAddress(turn.id, turns.slice(0, index)), quoted(turn.question)),
    turn.answer && [" ", element("span", { class: "soft" }, quoted(turn.answer))])));
}

function leftOut(problem) {
  if (problem instanceof Problem && problem.status === 404) return null;
  throw problem;
}
