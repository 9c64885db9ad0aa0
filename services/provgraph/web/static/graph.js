// A graph that the service has laid out, to be moved and asked: of a session, or of papers.

import { blob, json } from "./api.js";
import { saveAs } from "./clipboard.js";
import { append, button, element, fill, plural, tell } from "./dom.js";
import { Drawing } from "./graph/drawing.js";
import { Painting } from "./graph/painting.js";
import { nodeFacts } from "./graph/node_facts.js";
import { Viewport } from "./graph/viewport.js";
import { problemCard } from "./problem.js";

const AROUND = 60;
// More than an SVG moves smoothly.
const MOST_ELEMENTS = 300;
const SESSION_HINT = () => [
  element("span", { class: "graph-key cited" }, "what a sentence rests on"), " ",
  element("span", { class: "graph-key chosen" }, "also selected"), " ",
  element("span", { class: "graph-key context" }, "around it"),
  " Choose a thing to see its facts and where each was read.",
];
const TOWARDS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Fills `host` with the graph of a session, by UUID or IRI. `onEdge(id)` is told of a selected edge that was pressed,
// `overEdge(id or null)` of the one under the pointer, `onNode(node or null)` of the thing whose facts are shown.
// Returns { highlight(ids) }, which lights edges by the ids that they have in the trace.
export function mountGraph(host, session, options = {}) {
  const source = {
    path: `/api/v1/traces/${encodeURIComponent(session)}`, query: { around: AROUND }, hint: SESSION_HINT,
    empty: "Nothing was selected for this answer, so there is no graph of it.",
  };
  return mountPlacedGraph(host, source, options);
}

// The same for any graph: `source.path` has /graph and /picture, both told `source.query`, or `source.graph` is one; `source.hint` is said below
// it, `source.empty` where it has no node. `about(node)` is shown of a chosen thing in place of its facts,
// `actions(node)` above them.
export function mountPlacedGraph(host, source, options = {}) {
  const view = new GraphView(host, source, options);
  view.load();
  return { highlight: (ids) => view.highlight(new Set(ids)) };
}

class GraphView {
  constructor(host, source, { onEdge = () => {}, overEdge = () => {}, onNode = () => {}, about = null, actions = () => null, signal } = {}) {
    Object.assign(this, { source, onEdge, overEdge, onNode, about, actions, signal, drawing: null, chosen: null, lit: new Set() });
    this.canvas = element("div", { class: "graph-canvas", "aria-busy": "true" });
    this.facts = element("section", { class: "graph-facts", "aria-label": "Facts of the chosen thing" });
    this.tools = element("div", { class: "row graph-tools", role: "toolbar", "aria-label": "The picture" });
    this.node = element("div", { class: "graph" }, this.tools, this.canvas, this.facts);
    append(host, this.node);
  }

