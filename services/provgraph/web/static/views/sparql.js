// A query of one's own, or a saved one with its parameters, over facts and provenance.

import { json, request } from "../api.js";
import { saveButton } from "../clipboard.js";
import { openDialog } from "../dialog.js";
import { append, button, element, fill, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";
import { completion } from "../sparql/completion.js";
import { highlighting } from "../sparql/highlighting.js";
import { dropQuery, keepQuery, ownQueries } from "../sparql/own_queries.js";
import { showResultGraph, triplesOfRows, triplesOfText } from "../sparql/result_graph.js";
import { showResults } from "../sparql/results.js";

const FIRST = `SELECT ?subject ?predicate ?object ?chunk WHERE {
  ?subgraph tg:contains <<( ?subject ?predicate ?object )>> ; prov:wasDerivedFrom ?chunk .
} LIMIT 20`;
const OWN = "";
const KEPT = "kept:";
const DOWNLOADS = [
  { name: "CSV", accept: "text/csv", ending: "csv" },
  { name: "JSON", accept: "application/sparql-results+json", ending: "json" },
];

export async function show(main, { query, signal }) {
  const [saved, collections] = await Promise.all([json("/api/v1/queries", { signal }), json("/api/v1/collections", { signal })]);
  const form = new QueryForm(saved, collections, query.get("collection") ?? "default", signal);
  append(main, element("div", { class: "stack" }, element("h1", {}, "SPARQL"), form.node));
  const about = query.get("about");
  const named = saved.find((each) => each.name === query.get("saved"));
  if (about) await form.runText(aboutQuery(about));
  else if (named) form.choose(named.name);
}

// Everything that is said of a thing, in either place.
function aboutQuery(value) {
  const thing = `<${value.replace(/[<>"{}|^`\\\s]/g, (char) => encodeURIComponent(char))}>`;
  return `SELECT ?subject ?predicate ?object WHERE {\n  { ${thing} ?predicate ?object BIND(${thing} AS ?subject) }\n  UNION\n  { ?subject ?predicate ${thing} BIND(${thing} AS ?object) }\n} LIMIT 200`;
}

class QueryForm {
  constructor(saved, collections, collection, signal) {
    Object.assign(this, { saved, signal, running: null });
    this.text = element("textarea", { id: "query", rows: 9, spellcheck: "false", class: "code query-text", "aria-describedby": "query-hint" });
    this.colours = highlighting(this.text);
    this.colours.write(FIRST);
    this.choice = element("select", { id: "saved" });
    this.offerQueries();
    this.within = element("select", { id: "collection" }, collections.map((each) => element("option", { value: each.collection, selected: each.collection === collection }, each.collection)));
    this.parameters = element("div", { class: "stack-tight" });
    this.results = element("section", { class: "stack", "aria-label": "What was found" });
    this.run = button("Run", null, { type: "submit", class: "primary" });
    this.stop = button("Stop", () => this.running?.abort(), { class: "danger", hidden: true });
    this.keep = button("Save query", () => this.askForName(), { class: "quiet" });
    this.drop = button("Forget query", () => this.forget(), { class: "quiet", hidden: true });
    this.choice.addEventListener("change", () => this.choose(this.choice.value));
    const form = element("form", { class: "card stack" },
      element("div", { class: "row" }, field("saved", "Query", this.choice), field("collection", "Collection", this.within)),
      this.parameters,
      element("div", { class: "stack-tight" }, element("label", { for: "query" }, "SPARQL"), element("div", { class: "completed" }, this.colours.behind, this.text, completion(this.text)),
        element("p", { id: "query-hint", class: "small soft" }, "Read only. The prefixes tg, prov, rdf, rdfs, dc, oa and xsd are known. Ctrl+Enter runs it; terms, variables and keywords are completed as you type.")),
      element("div", { class: "row" }, this.run, this.stop, this.keep, this.drop));
    form.addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    this.text.addEventListener("input", () => { if (this.choice.value !== OWN && !this.kept) this.own(); });
    this.node = element("div", { class: "stack" }, form, this.results);
  }

  // The queries of the service, and those that this browser keeps.
  offerQueries(chosen = OWN) {
    const kept = [...ownQueries().keys()];
    fill(this.choice, element("option", { value: OWN }, "A query of your own"),
      kept.length > 0 && element("optgroup", { label: "Saved in this browser" }, kept.map((name) => element("option", { value: KEPT + name }, name))),
      element("optgroup", { label: "Of the service" }, this.saved.map((each) => element("option", { value: each.name }, each.name))));
    this.choice.value = chosen;
  }

  // The name of the chosen query that this browser keeps; empty of any other.
  get kept() {
    return this.choice.value.startsWith(KEPT) ? this.choice.value.slice(KEPT.length) : "";
  }

  askForName() {
    const name = element("input", { id: "query-name", type: "text", required: true, maxlength: 100, autocomplete: "off", value: this.kept });
    const said = element("div");
    const form = element("form", { class: "stack" }, field("query-name", "Name", name),
      element("div", { class: "row" }, button("Save", null, { type: "submit", class: "primary" }), button("Cancel", () => dialog.close())), said);
    const dialog = openDialog("Save this query in this browser", form, this.signal);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      try {
        keepQuery(name.value.trim(), this.text.value);
        dialog.close();
        this.offerQueries(KEPT + name.value.trim());
        this.choose(this.choice.value);
        tell("The query is saved.");
      } catch {
        fill(said, element("p", { class: "warning" }, "This browser keeps nothing for the page."));
      }
    });
  }

  forget() {
    dropQuery(this.kept);
    this.offerQueries();
    this.own();
  }

  // A saved query that was changed is one's own: its parameters stand in it as $name, and are no SPARQL.
  own() {
    this.choice.value = OWN;
    this.drop.hidden = true;
    fill(this.parameters);
  }

  choose(name) {
    const query = this.saved.find((each) => each.name === name);
    this.drop.hidden = !this.kept;
    if (this.kept) {
      this.colours.write(ownQueries().get(this.kept) ?? "");
      return fill(this.parameters);
    }
    this.choice.value = query ? name : OWN;
    if (!query) return this.own();
    this.colours.write(query.text);
    fill(this.parameters, element("p", {}, query.description), query.parameters.map((each) => {
      const control = element("input", { id: `parameter-${each.name}`, name: each.name, required: each.default === null || each.default === undefined, value: each.default ?? null, placeholder: each.kind });
      return element("div", { class: "stack-tight" }, element("label", { for: `parameter-${each.name}` }, element("strong", {}, each.name), " ", each.meaning), control);
    }));
  }

  runText(text) {
    this.colours.write(text);
    return this.submit();
  }

  async submit() {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.stop.hidden = false;
    fill(this.results, element("p", { class: "soft", role: "status" }, "Looking…"));
    try {
      const response = await this.asked(AbortSignal.any([running.signal, this.signal]));
      await this.showAnswer(response);
    } catch (error) {
      if (this.running === running && !this.signal.aborted) fill(this.results, error.name === "AbortError" ? element("p", { class: "soft" }, "Stopped.") : problemCard(error));
    } finally {
      if (this.running === running) this.stop.hidden = true;
    }
  }

  asked(signal, accept = "application/sparql-results+json, text/turtle;q=0.8") {
    const collection = this.within.value;
    if (this.choice.value === OWN || this.kept) return request("/sparql", { accept, signal, query: { collection, query: this.text.value } });
    const given = [...this.parameters.querySelectorAll("input")].map((each) => [each.name, each.value.trim()]);
    return request(`/api/v1/queries/${encodeURIComponent(this.choice.value)}`, { accept, signal, query: { ...Object.fromEntries(given), collection } });
  }

  async showAnswer(response) {
    const truncated = response.headers.has("ProvGraph-Truncated");
    const collection = this.within.value;
    if (!response.headers.get("Content-Type").includes("json")) {
      const written = element("pre", { class: "code scrolled", tabindex: 0 }, quoted(await response.text()));
      return this.showBoth(element("div", {}, written), async () => triplesOfText(await (await this.asked(this.signal, "application/n-triples")).text()), collection);
    }
    const body = await response.json();
    const table = element("div", { class: "stack" });
    showResults(table, body, collection, truncated);
    if (!body.results?.bindings.length) return fill(this.results, table);
    this.showBoth(table, () => triplesOfRows(body), collection);
    this.results.firstChild.append(this.downloads());
  }

  // The results as they are, and drawn when that is asked for.
  showBoth(table, triples, collection) {
    const drawn = element("div", { class: "card explorer-graph", hidden: true });
    const view = button("Show as graph", async () => {
      const asGraph = drawn.hidden;
      drawn.hidden = !asGraph;
      table.hidden = asGraph;
      view.textContent = asGraph ? "Show as table" : "Show as graph";
      if (asGraph && !drawn.hasChildNodes()) showResultGraph(drawn, await triples(), collection, this.signal);
    }, { class: "quiet" });
    fill(this.results, element("div", { class: "row" }, view), table, drawn);
  }

  // All rows as a file, asked for as the query stands now.
  downloads() {
    return element("div", { class: "row", role: "group", "aria-label": "Download the results" }, DOWNLOADS.map(({ name, accept, ending }) =>
      saveButton(`Save ${name}`, `results.${ending}`, async () => (await this.asked(this.signal, accept)).blob(), { class: "quiet" })));
  }
}

function field(id, label, control) {
  return element("div", { class: "field" }, element("label", { for: id }, label), control);
}
