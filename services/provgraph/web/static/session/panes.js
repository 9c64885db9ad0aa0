// What stands beside the answer: each pane is { name, label, show(panel, proven) }, where `proven` has the proof, the
// lighting, the pages and the pictures of the session.

import { append } from "../dom.js";
import { graphPane } from "./graph_pane.js";
import { Reader } from "./reader.js";

export const PANES = [
  {
    name: "source",
    label: "Source",
    show: (panel, proven) => append(panel, new Reader(proven).node),
  },
  { name: "graph", label: "Graph", show: graphPane },
];
