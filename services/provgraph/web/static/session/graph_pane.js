// The graph beside the answer: what is lit there is lit here, and the other way round.

import { element } from "../dom.js";
import { mountGraph } from "../graph.js";

export function graphPane(panel, { proof, lighting, signal }) {
  const around = (id) => proof.aroundEdge(proof.edgeById.get(id));
  const keepers = new Map(proof.edges.map((edge) => [edge.id, element("span")]));
  const graph = mountGraph(panel, proof.trace.session, {
    signal,
    overEdge: (id) => lighting.show(proof.edgeById.has(id) ? around(id) : lighting.kept),
    onEdge: (id) => { if (proof.edgeById.has(id)) lighting.keep(keepers.get(id), around(id)); },
  });
  const follow = () => graph.highlight(lighting.lit.edges);
  lighting.addEventListener("change", follow);
  follow();
}
