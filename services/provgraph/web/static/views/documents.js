// The documents of a collection, or one of them down to its facts.

import { documentView } from "../documents/document.js";
import { documentList } from "../documents/list.js";

export function show(main, parameters) {
  return parameters.id ? documentView(main, parameters) : documentList(main, parameters);
}
