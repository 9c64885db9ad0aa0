// What a question is narrowed to: documents by name, title, type, date, or what was given with them.

import { json } from "../api.js";
import { element } from "../dom.js";

const TYPES = [["", "any"], ["pdf", "PDF"], ["docx", "DOCX"], ["html", "HTML"], ["markdown", "Markdown"], ["text", "text"], ["csv", "CSV"], ["json", "JSON"]];

// `collection()` is the one that is asked. `fields` are members of a request; `node` is closed until it is needed.
export function narrowing(collection) {
  const names = element("datalist", { id: "narrow-names" });
  const pairs = element("datalist", { id: "narrow-pairs" });
  const document = textField("narrow-document", "Document", { list: "narrow-names", placeholder: "report.pdf" });
  const title = textField("narrow-title", "Title has", {});
  const type = element("select", { id: "narrow-type" }, TYPES.map(([value, label]) => element("option", { value }, label)));
  const since = textField("narrow-since", "Since", { placeholder: "2022-06", size: 10 });
  const where = textField("narrow-where", "Metadata", { list: "narrow-pairs", placeholder: "company=PepsiCo" });
  const node = element("details", { class: "narrowing" }, element("summary", {}, "Only some documents"),
    element("div", { class: "row question-options" }, document.node, title.node,
      element("span", { class: "field" }, element("label", { for: "narrow-type" }, "Type"), type), since.node, where.node, names, pairs));
  let offered = null;
  node.addEventListener("toggle", async () => {
    if (!node.open || offered === collection()) return;
    offered = collection();
    const documents = await json("/api/v1/documents", { query: { collection: offered } }).catch(() => []);
    offer(names, documents.map((each) => each.source || each.title));
    offer(pairs, documents.flatMap((each) => Object.entries(each.metadata).flatMap(([name, values]) => values.map((value) => `${name}=${value}`))));
  });
  return {
    node,
    get fields() {
      const given = { documents: listed(document.value), titles: listed(title.value), types: listed(type.value), since: since.value, where: listed(where.value) };
      return Object.fromEntries(Object.entries(given).filter(([, value]) => value.length));
    },
  };
}

function textField(id, label, properties) {
  const control = element("input", { id, type: "text", autocomplete: "off", ...properties });
  return { node: element("span", { class: "field" }, element("label", { for: id }, label), control), get value() { return control.value.trim(); } };
}

function listed(value) {
  return value ? [value] : [];
}

function offer(list, values) {
  list.replaceChildren(...[...new Set(values)].sort().slice(0, 500).map((value) => element("option", { value })));
}
