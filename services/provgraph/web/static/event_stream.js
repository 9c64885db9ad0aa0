// Server-sent events out of the body of a response (HTML Standard, section 9.2.6), so that a POST can be streamed and
// a token sent, neither of which EventSource can do.

// Each message as { id, name, data }, with `data` parsed as JSON.
export async function* messagesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      held += value;
      const frames = held.split(/\r?\n\r?\n/);
      held = frames.pop();
      for (const frame of frames) {
        const message = messageOf(frame);
        if (message) yield message;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function messageOf(frame) {
  const message = { id: "", name: "message", data: [] };
  for (const line of frame.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "id") message.id = value;
    else if (field === "event") message.name = value;
    else if (field === "data") message.data.push(value);
  }
  return message.data.length ? { ...message, data: JSON.parse(message.data.join("\n")) } : null;
}
