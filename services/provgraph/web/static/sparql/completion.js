// Completion of what may be written in a query: our terms, those of others that we use, keywords, and its variables.

import { json } from "../api.js";
import { element, fill, freshId } from "../dom.js";
import { PREFIXES, shortened } from "./results.js";

const MOST = 8;
const KEYWORDS = ["SELECT", "DISTINCT", "WHERE", "OPTIONAL", "FILTER", "UNION", "MINUS", "VALUES", "BIND", "GRAPH", "GROUP BY", "ORDER BY", "HAVING", "LIMIT", "OFFSET", "COUNT", "CONSTRUCT", "ASK", "CONTAINS", "LCASE", "STR", "DESC", "EXISTS"];
const OTHERS = ["prov:wasDerivedFrom", "prov:wasGeneratedBy", "prov:wasAttributedTo", "prov:wasAssociatedWith", "prov:used", "prov:startedAtTime", "prov:endedAtTime", "rdf:type", "rdfs:label", "dc:title", "dc:creator", "dc:date", "dc:source"];
const WRITTEN = /[?\w:-]+$/;
const LABEL = `${PREFIXES.rdfs}label`;

// The terms of the ontology with their labels, short; read once, when a query is first written.
let known = null;

function terms() {
  known ??= json("/ontology", { accept: "application/ld+json" }).then(labelled).catch(() => { known = null; return []; });
  return known;
}

// A term may be described in several nodes, of which one has its label.
function labelled(nodes) {
  const meanings = new Map();
  for (const node of nodes.filter((each) => each["@id"].startsWith(PREFIXES.tg))) {
    const text = shortened(node["@id"]);
    meanings.set(text, node[LABEL]?.[0]?.["@value"] ?? meanings.get(text) ?? "");
  }
  return [...meanings].map(([text, meaning]) => ({ text, meaning }));
}

// Offers below `area` what the word at its cursor may become: arrows choose, Enter and Tab take, Escape puts away.
export function completion(area) {
  const list = element("ul", { id: freshId("completion"), class: "completion card", role: "listbox", "aria-label": "Completions", hidden: true });
  let offered = [];
  let at = 0;
  for (const [name, value] of Object.entries({ "aria-autocomplete": "list", "aria-controls": list.id })) area.setAttribute(name, value);

  function show() {
    list.hidden = !offered.length;
    fill(list, offered.map(({ text, meaning }, index) => element("li", {
      id: `${list.id}-${index}`, role: "option", "aria-selected": String(index === at),
      on: { pointerdown: (event) => { event.preventDefault(); at = index; take(); } },
    }, element("span", { class: "code" }, text), meaning && element("span", { class: "small soft" }, " ", meaning))));
    if (offered.length) area.setAttribute("aria-activedescendant", `${list.id}-${at}`);
    else area.removeAttribute("aria-activedescendant");
  }

  function away() {
    offered = [];
    show();
  }

  function word() {
    return area.selectionStart === area.selectionEnd ? WRITTEN.exec(area.value.slice(0, area.selectionStart))?.[0] ?? "" : "";
  }

  function take() {
    const begun = word();
    area.setRangeText(`${offered[at].text} `, area.selectionStart - begun.length, area.selectionStart, "end");
    away();
    area.dispatchEvent(new Event("change"));
  }

  async function offer() {
    const begun = word().toLowerCase();
    if (begun.length < 2) return away();
    const variables = new Set(area.value.match(/\?\w+/g) ?? []);
    const all = [...await terms(), ...[...OTHERS, ...variables, ...KEYWORDS].map((text) => ({ text, meaning: "" }))];
    if (begun !== word().toLowerCase()) return;
    const plain = ({ text, meaning }) => [text, text.slice(text.indexOf(":") + 1), meaning].map((each) => each.toLowerCase());
    offered = all.filter((each) => each.text.toLowerCase() !== begun && plain(each).some((text) => text.startsWith(begun))).slice(0, MOST);
    at = 0;
    show();
  }

  area.addEventListener("input", offer);
  area.addEventListener("blur", away);
  area.addEventListener("keydown", (event) => {
    if (!offered.length || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      at = (at + step + offered.length) % offered.length;
      show();
    } else if (event.key === "Enter" || event.key === "Tab") take();
    else if (event.key === "Escape") away();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  return list;
}
