// A session as a file: the proof bundle that `provgraph prove` writes, or the RDF of `provgraph trace --format`.

import { blob } from "../api.js";
import { saveButton } from "../clipboard.js";

const FORMATS = [
  { name: "Turtle", type: "text/turtle", ending: "ttl" },
  { name: "TriG", type: "application/trig", ending: "trig" },
  { name: "JSON-LD", type: "application/ld+json", ending: "jsonld" },
];

export function downloads(uuid, signal) {
  const path = `/api/v1/traces/${encodeURIComponent(uuid)}`;
  return FORMATS.map(({ name, type, ending }) => saveButton(name, `trace-${uuid}.${ending}`, () => blob(path, { accept: type, signal }),
    { class: "quiet", "aria-label": `Download as ${name}` }));
}

export function proofDownload(uuid, signal) {
  return saveButton("Proof bundle", `proof-${uuid}.zip`, () => blob(`/api/v1/proofs/${encodeURIComponent(uuid)}`, { signal }),
    { class: "quiet", title: "The answer with all that proves it; provgraph verify-bundle checks it" });
}
