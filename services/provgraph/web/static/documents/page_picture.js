// A page of a PDF as it looks, with the rectangles of a span of its words over it.

import { append, element } from "../dom.js";
import { problemCard } from "../problem.js";

// Resolves when the picture is there. Where the words have no places, a problem beneath it says why.
export async function pagePicture(pictures, page, span) {
  const places = span ? pictures.words({ page: page.id, start: span.start, end: span.end }) : null;
  places?.catch(() => {});
  const picture = element("img", { class: "page-image", alt: `Page ${page.number} as it looks. Its words are there as text.` });
  picture.src = await pictures.source(page.id);
  await picture.decode();
  const sheet = element("div", { class: "page-sheet" }, picture);
  try {
    return append(sheet, (await places)?.rectangles.map(mark));
  } catch (error) {
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
