// A trace as a person checks it: sentences, the facts or passages behind each, and numbered places in documents.

import { Characters, documentName } from "../text.js";
import { derivationSteps } from "./derivation_steps.js";

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
    this.shortAnswer = trace.answer?.short_answer ?? null;
    this.saidShort = this.shortAnswer ? this.sentences.slice(0, 1).find((each) => says(each, this.shortAnswer.text)) ?? null : null;
    this.steps = derivationSteps(this);
    this.stepById = new Map(this.steps.map((step) => [step.id, step]));
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
    const weighed = (this.heard?.highlights?.documents ?? []).flatMap((each) => each.evidence).filter((each) => each.page === page);
    const cited = this.sentences.filter((each) => each.places.some((place) => place.page === page));
    return [...weighed, ...cited].flatMap((each) => each.mentions ?? []);
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
    return [...new Map(this.places.map((place) => [place.document, documentName(place)])).entries()]
      .map(([id, title]) => ({ id, title, places: this.placesOfDocument(id) }));
  }

  // What belongs together, for lighting: the edges, chunks, places and sentences around one of them.
  aroundSentence(sentence) {
    return lit({
      edges: sentence.edges, chunks: sentence.chunks, sentences: [sentence.index], steps: this.stepsOn(sentence),
      places: sentence.places.length ? sentence.places : sentence.edges.flatMap((id) => this.placesOfEdge.get(id) ?? []),
    });
  }

  // What a step stands on itself; of one that only compares or counts, what the steps before it stand on.
  aroundStep(step) {
    const own = step.sentences.length || step.edges.length || step.chunks.length;
    const used = own ? [step] : step.earlier.map((id) => this.stepById.get(id)).filter(Boolean);
    const sentences = used.flatMap((each) => each.sentences);
    const edges = used.flatMap((each) => each.edges.map((edge) => edge.id));
    return lit({
      steps: [step.id], sentences: sentences.map((each) => each.index),
      edges: [...edges, ...sentences.flatMap((each) => each.edges)],
      chunks: [...used.flatMap((each) => each.chunks.map((chunk) => chunk.id)), ...sentences.flatMap((each) => each.chunks)],
      places: [...sentences.flatMap((each) => each.places), ...edges.flatMap((id) => this.placesOfEdge.get(id))],
    });
  }

  stepsOn(sentence) {
    if (sentence === this.saidShort) return [this.shortAnswer.derivation];
    return this.steps.filter((step) => step.sentences.includes(sentence)).map((step) => step.id);
  }

  aroundCitation(sentence, place) {
    const here = this.edgesAt(place).map((edge) => edge.id).filter((id) => sentence.edges.includes(id));
    return lit({
      edges: here.length ? here : sentence.edges, chunks: sentence.chunks, places: [place], sentences: [sentence.index],
      steps: this.stepsOn(sentence),
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

function lit({ edges = [], chunks = [], places = [], sentences = [], steps = [] }) {
  return {
    edges: new Set(edges), chunks: new Set(chunks), sentences: new Set(sentences), steps: new Set(steps),
    places: new Set(places.map((place) => place.key)), first: places[0] ?? null,
  };
}

// Whether a sentence is the short answer and no more.
function says(sentence, short) {
  const plain = (words) => words.replace(/[.!?]+$/, "").toLowerCase();
  return sentence.origin === "derived" && plain(sentence.text) === plain(short);
}

// What the bars of scores are measured against.
export function mostScore(trace) {
  const scored = [trace.selected, trace.passed_over, trace.selected_chunks, trace.passed_over_chunks].flat();
  return scored.reduce((most, { score }) => Math.max(most, score), 1);
}

export const NOTHING = { edges: NO_FACTS, chunks: NO_FACTS, sentences: NO_FACTS, steps: NO_FACTS, places: NO_FACTS, first: null };
