"use strict";
const study = JSON.parse(document.getElementById("study").textContent);
const gamesAt = document.getElementById("place");
const chosen = new Set(study.settings);
const LIGHT = ["#1f6f8b", "#d9502f", "#2e7d55", "#7a4fa3", "#9a6f00", "#12303b"];
const DARK = ["#6cc4dd", "#ff8a6b", "#7fd1a4", "#c3a0e6", "#f6c95b", "#e8f3f1"];
const SYMBOLS = ["circle", "square", "triangle", "diamond", "star"];
const dark = matchMedia("(prefers-color-scheme: dark)");

const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
const settings = () => study.settings.filter((name) => chosen.has(name));
const colour = (name) => {
  const colours = isDark() ? DARK : LIGHT;
  return colours[study.settings.indexOf(name) % colours.length];
};

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Figures

const draw = {
  intervals(figure, rows, width) {
    const shown = [...new Set(rows.map((row) => row.setting))];
    const alone = shown.length === rows.length;
    const grouped = shown.length > 1 && !alone;
    const key = (row) => `${row.setting}|${alone && shown.length > 1 ? row.setting : row.name}`;
    const domain = shown.flatMap((name) => [...(grouped ? [`${name}|`] : []), ...rows.filter((row) => row.setting === name).map(key)]);
    const label = (text) => text.slice(text.indexOf("|") + 1);
    const shade = (row) => (row.seat === undefined ? colour(row.setting) : study.seats[row.seat]);
    const marginLeft = Math.min(width * 0.55, 16 + 6.6 * Math.max(...domain.map((text) => label(text).length)));
    return {
      marginLeft,
      height: 50 + 22 * domain.length,
      x: { label: figure.x, grid: true, nice: true },
      y: { label: null, domain, tickFormat: label, tickSize: 0 },
      marks: [
        Plot.ruleX([0], { stroke: "var(--ink)" }),
        Plot.text(grouped ? shown : [], { y: (name) => `${name}|`, text: (name) => name, frameAnchor: "left", textAnchor: "start", dx: 4 - marginLeft, fontWeight: 800 }),
        Plot.ruleY(rows, { y: key, x1: "low", x2: "high", stroke: shade, strokeWidth: 3 }),
        Plot.dot(rows, { y: key, x: "value", fill: (row) => (row.faint ? "var(--paper)" : shade(row)), stroke: shade, strokeWidth: 2, r: 5,
          symbol: (row) => SYMBOLS[row.seat ?? 0] }),
        Plot.tip(rows, Plot.pointer({ y: key, x: "value", title: (row) => `${row.setting}\n${row.tip}` })),
      ],
      color: { type: "identity" },
      symbol: { type: "identity" },
    };
  },
  parts(figure, rows, width) {
    const names = [...new Set(rows.map((row) => row.name))];
    return {
      marginLeft: Math.min(width * 0.4, 14 + 6.6 * Math.max(...rows.map((row) => row.setting.length))),
      height: 70 + 30 * settings().length,
      x: { label: figure.x, domain: [0, 100] },
      y: { label: null, domain: settings() },
      color: { domain: names, range: ["#3f9fb5", "#f6b93b", "#b79a5c"], legend: true },
      marks: [Plot.barX(rows, Plot.stackX({ y: "setting", x: "value", fill: "name", inset: 1 })),
        Plot.tip(rows, Plot.pointer(Plot.stackX({ y: "setting", x: "value", title: "tip" })))],
    };
  },
  steps(figure, rows) {
    return {
      x: { label: figure.x }, y: { label: figure.y, grid: true, zero: true }, color: { type: "identity" },
      marks: [
        Plot.areaY(rows, { x: "x", y1: 0, y2: "value", z: "setting", fill: (row) => colour(row.setting), fillOpacity: 0.12, curve: "step" }),
        Plot.line(rows, { x: "x", y: "value", z: "setting", stroke: (row) => colour(row.setting), strokeWidth: 2, curve: "step" }),
        Plot.ruleY([0], { stroke: "var(--ink)" }),
        Plot.tip(rows, Plot.pointer({ x: "x", y: "value", title: (row) => `${row.setting}\n${row.tip}` })),
      ],
    };
  },
  bars(figure, rows) {
    return {
      fx: { label: figure.x, domain: [...new Set(rows.map((row) => row.name))], padding: 0.1 },
      x: { axis: null, domain: settings(), padding: 0.05 }, y: { label: figure.y, grid: true }, color: { type: "identity" },
      marks: [
        Plot.barY(rows, { fx: "name", x: "setting", y: "value", fill: (row) => colour(row.setting) }),
        Plot.ruleY([0], { stroke: "var(--ink)" }),
        Plot.tip(rows, Plot.pointer({ fx: "name", x: "setting", y: "value", title: (row) => `${row.setting}\n${row.tip}` })),
      ],
    };
  },
  events(figure, rows, width) {
    const names = [...new Set(rows.map((row) => row.name))];
    const positive = rows.map((row) => row.value).filter((value) => value > 0);
    const floor = 10 ** Math.floor(Math.log10(Math.min(...positive, 1)));
    const never = floor / 10; // at powers of ten alone a logarithmic axis has labels
    const at = (row) => (row.value > 0 ? row.value : never);
    const ticks = [never];
    for (let tick = floor; tick <= Math.max(...positive, 1) * 1.01; tick *= 10) ticks.push(tick);
    return {
      marginLeft: Math.min(width * 0.45, 14 + 6.8 * Math.max(...names.map((name) => name.length))),
      height: 50 + names.length * (16 + 5 * settings().length),
      x: { type: "log", label: figure.x, grid: true, ticks, domain: [never, Math.max(...positive, 1) * 1.3],
        tickFormat: (tick) => (tick === never ? "never" : String(Number(tick.toPrecision(1)))) },
      y: { label: null, domain: names }, color: { type: "identity" }, symbol: { type: "identity" },
      marks: [
        Plot.dot(rows, { x: at, y: "name", stroke: (row) => colour(row.setting), fill: (row) => colour(row.setting), r: 4.5,
          symbol: (row) => SYMBOLS[study.settings.indexOf(row.setting) % SYMBOLS.length],
          dy: 0 }),
        Plot.tip(rows, Plot.pointer({ x: at, y: "name", title: (row) => `${row.setting}\n${row.tip}` })),
      ],
    };
  },
  lines(figure, rows) {
    const band = rows.filter((row) => row.low !== undefined && row.low !== null);
    return {
      x: { label: figure.x, nice: false }, y: { label: figure.y, grid: true, nice: true }, color: { type: "identity" },
      marks: [
        Plot.areaY(band, { x: "x", y1: "low", y2: "high", z: "setting", fill: (row) => colour(row.setting), fillOpacity: 0.2 }),
        Plot.line(rows, { x: "x", y: "value", z: "setting", stroke: (row) => colour(row.setting), strokeWidth: 2, marker: band.length ? "dot" : null }),
        Plot.tip(rows, Plot.pointer({ x: "x", y: "value", title: (row) => `${row.setting}\n${row.tip}` })),
      ],
    };
  },
};

