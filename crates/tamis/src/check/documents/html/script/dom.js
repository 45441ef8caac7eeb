"use strict";
// Elements, and lists of which only the visible rows exist.

const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    const said = name.startsWith("aria-") && typeof value === "boolean";
    if (value === undefined || value === null || (value === false && !said)) continue;
    if (said) element.setAttribute(name, String(value));
    else if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  // Strings become text nodes: nothing of the input is ever read as markup.
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element with attributes, listeners and children. */
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** The same for pictures. */
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Tells those who listen. */
const say = (text) => (byId("said").textContent = text);

/** Short lists are there as a whole, so that the browser's own search finds everything in them. */
const WHOLE = 1500;
const AROUND = 30;

/** A list of rows of one height. */
class RowList {
  constructor(container, height, render) {
    Object.assign(this, { container, height, render, count: 0, shown: new Map() });
    this.body = h("div", { class: "rows", role: "presentation" });
    container.replaceChildren(this.body);
    this.waiting = false;
    container.addEventListener("scroll", () => {
      if (this.count <= WHOLE || this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => ((this.waiting = false), this.update()));
    });
    new ResizeObserver(() => this.update()).observe(container);
  }

  /** All rows are made anew. */
  reset(count, characters) {
    this.count = count;
    this.body.style.height = `${count * this.height}px`;
    if (characters) this.body.style.width = `calc(${characters}ch + 120px)`;
    this.refresh();
  }

  refresh() {
    this.body.replaceChildren();
    this.shown.clear();
    this.update();
  }

  /** One row is made anew. */
  redo(i) {
    const old = this.shown.get(i);
    if (!old) return;
    const row = this.make(i);
    old.replaceWith(row);
    this.shown.set(i, row);
  }

  make(i) {
    const row = this.render(i);
    row.classList.add("row");
    row.style.top = `${i * this.height}px`;
    row.style.height = `${this.height}px`;
    return row;
  }

  update() {
    let [first, last] = [0, this.count];
    if (this.count > WHOLE) {
      first = clamp(Math.floor(this.container.scrollTop / this.height) - AROUND, 0, this.count);
      const rows = Math.ceil((this.container.clientHeight || 600) / this.height);
      last = clamp(first + rows + 2 * AROUND, 0, this.count);
    }
    for (const [i, row] of this.shown) {
      if (i < first || i >= last) {
        row.remove();
        this.shown.delete(i);
      }
    }
    const made = document.createDocumentFragment();
    for (let i = first; i < last; i++) {
      if (this.shown.has(i)) continue;
      const row = this.make(i);
      this.shown.set(i, row);
      made.append(row);
    }
    this.body.append(made);
  }

  /** What is not in view comes a bit above the middle. */
  reveal(i) {
    const { container, height } = this;
    const [top, at, view] = [i * height, container.scrollTop, container.clientHeight];
    if (top < at + height || top + 2 * height > at + view) container.scrollTop = top - 0.4 * view;
    this.update();
  }
}

/** Tabs as the ARIA practices have them: one in the tab order, arrows go to the others. */
function tabs(container, entries, choose) {
  const buttons = entries.map(({ id, text, title, panel }) =>
    h("button", { type: "button", role: "tab", id: `tab-${id}`, title, "aria-controls": panel,
      click: () => select(id) }, text));
  const select = (id, focus) => {
    entries.forEach((entry, i) => {
      const chosen = entry.id === id;
      buttons[i].setAttribute("aria-selected", chosen);
      buttons[i].tabIndex = chosen ? 0 : -1;
      if (chosen) {
        if (focus) buttons[i].focus();
        buttons[i].scrollIntoView?.({ block: "nearest", inline: "nearest" });
      }
    });
    choose(id);
  };
  container.replaceChildren(...buttons);
  container.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = buttons.findIndex((button) => button.getAttribute("aria-selected") === "true");
    select(entries[(at + step + entries.length) % entries.length].id, true);
    event.preventDefault();
    event.stopPropagation();
  };
  return select;
}

/** Text with a button that copies it. */
function copyable(text, label) {
  const button = h("button", { type: "button", "aria-label": `Copy ${label}`, click: async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages from a file may not write to the clipboard: the old way.
      const area = h("textarea", {}, text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = "Copied";
    say("copied");
    setTimeout(() => (button.textContent = "Copy"), 1200);
  } }, "Copy");
  return h("div", { class: "copyable" }, h("pre", {}, text), button);
}
