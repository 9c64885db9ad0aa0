// A trace as a file: the same RDF that `provgraph trace --format` writes.

import { request } from "../api.js";
import { button, element, tell } from "../dom.js";

const FORMATS = [
  { name: "Turtle", type: "text/turtle", ending: "ttl" },
  { name: "TriG", type: "application/trig", ending: "trig" },
  { name: "JSON-LD", type: "application/ld+json", ending: "jsonld" },
];

export function downloads(uuid, signal) {
  return FORMATS.map((format) => button(format.name, async (event) => {
    const control = event.target;
    control.disabled = true;
    try {
      const response = await request(`/api/v1/traces/${encodeURIComponent(uuid)}`, { accept: format.type, signal });
      const address = URL.createObjectURL(await response.blob());
      element("a", { href: address, download: `trace-${uuid}.${format.ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch (error) {
      if (error.name !== "AbortError") tell(error.detail ?? error.message);
    } finally {
      control.disabled = false;
    }
  }, { class: "quiet", "aria-label": `Download as ${format.name}` }));
}
