// A page of a PDF as it looks, with boxes over the cited words.

import { blob, json } from "../api.js";
import { element, fill } from "../dom.js";

const WIDTH = 1200;

// The pictures of one collection; each is fetched once, as a blob, since an image cannot send a token.
export class PagePictures {
  constructor(collection, signal) {
    this.collection = collection;
    this.known = new Map();
    signal.addEventListener("abort", () => {
      for (const picture of this.known.values()) picture.then(URL.revokeObjectURL, () => {});
    }, { once: true });
  }

  source(page) {
    if (!this.known.has(page)) {
      const query = { id: page, collection: this.collection, width: WIDTH };
      const fetched = blob("/api/v1/documents/page", { query }).then(URL.createObjectURL);
      fetched.catch(() => this.known.delete(page));
      this.known.set(page, fetched);
    }
    return this.known.get(page);
  }

  words({ page, start, end }) {
    return json("/api/v1/documents/page/words", { query: { id: page, start, end, collection: this.collection } });
  }
}

// Fills `node` with the picture of a page, `places` marked on it. Raises `Problem` where it cannot be drawn.
export async function drawPage(node, { pictures, lighting, page, places, number }) {
  const [source, found] = await Promise.all([pictures.source(page), Promise.all(places.map((place) => pictures.words(place)))]);
  const told = `Page ${number} as it looks; ${places.map((place) => `source ${place.number}: ${place.text}`).join("; ")}`;
  const picture = element("img", { src: source, alt: told, class: "page-image" });
  if (found.length) picture.style.setProperty("aspect-ratio", String(found[0].aspect));
  const boxes = found.flatMap((words, index) => words.rectangles.map((box) => boxNode(box, places[index], lighting)));
  fill(node, element("div", { class: "page-picture" }, picture, boxes));
}

function boxNode({ x, y, width, height }, place, lighting) {
  const share = (value) => `${(value * 100).toFixed(3)}%`;
  const node = element("span", {
    class: "word-box", "aria-hidden": "true", data: { places: place.number },
    style: { left: share(x), top: share(y), width: share(width), height: share(height) },
  });
  lighting.mark("places", place.key, node);
  return node;
}
