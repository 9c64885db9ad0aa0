// Places for the things and edges of a small graph that only the page knows, such as the results of a query: the same
// values that the service gives of graphs that it lays out itself. Fruchterman and Reingold, 1991.

const ROUNDS = 150;
const APART = 150;
const FLAT = 1.4;
const GRAVITY = 0.6;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

// `nodes` are { id, label, kind, term }, `edges` { id, subject, object, label } between the ids of nodes.
export function placed(nodes, edges, collection) {
  const points = nodes.map((node, index) => ({
    ...node, detail: "", ...boxOf(node.label, 14, 24),
    x: APART * Math.sqrt(index) * Math.cos(index * GOLDEN_ANGLE), y: APART * Math.sqrt(index) * Math.sin(index * GOLDEN_ANGLE),
  }));
  const at = new Map(points.map((point) => [point.id, point]));
  const links = edges.map((edge) => [at.get(edge.subject), at.get(edge.object)]);
  for (let round = 0; round < ROUNDS; round += 1) step(points, links, APART * 2 * (1 - round / ROUNDS));
  for (const point of points) point.x *= FLAT;
  const beside = new Map();
  const relations = edges.map((edge, index) => {
    const [subject, object] = links[index];
    const ends = [edge.subject, edge.object].sort().join("\n");
    const before = beside.get(ends) ?? 0;
    beside.set(ends, before + 1);
    const aside = subject === object ? -70 - 40 * before : 28 * before;
    return { weight: 0, emphasis: "context", directed: true, ...edge, ...boxOf(edge.label, 11.5, 8), x: (subject.x + object.x) / 2, y: (subject.y + object.y) / 2 + aside };
  });
  return { nodes: points, edges: relations, collection };
}

function step(points, links, heat) {
  for (const point of points) Object.assign(point, { dx: -point.x * GRAVITY, dy: -point.y * GRAVITY });
  for (let one = 0; one < points.length; one += 1) {
    for (let other = one + 1; other < points.length; other += 1) push(points[one], points[other], -(APART ** 2));
  }
  for (const [subject, object] of links) push(subject, object, Math.hypot(subject.x - object.x, subject.y - object.y) ** 3 / APART);
  for (const point of points) {
    const force = Math.hypot(point.dx, point.dy) || 1;
    point.x += (point.dx / force) * Math.min(force, heat);
    point.y += (point.dy / force) * Math.min(force, heat);
  }
}

// Draws two points together by `strength` over their distance squared, or pushes them apart where it is below zero.
function push(one, other, strength) {
  const [dx, dy] = [other.x - one.x || 0.1, other.y - one.y];
  const by = strength / (dx * dx + dy * dy);
  one.dx += dx * by;
  one.dy += dy * by;
  other.dx -= dx * by;
  other.dy -= dy * by;
}

function boxOf(label, size, around) {
  const line = label.length > 28 ? `${label.slice(0, 27)}…` : label;
  return { lines: [line || " "], width: Math.max(line.length, 1) * size * 0.58 + around, height: size * 1.25 + around / 2 };
}
