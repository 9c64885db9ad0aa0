// A placed graph on a canvas, for thousands of facts: what is seen is drawn anew for each frame, in as much detail as fits.
// From afar a thing is a dot, and the things of which most is said have names; from near all is as in a Drawing.

import { element, tell } from "../dom.js";
import { edgeShape } from "./curves.js";
import { LINE, ORDER, extentOf, shiftLabels, thicknessOf } from "./drawing.js";

const NEAR = 0.45;
const NAMES = 80;
const NAME_PX = 12;
const REACH_PX = 14;
const AT_ONCE = 1000;
const REST_MS = 90;
const COLOURS = ["surface", "sunk", "ink", "ink-soft", "line-strong", "accent", "danger", "entity", "entity-tint", "metric", "metric-tint", "warning", "warning-tint", "mark-edge"];
const TINTS = { entity: ["entity", "entity-tint"], metric: ["metric", "metric-tint"], document: ["warning", "warning-tint"], value: ["line-strong", "sunk"] };
const LINES = { context: "line-strong", chosen: "ink-soft", cited: "danger" };

export class Painting {
  constructor(graph) {
    this.nodes = new Map(graph.nodes.map((node) => [node.id, { ...node, edges: [] }]));
    this.edges = graph.edges.map((edge) => ({ ...edge, thickness: thicknessOf(edge) })).sort((one, other) => ORDER.indexOf(one.emphasis) - ORDER.indexOf(other.emphasis));
    for (const edge of this.edges) {
      edge.ends = [this.nodes.get(edge.subject), this.nodes.get(edge.object)];
      for (const node of new Set(edge.ends)) node.edges.push(edge);
    }
    this.ranked = [...this.nodes.values()].sort((one, other) => other.edges.length - one.edges.length);
    this.lit = new Set();
    this.view = { x: 0, y: 0, scale: 1 };
    this.readable = 0;
    this.surface = element("canvas", { class: "graph-canvas", role: "application", tabindex: 0 });
    this.surface.addEventListener("pointermove", (event) => this.hover(event));
    for (const event of ["focus", "blur", "pointerleave"]) this.surface.addEventListener(event, () => this.repaint());
  }

  // Paints until `signal` ends it: after each move, and when size or colours change.
  begin(signal) {
    const anew = () => { this.colours = null; this.repaint(); };
    const sizes = new ResizeObserver(anew);
    const themes = new MutationObserver(anew);
    sizes.observe(this.surface);
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", anew, { signal });
    signal?.addEventListener("abort", () => { sizes.disconnect(); themes.disconnect(); }, { once: true });
  }

  describe() {}

