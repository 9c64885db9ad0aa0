// Which papers are chosen, and what is known of all; "change" is dispatched when another is.

export class PaperChoice extends EventTarget {
  // `known` is what /api/v1/research/papers gives.
  constructor(known) {
    super();
    this.papers = known.papers;
    this.byId = new Map(known.papers.map((paper) => [paper.id, paper]));
    this.likenesses = known.likenesses;
    this.chosen = new Set();
  }

  set(id, chosen) {
    if (chosen) this.chosen.add(id);
    else this.chosen.delete(id);
    this.dispatchEvent(new Event("change"));
  }

  clear() {
    this.chosen.clear();
    this.dispatchEvent(new Event("change"));
  }

  // The papers like one, the likest first, as [paper, weight].
  alike(id) {
    return this.likenesses
      .filter((each) => each.papers.includes(id))
      .map((each) => [this.byId.get(each.papers.find((other) => other !== id)), each.weight])
      .sort((one, other) => other[1] - one[1]);
  }
}
