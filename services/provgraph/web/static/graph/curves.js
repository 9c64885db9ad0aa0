// Lines of edges: curves from box to box through the place of a label, as the server draws them in a picture.

const HEAD = 8;
const HALF_WIDTH = 3.2;
const LOOP = 0.7;

// { line, head } as the `d` of a path and the `points` of a polygon; boxes are { x, y, width, height } around a centre.
// The line ends where its head begins, unless it has none.
export function edgeShape(subject, label, object, thickness, headed = true) {
  const { start, control, end } = subject === object ? loop(subject, label) : curve(subject, label, object);
  const length = Math.hypot(end.x - control.x, end.y - control.y) || 1;
  const dx = (end.x - control.x) / length;
  const dy = (end.y - control.y) / length;
  const foot = { x: end.x - (HEAD + thickness) * dx, y: end.y - (HEAD + thickness) * dy };
  const half = HALF_WIDTH + thickness / 2;
  const corners = [end, { x: foot.x - half * dy, y: foot.y + half * dx }, { x: foot.x + half * dy, y: foot.y - half * dx }];
  return { line: `M${at(start)} Q${at(control)} ${at(headed ? foot : end)}`, head: corners.map(at).join(" ") };
}

function curve(subject, label, object) {
  const aim = controlOf(subject, label, object);
  return through(rim(subject, aim), label, rim(object, aim));
}

function loop(box, label) {
  const aside = { x: (label.y - box.y) * LOOP, y: (box.x - label.x) * LOOP };
  return through(
    rim(box, { x: label.x + aside.x, y: label.y + aside.y }), label,
    rim(box, { x: label.x - aside.x, y: label.y - aside.y }));
}

function through(start, label, end) {
  return { start, control: controlOf(start, label, end), end };
}

// What bends a curve so that its middle is the middle of the label.
function controlOf(start, label, end) {
  return { x: 2 * label.x - (start.x + end.x) / 2, y: 2 * label.y - (start.y + end.y) / 2 };
}

// Where the way from a box's centre to a point leaves the box.
function rim(box, point) {
  const dx = point.x - box.x;
  const dy = point.y - box.y;
  if (!dx && !dy) return { x: box.x, y: box.y - box.height / 2 };
  const reach = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity, dy ? box.height / 2 / Math.abs(dy) : Infinity);
  return { x: box.x + dx * reach, y: box.y + dy * reach };
}

function at(point) {
  return `${point.x.toFixed(1)},${point.y.toFixed(1)}`;
}
