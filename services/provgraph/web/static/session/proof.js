// A trace as a person checks it: sentences, the facts or passages behind each, and numbered places in documents.

import { Characters } from "../text.js";

const NO_FACTS = new Set();

// `heard` is the session as this tab heard it, null of one that it did not. `places` are numbered in the order in which the answer cites them, then those that only facts stand on.
export class Proof {
  constructor(trace, heard = null) {
    this.trace = trace;
    this.heard = heard;
    this.places = [];
    this.placeOfKey = new Map();
    this.edges = trace.selected;
    this.mostScore = mostScore(trace);
    this.chunks = trace.selected_chunks;
    this.answerText = new Characters(trace.answer?.text ?? "");
    this.sentences = (trace.answer?.sentences ?? []).map((sentence, index) => ({
      ...sentence,
      index,
      places: sentence.sources.map((source) => this.place(source)),
    }));
    this.placesOfEdge = new Map(this.edges.map((edge) => [edge.id, edge.sources.map((source) => this.place(source))]));
    this.edgeById = new Map(this.edges.map((edge) => [edge.id, edge]));
    this.chunkById = new Map(this.chunks.map((chunk) => [chunk.id, chunk]));
  }

  // The numbered place of a source: the same words of the same page are one place, whoever cites them.
  place(source) {
    const key = `${source.page} ${source.start} ${source.end}`;
    let place = this.placeOfKey.get(key);
    if (!place) {
      place = { ...source, key, number: this.places.length + 1 };
      this.placeOfKey.set(key, place);
      this.places.push(place);
    }
    return place;
  }

  isPdf(document) {
    return this.trace.cited_documents.some((each) => each.id === document && each.media_type === "application/pdf");
  }

  // The quantities and names that an answer by extraction saw on a page.
  mentionsOn(page) {
    const sentences = (this.heard?.highlights?.documents ?? []).flatMap((each) => each.evidence);
    return sentences.filter((each) => each.page === page).flatMap((each) => each.mentions);
  }

  edgesAt(place) {
    return this.edges.filter((edge) => this.placesOfEdge.get(edge.id).includes(place));
  }

  // The cited places in the document of a chunk, of the sentences that rest on it.
  placesOfChunk(chunk) {
    const cited = new Set(this.sentences.filter((each) => each.chunks.includes(chunk.id)).flatMap((each) => each.places));
    return [...cited].filter((place) => chunk.chunk.startsWith(`${place.document}/`));
  }

  placesOfDocument(document) {
    return this.places.filter((place) => place.document === document);
  }

  get documents() {
    return [...new Map(this.places.map((place) => [place.document, place.title])).entries()]
      .map(([id, title]) => ({ id, title, places: this.placesOfDocument(id) }));
  }

  // What belongs together, for lighting: the edges, chunks, places and sentences around one of them.
  aroundSentence(sentence) {
    return lit({
      edges: sentence.edges, chunks: sentence.chunks, sentences: [sentence.index],
      places: sentence.places.length ? sentence.places : sentence.edges.flatMap((id) => this.placesOfEdge.get(id) ?? []),
    });
  }

  aroundCitation(sentence, place) {
    const here = this.edgesAt(place).map((edge) => edge.id).filter((id) => sentence.edges.includes(id));
    return lit({
      edges: here.length ? here : sentence.edges, chunks: sentence.chunks, places: [place], sentences: [sentence.index],
    });
  }

  aroundPlace(place) {
    const sentences = this.sentences.filter((each) => each.places.includes(place)).map((each) => each.index);
    const chunks = this.chunks.filter((each) => this.placesOfChunk(each).includes(place)).map((each) => each.id);
    return lit({ edges: this.edgesAt(place).map((edge) => edge.id), chunks, places: [place], sentences });
  }

  aroundEdge(edge) {
    const sentences = this.sentences.filter((each) => each.edges.includes(edge.id)).map((each) => each.index);
    return lit({ edges: [edge.id], places: this.placesOfEdge.get(edge.id) ?? [], sentences });
  }

  aroundChunk(chunk) {
    const sentences = this.sentences.filter((each) => each.chunks.includes(chunk.id)).map((each) => each.index);
    return lit({ chunks: [chunk.id], places: this.placesOfChunk(chunk), sentences });
  }
}

function lit({ edges = [], chunks = [], places = [], sentences = [] }) {
  return {
    edges: new Set(edges), chunks: new Set(chunks), sentences: new Set(sentences),
    places: new Set(places.map((place) => place.key)), first: places[0] ?? null,
  };
}

// What the bars of scores are measured against.
export function mostScore(trace) {
  const scored = [trace.selected, trace.passed_over, trace.selected_chunks, trace.passed_over_chunks].flat();
  return scored.reduce((most, { score }) => Math.max(most, score), 1);
}

export const NOTHING = { edges: NO_FACTS, chunks: NO_FACTS, sentences: NO_FACTS, places: NO_FACTS, first: null };
