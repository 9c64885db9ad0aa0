// Rows of a query over the facts of a collection alone, not over where they were read.

import { request } from "../api.js";

// Each row by variable, as SPARQL 1.1 Query Results JSON has it.
export async function factRows(query, collection, signal) {
  const graph = collection === "default" ? "urn:graph:knowledge" : `urn:graph:knowledge:${collection}`;
  const response = await request("/sparql", { accept: "application/sparql-results+json", signal, query: { query, collection, "default-graph-uri": graph } });
  return (await response.json()).results.bindings;
}
