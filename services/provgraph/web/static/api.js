// Everything that the page asks of the service: JSON, bytes, and streams of events that go on after a break.

import { askForToken, authorization } from "./token.js";
import { messagesOf } from "./event_stream.js";

const RETRIES_MS = [300, 1000, 2000];

// What went wrong, in a sentence for a person: a problem of the service (RFC 9457), or that it cannot be reached.
export class Problem extends Error {
  constructor({ title = "Something went wrong", detail = "", status = 0, type = "about:blank" }) {
    super(detail || title);
    Object.assign(this, { title, detail, status, type });
  }
}

// A list in `query` is a parameter that comes several times.
export function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const pairs = given.flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]));
  const told = new URLSearchParams(pairs).toString();
  return told ? `${path}?${told}` : path;
}

// The JSON of an answer. `query` goes into the address, `body` as JSON, unless it is FormData.
export async function json(path, options = {}) {
  const response = await request(path, { accept: "application/json", ...options });
  return response.status === 204 ? null : response.json();
}

export async function text(path, options = {}) {
  return (await request(path, options)).text();
}

export async function blob(path, options = {}) {
  return (await request(path, options)).blob();
}

// The messages of a stream, as { id, name, data }. A line that breaks is taken up where it was; what `isLast` knows
// for the last message ends it. Raises `Problem`, and AbortError when `signal` ends it.
export async function* events(path, { isLast, lastId = "", signal, ...options }) {
  let failures = 0;
  for (;;) {
    try {
      const headers = lastId ? { "Last-Event-ID": lastId } : {};
      const response = await request(path, { accept: "text/event-stream", headers, signal, ...options });
      if (response.status === 204) return;
      for await (const message of messagesOf(response.body)) {
        failures = 0;
        lastId = message.id || lastId;
        yield message;
        if (isLast(message.data)) return;
      }
    } catch (error) {
      if (signal?.aborted || error.name === "AbortError") throw error;
      if (error instanceof Problem && (error.status || !lastId)) throw error;
    }
    if (!lastId || failures >= RETRIES_MS.length) throw unreachable();
    await pause(RETRIES_MS[failures], signal);
    failures += 1;
  }
}

// A response that is no error; asks a person for the token where the service wants one.
export async function request(path, { method, query, body, accept = "*/*", headers = {}, signal } = {}) {
  const form = body instanceof FormData;
  const typed = body === undefined || form ? {} : { "Content-Type": "application/json" };
  for (;;) {
    const sent = { Accept: accept, ...typed, ...headers, ...authorization() };
    const response = await reached(address(path, query), {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: sent,
      body: body === undefined || form ? body : JSON.stringify(body),
      signal,
    });
    if (response.ok) return response;
    if (response.status !== 401) throw await problemOf(response);
    await askForToken(sent.Authorization, signal);
  }
}

async function reached(url, sent) {
  try {
    return await fetch(url, sent);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw unreachable();
  }
}

function unreachable() {
  return new Problem({
    title: "The service does not answer",
    detail: "Nothing came back from it. See whether `provgraph serve` still runs, then try again.",
  });
}

async function problemOf(response) {
  try {
    const told = await response.json();
    return new Problem({ ...told, status: response.status });
  } catch {
    return new Problem({ title: `The service answered ${response.status}`, status: response.status });
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("Stopped", "AbortError"));
    }, { once: true });
  });
}
