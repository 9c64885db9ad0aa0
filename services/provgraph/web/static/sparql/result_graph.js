// Results of a query as a graph: triples as they are, and of any other row its first value with each of the others.

import { link, quoted } from "../dom.js";
import { mountPlacedGraph } from "../graph.js";
import { placed } from "../graph/placing.js";
import { addressOf, shortened } from "./results.js";

const MOST = 400;
const TRIPLE = [/^(s|subject)$/i, /^(p|predicate|relation|property)$/i, /^(o|object)$/i];
const STATEMENT = /^(<[^>]*>|_:\S+)\s+<([^>]*)>\s+(?:(<[^>]*>|_:\S+)|"((?:[^"\\]|\\.)*)"(?:@[\w-]+|\^\^<[^>]*>)?)\s*\.\s*$/;
const ENTITY = "http://trustgraph.ai/e/";

// The triples of SPARQL 1.1 Query Results JSON.
export function triplesOfRows({ head, results }) {
  const own = TRIPLE.map((name) => head.vars.find((each) => name.test(each)));
  return results.bindings.slice(0, MOST).flatMap((row) => {
    const inside = Object.values(row).filter((term) => term.type === "triple").map(({ value }) => [value.subject, value.predicate.value, value.object]);
    if (inside.length) return inside;
    if (own.every((name) => name && row[name])) return [[row[own[0]], row[own[1]].value, row[own[2]]]];
    const [first, ...others] = head.vars.filter((name) => row[name]);
    return others.map((name) => [row[first], name, row[name]]);
  });
}

// The triples of N-Triples; those about quoted triples are left out.
export function triplesOfText(text) {
  return text.split("\n").slice(0, MOST).map((line) => STATEMENT.exec(line)).filter(Boolean)
    .map(([, subject, predicate, node, value]) => [nodeTerm(subject), predicate, node ? nodeTerm(node) : { type: "literal", value: JSON.parse(`"${value}"`) }]);
}

function nodeTerm(written) {
  return written.startsWith("<") ? { type: "uri", value: written.slice(1, -1) } : { type: "bnode", value: written };
}

export function showResultGraph(host, triples, collection, signal) {
  const nodes = new Map();
  const edges = new Map();
  const nodeOf = (term) => {
    const id = `${term.type} ${term.value}`;
    nodes.set(id, { id, label: labelOf(term), kind: term.type === "uri" ? "entity" : "value", value: term });
    return id;
  };
  for (const [subject, predicate, object] of triples.slice(0, MOST)) {
    const edge = { subject: nodeOf(subject), object: nodeOf(object), label: labelOf({ type: "uri", value: predicate }) };
    const id = [edge.subject, predicate, edge.object].join(" ");
    edges.set(id, { ...edge, id });
  }
  const graph = placed([...nodes.values()], [...edges.values()], collection);
  const about = ({ value, label }) => value.type === "uri" ? link(addressOf(value.value, collection), quoted(value.value)) : quoted(label);
  const hint = () => `${triples.length > MOST ? `The first ${MOST} edges. ` : ""}Choose a thing to follow it.`;
  mountPlacedGraph(host, { graph, hint, empty: "The results have nothing to draw." }, { signal, actions: about });
}

function labelOf({ type, value }) {
  if (type !== "uri") return String(typeof value === "string" ? value : "⟪…⟫");
  const short = shortened(value);
  return value.startsWith(ENTITY) ? short.replace(/^e:/, "") : short;
}
