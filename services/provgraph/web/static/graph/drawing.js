// A placed graph as SVG elements: each node and each edge a group that can be lit, and edges that follow their nodes.

import { svg } from "../dom.js";
import { edgeShape } from "./curves.js";

const LINE = { node: 17.5, edge: 14.4 };
const ORDER = ["context", "chosen", "cited"];

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
  }

  drawEdge(edge) {
    edge.path = svg("path", { class: "graph-line" });
    edge.head = svg("polygon", { class: "graph-head" });
    edge.thickness = edge.emphasis === "context" ? 1 : (edge.emphasis === "cited" ? 2 : 1.4) + 1.6 * edge.weight;
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

  // The node or edge that an element is part of.
  partOf(target) {
    const group = target.closest?.("g.graph-node, g.graph-label");
    return group ? this.ofElement.get(group) : undefined;
  }

  // A node takes the labels of its edges half the way with it; a label goes alone.
  shift(part, dx, dy) {
    part.x += dx;
    part.y += dy;
    if (!part.edges) return this.route(part);
    place(part);
    for (const edge of part.edges) {
      const share = edge.subject === edge.object ? 1 : 0.5;
      edge.x += dx * share;
      edge.y += dy * share;
      this.route(edge);
    }
  }

  // The box around all nodes and labels that pass.
  extent(passes = () => true) {
    const boxes = [...this.nodes.values(), ...this.edges].filter(passes);
    if (!boxes.length) return { x: 0, y: 0, width: 1, height: 1 };
    const left = Math.min(...boxes.map((box) => box.x - box.width / 2));
    const top = Math.min(...boxes.map((box) => box.y - box.height / 2));
    return {
      x: left,
      y: top,
      width: Math.max(...boxes.map((box) => box.x + box.width / 2)) - left,
      height: Math.max(...boxes.map((box) => box.y + box.height / 2)) - top,
    };
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
