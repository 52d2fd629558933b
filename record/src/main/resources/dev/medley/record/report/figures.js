// Draws the charts of an evaluation, each from the JSON within its own figure. No network, no state.
"use strict";
(function () {
  let drawn = [];
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const faint = (c, part) => c + Math.round(part * 255).toString(16).padStart(2, "0");
  const percent = (v) => Number((100 * v).toPrecision(3)) + " %";
  const plain = (v) => {
    const size = Math.abs(v);
    if (size !== 0 && (size < 1e-4 || size >= 1e7)) return v.toExponential(2);
    return size >= 1000 ? v.toLocaleString("en-US", { maximumFractionDigits: 0 }) : String(Number(v.toPrecision(4)));
  };
  const words = (axis) => (axis.scale === "PERCENT" ? percent : plain);

  function range(axis, halfBar) {
    return (u, low, high) => {
      if (axis.scale === "PERCENT") return [0, 1];
      if (low == null) return [0, 1];
      if (halfBar) return [low - halfBar, high + halfBar];
      const pad = high > low ? (high - low) * 0.05 : Math.abs(high) * 0.1 || 1;
      return [axis.scale === "FROM_ZERO" && low >= 0 ? 0 : low - pad, high + pad];
    };
  }

  // Each look: what uPlot is told of it besides name, colour and value.
  const looks = {
    LINE: (c, few) => ({ width: 2, points: { show: few, size: 6, fill: c } }),
    DASHED: () => ({ width: 1.5, dash: [5, 4], points: { show: false } }),
    DOTS: (c, few) => (few
      ? { width: 2, points: { show: true, size: 7, fill: c } }
      : { paths: () => null, points: { show: true, size: 4, width: 0, fill: faint(c, 0.6) } }),
    BARS: (c) => ({ width: 1, fill: faint(c, 0.5), paths: uPlot.paths.bars({ size: [0.92, 90] }), points: { show: false } }),
    TOLD: () => ({ scale: "told", paths: () => null, points: { show: false } }),
  };

  function series(chart) {
    const few = chart.at.length <= 12;
    let colored = 0;
    let grey = 0;
    return chart.lines.map((line) => {
      const dashed = line.look === "DASHED";
      const c = dashed ? color(grey++ ? "w7" : "soft") : color("w" + colored);
      if (!dashed && line.look !== "TOLD") colored++;
      const told = line.look === "TOLD" ? plain : words(chart.y);
      return Object.assign(
        { label: line.name, stroke: c, spanGaps: false, value: (u, v) => (v == null ? "" : told(v)) },
        looks[line.look](c, few));
    });
  }

  function marks(chart) {
    return (u) => {
      const c = u.ctx;
      const { top, height, left, width } = u.bbox;
      c.save();
      c.strokeStyle = c.fillStyle = color("ink");
      c.lineWidth = 1.5 * devicePixelRatio;
      c.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
      for (const mark of chart.marks) {
        const x = u.valToPos(mark.at, "x", true);
        if (x < left || x > left + width) continue;
        const isRight = x > left + width * 0.75;
        c.setLineDash([7 * devicePixelRatio, 4 * devicePixelRatio]);
        c.beginPath(); c.moveTo(x, top); c.lineTo(x, top + height); c.stroke();
        c.textAlign = isRight ? "right" : "left";
        c.fillText(mark.word, x + (isRight ? -6 : 6) * devicePixelRatio, top + height - 6 * devicePixelRatio);
      }
      c.restore();
    };
  }

  function draw(figure) {
    const chart = JSON.parse(figure.querySelector("script").textContent);
    const place = figure.querySelector(".plot");
    place.textContent = "";
    const bars = chart.lines.some((line) => line.look === "BARS");
    const halfBar = bars && chart.x.scale !== "PERCENT" && chart.at.length > 1 ? (chart.at[1] - chart.at[0]) / 2 : 0;
    const axis = (of, size) => ({
      label: of.title, labelSize: 18, labelGap: 0, labelFont: "12px system-ui, sans-serif", size,
      stroke: color("soft"), grid: { stroke: color("grid"), width: 1 }, ticks: { stroke: color("line"), width: 1, size: 4 },
      font: "11px system-ui, sans-serif", values: (u, vs) => vs.map((v) => (v == null ? "" : words(of)(v))),
    });
    const all = series(chart);
    const plot = new uPlot({
      width: Math.max(240, place.clientWidth), height: 280,
      cursor: { points: { size: 7 }, drag: { x: false, y: false } },
      legend: { live: true, markers: { width: 0, fill: (u, i) => (chart.lines[i - 1].look === "TOLD" ? "transparent" : u.series[i].stroke(u, i)) } },
      scales: { x: { time: false, range: range(chart.x, halfBar) }, y: { range: range(chart.y, 0) }, told: {} },
      axes: [axis(chart.x, 30), axis(chart.y, 58)],
      series: [{ label: chart.x.title, value: (u, v) => (v == null ? "" : words(chart.x)(v)) }, ...all],
      hooks: { draw: [marks(chart)] },
    }, [chart.at, ...chart.lines.map((line) => line.values)], place);
    figure.dataset.points = chart.lines.reduce((n, line) => n + line.values.filter((v) => v != null).length, 0);
    return plot;
  }

  globalThis.drawFigures = function () {
    drawn.forEach((plot) => plot.destroy());
    drawn = Array.from(document.querySelectorAll("figure[data-figure]"), draw);
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", globalThis.drawFigures);
  let pending = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(globalThis.drawFigures);
  });
  globalThis.drawFigures();
})();
