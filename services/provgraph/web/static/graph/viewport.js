// The part of a picture that is seen: moved and scaled by pointer, wheel, fingers, keys and buttons.

const SMALLEST = 0.02;
const LARGEST = 4;
const READABLE = 0.6;
const STEP = 1.25;
const PAN = 60;
const MARGIN = 16;

export class Viewport {
  // `drawing` shows what is seen of it on its surface; `onDrag(part, dx, dy)` tells whether it moved something else.
  constructor(drawing, { onDrag }) {
    const canvas = drawing.surface;
    Object.assign(this, { canvas, drawing, onDrag, x: 0, y: 0, scale: 1, pointers: new Map(), dragged: false });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  // All of { x, y, width, height }; with `heart` as much of that as can be read, where all would be too small.
  fit(whole, heart = null) {
    const { width, height } = this.canvas.getBoundingClientRect();
    if (!width || !height) return;
    const scaleOf = (box) => Math.min((width - 2 * MARGIN) / box.width, (height - 2 * MARGIN) / box.height, 1.25);
    const readable = this.drawing.readable ?? READABLE;
    const all = !heart || scaleOf(whole) >= readable;
    const box = all ? whole : heart;
    this.scale = Math.max(scaleOf(box), all ? 0 : Math.min(readable, scaleOf(whole) * 3), SMALLEST);
    this.x = width / 2 - (box.x + box.width / 2) * this.scale;
    this.y = height / 2 - (box.y + box.height / 2) * this.scale;
    this.apply();
  }

  zoom(factor, at = null) {
    const { width, height } = this.canvas.getBoundingClientRect();
    const point = at ?? { x: width / 2, y: height / 2 };
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.scale * factor));
    this.x = point.x - ((point.x - this.x) / this.scale) * scale;
    this.y = point.y - ((point.y - this.y) / this.scale) * scale;
    this.scale = scale;
    this.apply();
  }

  larger() { this.zoom(STEP); }
  smaller() { this.zoom(1 / STEP); }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.apply();
  }

  // Moves only where the box would not be seen.
  reveal(box) {
    const { width, height } = this.canvas.getBoundingClientRect();
    const [x, y] = [box.x * this.scale + this.x, box.y * this.scale + this.y];
    const [halfWidth, halfHeight] = [(box.width * this.scale) / 2 + MARGIN, (box.height * this.scale) / 2 + MARGIN];
    this.pan(shift(x, halfWidth, width), shift(y, halfHeight, height));
  }

  apply() {
    this.drawing.moveTo(this);
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), this.local(event));
  }

  down(event) {
    if (event.button !== 0) return;
    this.dragged = false;
    this.pointers.set(event.pointerId, { ...this.local(event), part: this.partAt(event), travelled: 0 });
  }

  move(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const now = this.local(event);
    const [dx, dy] = [now.x - last.x, now.y - last.y];
    const travelled = last.travelled + Math.hypot(dx, dy);
    this.pointers.set(event.pointerId, { ...last, ...now, travelled });
    if (travelled > 4 && !this.dragged) {
      this.dragged = true;
      this.canvas.setPointerCapture(event.pointerId);
    }
    if (this.pointers.size === 2) this.pinch(event.pointerId, last, now);
    else if (this.dragged && !this.onDrag(last.part, dx / this.scale, dy / this.scale)) this.pan(dx, dy);
  }

  pinch(id, last, now) {
    const [other] = [...this.pointers.entries()].filter(([each]) => each !== id).map(([, each]) => each);
    const before = Math.hypot(last.x - other.x, last.y - other.y) || 1;
    this.zoom(Math.hypot(now.x - other.x, now.y - other.y) / before, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") this.larger();
    else if (event.key === "-") this.smaller();
    else if (event.shiftKey && PANS[event.key]) this.pan(...PANS[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  partAt(event) {
    const { x, y } = this.local(event);
    return this.drawing.partAt(event, { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale });
  }

  local(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

const PANS = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] };

function shift(at, half, size) {
  if (at - half < 0) return half - at;
  return at + half > size ? size - half - at : 0;
}
