"use strict";
// Draws the models of this server, a form for the chosen one, and its answers.

const at = id => document.getElementById(id);
const JSON_TYPE = "application/json";
let document_ = null;
let way = null;

function made(name, text, attributes) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  Object.entries(attributes || {}).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
}

function trouble(error) {
  at("trouble").textContent = error.message;
  at("trouble").hidden = false;
}

async function open() {
  at("trouble").hidden = true;
  try {
    document_ = JSON.parse(await ask("/openapi.json"));
    const index = JSON.parse(await ask("/v2/repository/index", "{}", JSON_TYPE));
    at("door").hidden = true;
    list(index);
  } catch (error) {
    if (error.status === 401) {
      if (token()) trouble(error);
      sessionStorage.removeItem(TOKEN);
      at("door").hidden = false;
      at("token").focus();
    } else {
      trouble(error);
    }
  }
}

function list(index) {
  const body = document.querySelector("#models tbody");
  body.replaceChildren();
  for (const each of index) {
    const row = made("tr", undefined, { "data-model": each.name });
    const name = made("td");
    const ready = each.state === "READY";
    if (ready) {
      const choose = made("button", each.name, { type: "button" });
      choose.onclick = () => chosen(each.name);
      name.append(choose);
    } else {
      name.textContent = each.name;
    }
    const state = made("td");
    state.append(made("span", ready ? "ready" : each.reason || each.state.toLowerCase(), { class: ready ? "state" : "state away" }));
    row.append(name, made("td", each.version), state);
    body.append(row);
  }
  at("models").hidden = false;
  const first = index.find(each => each.state === "READY");
  if (first) chosen(first.name);
}

/** In which ways a model can be asked, by what its paths say. */
function ways(model) {
  const all = [];
  const content = path => document_.paths[path]?.post?.requestBody?.content || {};
  const rows = content(`/v1/models/${model}:rows`);
  if (rows[JSON_TYPE]?.example) {
    const key = rows[JSON_TYPE].schema.oneOf[1].items.$ref.split("/").pop();
    all.push({ name: "Row", path: `/v1/models/${model}:rows`, type: JSON_TYPE, columns: document_.components.schemas[key].properties });
  }
  if (rows["text/csv"]?.example) {
    all.push({ name: "Rows", path: `/v1/models/${model}:rows`, type: "text/csv", text: rows["text/csv"].example });
  }
  const generate = content(`/v2/models/${model}/generate_stream`);
  if (generate[JSON_TYPE]) {
    all.push({ name: "Text", path: `/v2/models/${model}/generate_stream`, type: JSON_TYPE, generate: generate[JSON_TYPE].example });
  }
  const arrays = content(`/v2/models/${model}/infer`)[JSON_TYPE];
  if (arrays?.example) {
    all.push({ name: "Arrays", path: `/v2/models/${model}/infer`, type: JSON_TYPE, text: JSON.stringify(arrays.example, null, 1) });
  }
  return all;
}

