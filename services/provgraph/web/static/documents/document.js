// One document: its pages, the chunks of each, the facts read from them, and the words or the page that say one.

import { json, text } from "../api.js";
import { append, button, element, fill, link, plural, quoted } from "../dom.js";
import { problemCard } from "../problem.js";
import { PagePictures } from "../session/page_picture.js";
import { Characters, sizeOf } from "../text.js";
import { pagePicture } from "./page_picture.js";
import { editMetadata } from "./metadata.js";
import { metadataOf } from "./table.js";
import { askToRemove } from "./removal.js";
// On a narrow screen the page stands below the facts, out of sight.
const STACKED = matchMedia("(max-width: 63.99rem)");

export async function documentView(main, { id, query, signal }) {
  const collection = query.get("collection") || "default";
  const back = `#/documents?collection=${encodeURIComponent(collection)}`;
  const tree = await json("/api/v1/documents", { query: { id, collection }, signal });
  const chunks = tree.content.flatMap((page) => page.chunks);
  const view = new PageView(tree, collection, signal);
  const asked = tree.content.find((page) => page.id === query.get("page"));
  const first = asked ?? tree.content[0];
  append(main, element("div", { class: "stack" },
    element("p", {}, link(back, "All documents")),
    element("div", { class: "row row-spread" }, element("h1", {}, quoted(tree.title)),
      element("div", { class: "row" }, button("Edit title and metadata", () => editMetadata(tree, collection, { signal, onSaved: () => dispatchEvent(new HashChangeEvent("hashchange")) })),
        button("Delete", () => askToRemove([tree], collection, { signal, onRemoved: () => { location.hash = back; } }), { class: "danger" }))),
    element("p", { class: "soft" }, [plural(tree.pages, "page"), plural(chunks.length, "chunk"), plural(chunks.reduce((sum, chunk) => sum + chunk.facts.length, 0), "fact")].join(" · "),
      tree.size && ` · ${sizeOf(tree.size)}`, tree.creators.length > 0 && [" · ", quoted(tree.creators.join(", "))], tree.date && ` · ${tree.date}`, tree.source && [" · ", quoted(tree.source)]),
    metadataOf(tree),
    element("div", { class: "columns" }, outline(tree, view, first), view.node)));
  const span = asked && query.has("start") ? { start: Number(query.get("start")), end: Number(query.get("end")) } : null;
  if (first) await view.show(first, span);
}

// Pages → chunks → facts; a page is filled when it is opened: a book has hundreds.
function outline(tree, view, first) {
  return element("div", { class: "outline", role: "region", "aria-label": "Pages, chunks and facts" }, tree.content.map((page) => {
    const facts = page.chunks.reduce((sum, chunk) => sum + chunk.facts.length, 0);
    const body = element("div", { class: "stack-tight outline-page" });
    const opened = element("details", { open: page === first },
      element("summary", {}, element("h2", {}, `Page ${page.number}`), element("span", { class: "small soft" }, `${plural(page.chunks.length, "chunk")}, ${plural(facts, "fact")}`)), body);
    const show = () => { if (opened.open && !body.hasChildNodes()) append(body, button("Show the page", () => view.show(page), { class: "quiet" }), page.chunks.map((chunk) => chunkOf(chunk, page, tree, view))); };
    opened.addEventListener("toggle", show);
    show();
    return opened;
  }));
}

function chunkOf(chunk, page, tree, view) {
  return element("section", { class: "outline-chunk" },
    element("h3", {}, button(`Chunk ${chunk.number}`, () => view.show(page, chunk), { class: "as-link" }),
      element("span", { class: "small soft number" }, ` characters ${chunk.start}–${chunk.end}`)),
    chunk.facts.length
      ? element("ul", { class: "outline-facts" }, chunk.facts.map((fact) => element("li", {}, factOf(fact, page, tree, view))))
      : element("p", { class: "small soft" }, "No fact was read from it."));
}

function factOf(fact, page, tree, view) {
  const at = tree.content.find((each) => each.id === fact.page) ?? page;
  const control = button(null, () => view.show(at, fact), { class: "fact" });
  append(control, quoted(fact.subject, { class: "term entity" }), " ", quoted(fact.relation, { class: "relation" }), " ", quoted(fact.object, { class: "term" }));
  return control;
}

class PageView {
  constructor(tree, collection, signal) {
    Object.assign(this, { tree, collection, signal, asPicture: tree.media_type === "application/pdf", page: null, span: null, texts: new Map() });
    this.pictures = new PagePictures(collection, signal);
    this.head = element("div", { class: "reader-head" });
    this.body = element("div", { class: "page-body", tabindex: 0, role: "region", "aria-label": "The page" });
    this.node = element("aside", { class: "page-view card", "aria-label": "The page" }, this.head, this.body);
  }

  async show(page, span = null) {
    Object.assign(this, { page, span });
    this.showHead();
    if (span && STACKED.matches) this.node.scrollIntoView({ block: "start" });
    this.body.setAttribute("aria-busy", "true");
    try {
      const shown = this.asPicture
        ? await pagePicture(this.pictures, page, span)
        : this.marked(await this.text(page), span);
      if (this.page !== page || this.span !== span) return;
      fill(this.body, shown);
      const mark = this.body.querySelector("mark, .page-mark");
      if (mark) this.body.scrollTop += mark.getBoundingClientRect().top - this.body.getBoundingClientRect().top - this.body.clientHeight / 3;
    } catch (error) {
      if (error.name !== "AbortError" && this.page === page) fill(this.body, problemCard(error, { heading: "h3" }));
    } finally {
      this.body.removeAttribute("aria-busy");
    }
  }

  showHead() {
    const { page, span, tree } = this;
    const place = span ? `Page ${page.number}, characters ${span.start}–${span.end}` : `Page ${page.number}`;
    const other = button(this.asPicture ? "As text" : "As picture", () => { this.asPicture = !this.asPicture; this.show(this.page, this.span); }, { class: "quiet" });
    fill(this.head, element("h2", { class: "number" }, place), tree.media_type === "application/pdf" && other);
  }

  async text(page) {
    if (!this.texts.has(page.id)) {
      const query = { id: page.id, collection: this.collection };
      this.texts.set(page.id, new Characters(await text("/api/v1/documents/content", { query, signal: this.signal })));
    }
    return this.texts.get(page.id);
  }

  marked(words, span) {
    const parts = span
      ? [words.slice(0, span.start), element("mark", { class: "place-mark" }, words.slice(span.start, span.end)), words.slice(span.end)]
      : [words.slice(0)];
    return element("div", { class: "words page-text", dir: "auto" }, parts);
  }
}
