"use strict";
/* Asks the hub every two seconds and draws what it answers. Whatever came from users is set as text, never as markup. */
const COLOURS = ["#0072b2", "#b4508a", "#0a7a4b", "#b85200", "#7c4ddb", "#8a6100", "#2f7fb8", "#6b7280"];
const EVERY_MS = 2000;
const HOURS = 3600;
const charts = new Map();
let token = "";

function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  for (const child of children) node.append(child === null || child === undefined ? "" : child);
  return node;
}
function put(id, ...children) { document.getElementById(id).replaceChildren(...children); }
function colour(job) { return COLOURS[job % COLOURS.length]; }
function duration(seconds) {
  if (seconds === null || seconds === undefined || !isFinite(seconds)) return "";
  if (seconds < 100) return Math.round(seconds) + " s";
  if (seconds < 6000) return Math.round(seconds / 60) + " min";
  if (seconds < 48 * HOURS) return (seconds / HOURS).toFixed(1) + " h";
  return (seconds / 86400).toFixed(1) + " days";
}
function clock(epochS) {
  return new Date(epochS * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}
async function ask(path) {
  const answer = await fetch("/api/v1/" + path, { headers: { Authorization: "Bearer " + token }, cache: "no-store" });
  if (answer.status === 401 || answer.status === 403) throw new Error("token");
  if (!answer.ok) throw new Error((await answer.json()).error || answer.status);
  return answer.json();
}
function table(heads, rows) {
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ...heads.map(h => el("th", {}, h)))),
    el("tbody", {}, ...rows.map(cells => el("tr", {}, ...cells)))));
}
function empty(text) { return el("p", { class: "empty" }, text); }

