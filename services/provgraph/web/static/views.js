// The views there are. `name` is the first part of the hash; a view without `label` is reached by links alone.
// `under` names the view that the bar shows for it. A module exports `show(main, parameters)`: `parameters.id` is the
// rest of the hash, `parameters.query` what follows its question mark, `parameters.signal` is aborted when the view is
// left, and `parameters.markUnder(name)` lets the bar show another view for it.

export const VIEWS = [
  { name: "ask", label: "Ask", load: () => import("./views/ask.js") },
  { name: "session", under: "ask", load: () => import("./views/session.js") },
  { name: "claims", label: "Claims", load: () => import("./views/claims.js") },
  { name: "check", under: "claims", load: () => import("./views/check.js") },
  { name: "papers", label: "Papers", load: () => import("./views/papers.js") },
  { name: "documents", label: "Documents", load: () => import("./views/documents.js") },
  { name: "access", under: "documents", load: () => import("./views/access.js") },
  { name: "graph", label: "Graph", load: () => import("./views/graph.js") },
  { name: "traces", label: "Traces", load: () => import("./views/traces.js") },
  { name: "sparql", label: "SPARQL", load: () => import("./views/sparql.js") },
];

export const FIRST = VIEWS[0];
