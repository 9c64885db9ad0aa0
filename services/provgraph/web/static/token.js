// The token of a service that asks for one: a person gives it, and the tab keeps it until it is closed.

import { button, element } from "./dom.js";

const KEPT_AS = "provgraph-token";
let kept = readKept();
let asking = null;

export function authorization() {
  return kept ? { Authorization: `Bearer ${latin1(kept)}` } : {};
}

// Resolves when a person has given another token than the one `refused`; however many requests wait, one asks.
export async function askForToken(refused, signal) {
  if (refused !== authorization().Authorization) return;
  asking ??= asked(Boolean(refused)).finally(() => { asking = null; });
  await asking;
  signal?.throwIfAborted();
}

// Sent from now on, kept by the tab.
export function useToken(token, { unlessThereIsOne = false } = {}) {
  if (unlessThereIsOne && kept) return;
  kept = token;
  keep(kept);
}

function asked(wasRefused) {
  return new Promise((resolve) => {
    const field = element("input", {
      id: "token-field", type: "password", autocomplete: "current-password", required: true,
      "aria-describedby": "token-why",
    });
    const why = wasRefused
      ? "The service did not accept that token. Look at PROVGRAPH_TOKEN where it was started."
      : "It was started with PROVGRAPH_TOKEN. This tab keeps the token until it is closed.";
    const form = element("form", { method: "dialog", class: "stack" },
      element("h2", { id: "token-title" }, "This service asks for a token"),
      element("p", { id: "token-why", class: wasRefused ? "warning" : "soft" }, why),
      element("label", { for: "token-field" }, "Token"), field,
      button("Go on", null, { type: "submit", class: "primary" }));
    const dialog = element("dialog", { class: "card", "aria-labelledby": "token-title" }, form);
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    form.addEventListener("submit", () => {
      useToken(field.value.trim());
      dialog.remove();
      resolve();
    });
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  });
}

// Headers hold bytes: the token goes as UTF-8, which is how the service reads it.
function latin1(text) {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function readKept() {
  try {
    return sessionStorage.getItem(KEPT_AS) ?? "";
  } catch {
    return "";
  }
}

function keep(token) {
  try {
    sessionStorage.setItem(KEPT_AS, token);
  } catch {
    // It lasts until the page is loaded anew.
  }
}
