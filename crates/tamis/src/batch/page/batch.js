"use strict";
// A batch to look at: counts, two plots, and a matrix of tasks and presets, wrong answers first.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  // Strings become text nodes: nothing of the input is ever read as markup.
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** Of what should be looked at first, to what is as it should be. */
const ORDER = ["wrong", "violated", "crash", "unreadable", "unknown", "proved", "right"];
const BAD = new Set(["wrong", "violated", "crash"]);
const ANSWERS = new Set(["right", "proved", "violated"]);
const WORSE = new Set(["lost", "worse", "slower"]);
/** So many rows at first, and so many more each time. */
const PAGE = 300;

const answer = (verdict) => verdict.split("(")[0];
const seconds = (time) => (time < 10 ? time.toFixed(2) : time < 1000 ? time.toFixed(1) : time.toFixed(0)) + " s";
const rank = (check) => ORDER.indexOf(check.judgement);

// ---- rows: a task with a property; a cell for each preset

const rows = [];
{
  const known = new Map();
  for (const check of data.checks) {
    const key = JSON.stringify([check.suite, check.task, check.property]);
    if (!known.has(key)) {
      known.set(key, { suite: check.suite ?? "", task: check.task, property: check.property ?? "", expected: check.expected ?? "", cells: [] });
      rows.push(known.get(key));
    }
    known.get(key).cells[check.preset] = check;
  }
  for (const row of rows) row.worst = Math.min(...row.cells.filter(Boolean).map(rank));
}

// ---- counts

const of = (judgement) => data.checks.filter((check) => check.judgement === judgement).length;
const changed = (change) => data.checks.filter((check) => check.change === change).length;
{
  document.title = byId("title").textContent = data.title;
  const count = (name, number, what) => h("div", { class: `count ${name}`, role: "listitem" }, h("b", {}, String(number)), h("span", {}, what ?? name));
  const processor = data.checks.reduce((sum, check) => sum + check.processor_seconds, 0);
  byId("counts").append(
    count("all", data.checks.length, data.checks.length === 1 ? "check" : "checks"),
    ...ORDER.toReversed().filter((name) => of(name) > 0).map((name) => count(name, of(name))),
    ...(data.compared ? ["lost", "worse", "slower", "gained"].map((name) => count(name, changed(name))) : []),
    count("spent", seconds(processor), "of the processors"),
  );
  const shares = ORDER.toReversed().filter((name) => of(name) > 0);
  byId("bar").setAttribute("aria-label", shares.map((name) => `${of(name)} ${name}`).join(", "));
  for (const name of shares) {
    const part = h("div", { class: `fill ${name}`, title: `${of(name)} ${name}` });
    part.style.flex = String(of(name));
    byId("bar").append(part);
  }
}

// ---- plots

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [460, 232, 46, 34, 8, 12];

/** Powers of ten around some values. */
function decades(values) {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive, 1)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...positive, 1))), low + 1);
  return [low, high];
}

function ticks(low, high) {
  const step = Math.max(1, Math.ceil((high - low) / 6));
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);
}
const power = (exponent) => (exponent >= 0 && exponent < 5 ? String(10 ** exponent) : exponent < 0 && exponent > -4 ? (10 ** exponent).toFixed(-exponent) : `1e${exponent}`);