  // While a large graph moves, what was painted last moves as a picture; it is painted anew when it rests.
  moveTo({ x, y, scale }) {
    this.view = { x, y, scale };
    if (!this.picture || this.edges.length < AT_ONCE) return this.repaint();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.repaint(), REST_MS);
    this.moving ??= requestAnimationFrame(() => { this.moving = null; this.movePicture(); });
  }

  movePicture() {
    const { surface, view, picture } = this;
    const pen = surface.getContext("2d");
    const by = view.scale / picture.view.scale;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, surface.width, surface.height);
    pen.drawImage(picture.copy, (view.x - picture.view.x * by) * picture.fine, (view.y - picture.view.y * by) * picture.fine, picture.copy.width * by, picture.copy.height * by);
  }

  keepPicture(fine) {
    const copy = this.picture?.copy ?? document.createElement("canvas");
    Object.assign(copy, { width: this.surface.width, height: this.surface.height });
    copy.getContext("2d").drawImage(this.surface, 0, 0);
    this.picture = { copy, fine, view: this.view };
  }

  // The node or edge at a place of the graph: a dot is met from some pixels away.
  partAt(event, point) {
    const reach = REACH_PX / this.view.scale;
    const within = (box) => Math.abs(point.x - box.x) <= box.width / 2 && Math.abs(point.y - box.y) <= box.height / 2;
    if (this.view.scale >= NEAR) return this.ranked.find(within) ?? this.edges.find(within);
    const far = (node) => Math.hypot(node.x - point.x, node.y - point.y);
    const nearest = this.ranked.reduce((best, node) => (far(node) < far(best) ? node : best), this.ranked[0]);
    return far(nearest) <= reach ? nearest : undefined;
  }

  // The thing under the pointer is named, however far away it is.
  hover({ offsetX, offsetY, buttons }) {
    const { x, y, scale } = this.view;
    const part = buttons ? this.hovered : this.partAt(null, { x: (offsetX - x) / scale, y: (offsetY - y) / scale });
    const node = part?.edges ? part : null;
    if (node === this.hovered) return;
    this.hovered = node;
    this.surface.style.cursor = node ? "pointer" : "";
    this.repaint();
  }

  shift(part, dx, dy) {
    part.x += dx;
    part.y += dy;
    for (const edge of shiftLabels(part, dx, dy)) edge.shape = null;
    this.repaint();
  }

  extent(passes = () => true) {
    return extentOf([...this.ranked, ...this.edges].filter(passes));
  }

  light(ids) {
    this.lit = new Set(this.edges.filter((edge) => ids.has(edge.id)));
    this.repaint();
  }

  // The thing at which the keyboard is; it is read out where somebody is at the keyboard.
  roam(node) {
    this.current = node;
    this.repaint();
  }

  focus(node) {
    this.roam(node);
    tell(`${node.label}, ${node.edges.length} facts`);
  }

  press(node) {
    this.pressed = node;
    this.repaint();
  }

  repaint() {
    this.waiting ??= requestAnimationFrame(() => { this.waiting = null; this.paint(); });
  }

  paint() {
    const { surface, view } = this;
    const { clientWidth: width, clientHeight: height } = surface;
    if (!width || !height) return;
    const fine = window.devicePixelRatio || 1;
    if (surface.width !== Math.round(width * fine) || surface.height !== Math.round(height * fine)) Object.assign(surface, { width: Math.round(width * fine), height: Math.round(height * fine) });
    this.colours ??= resolved(surface);
    const pen = surface.getContext("2d");
    pen.setTransform(fine, 0, 0, fine, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.setTransform(fine * view.scale, 0, 0, fine * view.scale, fine * view.x, fine * view.y);
    const seen = { left: -view.x / view.scale, top: -view.y / view.scale, right: (width - view.x) / view.scale, bottom: (height - view.y) / view.scale };
    const edges = this.edges.filter((edge) => isSeen(seen, edge.ends[0], edge.ends[1], edge));
    const nodes = this.ranked.filter((node) => isSeen(seen, node, node, node));
    if (view.scale >= NEAR) this.paintNear(pen, edges, nodes);
    else this.paintFar(pen, edges, nodes);
    if (this.edges.length >= AT_ONCE) this.keepPicture(fine);
  }

  paintFar(pen, edges, nodes) {
    const { colours, view: { scale } } = this;
    pen.lineWidth = 0.7 / scale;
    for (const emphasis of ORDER) {
      pen.strokeStyle = colours[LINES[emphasis]];
      pen.globalAlpha = emphasis === "context" ? 0.55 : 1;
      strokeLines(pen, edges.filter((edge) => edge.emphasis === emphasis));
    }
    pen.globalAlpha = 1;
    Object.assign(pen, { strokeStyle: colours["mark-edge"], lineWidth: 2.5 / scale });
    strokeLines(pen, edges.filter((edge) => this.lit.has(edge) || this.isOfPressed(edge)));
    for (const [kind, [colour]] of Object.entries(TINTS)) {
      pen.fillStyle = colours[colour];
      this.dots(pen, nodes.filter((node) => node.kind === kind));
      pen.fill();
    }
    for (const node of nodes.filter((each) => this.ringOf(each))) {
      this.dots(pen, [node]);
      this.stroke(pen, this.ringOf(node), 3 / scale);
    }
    this.paintNames(pen, nodes);
  }

  dots(pen, nodes) {
    pen.beginPath();
    for (const node of nodes) {
      const radius = this.radius(node);
      pen.moveTo(node.x + radius, node.y);
      pen.arc(node.x, node.y, radius, 0, 2 * Math.PI);
    }
  }

  // The names of those first that are chosen or have most facts; none over another.
  paintNames(pen, nodes) {
    const { colours, view: { scale } } = this;
    const taken = [];
    const first = [this.hovered, this.pressed, this.current].filter((node) => node && nodes.includes(node));
    Object.assign(pen, { font: `${NAME_PX / scale}px ${colours.font}`, textAlign: "left", textBaseline: "middle", lineWidth: 3 / scale, strokeStyle: colours.surface, fillStyle: colours.ink, lineJoin: "round" });
    for (const node of [...first, ...nodes]) {
      if (taken.length >= NAMES) break;
      const text = node.lines[0];
      const box = { x: node.x + this.radius(node) + 3 / scale, y: node.y, width: (text.length * NAME_PX * 0.6) / scale, height: (NAME_PX * 1.2) / scale };
      if (taken.some((other) => other.x < box.x + box.width && box.x < other.x + other.width && Math.abs(other.y - box.y) < box.height)) continue;
      taken.push(box);
      pen.strokeText(text, box.x, box.y);
      pen.fillText(text, box.x, box.y);
    }
  }

  paintNear(pen, edges, nodes) {
    const { colours } = this;
    for (const edge of edges) {
      edge.shape ??= shapeOf(edge);
      const isLit = this.lit.has(edge) || this.isOfPressed(edge);
      const colour = colours[isLit ? "mark-edge" : LINES[edge.emphasis]];
      Object.assign(pen, { strokeStyle: colour, fillStyle: colour, lineWidth: isLit ? 3 : edge.thickness });
      pen.stroke(edge.shape.line);
      if (edge.directed) pen.fill(edge.shape.head);
    }
    Object.assign(pen, { textAlign: "center", textBaseline: "middle" });
    for (const edge of edges) {
      pen.fillStyle = colours.surface;
      pen.fillRect(edge.x - edge.width / 2, edge.y - edge.height / 2, edge.width, edge.height);
      write(pen, edge, LINE.edge, `11.5px ${colours.font}`, colours[edge.emphasis === "cited" ? "danger" : "ink-soft"]);
    }
    for (const node of nodes) {
      const [line, tint] = TINTS[node.kind] ?? TINTS.value;
      pen.beginPath();
      pen.roundRect(node.x - node.width / 2, node.y - node.height / 2, node.width, node.height, node.kind === "entity" ? 13 : 3);
      pen.fillStyle = colours[tint];
      pen.fill();
      const ring = this.ringOf(node);
      this.stroke(pen, ring ?? colours[line], ring ? 3.5 : 1.5);
      write(pen, node, LINE.node, `14px ${colours.font}`, colours.ink);
    }
  }

  stroke(pen, colour, width) {
    Object.assign(pen, { strokeStyle: colour, lineWidth: width });
    pen.stroke();
  }

  ringOf(node) {
    if (node === this.pressed || node === this.hovered || (node === this.current && this.surface.matches(":focus-visible"))) return this.colours.accent;
    return node.edges.some((edge) => this.lit.has(edge)) ? this.colours["mark-edge"] : null;
  }

  isOfPressed(edge) {
    return Boolean(this.pressed) && (edge.subject === this.pressed.id || edge.object === this.pressed.id);
  }

  radius(node) {
    return Math.min(1.2 + 0.8 * Math.sqrt(node.edges.length), 14) / this.view.scale;
  }
}