function chosen(model) {
  document.querySelectorAll("#models tr").forEach(row =>
    row.dataset.model === model ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current"));
  at("chosen").textContent = model;
  at("try").hidden = false;
  const all = ways(model);
  at("ways").replaceChildren(...all.map(each => {
    const button = made("button", each.name, { type: "button" });
    button.onclick = () => show(each);
    each.button = button;
    return button;
  }));
  if (all.length) show(all[0]);
  else at("fields").replaceChildren(made("p", "This model takes arrays that are too long to write by hand.", { class: "soft" }));
}

function show(next) {
  way = next;
  document.querySelectorAll("#ways button").forEach(button => button.setAttribute("aria-pressed", String(button === way.button)));
  const fields = at("fields");
  fields.replaceChildren();
  if (way.columns) Object.entries(way.columns).forEach(([name, schema]) => fields.append(field(name, schema)));
  else if (way.generate) generateFields(fields);
  else {
    const label = made("label", undefined, { class: "wide" });
    label.append(made("span", way.type === "text/csv" ? "Rows, as in a file" : "Body"));
    const area = made("textarea", undefined, { name: "body", spellcheck: "false" });
    area.value = way.text;
    label.append(area);
    fields.append(label);
  }
  at("answer").replaceChildren();
  at("said").textContent = "";
  say();
}

function field(name, schema) {
  const label = made("label");
  label.append(made("span", name));
  const type = schema.type[0];
  const example = schema.examples[0];
  let input;
  if (type === "boolean") {
    input = made("select");
    ["true", "false", ""].forEach(value => input.append(made("option", value || "(missing)", { value })));
  } else {
    input = made("input", undefined, { autocomplete: "off", spellcheck: "false" });
    if (type === "number") input.inputMode = "decimal";
    if (schema.examples.length > 1) {
      const values = made("datalist", undefined, { id: "values of " + name });
      schema.examples.forEach(value => values.append(made("option", undefined, { value })));
      input.setAttribute("list", values.id);
      label.append(values);
    }
  }
  input.value = String(example);
  input.dataset.column = name;
  input.dataset.type = type;
  label.append(input, made("small", schema.description));
  return label;
}

function generateFields(fields) {
  const text = made("label", undefined, { class: "wide" });
  const area = made("textarea", undefined, { name: "text_input", class: "text" });
  area.value = way.generate.text_input;
  text.append(made("span", "Text to go on with"), area);
  fields.append(text);
  Object.entries(way.generate.parameters).forEach(([name, value]) => {
    const label = made("label");
    const input = made("input", undefined, { name, inputmode: "decimal", autocomplete: "off" });
    input.value = value;
    label.append(made("span", name), input);
    fields.append(label);
  });
}

function value(input) {
  if (input.value === "") return null;
  if (input.dataset.type === "boolean") return input.value === "true";
  const number = Number(input.value);
  return input.dataset.type === "number" && Number.isFinite(number) ? number : input.value;
}

function body() {
  if (way.columns) {
    const row = {};
    at("fields").querySelectorAll("[data-column]").forEach(input => { row[input.dataset.column] = value(input); });
    return JSON.stringify(row);
  }
  if (way.generate) {
    const parameters = {};
    at("fields").querySelectorAll("input").forEach(input => {
      if (input.value !== "") parameters[input.name] = Number.isFinite(Number(input.value)) ? Number(input.value) : input.value;
    });
    return JSON.stringify({ text_input: at("fields").querySelector("textarea").value, parameters });
  }
  return at("fields").querySelector("textarea").value;
}

function say() {
  at("curl").textContent = curl(way.path, body(), way.type);
}

async function send(event) {
  event.preventDefault();
  const asked = way;
  at("send").disabled = true;
  at("said").textContent = "";
  at("answer").replaceChildren();
  const begin = performance.now();
  try {
    if (asked.generate) {
      const text = made("pre", asked.generate && at("fields").querySelector("textarea").value);
      at("answer").append(text);
      await ask(asked.path, body(), asked.type, piece => { text.append(piece); });
    } else {
      const answer = await ask(asked.path, body(), asked.type);
      at("answer").replaceChildren(asked.columns ? table(JSON.parse(answer).rows) : made("pre", pretty(answer)));
    }
    at("said").textContent = `${Math.max(1, Math.round(performance.now() - begin))} ms`;
  } catch (error) {
    at("answer").replaceChildren(made("p", error.message, { class: "bad" }));
  }
  at("send").disabled = false;
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 1); } catch { return text; }
}

function table(rows) {
  const names = Object.keys(rows[0] || {});
  const all = made("table");
  for (const row of rows) {
    for (const name of names) {
      const line = made("tr");
      const isNumber = typeof row[name] === "number";
      line.append(made("th", name), made("td", isNumber ? String(Number(row[name].toPrecision(6))) : String(row[name]), { class: isNumber ? "number" : "" }));
      all.append(line);
    }
  }
  return all;
}

at("ask").onsubmit = send;
at("ask").oninput = say;
at("copy").onclick = () => navigator.clipboard?.writeText(at("curl").textContent);
at("door").onsubmit = event => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, at("token").value.trim());
  at("token").value = "";
  open();
};
open();
