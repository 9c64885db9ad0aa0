// Copying, and saving as a file: a control does it and says what became of it.

import { button, element, tell } from "./dom.js";

const SAID_MS = 3000;

// `make()` gives the words to copy, or promises them. Where the browser allows no copy, `instead()` is called.
export function copyButton(label, make, { copied = "Copied", instead = () => {}, ...properties } = {}) {
  return button(label, async (event) => {
    const control = event.target;
    try {
      const words = await make();
      const done = await written(words);
      control.textContent = done ? copied : instead(words) ?? label;
      if (done) tell(`${copied}.`);
    } catch (error) {
      if (error.name === "AbortError") return;
      control.textContent = "It failed";
      tell(error.detail ?? error.message);
    }
    setTimeout(() => { control.textContent = label; }, SAID_MS);
  }, properties);
}

// `make()` gives the blob, or promises it.
export function saveButton(label, filename, make, properties = {}) {
  return button(label, async (event) => {
    const control = event.target;
    control.disabled = true;
    try {
      saveAs(filename, await make());
    } catch (error) {
      if (error.name !== "AbortError") tell(error.detail ?? error.message);
    } finally {
      control.disabled = false;
    }
  }, properties);
}

export function saveAs(filename, blob) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: filename }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// Controls that come out of one control; Escape, a choice or another place of the page closes them.
export function menu(label, ...controls) {
  const node = element("details", { class: "menu" }, element("summary", {}, label), element("div", { class: "menu-controls card" }, controls));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    event.stopPropagation();
    node.open = false;
    node.querySelector("summary").focus();
  });
  node.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !node.contains(event.relatedTarget)) node.open = false;
  });
  return node;
}

async function written(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
}
