// Asks the hub what is there, every two seconds, and shows it. The token lives in this tab alone.
"use strict";
(function () {
  const { el, empty, digits, duration } = globalThis.words;
  const parts = globalThis.parts;
  const SPANS = [["1 h", 3600], ["6 h", 21600], ["24 h", 86400]];
  const STEPS_S = [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 604800];
  const KEY = "medley-token";
  const byId = (id) => document.getElementById(id);
  const cards = new Map();
  let token = sessionStorage.getItem(KEY);
  let spanS = 21600;
  let last = null;
  let turn = 0;

  class Refused extends Error {}

  async function ask(path, body) {
    const headers = token ? { Authorization: "Bearer " + token } : {};
    const answer = await fetch("/api/v1" + path, { method: body ? "POST" : "GET", body: body && JSON.stringify(body), headers, cache: "no-store" });
    const value = await answer.json();
    if (answer.status === 401 || answer.status === 403) throw new Refused(value.error);
    if (!answer.ok) throw new Error(value.error);
    return value;
  }

  function showDoor(why) {
    sessionStorage.removeItem(KEY);
    token = null;
    byId("fleet").hidden = true;
    byId("door").hidden = false;
    byId("refused").hidden = !why;
    byId("refused").textContent = why || "";
    byId("token").focus();
  }

  byId("door").addEventListener("submit", (event) => {
    event.preventDefault();
    token = byId("token").value.trim();
    byId("token").value = "";
    sessionStorage.setItem(KEY, token);
    follow();
  });

  // A part is made anew only if what it shows has changed, so that a selection or a scroll stays.
  const shown = new Map();
  function put(id, made) {
    const place = byId(id);
    const holder = el("div", {}, ...made);
    const text = holder.innerHTML;
    if (shown.get(id) === text) return;
    shown.set(id, text);
    const scrolled = Array.from(place.querySelectorAll(".scroll"), (e) => [e.scrollLeft, e.scrollTop]);
    place.replaceChildren(...holder.childNodes);
    place.querySelectorAll(".scroll").forEach((e, i) => { if (scrolled[i]) [e.scrollLeft, e.scrollTop] = scrolled[i]; });
  }

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  function draw(card) {
    const { id, points, place } = card;
    if (card.plot) card.plot.destroy();
    card.plot = null;
    place.textContent = points.length ? "" : "no loss yet";
    place.classList.toggle("none", !points.length);
    card.root.dataset.points = points.length;
    if (!points.length) return;
    const stroke = color("w" + (id % 8));
    const axis = { stroke: color("soft"), grid: { stroke: color("grid"), width: 1 }, ticks: { show: false }, font: "10px system-ui, sans-serif" };
    const number = (u, v) => (v == null ? "" : digits(v));
    card.plot = new uPlot({
      width: Math.max(200, place.clientWidth), height: 118, legend: { show: false }, cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false } },
      axes: [Object.assign({ values: (u, vs) => vs.map(duration), incrs: STEPS_S, size: 20, gap: 2 }, axis), Object.assign({ values: (u, vs) => vs.map(digits), size: 40, gap: 2 }, axis)],
      series: [{}, { label: "loss", stroke, width: 2, spanGaps: true, points: { show: points.length < 2 }, value: number },
        { label: "validation", stroke: color("ink"), width: 0, points: { show: true, size: 5, fill: color("ink") }, value: number }],
    }, columns(points), place);
  }

  const finite = (v) => (globalThis.words.known(v) ? v : null);
  const columns = (points) => [points.map((p) => p.seconds), points.map((p) => finite(p.loss)), points.map((p) => finite(p.validationLoss))];

  async function showCards(jobs) {
    const running = jobs.filter(parts.isRunning);
    const place = byId("cards");
    for (const [id, card] of cards) {
      if (!running.some((job) => job.id === id)) { card.root.remove(); if (card.plot) card.plot.destroy(); cards.delete(id); }
    }
    if (!running.length) { place.replaceChildren(empty("No job is running.")); return; }
    place.querySelectorAll(":scope > .empty").forEach((e) => e.remove());
    for (const job of running) {
      let card = cards.get(job.id);
      if (!card) {
        card = { id: job.id, points: null, facts: el("div", {}), place: el("div", { class: "plot" }) };
        card.root = el("article", { class: "job", hue: parts.hue(job.id), data: { job: job.id } }, card.facts, card.place);
        cards.set(job.id, card);
        place.append(card.root);
      }
      card.facts.replaceChildren(...parts.cardFacts(job));
    }
    if (turn % 3 === 0) await Promise.all([...cards.values()].slice(0, 24).map(curve));
  }

  async function curve(card) {
    const points = await ask("/jobs/" + card.id + "/curve");
    const isNew = card.points === null || JSON.stringify(points) !== JSON.stringify(card.points);
    card.points = points;
    if (!isNew) return;
    if (card.plot && points.length) card.plot.setData(columns(points)); else draw(card);
    card.root.dataset.points = points.length;
  }

  function showSpans() {
    byId("span").replaceChildren(...SPANS.map(([name, seconds]) => el("button", { type: "button", ariaPressed: String(seconds === spanS), onclick: () => { spanS = seconds; showSpans(); if (last) put("lanes", parts.lanes(last, spanS)); } }, name)));
  }

  async function look() {
    const fleet = await ask("/fleet");
    const [jobs, tenures] = await Promise.all([ask("/jobs"), ask("/timeline?since=" + (fleet.nowEpochS - 86400))]);
    last = { fleet, jobs, tenures };
    byId("door").hidden = true;
    byId("fleet").hidden = false;
    byId("about").textContent = "Policy " + fleet.policy + " · " + fleet.machines.length + " machines · " + jobs.length + " jobs known · as of " + new Date(fleet.nowEpochS * 1000).toLocaleTimeString();
    put("tiles", parts.tiles(last));
    put("types", parts.types(last));
    put("machine-rows", parts.machineRows(last));
    put("queue-body", parts.queueBody(last));
    put("lanes", parts.lanes(last, spanS));
    put("cost-body", parts.costBody(last));
    put("ended-body", parts.endedBody(last));
    await showCards(jobs);
    turn++;
  }

  function state(isLive) {
    byId("state").textContent = isLive ? "live" : "the hub is away; this is what it said last";
    byId("state").classList.toggle("away", !isLive);
  }

  async function follow() {
    try {
      await look();
      state(true);
      document.documentElement.dataset.live = "follow-fleet";
    } catch (e) {
      if (e instanceof Refused) { showDoor(e.message); return; }
      if (byId("fleet").hidden) { showDoor("The hub does not answer: " + e.message); return; }
      state(false);
    }
    setTimeout(follow, 2000);
  }

  /** A link brings a code behind the mark, which is good once and never sent with the address. */
  async function enter() {
    const code = /^#code=([0-9a-f]{64})$/.exec(location.hash);
    if (!code) return;
    history.replaceState(null, "", location.pathname);
    const entrance = await ask("/login", { code: code[1] });
    token = entrance.token;
    sessionStorage.setItem(KEY, token);
    byId("who").textContent = entrance.name + " (" + entrance.role + ")";
  }

  const head = byId("machine-rows").parentElement.tHead;
  head.append(el("tr", {}, ...["Machine", "Type", "Site", "State", "Serves", "An hour", "Heard"].map((h) => el("th", { scope: "col" }, h))));
  showSpans();
  const redraw = () => cards.forEach((card) => { if (card.points) draw(card); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("resize", () => cards.forEach((card) => { if (card.plot) card.plot.setSize({ width: Math.max(200, card.place.clientWidth), height: 118 }); }));
  addEventListener("hashchange", () => { if (location.hash.startsWith("#code=")) location.reload(); });
  enter().then(() => (token ? follow() : showDoor(""))).catch((e) => showDoor(e.message));
})();