function drawAll() {
  for (const place of document.querySelectorAll("figure[data-figure]")) {
    const figure = study.figures.find((one) => one.name === place.dataset.figure);
    const rows = figure.rows.filter((row) => chosen.has(row.setting) || !study.settings.includes(row.setting));
    const holder = place.querySelector("div");
    const width = Math.max(260, place.clientWidth || 420);
    holder.replaceChildren();
    if (!rows.length) continue;
    const made = Plot.plot({ width, height: 260, marginBottom: 38, style: { background: "none", fontSize: "12px", fontFamily: "inherit", color: "var(--ink)" },
      ...draw[figure.kind](figure, rows, width) });
    const image = made.matches("svg") ? made : made.querySelector(":scope > svg");
    for (const part of image.querySelectorAll("g[aria-label]")) part.removeAttribute("aria-label");
    image.setAttribute("role", "img");
    image.setAttribute("aria-label", figure.words);
    holder.append(made);
  }
  for (const row of document.querySelectorAll("[data-setting]")) row.hidden = !chosen.has(row.dataset.setting);
  listGames();
}

// Which settings are shown

function tools() {
  const bar = document.querySelector(".tools");
  bar.replaceChildren();
  if (study.settings.length > 1) {
    for (const name of study.settings) {
      const box = element("input", { type: "checkbox", checked: chosen.has(name) });
      box.onchange = () => { box.checked ? chosen.add(name) : chosen.delete(name); drawAll(); };
      const dot = element("i");
      dot.style.setProperty("--colour", colour(name));
      bar.append(element("label", {}, box, dot, name));
    }
  }
  const other = element("input", { type: "file", accept: ".html" });
  other.onchange = async () => { if (other.files[0]) readOther(await other.files[0].text()); };
  bar.append(element("label", { className: "file" }, "Compare with another report…", other));
  const theme = element("button", { type: "button", textContent: isDark() ? "Light" : "Dark" });
  theme.onclick = () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; tools(); drawAll(); };
  bar.append(theme);
}

