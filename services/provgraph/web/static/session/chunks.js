// The passages that were chosen, for an answer from chunks of documents.

import { button, element, quoted } from "../dom.js";
import { reasonOf, score, sourceRow } from "./edges.js";

export function chunkList(proof, lighting) {
  return element("ol", { class: "facts" }, proof.chunks.map((chunk) => chunkItem(chunk, proof, lighting)));
}

export function chunkName(chunk) {
  return chunk.title ? [quoted(chunk.title), `, page ${chunk.page_number}, passage ${chunk.chunk_number}`] : "A passage that is gone";
}

function chunkItem(chunk, proof, lighting) {
  const name = button(null, null, { class: "fact", "aria-pressed": "false" });
  name.append(...[chunkName(chunk)].flat());
  const around = () => proof.aroundChunk(chunk);
  const cited = proof.placesOfChunk(chunk);
  const item = element("li", { class: "evidence" },
    element("div", { class: "evidence-head" }, name, score(chunk)),
    reasonOf(chunk),
    cited.length > 0 && sourceRow(cited, proof, lighting));
  lighting.mark("chunks", chunk.id, item);
  lighting.react(item, around, { press: name });
  return item;
}