// Whether the box around three boxes can be seen; asked of every edge in every frame.
function isSeen({ left, top, right, bottom }, one, other, third) {
  return Math.min(one.x - one.width / 2, other.x - other.width / 2, third.x - third.width / 2) <= right
    && Math.max(one.x + one.width / 2, other.x + other.width / 2, third.x + third.width / 2) >= left
    && Math.min(one.y - one.height / 2, other.y - other.height / 2, third.y - third.height / 2) <= bottom
    && Math.max(one.y + one.height / 2, other.y + other.height / 2, third.y + third.height / 2) >= top;
}

function strokeLines(pen, edges) {
  pen.beginPath();
  for (const { ends: [subject, object] } of edges) {
    pen.moveTo(subject.x, subject.y);
    pen.lineTo(object.x, object.y);
  }
  pen.stroke();
}

function shapeOf(edge) {
  const { line, head } = edgeShape(edge.ends[0], edge, edge.ends[1], edge.thickness, edge.directed);
  return { line: new Path2D(line), head: new Path2D(`M${head.split(" ").join("L")}Z`) };
}

function write(pen, { x, y, lines }, height, font, colour) {
  Object.assign(pen, { font, fillStyle: colour });
  const top = y - ((lines.length - 1) * height) / 2;
  lines.forEach((line, index) => pen.fillText(line, x, top + index * height));
}

// The colours of the design as they are now; a canvas knows no custom properties.
function resolved(surface) {
  const probe = element("span", { hidden: true });
  surface.after(probe);
  const colours = { font: getComputedStyle(surface).fontFamily };
  for (const name of COLOURS) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}