function readOther(text) {
  const found = new DOMParser().parseFromString(text, "text/html").getElementById("study");
  if (!found) return alert("This file is not a report of the lab.");
  compareWith(JSON.parse(found.textContent));
}

function compareWith(other) {
  const named = (name) => `${other.title}: ${name}`;
  for (const name of other.settings.map(named)) {
    if (!study.settings.includes(name)) study.settings.push(name);
    chosen.add(name);
  }
  for (const figure of other.figures) {
    const own = study.figures.find((one) => one.name === figure.name);
    if (own) own.rows = own.rows.concat(figure.rows.map((row) => ({ ...row, setting: named(row.setting) })));
  }
  if (other.numbers) document.querySelector(".tools").after(sideBySide(other));
  tools();
  drawAll();
}

// The numbers of two studies

/** As many decimal places as leave two digits of half an interval. */
const places = (half) => (half ? Math.max(0, Math.min(4, 1 - Math.floor(Math.log10(half)))) : 0);
const signed = (value, digits) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "exceptZero" }).replace("-", "−");

/** The limits of a difference by those of both numbers: Zou and Donner's way, which for shares is Newcombe's. */
function difference(one, other) {
  const value = other.value - one.value;
  const low = value - Math.hypot(other.value - other.low, one.high - one.value);
  const high = value + Math.hypot(other.high - other.value, one.value - one.low);
  return { value, low, high };
}

function besideRow(name, one, other) {
  const found = one ?? other;
  const scale = found.share ? 100 : 1;
  const cells = [one, other].map((some) => element("td", { textContent: some?.told ?? "unknown" }));
  if (one && other) {
    const { value, low, high } = difference(one, other);
    const digits = found.share ? 1 : places((high - low) / 2);
    cells.push(element("td", { className: low > 0 || high < 0 ? "detectable" : "" }, `${signed(scale * value, digits)}${found.share ? " points" : ""} `,
      element("span", { className: "interval", textContent: `(${signed(scale * low, digits)} to ${signed(scale * high, digits)})` })));
  } else cells.push(element("td", { textContent: "unknown" }));
  return element("tr", {}, element("th", { scope: "row", textContent: name }), ...cells);
}

