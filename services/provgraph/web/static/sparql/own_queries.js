// Queries that a person keeps, by name, in this browser.

const KEPT_AS = "provgraph-queries";

export function ownQueries() {
  try {
    return new Map(Object.entries(JSON.parse(localStorage.getItem(KEPT_AS)) ?? {}));
  } catch {
    return new Map();
  }
}

// Raises the browser's error where it keeps nothing.
export function keepQuery(name, text) {
  keep(ownQueries().set(name, text));
}

export function dropQuery(name) {
  const queries = ownQueries();
  queries.delete(name);
  keep(queries);
}

function keep(queries) {
  localStorage.setItem(KEPT_AS, JSON.stringify(Object.fromEntries(queries)));
}