  async load() {
    fill(this.facts, element("p", { class: "small soft" }, "Laying out the graph…"));
    try {
      const graph = this.source.graph ?? await json(`${this.source.path}/graph`, { query: this.source.query, signal: this.signal });
      if (graph.nodes.length) this.draw(graph);
      else fill(this.node, element("p", { class: "soft" }, this.source.empty));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.node, problemCard(error, { heading: "h3" }));
    }
  }

  draw(graph) {
    this.collection = graph.collection;
    this.drawing = new (graph.edges.length > MOST_ELEMENTS ? Painting : Drawing)(graph);
    this.canvas.replaceWith(this.drawing.surface);
    this.canvas = this.drawing.surface;
    this.viewport = new Viewport(this.drawing, { onDrag: (part, dx, dy) => this.drag(part, dx, dy) });
    this.drawing.begin(this.signal);
    this.canvas.setAttribute("aria-label", `Graph of ${plural(graph.nodes.length, "thing")} and ${plural(graph.edges.length, "fact")}. Arrow keys go from thing to thing, Enter shows the facts of one.`);
    for (const node of this.drawing.nodes.values()) this.describe(node);
    this.drawing.roam([...this.drawing.nodes.values()].find((node) => node.edges.some((edge) => edge.emphasis !== "context")) ?? [...this.drawing.nodes.values()][0]);
    this.canvas.addEventListener("click", (event) => this.press(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("pointerover", (event) => this.over(event));
    this.canvas.addEventListener("pointerleave", () => this.overEdge(null));
    this.showTools();
    this.fit();
    this.watchSize();
    this.drawing.light(this.lit);
    this.say();
  }

  // A canvas that was hidden or has another size now is fitted again, until a person has moved it.
  watchSize() {
    let width = this.canvas.clientWidth;
    const watcher = new ResizeObserver(() => {
      if (this.canvas.clientWidth === width) return;
      width = this.canvas.clientWidth;
      this.fit();
    });
    watcher.observe(this.canvas);
    this.signal?.addEventListener("abort", () => watcher.disconnect(), { once: true });
  }

  describe(node) {
    const name = [node.label, node.detail, plural(node.edges.length, "fact")].filter(Boolean).join(", ");
    this.drawing.describe(node, name, () => { this.drawing.roam(node); this.viewport.reveal(node); });
  }

  showTools() {
    const tool = (label, sign, act) => button(sign, act, { class: "quiet icon-button", "aria-label": label, title: label });
    const save = (format) => button(`Save ${format.toUpperCase()}`, (event) => this.save(format, event.target), { class: "quiet" });
    fill(this.tools,
      tool("Larger", "+", () => this.viewport.larger()), tool("Smaller", "−", () => this.viewport.smaller()),
      button("Fit", () => this.viewport.fit(this.drawing.extent()), { class: "quiet" }), this.source.path && [save("svg"), save("png")],
      this.node.requestFullscreen && button("Full screen", () => this.wholeScreen(), { class: "quiet" }));
  }

  wholeScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.node.requestFullscreen().catch(() => tell("This browser gives the graph no full screen."));
  }

  fit() {
    const matters = (part) => part.edges ? part.edges.some((edge) => edge.emphasis !== "context") : part.emphasis !== "context";
    const heart = this.drawing.edges.some(matters) ? matters : () => true;
    this.viewport.fit(this.drawing.extent(), this.drawing.extent(heart));
  }

  async save(format, control) {
    control.disabled = true;
    try {
      const picture = await blob(`${this.source.path}/picture`, { query: { ...this.source.query, format }, signal: this.signal });
      saveAs(`graph.${format}`, picture);
    } catch (error) {
      if (error.name !== "AbortError") fill(this.facts, problemCard(error, { heading: "h3" }));
    } finally {
      control.disabled = false;
    }
  }

  drag(part, dx, dy) {
    if (!part) return false;
    this.drawing.shift(part, dx, dy);
    return true;
  }

  press(event) {
    if (this.viewport.dragged) return;
    const part = this.viewport.partAt(event);
    if (part?.edges) this.choose(part);
    else if (part && part.emphasis !== "context") this.onEdge(part.id);
  }

  over(event) {
    const part = this.viewport.partAt(event);
    this.overEdge(part && !part.edges && part.emphasis !== "context" ? part.id : null);
  }

  key(event) {
    const node = this.drawing.current;
    if (!node || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.choose(node);
    else if (TOWARDS[event.key]) this.walk(this.nearest(node, TOWARDS[event.key]));
    else return;
    event.preventDefault();
  }

  walk(node) {
    if (!node) return;
    this.drawing.focus(node);
    this.viewport.reveal(node);
  }

  // The next thing in a direction: what lies aside counts double.
  nearest(from, [dx, dy]) {
    let best = null;
    for (const node of this.drawing.nodes.values()) {
      const along = (node.x - from.x) * dx + (node.y - from.y) * dy;
      const aside = Math.abs((node.x - from.x) * dy + (node.y - from.y) * dx);
      if (along > 1 && (!best || along + 2 * aside < best.far)) best = { node, far: along + 2 * aside };
    }
    return best?.node;
  }

  choose(node) {
    this.chosen = this.chosen === node ? null : node;
    this.drawing.press(this.chosen);
    fill(this.facts, this.chosen && (this.about?.(node) ?? [this.actions(node), nodeFacts(node, this.drawing, this.collection, this.signal)]));
    if (this.chosen) tell(`${plural(node.edges.length, "fact")} of ${node.label}`);
    else this.say();
    this.onNode(this.chosen);
  }

  say() {
    fill(this.facts, element("p", { class: "small soft graph-hint" }, this.source.hint()));
  }

  highlight(ids) {
    this.lit = ids;
    this.drawing?.light(ids);
  }
}
