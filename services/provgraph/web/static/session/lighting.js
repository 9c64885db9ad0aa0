// What is lit: whatever belongs to the thing under the pointer or the focus, or to the thing that was pressed last.

import { NOTHING } from "./proof.js";

// "change" is dispatched when something else is lit; `lit` then holds the edges, chunks, places and sentences.
export class Lighting extends EventTarget {
  constructor() {
    super();
    this.lit = NOTHING;
    this.kept = NOTHING;
    this.keeper = null;
    this.nodes = [];
    this.under = [];
  }

  // Marks `node` with data-lit whenever `kind` ("edges", "places" …) holds `key`.
  mark(kind, key, node) {
    this.nodes.push({ kind, key, node });
    node.toggleAttribute("data-lit", this.lit[kind].has(key));
  }

  // Lights what `around()` gives while `node` is under the pointer or has the focus; a press keeps it. Of things within
  // one another the innermost is lit.
  react(node, around, { press = node } = {}) {
    const own = { around };
    node.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") this.pointAt([...this.under, own]);
    });
    node.addEventListener("pointerleave", () => this.pointAt(this.under.filter((each) => each !== own)));
    node.addEventListener("focusin", (event) => {
      event.stopPropagation();
      this.show(around());
    });
    node.addEventListener("focusout", () => this.show(this.kept));
    press?.addEventListener("click", () => this.keep(press, around()));
  }

  pointAt(under) {
    this.under = under;
    this.show(under.length ? under.at(-1).around() : this.kept);
  }

  keep(keeper, what) {
    const again = this.keeper === keeper;
    this.keeper?.setAttribute("aria-pressed", "false");
    this.keeper = again ? null : keeper;
    this.keeper?.setAttribute("aria-pressed", "true");
    this.kept = again ? NOTHING : what;
    this.show(what, { pressed: !again });
  }

  release() {
    if (this.keeper) this.keep(this.keeper, NOTHING);
    this.show(NOTHING);
  }

  show(what, { pressed = false } = {}) {
    this.lit = what;
    for (const { kind, key, node } of this.nodes) node.toggleAttribute("data-lit", what[kind].has(key));
    this.dispatchEvent(new CustomEvent("change", { detail: { pressed } }));
  }
}
