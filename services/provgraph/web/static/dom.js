// Elements made of values. Whatever comes from a document, a question or a model becomes a text node and never markup.

const SVG = "http://www.w3.org/2000/svg";
const ADDRESSES = new Set(["href", "src", "xlink:href", "action", "formaction"]);
const SAFE_ADDRESS = /^(?:#|\/(?!\/)|blob:|https?:\/\/)/i;

// element("p", { class: "lead", on: { click } }, "text", child, [more]); null, undefined and false are left out.
export function element(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

export function svg(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
  return parent;
}

export function append(parent, ...children) {
  parent.append(...nodes(children));
  return parent;
}

// Words that somebody else wrote: their direction, and any override in them, ends where they end.
export function quoted(text, properties = {}) {
  return element("bdi", { dir: "auto", ...properties }, text);
}

export function button(label, onClick, properties = {}) {
  return element("button", { type: "button", on: { click: onClick }, ...properties }, label);
}

// The beginning of a long text, such as one that was checked.
export function beginning(text, most = 300) {
  return text.length > most ? `${text.slice(0, most).trimEnd()}…` : text;
}

// A link that leads to a view of the page.
export function link(hash, ...children) {
  return element("a", { href: hash }, ...children);
}

// For screen readers alone.
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

// Says something to people who do not see the page change; the same words twice are said twice.
export function tell(text) {
  const region = document.getElementById("told");
  region.textContent = "";
  requestAnimationFrame(() => { region.textContent = text; });
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

let identities = 0;

export function freshId(prefix) {
  identities += 1;
  return `${prefix}-${identities}`;
}

function filled(made, properties, children) {
  for (const [name, value] of Object.entries(properties)) set(made, name, value);
  made.append(...nodes(children));
  return made;
}

function set(made, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "on") {
    for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
  } else if (name === "data") {
    for (const [key, datum] of Object.entries(value)) made.dataset[key] = datum;
  } else if (name === "style") {
    for (const [property, measure] of Object.entries(value)) made.style.setProperty(property, measure);
  } else if (/^on/i.test(name) || name === "srcdoc") {
    throw new TypeError(`${name} is set with { on: { … } } or not at all`);
  } else if (!ADDRESSES.has(name) || SAFE_ADDRESS.test(String(value))) {
    made.setAttribute(name, value === true ? "" : String(value));
  }
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}
