// An answer with its citations, in the forms in which others take them: Markdown, HTML, BibTeX and CSL-JSON.

import { json } from "../api.js";
import { copyButton, saveAs } from "../clipboard.js";
import { element } from "../dom.js";
import { documentName } from "../text.js";

const FORMS = [
  { name: "Markdown", ending: "md", write: (cited) => markdown(cited) },
  { name: "HTML", ending: "html", write: (cited) => html(cited) },
  { name: "BibTeX", ending: "bib", write: (cited, works) => bibtex(cited, works), works: true },
  { name: "CSL-JSON", ending: "json", write: (cited, works) => JSON.stringify(csl(cited, works), null, 2), works: true },
];

// A control for each form; where the browser allows no copy, the form is saved as a file.
export function copyControls(proof, uuid, signal) {
  const cited = { proof, question: proof.trace.asked_as || proof.trace.query, collection: proof.trace.collection };
  return FORMS.map(({ name, ending, write, works }) => copyButton(name, async () => write(cited, works ? await worksOf(proof, signal) : []), {
    copied: `${name} copied`, "aria-label": `Copy as ${name}`,
    instead: (words) => { saveAs(`answer-${uuid}.${ending}`, new Blob([words])); return "Saved as a file"; },
  }));
}

function sourceAddress({ document, page, start, end }, collection) {
  const place = new URLSearchParams({ collection, page, start, end });
  return `${location.origin}${location.pathname}#/documents/${encodeURIComponent(document)}?${place}`;
}

function citedPlaces({ sentences, places }) {
  const cited = new Set(sentences.flatMap((sentence) => sentence.places));
  return places.filter((place) => cited.has(place));
}

function markdown({ proof, question, collection }) {
  const plain = (text) => text.replace(/\s+/g, " ").trim().replace(/[\\`*_[\]<>#|]/g, "\\$&");
  const sentences = proof.sentences.filter((each) => each !== proof.saidShort)
    .map((each) => plain(each.text) + each.places.map(({ number }) => `[^${number}]`).join(""));
  const short = proof.shortAnswer && `**${plain(proof.shortAnswer.text)}**${(proof.saidShort?.places ?? []).map(({ number }) => `[^${number}]`).join("")}`;
  const notes = citedPlaces(proof).map((place) =>
    `[^${place.number}]: [${plain(documentName(place))}, page ${place.page_number}](${sourceAddress(place, collection)}): “${plain(place.text)}”`);
  return [`## ${plain(question)}`, short, sentences.join(" "), notes.join("\n")].filter(Boolean).join("\n\n").concat("\n");
}

function html({ proof, question, collection }) {
  const marks = ({ places }) => places.map((place) => element("sup", {}, element("a", { href: sourceAddress(place, collection) }, `[${place.number}]`)));
  const node = element("section", {}, element("h2", {}, question),
    proof.shortAnswer && element("p", {}, element("strong", {}, proof.shortAnswer.text), proof.saidShort && marks(proof.saidShort)),
    element("p", {}, proof.sentences.filter((each) => each !== proof.saidShort).map((each) => [each.text, marks(each), " "])),
    element("ol", {}, citedPlaces(proof).map((place) => element("li", { value: place.number },
      element("cite", {}, element("a", { href: sourceAddress(place, collection) }, documentName(place))), `, page ${place.page_number}: `, element("q", {}, place.text)))));
  return new XMLSerializer().serializeToString(node);
}

// The cited documents with what was given of them, and the pages that are cited.
async function worksOf(proof, signal) {
  const documents = await json("/api/v1/documents", { query: { collection: proof.trace.collection }, signal });
  const given = new Map(documents.map((each) => [each.id, each]));
  const grouped = Map.groupBy?.(citedPlaces(proof), (place) => place.document) ?? groups(citedPlaces(proof));
  return [...grouped].map(([id, places]) => {
    const { title = places[0].title, creators = [], date = "", source = "" } = given.get(id) ?? {};
    const pages = [...new Set(places.map((place) => place.page_number))].sort((one, other) => one - other);
    return { id, title, creators, date, source, pages, places };
  });
}

function groups(places) {
  const grouped = new Map();
  for (const place of places) grouped.set(place.document, [...(grouped.get(place.document) ?? []), place]);
  return grouped;
}

function bibtex({ collection }, works) {
  const plain = (text) => text.replace(/[\\{}]/g, "").replace(/[#$%&_]/g, "\\$&");
  return works.map((work) => {
    const fields = Object.entries({
      title: `{${plain(work.title)}}`, author: plain(work.creators.join(" and ")), year: work.date.slice(0, 4),
      pages: work.pages.join(", "), howpublished: plain(work.source), url: sourceAddress(work.places[0], collection),
    }).filter(([, value]) => value);
    return `@misc{${keyOf(work)},\n${fields.map(([name, value]) => `  ${name} = {${value}}`).join(",\n")}\n}\n`;
  }).join("\n");
}

function csl({ collection }, works) {
  return works.map((work) => ({
    id: keyOf(work), type: "document", title: work.title,
    author: work.creators.map((literal) => ({ literal })),
    ...(dateParts(work.date).length ? { issued: { "date-parts": [dateParts(work.date)] } } : {}),
    page: work.pages.join(", "), source: work.source, URL: sourceAddress(work.places[0], collection),
    note: work.places.map((place) => `“${place.text}”`).join(" "),
  }));
}

function dateParts(date) {
  return (/^\d{4}(-\d{2}){0,2}/.exec(date)?.[0] ?? "").split("-").filter(Boolean).map(Number);
}

// Words of the title and the end of the id, which tells two documents of one title apart.
function keyOf({ id, title }) {
  const words = title.toLowerCase().match(/[a-z0-9]+/g)?.slice(0, 4).join("-") ?? "document";
  return `${words}-${id.replace(/[^a-zA-Z0-9]/g, "").slice(-6)}`;
}
