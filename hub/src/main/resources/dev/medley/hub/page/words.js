// Numbers, times and elements as the pages of Medley write them. Text is only ever put in as text.
"use strict";
globalThis.words = (function () {
  const pad = (n) => String(n).padStart(2, "0");
  const known = (v) => typeof v === "number" && Number.isFinite(v);

  function duration(s) {
    if (!known(s)) return "–";
    if (s < 0) return "0 s";
    if (s < 60) return Math.round(s) + " s";
    const minutes = Math.round(s / 60);
    if (minutes < 60) return minutes + " min";
    if (minutes < 48 * 60) return Math.floor(minutes / 60) + " h" + (minutes % 60 ? " " + (minutes % 60) + " min" : "");
    return Math.round(minutes / 1440) + " days";
  }

  function digits(v) {
    if (!known(v)) return v === "NaN" ? "not a number" : "–";
    const size = Math.abs(v);
    if (size >= 1e6) return Number((v / 1e6).toPrecision(3)) + " M";
    if (size >= 1e4) return Number((v / 1e3).toPrecision(3)) + " k";
    if (size !== 0 && size < 1e-3) return v.toExponential(2);
    return String(Number(v.toPrecision(4)));
  }

  const money = (v) => (known(v) ? v.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }) : "–");

  function moment(epochS, nowS) {
    if (!known(epochS)) return "–";
    const at = new Date(epochS * 1000);
    const clock = pad(at.getHours()) + ":" + pad(at.getMinutes());
    return Math.abs(nowS - epochS) < 18 * 3600 ? clock : (at.getMonth() + 1) + "/" + at.getDate() + " " + clock;
  }

  /** An element with properties and children; strings become text, never markup. */
  function el(name, properties, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties || {})) {
      if (key === "class") element.className = value;
      else if (key === "hue") element.style.setProperty("--hue", value);
      else if (key === "place") { element.style.left = value.left; element.style.width = value.width; }
      else if (key === "data") Object.assign(element.dataset, value);
      else element[key] = value;
    }
    element.append(...children.filter((child) => child != null));
    return element;
  }

  const empty = (why) => el("p", { class: "empty" }, why);

  function table(heads, rows) {
    const head = el("tr", {}, ...heads.map((h) => el("th", { scope: "col" }, h)));
    return el("div", { class: "scroll tall" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
  }

  const cell = (content, kind) => el("td", kind ? { class: kind } : {}, content);

  return { duration, digits, money, moment, el, empty, table, cell, known };
})();
