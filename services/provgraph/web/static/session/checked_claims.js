// The verdict on one claim of a text: label by sign and word, the table, the words it rests on, and what it cites.

import { element, link, plural, quoted } from "../dom.js";
import { elementTable } from "./elements.js";

const LABELS = {
  SUPPORTS: { sign: "✓", kind: "supports" },
  REFUTES: { sign: "✕", kind: "refutes" },
  "NOT ENOUGH INFO": { sign: "?", kind: "unknown" },
};
const NOT_A_CLAIM = "not a claim";
const NOWHERE = { places: [] };

export function claimCard(claim, number) {
  const judged = !claim.notes.includes(NOT_A_CLAIM);
  const { sign, kind } = judged ? LABELS[claim.verdict] : { sign: "·", kind: "other" };
  return element("li", { class: `card checked-claim verdict-${kind}`, data: { verdict: judged ? claim.verdict : NOT_A_CLAIM } },
    element("p", { class: "checked-verdict" },
      element("span", { "aria-hidden": "true" }, `${sign} `), judged ? claim.verdict : "NOT A CLAIM",
      judged && claim.verdict !== "NOT ENOUGH INFO" && element("span", { class: "soft small" }, ` confidence ${claim.confidence.toFixed(2)}`)),
    element("p", { class: "words" }, quoted(claim.text)),
    claim.missing && element("p", { class: "small" }, quoted(claim.missing)),
    judged && citing(claim),
    claim.notes.filter((note) => note !== NOT_A_CLAIM).map((note) => element("p", { class: "note note-warning small" }, quoted(note))),
    judged && elementTable(claim.elements, { proof: NOWHERE, label: `Elements of claim ${number}` }),
    claim.evidence.map((place) => element("figure", {},
      element("blockquote", { class: "words" }, quoted(place.text)),
      element("figcaption", { class: "soft small" }, quoted(where(place))))));
}

function where({ source, title, page_number: page, start, end }) {
  return `${title ?? source}${page ? `, p. ${page}` : ""}, characters ${start}–${end}`;
}

function citing({ cited, cited_sources: names, cited_supports: supports }) {
  if (!cited.length) return null;
  const marks = cited.map((each) => (/^\d+$/.test(each) ? `[${each}]` : each)).join(", ");
  if (supports === null || supports === undefined) {
    return element("p", { class: "small" }, "Cites ", quoted(marks), "; no source has that number or name.");
  }
  return element("p", { class: "small" }, "Cites ", quoted(marks), " (", quoted(names.join(", ")), `), which ${supports ? "supports" : "does not support"} it.`);
}

export function summaryNode({ claims, supported, refuted, not_enough_info: unknown, not_claims: others, session }) {
  const told = `${plural(claims, "claim")}: ${supported} supported, ${refuted} refuted, ${unknown} not enough information.`;
  return [
    told, others ? ` ${plural(others, "other sentence")} not judged.` : "",
    session ? " " : "", session ? link(`#/session/${session.split(":").pop()}`, "Its trace") : "",
  ].filter(Boolean);
}
