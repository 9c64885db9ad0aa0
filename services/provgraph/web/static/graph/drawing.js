// A placed graph as SVG elements: each node and each edge a group that can be lit, and edges that follow their nodes.

import { svg } from "../dom.js";
import { edgeShape } from "./curves.js";

export const LINE = { node: 17.5, edge: 14.4 };
export const ORDER = ["context", "chosen", "cited"];

// Drawing and Painting show the same graph, one as elements, the other on a canvas, and are asked the same.
export class Drawing {
  // `graph` is a PlacedGraph of the service.
  constructor(graph) {
    this.nodes = new Map(graph.nodes.map((node) => [node.id, { ...node, edges: [] }]));
    this.edges = graph.edges.map((edge) => ({ ...edge }))
      .sort((one, other) => ORDER.indexOf(one.emphasis) - ORDER.indexOf(other.emphasis));
    this.ofElement = new WeakMap();
    for (const edge of this.edges) this.drawEdge(edge);
    for (const node of this.nodes.values()) this.drawNode(node);
    const edges = svg("g", {}, this.edges.map((edge) => edge.line), this.edges.map((edge) => edge.group));
    this.layer = svg("g", {}, edges, svg("g", {}, [...this.nodes.values()].map((node) => node.group)));
    this.surface = svg("svg", { class: "graph-canvas", role: "group" }, this.layer);
  }

  begin() {}

  // How a node is named to a screen reader; `onFocus` is called when the keyboard comes to it.
  describe(node, name, onFocus) {
    for (const [attribute, value] of Object.entries({ role: "button", "aria-label": name, "aria-pressed": "false", tabindex: -1 })) node.group.setAttribute(attribute, value);
    node.group.addEventListener("focus", onFocus);
  }

  // Of all nodes one is in the order of Tab: the one that had the focus last.
  roam(node) {
    this.current?.group.setAttribute("tabindex", "-1");
    this.current = node;
    node.group.setAttribute("tabindex", "0");
  }

  focus(node) {
    node.group.focus({ preventScroll: true });
  }

  // The one node that is chosen, or none.
  press(node) {
    this.pressed?.group.setAttribute("aria-pressed", "false");
    this.pressed = node;
    node?.group.setAttribute("aria-pressed", "true");
  }

  moveTo({ x, y, scale }) {
    this.layer.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(4)})`);
  }

  drawEdge(edge) {
    edge.path = svg("path", { class: "graph-line" });
    edge.head = svg("polygon", { class: "graph-head" });
    edge.thickness = thicknessOf(edge);
    edge.path.setAttribute("stroke-width", edge.thickness.toFixed(1));
    edge.line = svg("g", { class: `graph-edge ${edge.emphasis}` }, edge.path, edge.directed && edge.head);
    edge.group = svg("g", { class: `graph-edge graph-label ${edge.emphasis}` }, rectangle(edge, 3), words(edge, LINE.edge));
    this.ofElement.set(edge.group, edge);
    for (const id of new Set([edge.subject, edge.object])) this.nodes.get(id).edges.push(edge);
    this.route(edge);
  }

  drawNode(node) {
    const corner = { entity: 13, metric: 3 }[node.kind] ?? 0;
    node.group = svg("g", { class: `graph-node ${node.kind}` },
      svg("title", {}, node.detail ? `${node.label} (${node.detail})` : node.label), rectangle(node, corner), words(node, LINE.node));
    this.ofElement.set(node.group, node);
    place(node);
  }

  route(edge) {
    const { line, head } = edgeShape(this.nodes.get(edge.subject), edge, this.nodes.get(edge.object), edge.thickness, edge.directed);
    edge.path.setAttribute("d", line);
    edge.head.setAttribute("points", head);
    place(edge);
  }

  // The node or edge that an event is about.
  partAt(event) {
    const group = event.target.closest?.("g.graph-node, g.graph-label");
    return group ? this.ofElement.get(group) : undefined;
  }

  shift(part, dx, dy) {
    part.x += dx;
    part.y += dy;
    if (part.edges) place(part);
    for (const edge of shiftLabels(part, dx, dy)) this.route(edge);
  }

  // The box around all nodes and labels that pass.
  extent(passes = () => true) {
    return extentOf([...this.nodes.values(), ...this.edges].filter(passes));
  }

  // Lights these edges and their ends; what is not lit steps back while anything is.
  light(ids) {
    const lit = new Set(this.edges.filter((edge) => ids.has(edge.id)));
    this.layer.classList.toggle("graph-dimmed", lit.size > 0);
    for (const edge of this.edges) {
      edge.line.toggleAttribute("data-lit", lit.has(edge));
      edge.group.toggleAttribute("data-lit", lit.has(edge));
    }
    for (const node of this.nodes.values()) node.group.toggleAttribute("data-lit", node.edges.some((edge) => lit.has(edge)));
  }
}

export function thicknessOf({ emphasis, weight }) {
  return emphasis === "context" ? 1 : (emphasis === "cited" ? 2 : 1.4) + 1.6 * weight;
}

// A node that moves takes the labels of its edges half the way with it; a label goes alone. Gives the edges that changed.
export function shiftLabels(part, dx, dy) {
  if (!part.edges) return [part];
  for (const edge of part.edges) {
    const share = edge.subject === edge.object ? 1 : 0.5;
    edge.x += dx * share;
    edge.y += dy * share;
  }
  return part.edges;
}

// The box around all of these.
export function extentOf(boxes) {
  if (!boxes.length) return { x: 0, y: 0, width: 1, height: 1 };
  const sides = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, width, height } of boxes) {
    sides.left = Math.min(sides.left, x - width / 2);
    sides.top = Math.min(sides.top, y - height / 2);
    sides.right = Math.max(sides.right, x + width / 2);
    sides.bottom = Math.max(sides.bottom, y + height / 2);
  }
  return { x: sides.left, y: sides.top, width: sides.right - sides.left, height: sides.bottom - sides.top };
}

function place(part) {
  part.group.setAttribute("transform", `translate(${part.x.toFixed(1)} ${part.y.toFixed(1)})`);
}

function rectangle({ width, height }, corner) {
  return svg("rect", { x: -width / 2, y: -height / 2, width, height, rx: corner });
}

function words({ lines }, height) {
  const top = (-(lines.length - 1) * height) / 2;
  return lines.map((line, index) => svg("text", { y: top + index * height, "dominant-baseline": "central", "text-anchor": "middle" }, line));
}
