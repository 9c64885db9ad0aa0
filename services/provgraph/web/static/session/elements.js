// The table behind a verdict: each element of the claim, what the evidence says of it, and what follows.

import { element, quoted, unseen } from "../dom.js";
import { citation } from "./answer.js";

const RELATIONS = {
  entailed: { sign: "✓", kind: "good" },
  contradicted: { sign: "✕", kind: "danger" },
  "not said": { sign: "?", kind: "warning" },
};

// Nothing where a verdict has no table, as those of traces.
export function elementTable(elements, { proof, lighting, label = "Elements of the claim" }) {
  if (!elements?.length) return null;
  return element("div", { class: "scrolled", role: "region", tabindex: 0, "aria-label": label },
    element("table", { class: "element-table" },
      element("thead", {}, element("tr", {}, ["Element of the claim", "What the evidence says", "So it is"].map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, elements.map((each) => row(each, proof, lighting)))));
}

function row({ element: text, role, relation, evidence, why }, proof, lighting) {
  const { sign, kind } = RELATIONS[relation] ?? { sign: "", kind: "warning" };
  return element("tr", { data: { relation } },
    element("th", { scope: "row" }, element("span", { class: "words" }, quoted(text)), role && element("span", { class: "element-role" }, role)),
    element("td", {}, said(evidence, proof, lighting), why && element("p", { class: "reason" }, quoted(why))),
    element("td", {}, element("span", { class: `pill pill-${kind}` }, element("span", { "aria-hidden": "true" }, sign), relation)));
}

// Words of a page that the session cites lead there, also where they are a part of what it cites.
function said(evidence, proof, lighting) {
  if (!evidence) return element("span", { class: "soft" }, element("span", { "aria-hidden": "true" }, "–"), unseen("nothing"));
  const page = evidence.page ?? evidence.source?.page;
  const place = proof.places.find((each) => each.page === page && each.start <= evidence.start && evidence.end <= each.end);
  return [element("q", { class: "words" }, quoted(evidence.text)), place && [" ", citation(place, lighting, () => proof.aroundPlace(place))]];
}
