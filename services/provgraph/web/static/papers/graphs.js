// The two graphs of a collection of papers: which papers are alike, and how what they are about hangs together.

import { button, element, link, quoted } from "../dom.js";
import { documentAddress } from "../documents/table.js";
import { mountPlacedGraph } from "../graph.js";
import { tabbed } from "../tabs.js";
import { writtenBy } from "./list.js";

const PATH = "/api/v1/research";
const LONGEST_ABSTRACT = 600;

export class PaperGraphs {
  constructor(choice, collection, signal) {
    Object.assign(this, { choice, collection, signal });
    this.node = element("section", { class: "card papers-graphs", "aria-label": "Graphs" }, element("h2", { class: "unseen" }, "Graphs"), tabbed("Graphs", [
      { name: "papers", label: "Papers alike", show: (panel) => this.showPapers(panel) },
      { name: "entities", label: "What they are about", show: (panel) => this.showEntities(panel) },
    ]).node);
  }

  showPapers(panel) {
    const source = {
      path: PATH, query: { collection: this.collection, graph: "papers" },
      empty: "There is no paper to draw.",
      hint: () => ["The thicker a line, the more alike two papers are. Choose a paper to see what it is."],
    };
    mountPlacedGraph(panel, source, { signal: this.signal, about: (node) => this.about(this.choice.byId.get(node.id)) });
  }

  showEntities(panel) {
    const source = {
      path: PATH, query: { collection: this.collection, graph: "entities", most: 80 },
      empty: "No relation between methods, data and measures was read in these papers.",
      hint: () => [
        element("span", { class: "kind-key entity" }, "method or concept"), " ", element("span", { class: "kind-key value" }, "data"), " ",
        element("span", { class: "kind-key metric" }, "measure"), " Choose a thing to see its facts and where each was read.",
      ],
    };
    mountPlacedGraph(panel, source, { signal: this.signal });
  }

  about(paper) {
    if (!paper) return null;
    const abstract = paper.abstract.length > LONGEST_ABSTRACT ? `${paper.abstract.slice(0, LONGEST_ABSTRACT)}…` : paper.abstract;
    const chosen = this.choice.chosen.has(paper.id);
    const choose = button(chosen ? "Do not ask it" : "Ask it", () => {
      const now = !this.choice.chosen.has(paper.id);
      this.choice.set(paper.id, now);
      choose.textContent = now ? "Do not ask it" : "Ask it";
    }, { class: "secondary" });
    return [
      element("h3", {}, quoted(paper.title)),
      element("p", { class: "small soft" }, quoted(writtenBy(paper))),
      abstract && element("p", { class: "small" }, quoted(abstract)),
      element("div", { class: "row" }, choose, link(documentAddress(paper.id, this.collection), "Read it")),
    ];
  }
}