function drawTiles(fleet, jobs) {
  const live = fleet.machines.filter(m => m.health !== "lost");
  const busy = live.filter(m => m.health === "busy").length;
  const waiting = jobs.filter(j => j.phase === "QUEUED" && !j.machines.length);
  const running = jobs.filter(j => j.machines.length);
  const done = jobs.filter(j => j.phase === "DONE").length;
  const perHour = live.filter(m => m.jobs.length).reduce((sum, m) => sum + (m.pricePerHour || 0), 0);
  const left = running.reduce((most, j) => Math.max(most, j.figures.remainingS || 0), 0);
  const tile = (name, value, note) => el("div", { class: "tile" }, el("span", {}, name), el("b", {}, value), el("small", {}, note));
  put("tiles",
    tile("Machines", String(live.length), busy + " busy, " + (fleet.machines.length - live.length) + " lost"),
    tile("Waiting", String(waiting.length), "jobs in the queue"),
    tile("Running", String(running.length), left ? "all of them done in about " + duration(left) : ""),
    tile("Done", String(done), jobs.filter(j => j.phase === "FAILED").length + " failed"),
    tile("Cost so far", fleet.cost.toFixed(2), perHour ? "at " + perHour.toFixed(2) + " an hour now" : "no prices are known"),
    tile("Forecast", (fleet.cost + perHour * left / HOURS).toFixed(2), "when those that run are done"));
}
function drawMachines(fleet) {
  const types = new Map();
  for (const machine of fleet.machines) {
    if (!types.has(machine.type)) types.set(machine.type, []);
    types.get(machine.type).push(machine);
  }
  if (!types.size) return put("machines", empty("No machine is here yet: medley agent --hub HOST:PORT"));
  put("machines", el("div", { class: "types" }, ...[...types].map(([type, machines]) => {
    const busy = machines.filter(m => m.jobs.length).length;
    const price = machines[0].pricePerHour;
    return el("div", { class: "type" },
      el("h3", {}, type + ": " + busy + " of " + machines.length + " busy" + (price ? ", " + price + " an hour" : "")),
      el("div", { class: "boxes" }, ...machines.map(m => {
        const box = el("div", { class: "box " + m.health, title: m.site + ", heard " + duration(m.heardAgoS) + " ago" },
          el("b", {}, m.name), el("small", {}, m.jobs.length ? "job " + m.jobs.join(", ") : m.health + (m.spot ? ", spot" : "")));
        if (m.health === "busy") box.style.background = colour(m.jobs[0]);
        return box;
      })));
  })));
}
function nextEnds(jobs) {
  return jobs.filter(j => j.machines.length && j.figures.remainingS).sort((a, b) => a.figures.remainingS - b.figures.remainingS);
}
function drawQueue(jobs, nowS) {
  const waiting = jobs.filter(j => !j.machines.length && (j.phase === "QUEUED" || j.phase === "PAUSED" || j.phase === "PAUSING"));
  if (!waiting.length) return put("waiting", empty("Nobody waits."));
  const next = nextEnds(jobs);
  put("waiting", table(["", "job", "user", "state", "waits", "for whom", "why"], waiting.map((j, i) => [
    el("td", { class: "num" }, j.queuePosition ? String(j.queuePosition) : ""),
    el("td", {}, j.id + " " + j.submission.name), el("td", {}, j.submission.user),
    el("td", {}, j.phase.toLowerCase()), el("td", { class: "num" }, duration(nowS - j.figures.submittedEpochS)),
    el("td", {}, j.phase === "QUEUED" && next.length ? "job " + next[Math.min(i, next.length - 1)].id + ", about " + duration(next[Math.min(i, next.length - 1)].figures.remainingS) : ""),
    el("td", { class: "why" }, j.why)])));
}
function drawRunning(jobs) {
  const running = jobs.filter(j => j.machines.length);
  if (!running.length) return put("jobs", empty("No job runs."));
  put("jobs", table(["job", "on", "done", "samples/s", "left", "cost", "why"], running.map(j => {
    const bar = el("i"); bar.style.width = (100 * j.figures.doneFraction) + "%";
    const dot = el("span", { class: "dot" }); dot.style.background = colour(j.id);
    return [el("td", {}, dot, j.id + " " + j.submission.name), el("td", {}, j.machines.join(", ")),
      el("td", {}, Math.floor(100 * j.figures.doneFraction) + " %", el("div", { class: "progress" }, bar)),
      el("td", { class: "num" }, Math.round(j.figures.samplesPerSecond).toLocaleString()),
      el("td", { class: "num" }, duration(j.figures.remainingS)), el("td", { class: "num" }, j.figures.cost.toFixed(2)),
      el("td", { class: "why" }, j.why)];
  })));
}
async function drawCurves(jobs) {
  const wanted = jobs.filter(j => j.machines.length && j.figures.loss !== null).slice(0, 8);
  const ids = new Set(wanted.map(j => j.id));
  for (const [id, chart] of charts) if (!ids.has(id)) { chart.plot.destroy(); chart.box.remove(); charts.delete(id); }
  for (const job of wanted) {
    const curve = await ask("jobs/" + job.id + "/curve");
    if (curve.epochS.length < 2) continue;
    const data = [curve.epochS, curve.loss];
    const known = charts.get(job.id);
    if (known) {
      known.plot.setSize({ width: Math.max(260, known.box.clientWidth), height: 190 });
      known.plot.setData(data);
      continue;
    }
    const box = el("figure", { class: "chart" }, el("figcaption", {}, "job " + job.id + " " + job.submission.name, el("span", {}, "loss of training")));
    document.getElementById("curves").append(box);
    const ink = getComputedStyle(document.body).getPropertyValue("--soft");
    const grid = { stroke: getComputedStyle(document.body).getPropertyValue("--grid") };
    const plot = new uPlot({ width: Math.max(260, box.clientWidth), height: 190, legend: { show: false },
      axes: [{ stroke: ink, grid }, { stroke: ink, grid, size: 58 }],
      series: [{}, { stroke: colour(job.id), width: 2 }] }, data, box);
    charts.set(job.id, { plot, box });
  }
}
function drawLanes(tenures, fleet) {
  if (!tenures.length) return put("lanes", empty("Nothing ran yet."));
  const to = fleet.nowEpochS;
  const from = Math.max(Math.min(...tenures.map(t => t.fromEpochS)), to - 6 * HOURS);
  const span = Math.max(1, to - from);
  const names = [...new Set([...fleet.machines.map(m => m.name), ...tenures.map(t => t.machine)])].sort();
  const lanes = names.map(name => {
    const track = el("div");
    for (const t of tenures.filter(t => t.machine === name && (t.toEpochS || to) > from)) {
      const begin = Math.max(from, t.fromEpochS), end = t.toEpochS || to;
      const held = el("div", { class: "held", title: "job " + t.job + ", " + clock(t.fromEpochS) + ", " + duration(end - t.fromEpochS) + ": " + t.why }, String(t.job));
      held.style.left = 100 * (begin - from) / span + "%";
      held.style.width = 100 * (end - begin) / span + "%";
      held.style.background = colour(t.job);
      track.append(held);
    }
    return el("div", { class: "lane" }, el("span", { title: name }, name), track);
  });
  put("lanes", el("div", { class: "lanes" }, ...lanes), el("div", { class: "axis" }, el("span", {}, clock(from)), el("span", {}, clock(from + span / 2)), el("span", {}, clock(to))));
}
function drawOver(jobs) {
  const over = jobs.filter(j => ["DONE", "FAILED", "CANCELLED"].includes(j.phase)).reverse().slice(0, 200);
  if (!over.length) return put("ended", empty("No job is over yet."));
  put("ended", el("div", { class: "scroll tall" }, ...table(["job", "user", "state", "took", "cost", "what became of it"], over.map(j => [
    el("td", {}, j.id + " " + j.submission.name), el("td", {}, j.submission.user),
    el("td", {}, el("span", { class: "kind " + (j.phase === "DONE" ? "joined" : j.phase === "FAILED" ? "failed" : "") }, j.phase.toLowerCase())),
    el("td", { class: "num" }, duration(j.figures.endedEpochS - j.figures.submittedEpochS)),
    el("td", { class: "num" }, j.figures.cost.toFixed(2)), el("td", { class: "why" }, j.why)])).childNodes));
}
async function draw() {
  const state = document.getElementById("state");
  try {
    const [fleet, jobs] = await Promise.all([ask("fleet"), ask("jobs")]);
    const tenures = await ask("timeline?since=" + (fleet.nowEpochS - 6 * HOURS));
    document.getElementById("ask").hidden = true;
    state.textContent = "live"; state.className = "state";
    document.getElementById("about").textContent = "decided by " + fleet.policy + ", as of " + clock(fleet.nowEpochS);
    drawTiles(fleet, jobs); drawMachines(fleet); drawQueue(jobs, fleet.nowEpochS); drawRunning(jobs); drawLanes(tenures, fleet); drawOver(jobs);
    await drawCurves(jobs);
  } catch (e) {
    const needsToken = e.message === "token";
    document.getElementById("ask").hidden = !needsToken;
    state.textContent = needsToken ? "needs a token" : "the hub does not answer; this is what it showed last";
    state.className = "state " + (needsToken ? "interrupted" : "failed");
  }
  document.body.dataset.drawn = String(Number(document.body.dataset.drawn || 0) + 1);
  setTimeout(draw, EVERY_MS);
}
/* The token comes behind a #, which is never sent, and is kept for this tab alone. */
if (location.hash.startsWith("#token=")) {
  sessionStorage.setItem("medley-token", location.hash.slice(7));
  history.replaceState(null, "", location.pathname);
}
token = sessionStorage.getItem("medley-token") || "";
document.getElementById("ask").addEventListener("submit", event => {
  event.preventDefault();
  token = document.getElementById("token").value.trim();
  sessionStorage.setItem("medley-token", token);
});
draw();
