// An error as a person sees it: what is wrong, what to do, and how to try again.

import { button, element, quoted } from "./dom.js";

export function problemCard(error, { onRetry, heading = "h2" } = {}) {
  const title = error.title ?? "The page failed";
  const detail = error.detail ?? `${error.message}. Load the page anew; if that does not help, please report it.`;
  if (error.title === undefined) console.error(error);
  return element("div", { class: "card problem", role: "alert" },
    element(heading, { class: "problem-title" }, quoted(title)),
    detail && element("p", {}, quoted(detail)),
    onRetry && button("Try again", onRetry, { class: "secondary" }));
}