function sideBySide(other) {
  const choice = (labels, wanted) => element("select", {}, ...labels.map((label) => element("option", { textContent: label, selected: label === wanted })));
  const [owns, others] = [Object.keys(study.numbers), Object.keys(other.numbers)];
  const first = owns.find((label) => others.includes(label)) ?? owns[0];
  const own = choice(owns, first);
  const its = choice(others, first);
  const holder = element("div", { className: "wide", tabIndex: 0 });
  holder.setAttribute("role", "region");
  holder.setAttribute("aria-label", "Two studies side by side");
  const fill = () => {
    const [one, two] = [study.numbers[own.value], other.numbers[its.value]];
    const found = new Map([...one.rows, ...two.rows].map(({ name }) => [name, [one, two].map(({ rows }) => rows.find((row) => row.name === name))]));
    const heads = ["measure", "this study", "the other", "difference, with 95 % interval"];
    const table = element("table", { className: "sorted" },
      element("caption", { textContent: `${one.games.toLocaleString("en")} and ${two.games.toLocaleString("en")} games` }),
      element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col", textContent: text })))),
      element("tbody", {}, ...[...found].map(([name, [a, b]]) => besideRow(name, a, b))));
    sortable(table);
    holder.replaceChildren(table);
  };
  own.onchange = () => { if (others.includes(own.value)) its.value = own.value; fill(); };
  its.onchange = fill;
  fill();
  return element("section", {}, element("h2", { textContent: "Two studies side by side" }),
    element("p", { textContent: `This study: ${study.title}. ${study.about}` }),
    element("p", { textContent: `The other: ${other.title}. ${other.about}` }),
    element("div", { className: "query" }, element("label", {}, "this study ", own), element("label", {}, "the other ", its)),
    holder,
    element("p", { className: "note", textContent: "The difference is the other study less this one; each has its own 95 % interval, from the intervals of both numbers (Zou and Donner's method, for shares Newcombe's). Bold is what 0 lies outside of. Intervals are not adjusted for their number: where nothing differs, about one in 20 leaves 0 out. Measures of fewer than 30 games are unknown." }));
}

// Tables that can be sorted

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const found = parseFloat(text.replace(/,/g, "").replace("−", "-").replace(/^p < /, ""));
    return Number.isNaN(found) ? text : found;
  };
  heads.forEach((head, column) => {
    const button = element("button", { type: "button", textContent: head.textContent });
    head.replaceChildren(button);
    button.onclick = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const [x, y] = [value(a, column), value(b, column)];
        return (typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "number" ? -1 : 1) * (up ? 1 : -1);
      });
      table.tBodies[0].append(...rows);
    };
  });
}

// Games: found by what happened in them, and replayed

function listGames() {
  const place = document.querySelector("#games tbody");
  if (!place) return;
  const setting = document.getElementById("games-setting").value;
  const [measure, order] = [document.getElementById("games-measure").value, document.getElementById("games-order").value];
  const least = parseFloat(document.getElementById("games-least").value);
  const most = parseFloat(document.getElementById("games-most").value);
  const shortest = parseFloat(document.getElementById("games-shortest").value);
  const longest = parseFloat(document.getElementById("games-longest").value);
  const games = study.games[setting];
  let numbers = games.columns[measure].map((value, number) => [value, number])
    .filter(([value, number]) => !(value < least) && !(value > most)
      && !(games.columns.rounds[number] < shortest) && !(games.columns.rounds[number] > longest));
  document.getElementById("games-curve").hidden = order !== "curve";
  if (order === "curve") {
    numbers = numbers.filter(([, number]) => games.curves[number]);
    const far = new Map(numbers.map(([, number]) => [number, distance(games.curves[number])]));
    numbers.sort(([, a], [, b]) => far.get(a) - far.get(b));
    drawCurve(numbers.length ? games.curves[numbers[0][1]] : null);
  } else numbers.sort(([a], [b]) => (order === "most" ? b - a : a - b));
  document.getElementById("games-count").textContent =
    `${numbers.length.toLocaleString("en")} of the first ${games.columns[measure].length.toLocaleString("en")} games`;
  place.replaceChildren(...numbers.slice(0, 12).map(([value, number]) => {
    const kept = study.replays.find((one) => one.setting === setting && one.row === number);
    const how = element("td", { className: "text" });
    if (kept) {
      const button = element("button", { type: "button", textContent: "Watch" });
      button.onclick = () => watch(kept);
      how.append(button);
    } else if (gamesAt) {
      const query = new URLSearchParams({ setting, row: number });
      how.append(element("a", { href: `${JSON.parse(gamesAt.textContent)}?${query}`, target: "_blank", textContent: "Open" }));
    } else how.append(element("code", { textContent: `strandline lab show ${study.folder} ${number}${study.settings.length > 1 ? ` --setting "${setting}"` : ""}` }));
    return element("tr", {}, element("th", { scope: "row", textContent: number }), element("td", { textContent: value }),
      element("td", { textContent: games.winners[number] }), how);
  }));
}

