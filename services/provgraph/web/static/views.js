// The views there are. `name` is the first part of the hash; a view without `label` is reached by links alone.
// `under` names the view that the bar shows for it. A module exports `show(main, parameters)`: `parameters.id` is the rest of the hash, `parameters.query` what follows
// its question mark, `parameters.signal` is aborted when the view is left.

export const VIEWS = [
  { name: "ask", label: "Ask", load: () => import("./views/ask.js") },
  { name: "session", under: "ask", load: () => import("./views/session.js") },
  { name: "documents", label: "Documents", load: () => import("./views/documents.js") },
];

export const FIRST = VIEWS[0];
