// Draws the charts of the page from the JSON in #chart-data. No network, no state beyond this page.
"use strict";
(function () {
  let data = JSON.parse(document.getElementById("chart-data").textContent);
  const figures = () => Array.from(document.querySelectorAll("figure[data-chart]"));
  const sync = uPlot.sync("run");
  let axis = "step";
  let drawn = [];

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const faint = (c, part) => c + Math.round(part * 255).toString(16).padStart(2, "0");
  const count = (v) => v.toLocaleString("en-US", { maximumFractionDigits: 0 });
  const digits = (v) => {
    if (v == null) return "";
    const size = Math.abs(v);
    if (size !== 0 && (size < 1e-4 || size >= 1e7)) return v.toExponential(2);
    if (size >= 1000) return count(v);
    return String(Number(v.toPrecision(4)));
  };
  const clock = (s) => {
    const whole = Math.round(s);
    const pad = (n) => String(n).padStart(2, "0");
    if (s < 60) return Number(s.toPrecision(3)) + " s";
    if (whole < 3600) return Math.floor(whole / 60) + ":" + pad(whole % 60);
    return Math.floor(whole / 3600) + ":" + pad(Math.floor(whole / 60) % 60) + ":" + pad(whole % 60);
  };
  const shortNumber = (v) => {
    const size = Math.abs(v);
    if (size >= 1e9) return Number((v / 1e9).toPrecision(3)) + " G";
    if (size >= 1e6) return Number((v / 1e6).toPrecision(3)) + " M";
    if (size >= 1e4) return Number((v / 1e3).toPrecision(3)) + " k";
    return digits(v);
  };
  const onAxis = (columns) => (axis === "step" ? columns.step : columns.seconds);

  // Two columns of points on one axis: evaluations among steps.
  function joined(xs, columns, otherXs, otherColumns) {
    if (otherXs.length === 0) return [xs, ...columns, ...otherColumns.map(() => xs.map(() => null))];
    return uPlot.join([[xs, ...columns], [otherXs, ...otherColumns]]);
  }

  const line = (label, stroke, more) => Object.assign(
    { label, stroke, width: 2, spanGaps: true, points: { show: false }, value: (u, v) => digits(v) }, more);
  const lonely = (columns) => columns.length < 2;

  // Each chart: its columns, its series, and what lies behind them.
  function noisy(label, columns, name, unit) {
    const c = color(name);
    const few = lonely(columns.mean);
    const series = [
      line(label, faint(c, 0.45), { width: 1, points: { show: few, size: 7, fill: c } }),
      line("trend", c, {}),
    ];
    const spread = columns.mean.some((v, i) => v != null && columns.high[i] - columns.low[i] > 1e-12);
    if (!spread) return { columns: [columns.mean, columns.smooth], series, unit };
    const hidden = { width: 0, points: { show: false }, stroke: "transparent", inLegend: false };
    return {
      columns: [columns.mean, columns.smooth, columns.high, columns.low],
      series: series.concat([line("highest", "", hidden), line("lowest", "", hidden)]),
      bands: [{ series: [3, 4], fill: faint(c, 0.14) }], unit,
    };
  }

  function dots(label, c) {
    return line(label, c, { width: 2, points: { show: true, size: 6, fill: c, stroke: c } });
  }

  function lossChart() {
    const chart = noisy("each " + data.word, data.loss, "w0");
    const validation = data.evaluations.loss;
    if (validation.every((v) => v == null)) return Object.assign(chart, { xs: onAxis(data) });
    const all = joined(onAxis(data), chart.columns, onAxis(data.evaluations), [validation]);
    chart.series.push(dots("validation", color("w1")));
    return Object.assign(chart, { xs: all[0], columns: all.slice(1) });
  }

  function metricChart(index) {
    const metric = data.evaluations.metrics[index];
    const target = index === 0 ? data.evaluations.target : null;
    const xs = onAxis(data.evaluations);
    const all = joined(onAxis(data), [], xs, [metric.values]);
    const best = metric.best < 0 ? null : { x: xs[metric.best], y: metric.values[metric.best] };
    return { xs: all[0], columns: all.slice(1), series: [dots(metric.name, color("w2"))], best, target };
  }

  function timeChart() {
    const names = ["compute", "exchange", "waiting", "data", "other"];
    const sums = [];
    names.forEach((name, i) => sums.push(data.timeMs[name].map((v, j) => (v || 0) + (i ? sums[i - 1][j] : 0))));
    const few = lonely(sums[0]);
    const series = names.map((name, i) => line(name, color(name), {
      width: 1, fill: i === 0 ? color(name) : undefined, points: { show: few, size: 7, fill: color(name) },
      value: (u, v, s, at) => (at == null ? "" : digits(data.timeMs[name][at]) + " ms"),
    }));
    const bands = names.slice(1).map((name, i) => ({ series: [i + 2, i + 1], fill: color(name) }));
    // The first steps and a pause now and then take so long that nothing else could be read.
    const totals = sums[sums.length - 1].slice().sort((a, b) => a - b);
    const usual = totals[Math.floor(0.97 * (totals.length - 1))];
    return { xs: onAxis(data), columns: sums, series, bands, fromZero: true, cap: usual * 1.5 };
  }

  function workersChart(column, unit, paths) {
    const few = lonely(data.step);
    return {
      xs: onAxis(data), columns: data.workers.map((w) => w[column]), unit, fromZero: true,
      series: data.workers.map((w, i) => line(w.name, color("w" + (i % 8)), {
        dash: i < 8 ? undefined : [6, 4], spanGaps: false, paths, points: { show: few, size: 7 },
        value: (u, v) => (v == null ? "" : digits(v) + " " + unit),
      })),
    };
  }

  const kinds = {
    loss: lossChart,
    rate: () => ({ xs: onAxis(data), columns: [data.learningRate], series: [line("learning rate", color("w6"), { points: { show: lonely(data.step) } })], fromZero: true }),
    norm: () => Object.assign(noisy("each " + data.word, data.gradientNorm, "w3"), { xs: onAxis(data), fromZero: true }),
    speed: () => Object.assign(noisy("each " + data.word, data.samplesPerSecond, "w2", "/s"), { xs: onAxis(data), fromZero: true }),
    time: timeChart,
    shares: () => workersChart("sharePercent", "%", uPlot.paths.stepped({ align: -1 })),
    memory: () => workersChart("memoryMib", "MiB", undefined),
  };

  // A loss is drawn last, so that the plan that follows it does not hide it.
  const marks = () => [...data.marks].sort((a, b) => (a.kind === "LOST") - (b.kind === "LOST"));

  function events(u) {
    const c = u.ctx;
    const { left, top, width, height } = u.bbox;
    c.save();
    c.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    c.lineWidth = devicePixelRatio;
    for (const mark of marks()) {
      const x = u.valToPos(axis === "step" ? mark.step : mark.seconds, "x", true);
      if (x < left + 1 || x > left + width) continue;
      c.strokeStyle = color(mark.kind === "LOST" ? "bad" : mark.kind === "PRECISION" ? "warn" : "soft");
      c.beginPath(); c.moveTo(x, top); c.lineTo(x, top + height); c.stroke();
    }
    c.restore();
  }

  function targetAndBest(chart) {
    return (u) => {
      const c = u.ctx;
      const { left, width } = u.bbox;
      c.save();
      c.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
      c.textAlign = "left";
      c.textBaseline = "alphabetic";
      if (chart.target != null) {
        const y = u.valToPos(chart.target, "y", true);
        c.strokeStyle = c.fillStyle = color("warn");
        c.lineWidth = 1.5 * devicePixelRatio;
        c.setLineDash([7 * devicePixelRatio, 4 * devicePixelRatio]);
        c.beginPath(); c.moveTo(left, y); c.lineTo(left + width, y); c.stroke();
        c.fillText("target " + digits(chart.target), left + 6 * devicePixelRatio, y - 5 * devicePixelRatio);
      }
      if (chart.best) {
        const x = u.valToPos(chart.best.x, "x", true);
        const y = u.valToPos(chart.best.y, "y", true);
        c.setLineDash([]);
        c.strokeStyle = c.fillStyle = color("ink");
        c.lineWidth = 2 * devicePixelRatio;
        c.beginPath(); c.arc(x, y, 6 * devicePixelRatio, 0, 7); c.stroke();
        const isRight = x > left + width * 0.7;
        c.textAlign = isRight ? "right" : "left";
        const side = (isRight ? -11 : 11) * devicePixelRatio;
        const isLow = y > u.bbox.top + u.bbox.height * 0.8;
        c.fillText("best " + digits(chart.best.y), x + side, y + (isLow ? -12 : 20) * devicePixelRatio);
      }
      c.restore();
    };
  }

  function range(chart) {
    return (u, low, high) => {
      if (low == null) return [0, 1];
      if (chart.cap) high = Math.min(high, chart.cap);
      if (chart.target != null) { low = Math.min(low, chart.target); high = Math.max(high, chart.target); }
      const pad = high - low > 0 ? (high - low) * 0.08 : Math.abs(high) * 0.1 || 1;
      return [chart.fromZero && low >= 0 ? 0 : low - pad, high + pad];
    };
  }

  function draw(figure) {
    const name = figure.dataset.chart;
    const chart = name.startsWith("metric-") ? metricChart(Number(name.slice(7))) : kinds[name]();
    const place = figure.querySelector(".plot");
    place.textContent = "";
    const common = { stroke: color("soft"), grid: { stroke: color("grid"), width: 1 }, ticks: { stroke: color("line"), width: 1, size: 4 }, font: "11px system-ui, sans-serif" };
    const plot = new uPlot({
      width: Math.max(240, place.clientWidth), height: 230, bands: chart.bands,
      cursor: { sync: { key: "run" }, points: { size: 7 }, drag: { x: true, y: false } },
      legend: { live: true, markers: { width: 0, fill: (u, i) => chart.series[i - 1].mark || u.series[i].stroke(u, i) } },
      scales: {
        x: { time: false, range: (u, low, high) => (low === high ? [low - 1, high + 1] : [low, high]) },
        y: { range: range(chart) },
      },
      axes: [
        Object.assign({}, common, { values: (u, vs) => vs.map((v) => (axis === "step" ? (Number.isInteger(v) ? shortNumber(v) : "") : v < 0 ? "" : clock(v))), size: 30 }),
        Object.assign({}, common, { values: (u, vs) => vs.map(shortNumber), size: 58 }),
      ],
      series: [{ label: axis === "step" ? data.word : "time", value: (u, v) => (v == null ? "" : axis === "step" ? count(v) : clock(v)) }, ...chart.series],
      hooks: { draw: [events, targetAndBest(chart)] },
    }, [chart.xs, ...chart.columns], place);
    chart.series.forEach((s, i) => {
      if (s.inLegend === false) plot.root.querySelectorAll(".u-legend .u-series")[i + 1].style.display = "none";
    });
    sync.sub(plot);
    figure.dataset.points = chart.columns.reduce((n, column) => n + column.filter((v) => v != null).length, 0);
    return { plot, place };
  }

  function drawAll() {
    drawn.forEach((d) => { sync.unsub(d.plot); d.plot.destroy(); });
    drawn = figures().map(draw);
  }

  document.querySelectorAll("[data-axis]").forEach((button) => button.addEventListener("click", () => {
    axis = button.dataset.axis;
    document.querySelectorAll("[data-axis]").forEach((b) => b.setAttribute("aria-pressed", String(b === button)));
    drawAll();
  }));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  let pending = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => drawn.forEach((d) => d.plot.setSize({ width: Math.max(240, d.place.clientWidth), height: 230 })));
  });
  drawAll();

  // A page that is served asks for itself again while its run goes on, and takes over what is new.
  function takeOver(next) {
    const old = document.querySelector("main");
    const scrolled = Array.from(old.querySelectorAll(".scroll, pre"), (e) => [e.scrollLeft, e.scrollTop]);
    const place = scrollY;
    data = JSON.parse(next.getElementById("chart-data").textContent);
    const fresh = document.adoptNode(next.querySelector("main"));
    fresh.style.minHeight = old.offsetHeight + "px";
    old.replaceWith(fresh);
    drawAll();
    globalThis.drawFigures();
    fresh.style.minHeight = "";
    fresh.querySelectorAll(".scroll, pre").forEach((e, i) => { if (scrolled[i]) [e.scrollLeft, e.scrollTop] = scrolled[i]; });
    scrollTo(scrollX, place);
    document.documentElement.dataset.live = next.documentElement.dataset.live;
  }
  async function follow() {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (next.getElementById("chart-data")) takeOver(next);
      if (document.documentElement.dataset.live === "follow") setTimeout(follow, 2000);
    } catch (e) {
      document.documentElement.dataset.live = "gone";
    }
  }
  if (document.documentElement.dataset.live === "follow") setTimeout(follow, 2000);
})();
