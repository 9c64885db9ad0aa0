// The papers by title, to be chosen from: who wrote each, when, and which are like it.

import { button, element, fill, link, plural, quoted, unseen } from "../dom.js";
import { documentAddress } from "../documents/table.js";

const SHOWN_NAMES = 3;

export function paperList(choice, collection) {
  const boxes = choice.papers.map((paper, index) => boxOf(paper, `paper-${index}`, choice));
  const told = element("p", { class: "small soft" });
  const clear = button("Ask all", () => choice.clear(), { class: "quiet" });
  const follow = () => {
    for (const [at, paper] of choice.papers.entries()) boxes[at].checked = choice.chosen.has(paper.id);
    fill(told, choice.chosen.size ? `${plural(choice.chosen.size, "paper")} chosen.` : "None is chosen: all are asked.");
    clear.hidden = !choice.chosen.size;
  };
  choice.addEventListener("change", follow);
  follow();
  return element("section", { class: "card stack-tight paper-list", "aria-labelledby": "choose-papers" },
    element("div", { class: "row row-spread" }, element("h2", { id: "choose-papers" }, "Choose papers"), clear), told,
    element("ul", { class: "stack-tight" }, choice.papers.map((paper, index) => itemOf(paper, boxes[index], choice, collection))));
}

function boxOf(paper, id, choice) {
  const box = element("input", { type: "checkbox", id });
  box.addEventListener("change", () => choice.set(paper.id, box.checked));
  return box;
}

function itemOf(paper, box, choice, collection) {
  const alike = choice.alike(paper.id);
  return element("li", { class: "paper" },
    element("div", { class: "paper-head" }, box, element("label", { for: box.id }, quoted(paper.title))),
    element("div", { class: "small soft paper-told" },
      quoted(writtenBy(paper)), " ", link(documentAddress(paper.id, collection), "Read", unseen(` ${paper.title}`)),
      alike.length > 0 && element("details", {}, element("summary", {}, `like ${plural(alike.length, "other")}`, unseen(`: ${paper.title}`)),
        element("ul", {}, alike.map(([other, weight]) => element("li", {}, element("span", { class: "number" }, weight.toFixed(2)), " ", quoted(other.title)))))));
}

export function writtenBy(paper) {
  const names = paper.creators.slice(0, SHOWN_NAMES).join(", ");
  const more = paper.creators.length > SHOWN_NAMES ? " and others" : "";
  return [`${names}${more}`, paper.date.slice(0, 4)].filter(Boolean).join(", ");
}