/** Axes, and where a point is. */
function frame(xs, ys, labels) {
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${labels[1]} against ${labels[0]}` });
  const across = (part) => LEFT + part * (WIDTH - LEFT - RIGHT);
  const up = (part) => HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
  const scale = ({ low, high, log }) => (value) => {
    const at = log ? Math.log10(Math.max(value, 10 ** low)) : value;
    return Math.min(1, Math.max(0, (at - low) / (high - low || 1)));
  };
  for (const [value, text] of xs.ticks) {
    const x = across(scale(xs)(value));
    picture.append(svg("line", { class: "grid", x1: x, x2: x, y1: up(0), y2: up(1) }),
      svg("text", { x, y: HEIGHT - BOTTOM + 14, "text-anchor": "middle" }, text));
  }
  for (const [value, text] of ys.ticks) {
    const y = up(scale(ys)(value));
    picture.append(svg("line", { class: "grid", x1: across(0), x2: across(1), y1: y, y2: y }),
      svg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text));
  }
  picture.append(
    svg("line", { class: "axis", x1: across(0), x2: across(1), y1: up(0), y2: up(0) }),
    svg("line", { class: "axis", x1: across(0), x2: across(0), y1: up(0), y2: up(1) }),
    svg("text", { x: across(0.5), y: HEIGHT - 4, "text-anchor": "middle" }, labels[0]),
    svg("text", { x: 11, y: up(0.5), "text-anchor": "middle", transform: `rotate(-90 11 ${up(0.5)})` }, labels[1]),
  );
  return { picture, x: (value) => across(scale(xs)(value)), y: (value) => up(scale(ys)(value)) };
}

function logarithmic(values) {
  const [low, high] = decades(values);
  return { low, high, log: true, ticks: ticks(low, high).map((e) => [10 ** e, power(e)]) };
}

function linear(high) {
  const rough = Math.max(high, 1) / 5;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((m) => m * size).find((s) => s >= rough));
  const marks = [];
  for (let value = 0; value <= high; value += step) marks.push([value, String(value)]);
  return { low: 0, high: Math.max(high, 1), log: false, ticks: marks };
}

/** How many answers each preset has within a time. */
function quantile() {
  const times = data.presets.map((_, preset) =>
    data.checks.filter((check) => check.preset === preset && ANSWERS.has(check.judgement))
      .map((check) => Math.max(check.processor_seconds, 0.001)).sort((a, b) => a - b));
  const all = times.flat();
  const { picture, x, y } = frame(linear(Math.max(...times.map((own) => own.length), 1)), logarithmic(all), ["answers", "processor seconds"]);
  times.forEach((own, preset) => {
    const points = own.map((time, i) => `${x(i + 1).toFixed(1)},${y(time).toFixed(1)}`);
    if (points.length === 1) points.unshift(`${x(0)},${points[0].split(",")[1]}`);
    if (points.length > 0) picture.append(svg("polyline", { class: `curve c${preset % 6}`, points: points.join(" ") },
      svg("title", {}, `${data.presets[preset]}: ${own.length} answers`)));
    if (data.presets.length > 1) {
      const line = TOP + 10 + preset * 15;
      picture.append(svg("line", { class: `legend c${preset % 6}`, x1: LEFT + 10, x2: LEFT + 26, y1: line, y2: line }),
        svg("text", { x: LEFT + 32, y: line + 4 }, `${data.presets[preset]}, ${own.length}`));
    }
  });
  byId("quantile").replaceChildren(picture);
}

/** What can be put on the axes: a preset's time, the baseline's, the memory. */
const quantities = [
  ...data.presets.map((name, preset) => ({ name: data.presets.length > 1 || data.compared ? `${name}: processor seconds` : "processor seconds", of: (row) => row.cells[preset]?.processor_seconds, check: (row) => row.cells[preset], time: true })),
  ...(data.compared ? data.presets.map((name, preset) => ({ name: data.presets.length > 1 ? `${name}: before` : "before: processor seconds", of: (row) => row.cells[preset]?.before?.processor_seconds, time: true })) : []),
  ...data.presets.map((name, preset) => ({ name: data.presets.length > 1 ? `${name}: memory, MB` : "memory, MB", of: (row) => row.cells[preset]?.memory_mb, check: (row) => row.cells[preset], time: false })),
];

function scatter(first, second) {
  const [a, b] = [quantities[first], quantities[second]];
  const points = rows.map((row) => ({ row, x: a.of(row), y: b.of(row) })).filter((p) => p.x !== undefined && p.y !== undefined)
    .map((p) => ({ ...p, x: Math.max(p.x, 0.001), y: Math.max(p.y, 0.001) }));
  const same = a.time && b.time;
  const [xs, ys] = same ? [points.flatMap((p) => [p.x, p.y]), points.flatMap((p) => [p.x, p.y])] : [points.map((p) => p.x), points.map((p) => p.y)];
  const { picture, x, y } = frame(logarithmic(xs), logarithmic(ys), [a.name, b.name]);
  if (same) {
    const [low, high] = decades(xs);
    picture.append(svg("line", { class: "diagonal", x1: x(10 ** low), y1: y(10 ** low), x2: x(10 ** high), y2: y(10 ** high) }));
  }
  for (const point of points) {
    const check = (b.check ?? a.check)(point.row);
    const name = BAD.has(check.judgement) && check.judgement !== "violated" ? "wrong" : answer(check.verdict);
    picture.append(svg("circle", { class: `dot ${name}`, cx: x(point.x).toFixed(1), cy: y(point.y).toFixed(1), r: 3.2 },
      svg("title", {}, `${point.row.task} ${point.row.property}: ${check.verdict}\n${a.name} ${point.x}\n${b.name} ${point.y}`)));
  }
  byId("scatter").replaceChildren(picture);
}

{
  quantile();
  const [before, several] = [data.presets.length, data.presets.length > 1];
  const usual = data.compared ? [before, 0] : several ? [0, 1] : [0, quantities.length - 1];
  byId("scatter-title").textContent = data.compared ? "Now and before" : several ? "Two presets" : "Time and memory";
  const choose = usual.map((chosen, axis) => {
    const select = h("select", { "aria-label": axis === 0 ? "Across" : "Up", change: () => scatter(Number(choose[0].value), Number(choose[1].value)) },
      ...quantities.map((quantity, i) => h("option", { value: i, selected: i === chosen }, quantity.name)));
    return select;
  });
  if (quantities.length > 2) byId("axes").append(...choose);
  scatter(...usual);
}

// ---- the matrix

let sorting = { by: "worst", up: true };
let room = PAGE;

const properties = new Set(rows.map((row) => row.property));
if (properties.size === 1) byId("asked").textContent = [...properties][0];

const columns = [
  { id: "worst", name: "", of: (row) => row.worst },
  { id: "task", name: "Task", of: (row) => row.task },
  // A path says its suite, mostly.
  ...(rows.some((row) => !row.task.includes(row.suite)) ? [{ id: "suite", name: "Suite", of: (row) => row.suite }] : []),
  ...(properties.size > 1 ? [{ id: "property", name: "Property", of: (row) => row.property }] : []),
  ...(rows.some((row) => row.expected) ? [{ id: "expected", name: "Expected", of: (row) => row.expected }] : []),
  ...data.presets.map((name, preset) => ({ id: `preset-${preset}`, name, of: (row) => row.cells[preset]?.processor_seconds ?? Infinity })),
];
columns.shift();

/** A verdict without what the row says already. */
function short(check) {
  const inner = check.verdict.slice(answer(check.verdict).length + 1, -1);
  if (answer(check.verdict) === "unknown") return inner || check.verdict;
  return inner === check.property ? answer(check.verdict) : check.verdict;
}

function cell(check) {
  if (!check) return h("td", { class: "cell" });
  const badge = h("span", { class: `badge ${answer(check.verdict)}`, title: check.verdict + (check.messages ? "\n" + check.messages : "") }, short(check));
  const change = check.change && check.change !== "new" &&
    h("span", { class: `mark ${WORSE.has(check.change) ? "bad" : "good"}`, title: check.before && `${check.before.verdict}, ${seconds(check.before.processor_seconds)} before` }, check.change);
  const mark = BAD.has(check.judgement) && h("span", { class: "mark bad" }, check.judgement);
  return h("td", { class: "cell" },
    h("span", { class: "clock", title: `${seconds(check.seconds)} by the clock, ${check.memory_mb} MB` }, seconds(check.processor_seconds)),
    check.page ? h("a", { href: check.page }, badge) : badge, mark, change);
}

function order(a, b) {
  const column = columns.find((known) => known.id === sorting.by) ?? { of: (row) => row.worst };
  const [x, y] = [column.of(a), column.of(b)];
  const less = typeof x === "number" ? (x === y ? 0 : x - y) : x.localeCompare(y);
  return (sorting.up ? less : -less) || a.worst - b.worst || a.task.localeCompare(b.task);
}

const SHOWN = {
  all: ["all", () => true],
  bad: ["wrong, violated, crashed", (row) => row.cells.some((check) => check && BAD.has(check.judgement))],
  open: ["without an answer", (row) => row.cells.some((check) => check && !ANSWERS.has(check.judgement))],
  changed: ["changed", (row) => row.cells.some((check) => check?.change)],
  differ: ["different by preset", (row) => new Set(row.cells.filter(Boolean).map((check) => answer(check.verdict))).size > 1],
};

function chosen() {
  const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = SHOWN[byId("show").value][1];
  const text = (row) => [row.task, row.suite, row.property, ...row.cells.filter(Boolean).map((check) => check.verdict)].join(" ").toLowerCase();
  return rows.filter((row) => wanted(row) && words.every((word) => text(row).includes(word))).sort(order);
}

function show() {
  const found = chosen();
  const head = h("tr", {}, ...columns.map((column) => {
    const here = sorting.by === column.id;
    return h("th", { scope: "col", "aria-sort": here ? (sorting.up ? "ascending" : "descending") : "none" },
      h("button", { type: "button", "data-column": column.id, click: () => {
        sorting = here ? (sorting.up ? { by: column.id, up: false } : { by: "worst", up: true }) : { by: column.id, up: true };
        show();
        document.querySelector(`[data-column="${column.id}"]`)?.focus();
      } }, column.name, here ? (sorting.up ? " ▲" : " ▼") : ""));
  }));
  const body = found.slice(0, room).map((row) => h("tr", { class: row.cells.some((check) => check && (BAD.has(check.judgement) || WORSE.has(check.change))) ? "bad" : null },
    h("td", { class: "task" }, row.task),
    columns.some((column) => column.id === "suite") && h("td", { class: "suite" }, row.suite),
    columns.some((column) => column.id === "property") && h("td", { class: "asked" }, row.property),
    columns.some((column) => column.id === "expected") && h("td", { class: "asked" }, row.expected),
    ...data.presets.map((_, preset) => cell(row.cells[preset]))));
  byId("matrix").className = data.presets.length > 1 ? "several" : "";
  byId("matrix").replaceChildren(h("thead", {}, head), h("tbody", {}, ...body));
  byId("said").textContent = found.length === rows.length ? "" : `${found.length} of ${rows.length}`;
  const more = byId("more");
  more.hidden = found.length <= room;
  more.textContent = `Show ${Math.min(PAGE, found.length - room)} more of ${found.length}`;
}

byId("show").append(...Object.entries(SHOWN)
  .filter(([id]) => (id !== "changed" || data.compared) && (id !== "differ" || data.presets.length > 1))
  .map(([id, [text]]) => h("option", { value: id }, text)));
for (const id of ["find", "show"]) byId(id).addEventListener("input", () => ((room = PAGE), show()));
byId("more").addEventListener("click", () => ((room += PAGE), show()));
show();
