"use strict";

// What stands in the page is complete without this script. It adds the stepper of each case, the filters of the table
// and the theme. Text of an engine is only ever set as text.

const SVG = "http://www.w3.org/2000/svg";

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== ""));
  return node;
}

const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/* ---- lines of a buffer */

const UNCLEAR = /[\p{C}\p{M}\p{Zl}\p{Zp}]|[^\S ]|\\|^ +| +$/gu;

// A line with everything spelled out that would not be seen: control characters, combining marks, outer spaces.
function textOf(line) {
  const node = make("span", { class: "text" });
  if (line === "") node.append(make("span", { class: "escape" }, "empty line"));
  let from = 0;
  for (const { 0: found, index } of line.matchAll(UNCLEAR)) {
    if (found === "\\") continue;
    node.append(line.slice(from, index), make("span", { class: "escape" }, spelled(found)));
    from = index + found.length;
  }
  node.append(line.slice(from));
  return node;
}

const NAMED = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" };

function spelled(found) {
  if (/^ +$/.test(found)) return "·".repeat(found.length);
  return NAMED[found] ?? `\\u{${found.codePointAt(0).toString(16)}}`;
}

const SIGNS = { gone: "−", new: "+", unseen: "+", ghost: "−", wrong: "!" };
const SAID = { gone: "removed: ", new: "added: ", unseen: "never seen: ", ghost: "not there: ", wrong: "wrong: " };

function rowOf(row) {
  const kinds = [row.kind, row.hit ? "hit" : ""].filter(Boolean).join(" ");
  return make(
    "li",
    { class: kinds || null },
    make("span", { class: "at", "aria-hidden": "true" }, row.at === null ? "" : String(row.at)),
    make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[row.kind] ?? ""),
    make("span", { class: "text" }, make("span", { class: "aside" }, SAID[row.kind] ?? ""), textOf(row.text)),
    row.remark ? make("span", { class: "remark" }, row.remark) : null,
  );
}

// The lines of a stretch; its remark stands beside the first.
function rowsOf({ lines, at, kind, hit, remark }, texts) {
  const all = lines.flatMap(([from, count]) => texts.slice(from, from + count));
  return all.map((text, n) => ({ text, kind, hit, at: at === null ? null : at + n, remark: n === 0 ? remark : "" }));
}

// Stretches as a list; of a long one only both ends are shown, the rest on demand.
function listOf(stretches, texts) {
  const list = make("ol", { class: "lines" });
  stretches.forEach((stretch, n) => {
    const rows = rowsOf(stretch, texts);
    const marked = Boolean(stretch.kind || stretch.hit);
    const head = marked ? 6 : n === 0 ? 1 : 3;
    const tail = marked || n < stretches.length - 1 ? 3 : 1;
    if (rows.length > head + tail + 3) {
      list.append(...rows.slice(0, head).map(rowOf), folded(rows.slice(head, -tail)), ...rows.slice(-tail).map(rowOf));
    } else list.append(...rows.map(rowOf));
  });
  return list;
}

function folded(rows) {
  const button = make("button", { type: "button" }, `⋯ ${plural(rows.length, "more line")}`);
  const item = make("li", { class: "more" }, button);
  button.addEventListener("click", () => {
    const shown = rows.map(rowOf);
    item.replaceWith(...shown);
    shown[0].setAttribute("tabindex", "-1");
    shown[0].focus();
  });
  return item;
}

function paneOf({ title, gloss, rows, bad }, texts) {
  const lines = rows?.length ? listOf(rows, texts) : rows ? make("p", { class: "lines nothing" }, "no lines") : null;
  return make("section", { class: bad ? "pane bad" : "pane" }, make("h4", {}, title), make("p", { class: "gloss" }, gloss), lines);
}

/* ---- the ledger and its chart */

function ledgerOf(ledger, at, wide) {
  const { proof, books } = ledger.steps[at];
  const sum = proof ? sumOf(proof) : null;
  return make("details", { class: "ledger", open: ledger.open }, make("summary", {}, "The ledger"), sum, make("p", { class: "books" }, books), chartOf(ledger, at, wide));
}

