// Files → documents: sent one request for all, then followed by the events of their job. A job goes on when its view is
// left, and its card, with what was refused, is there until a person puts it away.

import { events, json } from "../api.js";
import { button, element, fill, plural, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";

const OVER = new Set(["done", "failed", "cancelled"]);
const cards = new Set();

export const DOCUMENTS = { address: "/api/v1/documents", jobs: "/api/v1/jobs", kinds: "PDF, DOCX, XLSX, HTML, Markdown, text, CSV, JSON and JSONL" };

// A place to drop files at, or to pick them; `onDone()` is called when a job has ended. `into` is what takes them.
// Returns { node, jobs }, where `jobs` holds the cards of jobs.
export function dropZone(collection, { signal, onDone, into = DOCUMENTS }) {
  const picker = element("input", { type: "file", multiple: true, id: "files", class: "unseen" });
  const jobs = element("div", { class: "stack-tight jobs" });
  const zone = element("div", { class: "drop-zone" },
    element("p", {}, "Drop files here, or ", picker, element("label", { for: "files", class: "as-button" }, "choose files")),
    element("p", { class: "small soft" }, into.kinds));
  const take = (files) => { if (files.length) follow(new JobCard(nameOf([...files]), into, collection), formOf([...files], collection), jobs, { signal, onDone, into }); };
  picker.addEventListener("change", () => { take(picker.files); picker.value = ""; });
  for (const name of ["dragenter", "dragover"]) zone.addEventListener(name, (event) => { event.preventDefault(); zone.toggleAttribute("data-over", true); });
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.removeAttribute("data-over"));
  zone.addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files); });
  for (const card of cards) if (card.collection === collection) card.shownIn(jobs, { signal, onDone });
  return { node: element("div", { class: "stack" }, zone, jobs), jobs };
}

// What `body` begins is followed to its end, at the top of `jobs`.
export async function follow(card, body, jobs, { signal, onDone, into }) {
  cards.add(card);
  card.shownIn(jobs, { signal, onDone });
  try {
    const begun = await json(into.address, { body });
    card.begun(begun);
    for await (const { data } of events(`${into.jobs}/${encodeURIComponent(begun.id)}`, { isLast: (job) => OVER.has(job.state) })) card.show(data);
  } catch (error) {
    card.broke(error);
  }
  card.onDone();
}

function nameOf(files) {
  return files.length === 1 ? files[0].name : plural(files.length, "file");
}

function formOf(files, collection) {
  const form = new FormData();
  form.set("collection", collection);
  for (const file of files) form.append("file", file, file.name);
  return form;
}

export class JobCard {
  constructor(name, into, collection) {
    Object.assign(this, { name, into, collection, onDone: () => {} });
    this.bar = element("progress", { max: 1, "aria-label": `Progress of ${this.name}` });
    this.said = element("p", { class: "small soft number" }, "Sending…");
    this.control = element("div");
    this.files = element("ul", { class: "job-files small", "aria-label": "Files that are finished" });
    this.node = element("section", { class: "card stack-tight", "aria-label": `Adding ${this.name}` },
      element("div", { class: "row row-spread" }, element("h3", {}, quoted(this.name)), this.control), this.bar, this.said, this.files);
  }

  // In the view that is open now; `onDone()` is called unless that view has been left.
  shownIn(jobs, { signal, onDone }) {
    jobs.prepend(this.node);
    this.onDone = () => { if (!signal.aborted) onDone(); };
  }

  begun(job) {
    fill(this.control, button("Stop", (event) => {
      event.target.disabled = true;
      json(`${this.into.jobs}/${encodeURIComponent(job.id)}`, { method: "DELETE" }).catch((error) => this.broke(error));
    }, { class: "quiet" }));
    this.show(job);
  }

  show(job) {
    this.showFiles(job);
    if (OVER.has(job.state)) return this.ended(job);
    if (job.chunks_total) this.bar.value = job.chunks_done / job.chunks_total;
    const page = job.pages > 1 ? ` (page ${job.page.toLocaleString("en")} of ${job.pages.toLocaleString("en")})` : "";
    const size = `${job.chunks_done.toLocaleString("en")} of ${plural(job.chunks_total, "chunk")}`;
    const now = job.doing ? [quoted(`${job.doing[0].toUpperCase()}${job.doing.slice(1)}`)] : ["Reading ", quoted(job.file), page];
    if (job.waits_for) return fill(this.said, "Waiting. ", quoted(job.waits_for.detail));
    fill(this.said, ...(job.state === "queued" ? ["Waiting for its turn"] : [...now, `: ${size}`]));
  }

  // What was refused and what failed stands above what was read.
  showFiles({ documents, refused, failed }) {
    const problems = [...refused, ...failed].map(({ name, problem }) => element("li", { class: "note note-warning" },
      !problem.detail.includes(name) && [quoted(name), ": "], quoted(problem.detail)));
    const finished = documents.map((each) => element("li", {}, quoted(each.title),
      element("span", { class: "soft number" }, ` ${each.new_chunks ? plural(each.facts, "fact") : "nothing new in it"}`),
      each.warnings.map((warning) => element("p", { class: "warning" }, quoted(warning)))));
    fill(this.files, problems, finished);
  }

  ended(job) {
    const facts = job.documents.reduce((sum, each) => sum + each.facts, 0);
    const told = { done: `${plural(job.documents.length, "document")}, ${plural(facts, "new fact")}`, cancelled: "Stopped. What was read until then stays.", failed: "It could not go on." }[job.state];
    this.over(told);
    tell(told);
    if (job.problem) this.node.append(element("p", { class: "note note-warning small" }, quoted(job.problem.detail)));
  }

  broke(error) {
    this.over("");
    this.node.append(problemCard(error, { heading: "h4" }));
  }

  over(told) {
    this.bar.remove();
    fill(this.said, told);
    fill(this.control, button("Put away", () => { cards.delete(this); this.node.remove(); }, { class: "quiet" }));
  }
}
