"use strict";
// Asks the server, and says the same as a command line.

const TOKEN = "medley.token";
const token = () => sessionStorage.getItem(TOKEN) || "";

class Refused extends Error {
  constructor(status, text) { super(text); this.status = status; }
}

async function ask(path, body, type, onPiece) {
  const headers = {};
  if (token()) headers.Authorization = "Bearer " + token();
  if (type) headers["Content-Type"] = type;
  const method = body === undefined ? "GET" : "POST";
  const answer = await fetch(path, { method, headers, body, cache: "no-store" });
  if (onPiece && answer.ok) return pieces(answer, onPiece);
  const text = await answer.text();
  if (!answer.ok) {
    let words = text;
    try { words = JSON.parse(text).error || text; } catch { /* No JSON: as it is. */ }
    throw new Refused(answer.status, words || answer.statusText);
  }
  return text;
}

/** Reads server-sent events, each with a piece of text. */
async function pieces(answer, onPiece) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return "";
    held += value;
    const events = held.split("\n\n");
    held = events.pop();
    for (const event of events) {
      const data = JSON.parse(event.replace(/^data: /, ""));
      if (data.error) throw new Refused(500, data.error);
      onPiece(data.text_output);
    }
  }
}

const quoted = text => "'" + text.replaceAll("'", "'\\''") + "'";

function curl(path, body, type) {
  const parts = ["curl", quoted(location.origin + path)];
  if (type !== "application/json") parts.push("-H", quoted("Content-Type: " + type));
  if (token()) parts.push("-H", '"Authorization: Bearer $TOKEN"');
  parts.push(body.includes("\n") || type === "text/csv" ? "--data-binary" : "-d", quoted(body));
  return parts.join(" ");
}