function sumOf({ freed, inserted, unpaid, net }) {
  const number = (value) => make("b", {}, value.toLocaleString("en").replace("-", "−"));
  const part = (op, value, name, kind = "") => make("span", { class: kind }, op, make("span", {}, number(value), make("small", {}, name)));
  const sign = (text) => make("i", {}, text);
  const said = net > 0 ? "net, above zero: pays" : "net, not above zero: does not pay";
  const parts = [part("", freed, "freed"), part(sign("−"), inserted, "inserted"), part(sign("−"), unpaid, "emitted, unpaid")];
  return make("p", { class: "sum" }, ...parts, part(sign("="), net, said, net > 0 ? "good" : "bad"));
}

const HIGH = 128;
const EDGE = { left: 44, right: 12, top: 18, bottom: 22 };

function chartOf({ sizes, unpaid, steps }, at, wide) {
  const most = Math.max(1, ...sizes);
  const slot = (wide - EDGE.left - EDGE.right) / sizes.length;
  const x = (n) => EDGE.left + slot * n;
  const y = (tokens) => HIGH - EDGE.bottom - ((HIGH - EDGE.top - EDGE.bottom) * tokens) / most;
  const outline = (values) => values.map((value, n) => `${x(n)},${y(value)} ${x(n + 1)},${y(value)}`).join(" ");
  const back = (values) => values.map((value, n) => `${x(n + 1)},${y(value)} ${x(n)},${y(value)}`).reverse().join(" ");
  const floor = sizes.map(() => 0);
  const paid = sizes.map((size, n) => Math.max(0, size - unpaid[n]));
  const svg = draw("svg", { viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": `Buffer size by step: ${sizes.join(", ")} tokens; unpaid: ${unpaid.join(", ")}.` });
  const pattern = `unpaid-${(charts += 1)}`;
  svg.append(hatch(pattern));
  for (const tokens of [0, most]) {
    svg.append(draw("line", { class: "grid", x1: EDGE.left, x2: wide - EDGE.right, y1: y(tokens), y2: y(tokens) }));
    svg.append(draw("text", { x: EDGE.left - 6, y: y(tokens) + 4, "text-anchor": "end" }, tokens.toLocaleString("en")));
  }
  svg.append(draw("polygon", { class: "size-area", points: `${outline(sizes)} ${back(floor)}` }));
  for (const [n, tokens] of unpaid.entries()) {
    if (tokens > 0) svg.append(draw("rect", { class: "unpaid-area", fill: `url(#${pattern})`, x: x(n), width: slot, y: y(sizes[n]), height: y(paid[n]) - y(sizes[n]) }));
  }
  svg.append(draw("polyline", { class: "size-line", points: outline(sizes) }));
  svg.append(draw("text", { x: x(0) + slot / 2, y: HIGH - 5, "text-anchor": "middle" }, "start"));
  steps.forEach((step, n) => svg.append(...marksOf(step, n, x, y, sizes, slot)));
  svg.append(draw("rect", { class: "now-mark", x: x(at + 1) + 1, width: slot - 2, y: HIGH - EDGE.bottom + 1, height: 3 }));
  const legend = "Size of the buffer after each step; hatched: emitted this turn and not paid for. ✓ a commit, × a refusal, ! the step that breaks the requirement; a dashed line ends a turn.";
  return make("figure", { class: "chart" }, svg, make("figcaption", {}, legend));
}

const MARKS = { broke: "!", refused: "×", commit: "✓" };

function marksOf({ mark, turn }, n, x, y, sizes, slot) {
  const middle = x(n + 1) + slot / 2;
  const marks = [];
  if (slot > 16 || n === 0 || (n + 1) % 5 === 0) marks.push(draw("text", { x: middle, y: HIGH - 5, "text-anchor": "middle" }, String(n + 1)));
  if (turn) marks.push(draw("line", { class: "turn", x1: x(n + 2), x2: x(n + 2), y1: EDGE.top, y2: HIGH - EDGE.bottom }));
  const above = Math.max(12, y(sizes[n + 1]) - 6);
  if (mark) marks.push(draw("text", { class: mark, x: middle, y: above, "text-anchor": "middle" }, MARKS[mark]));
  return marks;
}

// Each chart has a pattern of its own: one in a closed case would not be painted.
let charts = 0;

function hatch(id) {
  const pattern = draw("pattern", { id, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  pattern.append(draw("line", { class: "hatch", x1: 0, y1: 0, x2: 0, y2: 5 }));
  return draw("defs", {}, pattern);
}

/* ---- concurrent clients */

// Time is told by order only: each start and each end has a column of its own.
function lanesOf(lanes, room) {
  const ops = lanes.flatMap((lane) => lane.ops);
  const instants = [...new Set(ops.flatMap((op) => [op.t0, op.t1 ?? op.t0]))].sort((a, b) => a - b);
  const column = new Map(instants.map((instant, n) => [instant, n]));
  const numbers = new Map([...ops].sort((a, b) => a.t0 - b.t0).map((op, n) => [op, n + 1]));
  const left = 96;
  const wide = Math.max(540, room, left + 30 + instants.length * 26);
  const step = (wide - left - 30) / Math.max(1, instants.length - 1);
  const rows = lanes.flatMap((lane) => stacked(lane.ops).map((own, n) => [n === 0 ? lane.client : "", own]));
  const svg = draw("svg", { viewBox: `0 0 ${wide} ${rows.length * 34 + 8}`, role: "img", "aria-label": "What each client did, over time; the list below says the same." });
  rows.forEach(([client, own], n) => {
    const middle = n * 34 + 20;
    svg.append(draw("line", { class: "lane", x1: left, x2: wide, y1: middle, y2: middle }));
    svg.append(draw("text", { class: "client", x: 0, y: middle + 4 }, client.length > 13 ? `${client.slice(0, 12)}…` : client));
    for (const op of own) {
      const from = left + column.get(op.t0) * step;
      const to = op.t1 === null ? wide - 2 : Math.max(from + 18, left + column.get(op.t1) * step);
      const group = draw("g", { class: op.culprit ? "culprit" : null }, draw("title", {}, op.label));
      group.append(draw("rect", { class: op.t1 === null ? "open-end" : null, x: from, y: middle - 11, width: to - from, height: 22, rx: 4 }));
      group.append(draw("text", { x: (from + to) / 2, y: middle + 4 }, `${numbers.get(op)}${op.culprit ? "!" : ""}`));
      svg.append(group);
    }
  });
  const list = make("ol", {});
  for (const [op, number] of numbers) {
    const client = lanes.find((lane) => lane.ops.includes(op)).client;
    const mark = op.culprit ? make("span", { class: "aside" }, "cannot be ordered: ") : null;
    list.append(make("li", { class: op.culprit ? "culprit" : null }, make("b", {}, `${number}${op.culprit ? "!" : ""}`), make("span", {}, client), make("span", {}, mark, op.label)));
  }
  const caption = "A bar is an operation, from its call to its answer, in order of time; dashed: never answered. ! marks those that no order explains.";
  return make("figure", { class: "lanes", tabindex: "0" }, svg, make("figcaption", {}, caption), list);
}

function stacked(ops) {
  const rows = [];
  for (const op of [...ops].sort((a, b) => a.t0 - b.t0)) {
    const free = rows.find((row) => row[row.length - 1].t1 !== null && row[row.length - 1].t1 < op.t0);
    if (free) free.push(op);
    else rows.push([op]);
  }
  return rows;
}

/* ---- the stepper */

class Stepper {
  constructor(place, found) {
    this.place = place;
    this.found = found;
    this.stage = make("div", { class: "scenes" });
    this.said = make("p", { class: "aside", role: "status" });
    this.count = make("span", { class: "place" });
    this.buttons = found.steps.map((step, n) => this.entry(step, n));
    const story = make("ol", { class: "story", "aria-label": "Steps" });
    for (const button of this.buttons) story.append(make("li", {}, button));
    const stage = make("div", { class: "stage" }, this.bar(), this.stage, this.said);
    place.hidden = false;
    place.append(...(found.lanes ? [lanesOf(found.lanes, place.clientWidth - 32)] : []), make("div", { class: "side" }, story), stage);
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", `The history that breaks ${found.id}, step by step`);
    place.addEventListener("keydown", (event) => this.key(event));
    const breaking = found.steps.findIndex((step) => step.breaks);
    this.show(breaking < 0 ? 0 : breaking, false);
  }

  entry(step, n) {
    const button = make(
      "button",
      { type: "button", class: step.breaks ? "breaks" : null },
      make("span", { class: "number" }, make("span", { class: "aside" }, "step "), String(n + 1)),
      make("span", { class: "who" }, step.who),
      ` ${brief(step.what)}`,
      step.came ? make("span", { class: "came" }, step.came) : null,
      step.breaks ? make("span", { class: "came" }, this.found.broke) : null,
    );
    button.addEventListener("click", () => this.show(n));
    return button;
  }

  bar() {
    const arrow = (sign) => make("span", { "aria-hidden": "true" }, sign);
    const button = (parts, to) => {
      const made = make("button", { type: "button", class: "button" }, ...parts);
      made.addEventListener("click", () => this.show(to()));
      return made;
    };
    const last = this.found.steps.length - 1;
    this.back = button([arrow("← "), "Back"], () => this.at - 1);
    this.next = button(["Next", arrow(" →")], () => this.at + 1);
    // Narrow screens have no room for it, and have the list.
    const first = button(["First"], () => 0);
    const breaking = this.found.steps.findIndex((step) => step.breaks);
    const jump = breaking < 0 ? null : button(["To the break"], () => breaking);
    const keys = make("span", { class: "keys" }, make("kbd", {}, "←"), " ", make("kbd", {}, "→"), " to step");
    this.last = last;
    first.classList.add("first");
    return make("div", { class: "bar" }, this.back, this.next, this.count, first, jump, keys);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    const inStory = this.buttons.includes(event.target);
    const to = {
      ArrowLeft: this.at - 1,
      ArrowRight: this.at + 1,
      ArrowUp: inStory ? this.at - 1 : null,
      ArrowDown: inStory ? this.at + 1 : null,
      Home: 0,
      End: this.last,
    }[event.key];
    if (to === undefined || to === null) return;
    event.preventDefault();
    this.show(to);
    if (inStory) this.buttons[this.at].focus();
  }

  show(to, aloud = true) {
    const at = Math.min(this.last, Math.max(0, to));
    this.at = at;
    const step = this.found.steps[at];
    this.buttons.forEach((button, n) => {
      if (n === at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.count.textContent = `Step ${at + 1} of ${this.last + 1}`;
    this.reach(this.back, at > 0);
    this.reach(this.next, at < this.last);
    const { texts, panes, ledger, broke } = this.found;
    const outcome = step.breaks ? `${step.outcome || "done"}; ${broke}` : step.outcome;
    const parts = [
      make("p", { class: "scene" }, `${capital(step.who)} ${step.what}`),
      outcome ? make("p", { class: step.breaks ? "outcome bad" : "outcome" }, outcome) : null,
      make("div", { class: "panes" }, ...step.panes.map((number) => paneOf(panes[number], texts))),
      ledger ? ledgerOf(ledger, at, Math.min(720, Math.max(280, this.stage.clientWidth))) : null,
    ];
    this.stage.replaceChildren(...parts.filter((part) => part !== null));
    this.intoView();
    if (aloud) this.said.textContent = `Step ${at + 1} of ${this.last + 1}. ${step.who} ${step.what}. ${outcome}`;
  }

  // Keeps the focus of a button that can no longer be used.
  reach(button, usable) {
    if (usable) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }

  intoView() {
    const list = this.buttons[0].closest("ol");
    const button = this.buttons[this.at];
    if (list.scrollHeight > list.clientHeight) list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 3;
  }
}

const LONG = 90;

const brief = (text) => (text.length > LONG ? `${text.slice(0, LONG)}…` : text);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function addSteppers(cases) {
  const open = (found) => {
    const place = document.getElementById(found.id).querySelector(":scope > .stepper");
    if (found.steps.length === 0 && !found.lanes) place.parentElement.querySelector(".plain").open = true;
    if (place.hidden && found.steps.length) new Stepper(place, found);
    else if (place.hidden && found.lanes) {
      place.hidden = false;
      place.append(lanesOf(found.lanes, place.clientWidth - 32));
    }
  };
  for (const found of cases) {
    const details = document.getElementById(found.id);
    if (found.trace) details.querySelector(".replay").append(saver(found));
    if (details.open) open(found);
    details.addEventListener("toggle", () => details.open && open(found));
  }
}

function saver(found) {
  const name = `${found.id}.ndjson`;
  const button = make("button", { type: "button", class: "button" }, "Save the trace");
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([found.trace], { type: "application/x-ndjson" }));
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
  return button;
}

// A link to a requirement opens the case it stands in.
function followHash() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target?.closest("details.case");
  if (details) {
    details.open = true;
    details.scrollIntoView();
  }
}

/* ---- the table */

const VERDICTS = { fail: "broken", inconclusive: "not exercised", waived: "waived", pass: "passed", "not-claimed": "not claimed" };

function addFilters() {
  const place = document.getElementById("filters");
  const rows = [...document.querySelectorAll("#table tbody tr")];
  const wanted = new Set();
  const search = make("input", { type: "search", placeholder: "Find in ids and sentences", "aria-label": "Find in ids and sentences" });
  const profiles = [...new Set(rows.map((row) => row.dataset.profile))];
  const select = make("select", { "aria-label": "Profile" }, make("option", { value: "" }, "all profiles"));
  for (const profile of profiles) select.append(make("option", { value: profile }, profile));
  const shown = make("span", { class: "shown", role: "status" });
  const none = make("p", { class: "none", hidden: true }, "No requirement fits these filters.");
  const update = () => {
    const text = search.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      const fits =
        (wanted.size === 0 || wanted.has(row.dataset.verdict)) &&
        (select.value === "" || row.dataset.profile === select.value) &&
        row.querySelector("th").textContent.toLowerCase().includes(text);
      row.hidden = !fits;
      count += fits;
    }
    shown.textContent = `${count} of ${rows.length} shown`;
    none.hidden = count > 0;
  };
  place.append(search, select);
  for (const [verdict, word] of Object.entries(VERDICTS)) {
    const count = rows.filter((row) => row.dataset.verdict === verdict).length;
    if (count === 0) continue;
    const button = make("button", { type: "button", class: "button", "aria-pressed": "false", "data-verdict": verdict }, `${count} ${word}`);
    button.addEventListener("click", () => {
      if (!wanted.delete(verdict)) wanted.add(verdict);
      button.setAttribute("aria-pressed", String(wanted.has(verdict)));
      update();
    });
    place.append(button);
  }
  place.append(shown);
  document.getElementById("table").after(none);
  search.addEventListener("input", update);
  select.addEventListener("change", update);
  place.hidden = false;
  update();
}

/* ---- the theme */

function addTheme() {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const kept = stored();
  if (kept) root.dataset.theme = kept;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const update = () => button.setAttribute("aria-pressed", String(dark()));
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    store(root.dataset.theme);
    update();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
  button.classList.add("button");
  button.hidden = false;
  update();
}

// A page opened from a file may not be allowed to keep anything; then the theme is the system's each time.
function stored() {
  try {
    return localStorage.getItem("basebound-theme");
  } catch {
    return null;
  }
}

function store(theme) {
  try {
    localStorage.setItem("basebound-theme", theme);
  } catch {
    return;
  }
}

addTheme();
addFilters();
addSteppers(JSON.parse(document.getElementById("report-data").textContent));
addEventListener("hashchange", followHash);
followHash();
