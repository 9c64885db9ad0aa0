// A question put before something is done that cannot be undone, or what is needed for it.

import { append, element, freshId } from "./dom.js";

// Opens with `title` above `content`; gone when it is closed, or with its view. A form in it is sent without a reload.
export function openDialog(title, content, signal) {
  const heading = freshId("dialog");
  const dialog = element("dialog", { class: "card stack", "aria-labelledby": heading }, element("h2", { id: heading }, title), content);
  dialog.addEventListener("close", () => dialog.remove());
  signal.addEventListener("abort", () => dialog.close(), { once: true });
  append(document.body, dialog);
  dialog.showModal();
  return dialog;
}
