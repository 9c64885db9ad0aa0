// A page of a PDF as it looks, with the rectangles of a span of its words over it.

import { blob, json } from "../api.js";
import { append, element } from "../dom.js";
import { problemCard } from "../problem.js";

const WIDTH = 1400;

// Resolves when the picture is there. Where the words have no places, the picture says why beneath it.
export async function pagePicture(page, span, collection, signal) {
  const asked = { id: page.id, collection };
  const places = span ? json("/api/v1/documents/page/words", { query: { ...asked, start: span.start, end: span.end }, signal }) : null;
  places?.catch(() => {});
  const picture = element("img", { class: "page-image", alt: `Page ${page.number} as it looks. Its words are there as text.` });
  const address = URL.createObjectURL(await blob("/api/v1/documents/page", { query: { ...asked, width: WIDTH }, signal }));
  signal?.addEventListener("abort", () => URL.revokeObjectURL(address), { once: true });
  picture.src = address;
  await picture.decode();
  const sheet = element("div", { class: "page-sheet" }, picture);
  try {
    append(sheet, (await places)?.rectangles.map(mark));
    return sheet;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return element("div", { class: "stack" }, sheet, problemCard(error, { heading: "h3" }));
  }
}

function mark({ x, y, width, height }) {
  const percent = (share) => `${(share * 100).toFixed(3)}%`;
  return element("span", {
    class: "page-mark", "aria-hidden": "true",
    style: { left: percent(x), top: percent(y), width: percent(width), height: percent(height) },
  });
}
