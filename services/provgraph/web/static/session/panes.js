// What stands beside the answer: each pane is { name, label, show(panel, proven) }, where `proven` has the proof, the
// lighting and the pages of the session.

import { append } from "../dom.js";
import { graphPane } from "./graph_pane.js";
import { Reader } from "./reader.js";

export const PANES = [
  {
    name: "source",
    label: "Source",
    show: (panel, { proof, lighting, pages }) => append(panel, new Reader(proof, lighting, pages).node),
  },
  { name: "graph", label: "Graph", show: graphPane },
];
