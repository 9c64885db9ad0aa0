// Colours in a query, behind the text that is edited: the field itself stays a plain one for keyboard and screen reader.

import { element, fill } from "../dom.js";

const TOKEN = /(#[^\n]*)|(<[^<>"{}|^`\\\s]*>)|("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|([?$]\w+)|(\b[\w-]*:[\w%.-]*)|(\b\d[\w.]*)|(\b[a-zA-Z]+\b)/g;
const KINDS = ["comment", "iri", "string", "variable", "term", "number", "keyword"];

// What goes behind `area`; `write(text)` puts a text into both.
export function highlighting(area) {
  const behind = element("pre", { class: "code query-text query-colours", "aria-hidden": "true" });
  const follow = () => { behind.scrollTo(area.scrollLeft, area.scrollTop); };
  const show = () => { fill(behind, [...coloured(area.value)], "\n"); follow(); };
  for (const name of ["input", "change"]) area.addEventListener(name, show);
  area.addEventListener("scroll", follow);
  show();
  return { behind, write: (text) => { area.value = text; show(); } };
}

function* coloured(text) {
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)];
    yield text.slice(at, match.index);
    yield element("span", { class: `query-${kind}` }, match[0]);
    at = match.index + match[0].length;
  }
  yield text.slice(at);
}
