// A page with the cited words marked where they stand, as text or, of a PDF, as it looks; it goes to whatever is lit.

import { text } from "../api.js";
import { append, button, element, fill, quoted } from "../dom.js";
import { problemCard } from "../problem.js";
import { Characters, documentName } from "../text.js";
import { drawPage } from "./page_picture.js";
import { kindOfMention } from "./evidence_sentences.js";
import { kindOf, term } from "./terms.js";

// Pages that were read are kept: hovering must not ask the service again.
export class Pages {
  constructor(collection) {
    this.collection = collection;
    this.known = new Map();
  }

  text(page) {
    if (!this.known.has(page)) {
      const query = { id: page, collection: this.collection };
      const read = text("/api/v1/documents/content", { query }).then((words) => new Characters(words));
      read.catch(() => this.known.delete(page));
      this.known.set(page, read);
    }
    return this.known.get(page);
  }
}

export class Reader {
  constructor({ proof, lighting, pages, pictures }) {
    Object.assign(this, { proof, lighting, pages, pictures, place: null, page: "" });
    this.drawn = window.matchMedia("(min-width: 64rem)").matches; // on a narrow screen its words would be too small to read
    this.head = element("div", { class: "reader-head" });
    this.body = element("div", { class: "reader-text words", tabindex: 0, role: "region", "aria-label": "Text of the source" });
    this.node = element("div", { class: "reader" }, this.head, this.body);
    lighting.addEventListener("change", () => this.follow());
    if (proof.places.length) this.show(proof.places[0]);
    else fill(this.body, element("p", { class: "soft" }, "This answer cites no words of a document."));
  }

  follow() {
    const { first } = this.lighting.lit;
    if (first) this.show(first);
  }

  async show(place) {
    const moved = this.place !== place;
    this.place = place;
    if (moved) this.showHead();
    if (this.page !== place.page) await this.showPage(place.page);
    if (this.place === place && moved) this.reveal(place);
  }

  showHead() {
    const { proof, place } = this;
    const at = proof.places.indexOf(place);
    const go = (step, label, sign) => button(sign, () => this.show(proof.places[at + step]), {
      class: "quiet icon-button", "aria-label": label, disabled: !proof.places[at + step],
    });
    fill(this.head,
      element("div", { class: "reader-name" },
        element("h3", {}, quoted(documentName(place))),
        element("p", { class: "small soft number" }, `Page ${place.page_number}, characters ${place.start}–${place.end}`)),
      element("div", { class: "row reader-steps" },
        proof.isPdf(place.document) && this.drawnToggle(),
        go(-1, "Source before", "‹"),
        element("span", { class: "small soft number" }, `${place.number} of ${proof.places.length}`),
        go(1, "Next source", "›")));
  }

  drawnToggle() {
    return button("Page image", async () => {
      this.drawn = !this.drawn;
      this.showHead();
      await this.showPage(this.page);
      this.reveal(this.place);
      this.head.querySelector("[aria-pressed]")?.focus();
    }, { class: "small-button", "aria-pressed": String(this.drawn) });
  }

  // What was asked for last is what is shown: a picture may take longer than the text that it was left for.
  async showPage(page) {
    this.page = page;
    const asked = (this.asked = {});
    this.body.setAttribute("aria-busy", "true");
    try {
      const filled = element("div");
      if (this.drawn && this.proof.isPdf(this.place.document)) await this.draw(filled, page);
      else append(filled, this.marked(await this.pages.text(page)));
      if (this.asked === asked) fill(this.body, filled);
    } catch (error) {
      if (this.asked === asked) fill(this.body, problemCard(error, { onRetry: () => this.showPage(page), heading: "h4" }));
    } finally {
      if (this.asked === asked) this.body.removeAttribute("aria-busy");
    }
  }

  // The page as it looks; where it cannot be drawn, its text.
  async draw(filled, page) {
    const { proof, lighting, pictures } = this;
    const places = proof.places.filter((place) => place.page === page);
    try {
      await drawPage(filled, { pictures, lighting, page, places, number: places[0].page_number });
    } catch (problem) {
      append(filled, element("p", { class: "note small" }, quoted(problem.message)), this.marked(await this.pages.text(page)));
    }
  }

  // The page's text, cut wherever a cited place begins or ends: places may overlap.
  marked(words) {
    const here = this.proof.places.filter((place) => place.page === this.page);
    const cuts = new Set([0, words.length, ...here.flatMap((place) => [place.start, place.end])]);
    const sorted = [...cuts].filter((cut) => cut <= words.length).sort((one, other) => one - other);
    return sorted.slice(0, -1).map((start, index) => {
      const end = sorted[index + 1];
      const covering = here.filter((place) => place.start <= start && end <= place.end);
      return covering.length ? this.mark(words.slice(start, end), covering) : words.slice(start, end);
    });
  }

  mark(words, covering) {
    const edges = covering.flatMap((place) => this.proof.edgesAt(place));
    const node = element("mark", { class: "place-mark" });
    append(node, withTerms(words, edges, this.proof.mentionsOn(this.page)));
    for (const place of covering) this.lighting.mark("places", place.key, node);
    node.dataset.places = covering.map((place) => place.number).join(" ");
    return node;
  }

  reveal(place) {
    const mark = [...this.body.querySelectorAll("[data-places]")].find((each) => each.dataset.places?.split(" ").includes(String(place.number)));
    if (!mark) return;
    const offset = mark.getBoundingClientRect().top - this.body.getBoundingClientRect().top;
    this.body.scrollTop += offset - this.body.clientHeight / 3;
  }
}

// The words with the entities and values in them that the facts name, or the answer saw, as they are spelled there.
export function withTerms(words, edges, mentions) {
  const kinds = new Map(mentions.map((each) => [each.text.toLowerCase(), { kind: kindOfMention(each), types: [] }]));
  for (const edge of edges) {
    kinds.set(edge.subject.toLowerCase(), { kind: kindOf(edge.subject_types, edge.triple.s), types: edge.subject_types });
    kinds.set(edge.object.toLowerCase(), { kind: kindOf(edge.object_types, edge.triple.o), types: edge.object_types });
  }
  const names = [...kinds.keys()].filter(Boolean).sort((one, other) => other.length - one.length);
  if (!names.length) return [words];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${names.map(RegExp.escape ?? escaped).join("|")})(?![\\p{L}\\p{N}])`, "giu");
  return words.split(pattern).map((part, index) => {
    const found = index % 2 ? kinds.get(part.toLowerCase()) : null;
    return found ? term(part, found.kind, found.types) : part;
  });
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
