// Places in texts are counted in characters of Unicode, as the service counts them; JavaScript counts UTF-16 units.

const SURROGATE = /[\ud800-\udfff]/;

export class Characters {
  constructor(text) {
    this.text = text;
    this.parts = SURROGATE.test(text) ? Array.from(text) : null;
    this.length = this.parts ? this.parts.length : text.length;
  }

  slice(start, end = this.length) {
    return this.parts ? this.parts.slice(start, end).join("") : this.text.slice(start, end);
  }
}

// A document as it is cited: its title, and the name of its file where that says more, for two may have one title.
export function documentName({ title, source = "" }) {
  const file = (source ?? "").replace(/^.*[\\/]/, "");
  return file && title !== file && title !== file.replace(/\.[^.]*$/, "") ? `${title} (${file})` : title;
}

export function uuidOf(session) {
  return session.slice(session.lastIndexOf(":") + 1);
}

export function whenTold(isoTime) {
  const time = new Date(isoTime);
  return Number.isNaN(time.valueOf())
    ? isoTime
    : time.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

export function number(value, digits = 2) {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function sizeOf(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