// The course of the winner's lead: drawn with the pointer, or set with the sliders

const wanted = [50, 40, 30, 40, 60, 90];
const CURVE = { width: 300, height: 120 };

function distance(curve) {
  const last = curve.length - 1;
  let sum = 0;
  curve.forEach((value, i) => {
    const at = (i / last) * (wanted.length - 1);
    const left = Math.min(Math.floor(at), wanted.length - 2);
    const goal = wanted[left] + (at - left) * (wanted[left + 1] - wanted[left]);
    sum += (value - goal) ** 2;
  });
  return Math.sqrt(sum / curve.length);
}

function path(values) {
  return values.map((value, i) => `${i ? "L" : "M"}${(i / (values.length - 1)) * CURVE.width} ${CURVE.height * (1 - value / 100)}`).join("");
}

function drawCurve(nearest) {
  const place = document.getElementById("games-curve");
  if (!place.firstChild) makeCurve(place);
  place.querySelector(".wanted").setAttribute("d", path(wanted));
  place.querySelector(".nearest").setAttribute("d", nearest ? path(nearest) : "");
  place.querySelectorAll("input").forEach((slider, i) => { slider.value = wanted[i]; });
}

function makeCurve(place) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 -4 ${CURVE.width} ${CURVE.height + 8}`);
  svg.setAttribute("aria-hidden", "true");
  for (const [name, shape] of [["level", `M0 ${CURVE.height / 2}H${CURVE.width}`], ["nearest", ""], ["wanted", ""]]) {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("class", name);
    line.setAttribute("d", shape);
    svg.append(line);
  }
  const bend = (event) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const frame = svg.getBoundingClientRect();
    const at = Math.round(((event.clientX - frame.left) / frame.width) * (wanted.length - 1));
    wanted[Math.max(0, Math.min(wanted.length - 1, at))] = Math.round(100 * Math.max(0, Math.min(1, 1 - (event.clientY - frame.top) / frame.height)));
    listGames();
  };
  svg.addEventListener("pointerdown", (event) => { svg.setPointerCapture(event.pointerId); bend(event); });
  svg.addEventListener("pointermove", bend);
  const sliders = element("div", { className: "sliders" }, ...wanted.map((value, i) => {
    const slider = element("input", { type: "range", min: 0, max: 100, value });
    slider.setAttribute("aria-label", `The winner's lead after ${(100 * i) / (wanted.length - 1)} % of the game; 50 is level`);
    slider.oninput = () => { wanted[i] = Number(slider.value); listGames(); };
    return slider;
  }));
  place.append(element("p", { className: "note", textContent: "Draw how the winner's lead should go, from the beginning to the end: above the line ahead, below it behind. The thin curve is the game most like it." }), svg, sliders);
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function pictures(changes) {
  let tags = [];
  return changes.map((frame) => {
    tags = tags.slice();
    for (const [at, gone, ...put] of frame) tags.splice(at, gone, ...put);
    return tags.join("");
  });
}

