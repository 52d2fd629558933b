// The parts of the fleet's page: each makes elements of what the hub said last.
"use strict";
globalThis.parts = (function () {
  const { duration, digits, money, moment, el, empty, table, cell, known } = globalThis.words;
  const STATES = ["free", "busy", "leaving", "lost", "refused"];
  const OVER = ["DONE", "FAILED", "CANCELLED"];
  const hue = (id) => "var(--w" + (id % 8) + ")";
  const state = (machine) => machine.health.split(/[^a-z]/i)[0].toLowerCase();
  const has = (phases) => (job) => phases.includes(job.phase);
  const isRunning = has(["STARTING", "RUNNING", "PAUSING"]);
  const isWaiting = has(["QUEUED", "PAUSED"]);
  const title = (job) => job.submission.name || "job " + job.id;
  const short = (job) => (title(job).length > 24 ? title(job).slice(0, 23) + "…" : title(job));
  const total = (values) => values.reduce((sum, v) => sum + (known(v) ? v : 0), 0);
  const sorted = (values, by) => [...values].sort((a, b) => by(a) - by(b));
  const price = (machine) => (known(machine.pricePerHour) && machine.pricePerHour >= 0 ? machine.pricePerHour : null);
  const queue = (jobs) => sorted(jobs.filter(isWaiting), (job) => job.queuePosition || 1e9);

  /** What a running job costs until its end, by the prices of what it holds; null where unknown. */
  function expected(job, machines) {
    const held = machines.filter((m) => job.machines.includes(m.name)).map(price);
    if (!known(job.figures.remainingS) || held.length === 0 || held.includes(null)) return null;
    return total(held) * job.figures.remainingS / 3600;
  }

  function tiles({ fleet, jobs }) {
    const count = (s) => fleet.machines.filter((m) => state(m) === s).length;
    const present = fleet.machines.length - count("lost") - count("refused");
    const running = jobs.filter(isRunning);
    const waiting = jobs.filter((job) => job.phase === "QUEUED");
    const oldest = Math.max(0, ...waiting.map((job) => fleet.nowEpochS - job.figures.submittedEpochS));
    const rate = total(fleet.machines.filter((m) => state(m) === "busy" || state(m) === "leaving").map(price));
    const more = running.map((job) => expected(job, fleet.machines));
    const open = more.filter((v) => v == null).length;
    const tile = (name, value, note) => el("div", { class: "tile" }, el("span", {}, name), el("b", {}, value), el("small", {}, note));
    return [
      tile("Machines busy", (count("busy") + count("leaving")) + " of " + present, present < fleet.machines.length ? fleet.machines.length - present + " lost or refused" : "all are there"),
      tile("Running", String(running.length), digits(total(running.map((job) => job.figures.samplesPerSecond))) + " samples/s"),
      tile("Waiting", String(waiting.length), waiting.length ? "the oldest for " + duration(oldest) : "nobody waits"),
      tile("Done", String(jobs.filter(has(["DONE"])).length), jobs.filter(has(["FAILED"])).length + " failed"),
      tile("Cost so far", money(fleet.cost), rate ? money(rate) + " an hour now" : "no prices known"),
      tile("Running jobs' rest", money(total(more)), open ? "without " + open + " of unknown length or price" : "expected"),
    ];
  }

  function types({ fleet, jobs }) {
    if (!fleet.machines.length) return [empty("No machine has joined. Start one with medley agent --join and this hub's address.")];
    const names = [...new Set(fleet.machines.map((m) => m.type))].sort();
    const title1 = (m) => m.name + ", " + m.site + ": " + m.health + (m.jobs.length ? ", job " + m.jobs.join(", ") : "");
    return [el("div", { class: "types" }, ...names.map((name) => {
      const all = fleet.machines.filter((m) => m.type === name);
      const prices = [...new Set(all.map(price).filter((v) => v != null))].sort((a, b) => a - b);
      const said = prices.length === 0 ? "no price" : prices.length === 1 ? money(prices[0]) + " an hour" : money(prices[0]) + " to " + money(prices[prices.length - 1]) + " an hour";
      const counts = STATES.map((s) => [s, all.filter((m) => state(m) === s).length]).filter((c) => c[1]).map((c) => c[1] + " " + c[0]);
      const spot = all.filter((m) => m.spot).length;
      return el("article", { class: "type", data: { type: name } },
        el("header", {}, el("b", { title: name }, name), el("span", {}, said)),
        el("div", { class: "boxes" }, ...all.map((m) => el("i", { class: "box " + (STATES.includes(state(m)) ? state(m) : ""), title: title1(m), hue: m.jobs.length ? hue(m.jobs[0]) : "" }))),
        el("footer", {}, counts.join(", ") + (spot ? " · " + spot + " spot" : "")));
    }))];
  }

  function machineRows({ fleet, jobs }) {
    const named = new Map(jobs.map((job) => [job.id, title(job)]));
    return fleet.machines.map((m) => el("tr", {}, cell(m.name), cell(m.type + (m.spot ? " (spot)" : "")), cell(m.site),
      cell(el("span", { class: "kind " + state(m), title: m.health }, state(m))),
      cell(m.jobs.map((id) => named.get(id) || "job " + id).join(", ") || "–"),
      cell(price(m) == null ? "–" : money(price(m)), "number"), cell(duration(m.heardAgoS) + " ago", "number")));
  }

  /** Who is served before a job, and who gives machines back next: that is whom it waits for. */
  function waitsFor(job, ahead, running) {
    const names = ahead.slice(0, 2).map(short).join(", ") + (ahead.length > 2 ? " and " + (ahead.length - 2) + " more" : "");
    const next = sorted(running.filter((each) => known(each.figures.remainingS)), (each) => each.figures.remainingS)[0];
    const ends = next ? short(next) + " ends first, in " + duration(next.figures.remainingS) : "";
    if (job.phase === "PAUSED") return "its user, who paused it";
    return [names && "after " + names, ends].filter(Boolean).join("; ") || "the next decision";
  }

  function queueBody({ fleet, jobs }) {
    const all = queue(jobs);
    const running = jobs.filter(isRunning);
    if (!all.length) return [empty("Nobody waits.")];
    return [table(["", "Job", "Waits", "Machines", "Deadline", "Why", "For whom"], all.map((job, i) => {
      const s = job.submission;
      const least = s.minMachines || 1;
      const bounds = s.maxMachines === least ? String(least) : s.maxMachines ? least + " to " + s.maxMachines : s.minMachines ? least + " or more" : "any";
      const deadline = known(s.terms.deadlineEpochS) ? "in " + duration(s.terms.deadlineEpochS - fleet.nowEpochS) : "–";
      const more = s.user + (s.terms.group ? ", " + s.terms.group : "") + (s.terms.priority ? ", priority " + s.terms.priority : "");
      return el("tr", { data: { job: job.id } }, cell(job.phase === "PAUSED" ? el("span", { class: "kind paused" }, "paused") : String(job.queuePosition || "–"), "number"),
        el("td", {}, el("span", { class: "job-name" }, title(job)), el("small", {}, "job " + job.id + " of " + more)),
        cell(duration(fleet.nowEpochS - job.figures.submittedEpochS), "number"), cell(bounds, "number"), cell(deadline, "number"),
        cell(job.why, "reason"), cell(waitsFor(job, all.slice(0, i).filter(has(["QUEUED"])), running), "reason"));
    }))];
  }

  /** What a card says beside its curve. */
  function cardFacts(job) {
    const f = job.figures;
    const fact = (name, value, all) => [el("dt", {}, name), el("dd", { title: all || value }, value)];
    return [
      el("header", {}, el("b", {}, title(job)), el("span", {}, "job " + job.id + " of " + job.submission.user)),
      el("p", {}, job.why),
      el("div", { class: "progress", title: Math.round(100 * f.doneFraction) + " % done" }, el("i", { place: { left: "", width: Math.min(100, 100 * f.doneFraction) + "%" } })),
      el("dl", {}, ...fact("done", Math.round(100 * f.doneFraction) + " %"), ...fact("left", duration(f.remainingS)),
        ...fact("machines", String(job.machines.length), job.machines.join(", ")), ...fact("samples/s", digits(f.samplesPerSecond))),
      el("dl", {}, ...fact("loss", digits(f.loss)), ...fact("cost", money(f.cost)),
        ...fact("budget", money(job.submission.terms.budget)), ...fact("state", job.phase.toLowerCase())),
    ];
  }

  function lanes({ fleet, jobs, tenures }, spanS) {
    const to = fleet.nowEpochS;
    const from = to - spanS;
    const seen = tenures.filter((t) => (t.toEpochS == null ? to : t.toEpochS) >= from && t.fromEpochS <= to);
    if (!seen.length) return [empty("No job held a machine in this time.")];
    const times = new Map();
    jobs.forEach((job) => times.set(title(job), 1 + (times.get(title(job)) || 0)));
    const named = new Map(jobs.map((job) => [job.id, times.get(title(job)) > 1 ? title(job) + " (job " + job.id + ")" : title(job)]));
    const name = (id) => named.get(id) || "job " + id;
    const machines = [...new Set([...fleet.machines.map((m) => m.name), ...seen.map((t) => t.machine)])];
    const bar = (t) => {
      const left = Math.max(0, (t.fromEpochS - from) / spanS);
      const right = Math.min(1, ((t.toEpochS == null ? to : t.toEpochS) - from) / spanS);
      const words = name(t.job) + " on " + t.machine + ", " + moment(t.fromEpochS, to) + " to " + (t.toEpochS == null ? "now" : moment(t.toEpochS, to)) + ": " + t.why;
      return el("b", { title: words, hue: hue(t.job), data: { job: t.job }, place: { left: 100 * left + "%", width: 100 * (right - left) + "%" } }, right - left > 0.05 ? name(t.job) : "");
    };
    const lane = (label, ...content) => el("div", { class: "lane" }, el("span", { title: label }, label), el("div", {}, ...content));
    const axis = lane("", ...[0, 1, 2, 3, 4].map((i) => el("em", { place: { left: 25 * i + "%", width: "" } }, i === 4 ? "now" : moment(from + spanS * i / 4, to))));
    axis.classList.add("axis");
    const ids = sorted([...new Set(seen.map((t) => t.job))], (id) => id);
    return [el("div", { class: "timeline" }, ...machines.map((m) => lane(m, ...seen.filter((t) => t.machine === m).map(bar))), axis),
      el("div", { class: "legend" }, ...ids.slice(0, 24).map((id) => el("span", {}, el("i", { hue: hue(id) }), name(id))))];
  }

  function costBody({ fleet, jobs }) {
    if (!jobs.length) return [empty("Nothing has been spent.")];
    const users = [...new Set(jobs.map((job) => job.submission.user))];
    const rows = sorted(users.map((user) => {
      const own = jobs.filter((job) => job.submission.user === user);
      const more = own.filter(isRunning).map((job) => expected(job, fleet.machines));
      return { user, own, spent: total(own.map((job) => job.figures.cost)), more: total(more), open: more.includes(null) };
    }), (row) => -row.spent);
    const budgets = jobs.filter((job) => known(job.submission.terms.budget) && !OVER.includes(job.phase));
    const left = el("div", {}, table(["User", "Jobs", "So far", "Expected more", "Together"], rows.map((row) => el("tr", {}, cell(row.user || "–"),
      cell(String(row.own.length), "number"), cell(money(row.spent), "number"), cell((row.open ? "at least " : "") + money(row.more), "number"), cell(money(row.spent + row.more), "number")))));
    const right = el("div", {}, el("h3", {}, "Budgets"), budgets.length ? table(["Job", "Spent", "Of", "At its end"], budgets.map((job) => {
      const more = expected(job, fleet.machines);
      const end = more == null ? null : job.figures.cost + more;
      const over = end != null && end > job.submission.terms.budget;
      return el("tr", {}, cell(title(job)), cell(money(job.figures.cost), "number"), cell(money(job.submission.terms.budget), "number"),
        cell(over ? el("span", { class: "kind lost" }, money(end)) : money(end), "number"));
    })) : empty("No job that goes on has a budget."));
    return [el("div", { class: "cost-grid" }, left, right)];
  }

  function endedBody({ fleet, jobs }) {
    const over = sorted(jobs.filter(has(OVER)), (job) => -(job.figures.endedEpochS || 0)).slice(0, 100);
    if (!over.length) return [empty("No job has ended yet.")];
    return [table(["", "Job", "Ended", "Took", "Loss", "Cost", "How"], over.map((job) => {
      const f = job.figures;
      const took = known(f.endedEpochS) && known(f.startedEpochS) ? duration(f.endedEpochS - f.startedEpochS) : "–";
      return el("tr", { data: { job: job.id } }, cell(el("span", { class: "kind " + job.phase.toLowerCase() }, job.phase.toLowerCase())),
        el("td", {}, el("span", { class: "job-name" }, title(job)), el("small", {}, "job " + job.id + " of " + job.submission.user)),
        cell(moment(f.endedEpochS, fleet.nowEpochS), "number"), cell(took, "number"), cell(digits(f.loss), "number"), cell(money(f.cost), "number"), cell(job.why, "reason"));
    }))];
  }

  return { tiles, types, machineRows, queueBody, cardFacts, lanes, costBody, endedBody, isRunning, hue };
})();
