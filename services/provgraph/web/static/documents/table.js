// The documents of a collection as a table: searched, sorted by a column, and chosen to be deleted together.

import { button, element, fill, plural, quoted, unseen } from "../dom.js";
import { sizeOf } from "../text.js";

const MOST_ROWS = 300;
const TYPES = { "application/pdf": "PDF", "text/plain": "Text", "text/html": "HTML", "text/markdown": "Markdown", "text/csv": "CSV", "application/json": "JSON", "application/x-ndjson": "JSONL" };
const COLUMNS = [
  { name: "Title", of: (each) => each.title.toLowerCase(), cell: titleCell },
  { name: "Status", of: (each) => -each.failed_chunks, cell: statusCell },
  { name: "Pages", of: (each) => each.pages, cell: (each) => each.pages.toLocaleString("en"), number: true },
  { name: "Chunks", of: (each) => each.chunks ?? 0, cell: (each) => (each.chunks ?? 0).toLocaleString("en"), number: true },
  { name: "Facts", of: (each) => each.facts ?? 0, cell: (each) => (each.facts ?? 0).toLocaleString("en"), number: true },
  { name: "Size", of: (each) => each.size ?? 0, cell: (each) => (each.size === null ? "–" : sizeOf(each.size)), number: true },
  { name: "Type", of: (each) => shortType(each.media_type), cell: (each) => shortType(each.media_type) },
  { name: "By", of: (each) => byline(each).toLowerCase(), cell: (each) => quoted(byline(each)) },
];

// `remove(documents)` asks whether they are to go.
export class DocumentTable {
  constructor(documents, collection, remove) {
    Object.assign(this, { documents, collection, remove, column: COLUMNS[0], down: false, chosen: new Set() });
    this.search = element("input", { id: "document-search", type: "search", autocomplete: "off", on: { input: () => this.show() } });
    this.count = element("p", { class: "soft", role: "status" });
    this.removal = button("Delete", () => this.remove(documents.filter((each) => this.chosen.has(each.id))), { class: "danger", hidden: true });
    this.heads = COLUMNS.map((column) => element("th", { scope: "col" }, button(column.name, () => this.sortBy(column), { class: "sort" })));
    this.all = element("input", { type: "checkbox", "aria-label": "Choose all that are shown", on: { change: () => this.chooseAll() } });
    this.rows = element("tbody");
    this.node = element("div", { class: "stack" },
      element("div", { class: "row row-spread" },
        element("span", { class: "field document-search" }, element("label", { for: "document-search" }, "Title, file, author or metadata has"), this.search),
        element("div", { class: "row" }, this.count, this.removal)),
      element("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": "Documents" }, element("table", { class: "document-table" },
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, this.all), this.heads, element("th", { scope: "col" }, unseen("Actions")))),
        this.rows)));
    this.show();
  }

  get shown() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const { of } = this.column;
    const order = (one, other) => (of(one) < of(other) ? -1 : of(one) > of(other) ? 1 : 0) * (this.down ? -1 : 1);
    return this.documents.filter((each) => words.every((word) => textOf(each).includes(word))).sort(order);
  }

  // A second press turns the order round; numbers begin with the largest.
  sortBy(column) {
    this.down = column === this.column ? !this.down : Boolean(column.number);
    this.column = column;
    this.show();
  }

  show() {
    const { shown, column, down } = this;
    this.heads.forEach((head, index) => head.setAttribute("aria-sort", COLUMNS[index] === column ? (down ? "descending" : "ascending") : "none"));
    const rows = shown.slice(0, MOST_ROWS);
    fill(this.rows, rows.map((each) => this.row(each)));
    const all = this.documents.length;
    this.count.textContent = [shown.length === all ? plural(all, "document") : `${shown.length} of ${plural(all, "document")}`, shown.length > MOST_ROWS && `the first ${MOST_ROWS} of them shown`].filter(Boolean).join(", ");
    this.tellChosen();
  }

  row(each) {
    const choose = element("input", { type: "checkbox", "aria-label": `Choose ${each.title}`, checked: this.chosen.has(each.id) });
    choose.addEventListener("change", () => {
      this.chosen[choose.checked ? "add" : "delete"](each.id);
      this.tellChosen();
    });
    return element("tr", {}, element("td", {}, choose),
      COLUMNS.map((column) => element("td", { class: column.number ? "number" : null }, column.cell(each, this.collection))),
      element("td", {}, button("Delete", () => this.remove([each]), { class: "quiet", "aria-label": `Delete ${each.title}` })));
  }

  chooseAll() {
    for (const { id } of this.shown) this.chosen[this.all.checked ? "add" : "delete"](id);
    this.show();
  }

  tellChosen() {
    const count = this.chosen.size;
    this.removal.hidden = !count;
    this.removal.textContent = `Delete ${plural(count, "chosen document")}`;
    this.all.checked = count > 0 && this.shown.every((each) => this.chosen.has(each.id));
  }
}

export function documentAddress(id, collection, place = {}) {
  return `#/documents/${encodeURIComponent(id)}?${new URLSearchParams({ collection, ...place })}`;
}

// What `provgraph sync` tells a changed file by, and no person needs.
const OF_SYNC = /^sync_(?!path=)/;

// What was given with a document.
export function metadataOf(document) {
  const pairs = metadataPairs(document).filter((pair) => !OF_SYNC.test(pair));
  return pairs.length > 0 && element("div", { class: "small soft" }, quoted(pairs.join(", ")));
}

export function metadataPairs({ metadata = {} }) {
  return Object.entries(metadata).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
}

function titleCell(each, collection) {
  return [element("a", { href: documentAddress(each.id, collection) }, quoted(each.title)),
    each.source && each.source !== each.title && element("div", { class: "small soft" }, quoted(each.source)), metadataOf(each)];
}

function statusCell({ failed_chunks: failed }) {
  return failed > 0
    ? element("span", { class: "pill pill-warning" }, `${plural(failed, "chunk")} not read`)
    : element("span", { class: "pill pill-good" }, "read");
}

function byline({ creators, date }) {
  return [creators.slice(0, 3).join(", "), date.slice(0, 4)].filter(Boolean).join(", ");
}

function textOf(each) {
  return [each.title, each.source, ...each.creators, each.date, ...metadataPairs(each)].join(" ").toLowerCase();
}

function shortType(type) {
  if (type.includes("wordprocessing")) return "DOCX";
  return type.includes("spreadsheet") ? "XLSX" : TYPES[type] ?? type;
}