async function watch(game) {
  const dialog = document.getElementById("replay");
  const boards = pictures(await unpacked(game.frames));
  const image = element("img", { alt: "The board" });
  const slider = element("input", { type: "range", min: 0, max: boards.length - 1, value: 0 });
  slider.setAttribute("aria-label", "Step of the game");
  const list = element("ol", { start: 1 }, ...game.sentences.map((text, number) => {
    const item = element("li", { textContent: text });
    item.onclick = () => show(number + 1);
    return item;
  }));
  let playing = null;
  let at = 0;
  const said = element("p", { className: "found" });
  said.setAttribute("aria-live", "polite");
  function show(number) {
    at = Math.max(0, Math.min(boards.length - 1, number));
    slider.value = at;
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(new Blob([boards[at]], { type: "image/svg+xml" }));
    said.textContent = at ? game.sentences[at - 1] : "The beginning.";
    [...list.children].forEach((item, i) => item.toggleAttribute("aria-current", i === at - 1));
    const item = list.children[at - 1];
    if (item) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
    if (at === boards.length - 1) pause();
  }
  function pause() { clearInterval(playing); playing = null; play.textContent = "Play"; }
  slider.oninput = () => show(Number(slider.value));
  const button = (text, action) => { const made = element("button", { type: "button", textContent: text }); made.onclick = action; return made; };
  const play = button("Play", () => {
    if (playing) return pause();
    if (at === boards.length - 1) show(0);
    play.textContent = "Pause";
    playing = setInterval(() => show(at + 1), 900);
  });
  const side = element("div", {}, element("h2", { textContent: game.title }), said,
    element("div", { className: "steps" }, button("Back", () => show(at - 1)), play, button("Next", () => show(at + 1)), slider));
  if (game.chances) {
    const moment = decisive(game.chances);
    side.append(chances(game, moment), button("Go to the decisive moment", () => show(moment)));
  }
  side.append(list);
  dialog.replaceChildren(element("div", { className: "replay" }, image, side));
  if (dialog.showModal) {
    dialog.append(button("Close", () => dialog.close()));
    dialog.onclose = pause;
    dialog.showModal();
  }
  show(0);
}

/** The step that changes somebody's chance of winning most. */
function decisive(shares) {
  const swing = (step) => Math.max(...shares[step].map((share, seat) => Math.abs(share - shares[step - 1][seat])));
  return shares.slice(1).reduce((best, _, i) => (swing(i + 1) > swing(best) ? i + 1 : best), 1);
}

function chances(game, moment) {
  const rows = game.chances.flatMap((shares, step) => shares.map((share, seat) => ({ step, seat, share: 100 * share })));
  const figure = element("figure", {}, element("figcaption", { textContent: "Chance of winning; dashed: the decisive moment" }));
  figure.append(Plot.plot({ width: 280, height: 130, marginLeft: 30, style: { background: "none", color: "var(--ink)", fontSize: "11px" },
    x: { label: "step" }, y: { label: "%", domain: [0, 100], ticks: 3, grid: true }, color: { type: "identity" },
    marks: [Plot.ruleX([moment], { stroke: "var(--ink)", strokeDasharray: "3 3" }),
      Plot.line(rows, { x: "step", y: "share", z: "seat", stroke: (row) => study.seats[row.seat], strokeWidth: 2 })] }));
  return figure;
}

// The page

document.querySelectorAll("table.sorted").forEach(sortable);
document.querySelectorAll("button[data-replay]").forEach((button) => {
  button.onclick = () => watch(study.replays[Number(button.dataset.replay)]);
});
document.querySelectorAll(".query :is(select, input)").forEach((field) => { field.oninput = listGames; });
dark.addEventListener("change", () => { tools(); drawAll(); });
let wide = innerWidth;
addEventListener("resize", () => { if (innerWidth !== wide) { wide = innerWidth; drawAll(); } });
const beside = document.getElementById("other");
if (beside) compareWith(JSON.parse(beside.textContent));
else if (document.querySelector(".tools")) { tools(); drawAll(); }
else watch(study.replays[0]);
