// Draws the plots of a simulation from the JSON in #chart-data. No network, no state beyond this page.
"use strict";
(function () {
  const lines = JSON.parse(document.getElementById("chart-data").textContent);
  const machines = [...new Set(lines.flatMap((l) => l.points.map((p) => p.machines)))].sort((a, b) => a - b);
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const short = (v) => {
    const size = Math.abs(v);
    if (size >= 1e9) return Number((v / 1e9).toPrecision(3)) + " G";
    if (size >= 1e6) return Number((v / 1e6).toPrecision(3)) + " M";
    if (size >= 1e4) return Number((v / 1e3).toPrecision(3)) + " k";
    return String(Number(v.toPrecision(3)));
  };

  // What each plot shows of a point, and how.
  const kinds = {
    speedUp: { of: (p) => p.speedUp, log: true, ideal: true },
    efficiency: { of: (p) => 100 * p.efficiency, log: false, unit: " %" },
    hours: { of: (p) => p.hours, log: true },
    borderBytesPerSample: { of: (p) => p.borderBytesPerSample || null, log: true },
    cost: { of: (p) => p.cost, log: true },
  };

  function column(line, kind) {
    const at = new Map(line.points.map((p) => [p.machines, kind.of(p)]));
    return machines.map((n) => (at.has(n) ? at.get(n) : null));
  }

  function range(kind) {
    return (u, low, high) => {
      if (low == null) return [1, 10];
      if (!kind.log) return [0, Math.max(100, high * 1.05)];
      return [10 ** Math.floor(Math.log10(low)), high * 1.3];
    };
  }

  function draw(figure) {
    const kind = kinds[figure.dataset.chart];
    const place = figure.querySelector(".plot");
    place.textContent = "";
    const columns = lines.map((l) => column(l, kind));
    const series = lines.map((l, i) => ({
      label: l.strategy, stroke: color("w" + (i % 8)), width: 2, dash: i < 8 ? [] : [2, 3], spanGaps: true,
      points: { show: true, size: 6, fill: color("w" + (i % 8)) },
      value: (u, v) => (v == null ? "" : short(v) + (kind.unit || "")),
    }));
    if (kind.ideal) {
      columns.push(machines);
      series.push({ label: "ideal", stroke: color("soft"), width: 1, dash: [5, 4], points: { show: false }, value: (u, v) => (v == null ? "" : short(v)) });
    }
    figure.dataset.points = columns.reduce((n, c) => n + c.filter((v) => v != null).length, 0);
    const common = { stroke: color("soft"), grid: { stroke: color("grid"), width: 1 }, ticks: { stroke: color("line"), width: 1, size: 4 }, font: "11px system-ui, sans-serif" };
    const ends = [machines[0] / 1.15, machines[machines.length - 1] * 1.15];
    return new uPlot({
      width: Math.max(240, place.clientWidth), height: 260,
      cursor: { sync: { key: "scaling" }, points: { size: 7 }, drag: { x: false, y: false } },
      legend: { live: true, markers: { width: 0, fill: (u, i) => u.series[i].stroke(u, i) } },
      scales: { x: { time: false, distr: 3, log: 2, range: () => ends }, y: { distr: kind.log ? 3 : 1, range: range(kind) } },
      axes: [
        Object.assign({}, common, { splits: () => machines, values: (u, vs) => vs.map((v) => (v == null ? "" : v.toLocaleString("en-US"))), size: 30 }),
        Object.assign({}, common, { values: (u, vs) => vs.map((v) => (v == null ? "" : short(v) + (kind.unit || ""))), size: 58 }),
      ],
      series: [{ label: "machines", value: (u, v) => (v == null ? "" : v.toLocaleString("en-US")) }, ...series],
    }, [machines, ...columns], place);
  }

  const figures = Array.from(document.querySelectorAll("figure[data-chart]"));
  let drawn = [];
  function drawAll() {
    drawn.forEach((plot) => plot.destroy());
    drawn = figures.map(draw);
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  let pending = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(drawAll);
  });
  drawAll();
})();
