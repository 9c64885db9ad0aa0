// Past sessions, or what changed from one to another.

import { differenceView } from "../traces/difference.js";
import { traceList } from "../traces/list.js";

export function show(main, parameters) {
  return parameters.id ? differenceView(main, parameters) : traceList(main, parameters);
}
