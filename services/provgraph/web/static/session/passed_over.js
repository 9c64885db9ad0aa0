// Why not: what was found and not chosen, behind one click, and no more of it at once than can be read.

import { append, button, element, plural, quoted } from "../dom.js";
import { chunkName } from "./chunks.js";
import { score } from "./edges.js";
import { objectOf, relationOf, subjectOf } from "./terms.js";

const AT_ONCE = 25;

// Nothing where nothing was passed over.
export function passedOver(trace) {
  const all = [...trace.passed_over.map(edgeRow), ...trace.passed_over_chunks.map(chunkRow)];
  if (!all.length) return null;
  const thing = trace.passed_over.length ? "fact" : "passage";
  const summary = element("summary", {}, `Why not? ${plural(all.length, thing)} passed over`);
  const node = element("details", { class: "passed-over" }, summary);
  node.addEventListener("toggle", () => append(node, pages(all)), { once: true });
  return node;
}

function pages(all) {
  const list = element("ol", { class: "facts" });
  const more = button("", () => next());
  let shown = 0;
  function next() {
    append(list, all.slice(shown, shown + AT_ONCE).map((row) => row()));
    shown += AT_ONCE;
    more.textContent = `Show ${Math.min(AT_ONCE, all.length - shown)} more of ${all.length}`;
    more.hidden = shown >= all.length;
  }
  next();
  return [list, more];
}

function edgeRow(edge) {
  return () => row([subjectOf(edge), " ", relationOf(edge), " ", objectOf(edge)], edge);
}

function chunkRow(chunk) {
  return () => row(chunkName(chunk), chunk);
}

function row(name, candidate) {
  return element("li", { class: "evidence" },
    element("div", { class: "evidence-head" }, element("span", { class: "fact-plain" }, name), score(candidate)),
    element("p", { class: "reason" }, quoted(candidate.reasoning)));
}
