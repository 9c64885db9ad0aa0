// Files → documents: sent one request for all, then followed by the events of their job.

import { events, json } from "../api.js";
import { button, element, fill, plural, quoted, tell } from "../dom.js";
import { problemCard } from "../problem.js";

const OVER = new Set(["done", "failed", "cancelled"]);

export const DOCUMENTS = { address: "/api/v1/documents", jobs: "/api/v1/jobs", kinds: "PDF, DOCX, HTML, Markdown, text, JSON and JSONL" };

// A place to drop files at, or to pick them; `onDone()` is called when a job has ended. `into` is what takes them.
export function dropZone(collection, { signal, onDone, into = DOCUMENTS }) {
  const picker = element("input", { type: "file", multiple: true, id: "files", class: "unseen" });
  const jobs = element("div", { class: "stack-tight jobs" });
  const zone = element("div", { class: "drop-zone" },
    element("p", {}, "Drop files here, or ", picker, element("label", { for: "files", class: "as-button" }, "choose files")),
    element("p", { class: "small soft" }, into.kinds));
  const take = (files) => { if (files.length) follow(new JobCard(nameOf([...files]), into), formOf([...files], collection), jobs, { signal, onDone, into }); };
  picker.addEventListener("change", () => { take(picker.files); picker.value = ""; });
  for (const name of ["dragenter", "dragover"]) zone.addEventListener(name, (event) => { event.preventDefault(); zone.toggleAttribute("data-over", true); });
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.removeAttribute("data-over"));
  zone.addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files); });
  return element("div", { class: "stack" }, zone, jobs);
}

// What `body` begins is followed to its end, at the top of `jobs`.
export async function follow(card, body, jobs, { signal, onDone, into }) {
  jobs.prepend(card.node);
  try {
    const begun = await json(into.address, { body, signal });
    card.begun(begun);
    for await (const { data } of events(`${into.jobs}/${encodeURIComponent(begun.id)}`, { signal, isLast: (job) => OVER.has(job.state) })) card.show(data);
  } catch (error) {
    if (error.name === "AbortError") return;
    card.broke(error);
  }
  onDone();
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
  constructor(name, into) {
    Object.assign(this, { name, into });
    this.bar = element("progress", { max: 1, "aria-label": `Progress of ${this.name}` });
    this.said = element("p", { class: "small soft number" }, "Sending…");
    this.control = element("div");
    this.node = element("section", { class: "card stack-tight", "aria-label": `Adding ${this.name}` },
      element("div", { class: "row row-spread" }, element("h3", {}, quoted(this.name)), this.control), this.bar, this.said);
  }

  begun(job) {
    fill(this.control, button("Stop", (event) => {
      event.target.disabled = true;
      json(`${this.into.jobs}/${encodeURIComponent(job.id)}`, { method: "DELETE" }).catch((error) => this.broke(error));
    }, { class: "quiet" }));
    this.show(job);
  }

  show(job) {
    if (OVER.has(job.state)) return this.ended(job);
    if (job.chunks_total) this.bar.value = job.chunks_done / job.chunks_total;
    const page = job.pages > 1 ? ` (page ${job.page.toLocaleString("en")} of ${job.pages.toLocaleString("en")})` : "";
    const size = `${job.chunks_done.toLocaleString("en")} of ${plural(job.chunks_total, "chunk")}`;
    const now = job.doing ? [quoted(`${job.doing[0].toUpperCase()}${job.doing.slice(1)}`)] : ["Reading ", quoted(job.file), page];
    if (job.waits_for) return fill(this.said, "Waiting. ", quoted(job.waits_for.detail));
    fill(this.said, ...(job.state === "queued" ? ["Waiting for its turn"] : [...now, `: ${size}`]));
  }

  ended(job) {
    this.bar.remove();
    fill(this.control);
    const facts = job.documents.reduce((sum, each) => sum + each.facts, 0);
    const told = { done: `${plural(job.documents.length, "document")}, ${plural(facts, "new fact")}`, cancelled: "Stopped. What was read until then stays.", failed: "It could not go on." }[job.state];
    fill(this.said, told);
    tell(told);
    const problems = [...job.refused, ...job.failed].map((each) => element("p", { class: "note note-warning small" }, !each.problem.detail.includes(each.name) && [quoted(each.name), ": "], quoted(each.problem.detail)));
    if (job.problem) problems.push(element("p", { class: "note note-warning small" }, quoted(job.problem.detail)));
    this.node.append(...problems);
  }

  broke(error) {
    this.bar.remove();
    fill(this.control);
    fill(this.said);
    this.node.append(problemCard(error, { heading: "h4" }));
  }
}
