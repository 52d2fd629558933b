// Shows the document of the interface for people.
"use strict";
(async function () {
  const { el } = globalThis.words;
  const answer = await fetch("/api/openapi.json");
  const api = await answer.json();
  const last = (ref) => ref.slice(ref.lastIndexOf("/") + 1);
  function type(schema) {
    if (schema.$ref) return last(schema.$ref);
    if (schema.type === "array") return type(schema.items) + "[]";
    if (schema.enum) return schema.enum.join(" | ");
    if (schema.additionalProperties && schema.type === "object") return "{ name: " + type(schema.additionalProperties) + " }";
    return [].concat(schema.type).join(" or ");
  }
  const json = (part) => type(part.content["application/json"].schema);
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, op] of Object.entries(methods)) {
      const query = op.parameters.filter((p) => p.in === "query").map((p) => p.name + "=" + type(p.schema));
      document.getElementById("routes").append(el("article", { class: "endpoint", id: op.operationId },
        el("h3", {}, el("span", { class: "kind" }, method), el("code", {}, path + (query.length ? "?" + query.join("&") : ""))),
        el("p", {}, op.summary + " " + op.description),
        el("code", {}, (op.requestBody ? json(op.requestBody) + " → " : "→ ") + json(op.responses["200"]))));
    }
  }
  for (const [name, schema] of Object.entries(api.components.schemas)) {
    const lines = Object.entries(schema.properties).map(([field, s]) => "  " + field + ": " + type(s));
    document.getElementById("values").append(el("article", { class: "endpoint" }, el("h3", {}, name), el("pre", { class: "schema" }, lines.join("\n"))));
  }
})();
