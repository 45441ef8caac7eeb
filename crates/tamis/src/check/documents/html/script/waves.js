// The counterexample of a design, cycle by cycle: signals in their modules, drawn for the cycles that are in view.

const HEIGHT = 30;
/** Fewer cycles are drawn as a whole. */
const ALL_CYCLES = 400;

const waves = {
  closed: new Set(),

  start() {
    this.view = byId("waves");
    this.view.addEventListener("scroll", () => {
      if (this.cycles?.length > ALL_CYCLES) requestAnimationFrame(() => this.draw());
    });
  },

  show() {
    const told = now.case.counterexample;
    this.cycles = told?.cycles;
    this.view.replaceChildren();
    if (!this.cycles) return;
    const longest = told.words.map((_, i) => Math.max(...this.cycles.map((cycle) => cycle[i].length)));
    const room = (this.view.clientWidth || 600) - 340;
    this.width = clamp(Math.max(...longest) * 7.4 + 18, clamp(room / this.cycles.length, 34, 72), 130);
    this.isBit = told.words.map((_, i) => this.cycles.every((cycle) => cycle[i] === "0" || cycle[i] === "1"));
    this.lines = this.tree(told.words);
    const names = Math.max(...this.lines.map(({ name, depth }) => name.length * 7.4 + depth * 14));
    const now_room = Math.max(...longest) * 7.4;
    this.names = clamp(names + Math.min(now_room, 90) + 78, 140, 330);
    const total = this.cycles.length * this.width;
    this.head = h("div", { class: "cycles" });
    this.head.style.width = `${total + 20}px`;
    const corner = h("div", { class: "corner" }, "cycle");
    corner.style.width = `${this.names}px`;
    this.column = h("div", { class: "column" });
    this.column.style.width = `${this.width}px`;
    this.body = h("div", { class: "signals" });
    this.body.style.width = `${this.names + total + 20}px`;
    this.body.style.position = "relative";
    const rows = this.lines.filter((line) => !this.hidden(line)).map((line) => this.row(line));
    this.rows = rows;
    this.body.append(this.column, ...rows.map(({ element }) => element));
    if (told.loop_start !== undefined) {
      const loop = h("div", { class: "loop", title: `after the last cycle comes cycle ${told.loop_start} again` });
      loop.style.left = `${this.names + told.loop_start * this.width}px`;
      this.body.append(loop);
    }
    const head = h("div", { class: "head" }, corner, this.head);
    head.style.width = this.body.style.width;
    this.view.append(head, this.body);
    this.drawn = null;
    this.draw();
    this.update();
  },

  /** The signals in the order of their modules, with a line for each module. */
  tree(words) {
    const root = { groups: new Map(), signals: [] };
    words.forEach(({ name, kind }, i) => {
      const path = name.split(".");
      const last = path.pop();
      let at = root;
      for (const module of path) {
        if (!at.groups.has(module)) at.groups.set(module, { groups: new Map(), signals: [] });
        at = at.groups.get(module);
      }
      at.signals.push({ word: i, name: last, full: name, kind });
    });
    const lines = [];
    const walk = (group, depth, path) => {
      group.signals.forEach((signal) => lines.push({ ...signal, depth, path }));
      for (const [name, inner] of group.groups) {
        const own = [...path, name].join(".");
        lines.push({ group: own, name, depth, path });
        walk(inner, depth + 1, [...path, name]);
      }
    };
    walk(root, 0, []);
    return lines;
  },

  hidden({ path }) {
    return path.some((_, i) => this.closed.has(path.slice(0, i + 1).join(".")));
  },

  row(line) {
    const label = h("div", { class: "signal", title: line.full ?? line.group });
    label.style.width = `${this.names}px`;
    label.style.paddingLeft = `${10 + line.depth * 14}px`;
    if (line.group) {
      const open = !this.closed.has(line.group);
      label.append(h("button", { type: "button", class: "group", "aria-expanded": open, click: () => {
        if (open) this.closed.add(line.group);
        else this.closed.delete(line.group);
        this.show();
      } }, `${open ? "▾" : "▸"} ${line.name}`));
      return { line, element: h("div", { class: "wave of-group" }, label) };
    }
    const value = h("span", { class: "now" });
    label.append(line.name, h("span", { class: "kind" }, line.kind === "input" ? "in" : "reg"), value);
    const drawing = h("div", { class: "drawing" });
    drawing.addEventListener("click", (event) => {
      const cycle = Math.floor((event.clientX - drawing.getBoundingClientRect().left) / this.width);
      if (cycle >= 0 && cycle < this.cycles.length) select({ cycle });
    });
    drawing.style.width = `${this.cycles.length * this.width + 20}px`;
    return { line, value, drawing, element: h("div", { class: `wave ${line.kind}` }, label, drawing) };
  },

  /** Draws the cycles that are in view. */
  draw() {
    const count = this.cycles.length;
    let [first, last] = [0, count];
    if (count > ALL_CYCLES) {
      first = clamp(Math.floor(this.view.scrollLeft / this.width) - 20, 0, count);
      last = clamp(first + Math.ceil(this.view.clientWidth / this.width) + 40, 0, count);
    }
    if (this.drawn && this.drawn[0] === first && this.drawn[1] === last) return;
    this.drawn = [first, last];
    const violated = (cycle) => cycle === count - 1;
    this.head.replaceChildren(...Array.from({ length: last - first }, (_, i) => {
      const cycle = first + i;
      const button = h("button", { type: "button", tabindex: -1, class: violated(cycle) ? "bad" : "", "data-cycle": cycle,
        title: violated(cycle) ? `cycle ${cycle}: the violation` : `cycle ${cycle}`, click: () => select({ cycle }) }, cycle);
      button.style.left = `${cycle * this.width}px`;
      button.style.width = `${this.width}px`;
      return button;
    }));
    for (const { line, drawing } of this.rows) drawing?.replaceChildren(this.signal(line.word, first, last));
    this.select();
  },

  /** A signal from one cycle to another: a line of two levels, or boxes with values. */
  signal(word, first, last) {
    const w = this.width;
    const at = (cycle) => this.cycles[cycle][word];
    const parts = [];
    if (this.isBit[word]) {
      const y = (cycle) => (at(cycle) === "1" ? 6 : HEIGHT - 7);
      let path = `M0 ${y(first)}`;
      for (let cycle = first; cycle < last; cycle++) {
        const x = (cycle - first) * w;
        path += ` V${y(cycle)} H${x + w}`;
        if (at(cycle) === "1") parts.push(svg("rect", { class: "high", x, y: 6, width: w, height: HEIGHT - 13 }));
      }
      parts.push(svg("path", { class: "wire", d: path }));
    } else {
      for (let cycle = first; cycle < last; ) {
        let end = cycle + 1;
        while (end < last && at(end) === at(cycle)) end++;
        const [x, x2, top, bottom] = [(cycle - first) * w, (end - first) * w, 5, HEIGHT - 6];
        const middle = (top + bottom) / 2;
        parts.push(svg("path", { class: "bus", d: `M${x} ${middle} L${x + 4} ${top} H${x2 - 4} L${x2} ${middle} L${x2 - 4} ${bottom} H${x + 4} Z` }));
        const room = Math.floor((x2 - x - 12) / 7);
        const text = at(cycle).length > room ? `${at(cycle).slice(0, Math.max(room - 1, 1))}…` : at(cycle);
        const label = svg("text", { x: (x + x2) / 2, y: HEIGHT / 2 + 4 }, text);
        label.append(svg("title", {}, at(cycle)));
        parts.push(label);
        cycle = end;
      }
    }
    const picture = svg("svg", { width: (last - first) * w, height: HEIGHT, "aria-hidden": "true" }, ...parts);
    picture.style.left = `${first * w}px`;
    return h("div", {}, picture);
  },

  select() {
    for (const button of this.head.children) button.setAttribute("aria-pressed", Number(button.dataset.cycle) === now.cycle);
  },

  update() {
    if (!this.cycles) return;
    const cycle = now.cycle;
    this.column.hidden = cycle < 0;
    if (cycle < 0) return;
    const left = this.names + cycle * this.width;
    this.column.style.left = `${left}px`;
    for (const { line, value } of this.rows) if (value) value.textContent = this.cycles[cycle][line.word].slice(0, 24);
    const [from, to] = [this.view.scrollLeft, this.view.scrollLeft + this.view.clientWidth];
    if (left < from + this.names) this.view.scrollLeft = left - this.names - this.width;
    else if (left + this.width > to) this.view.scrollLeft = left + 2 * this.width - this.view.clientWidth;
    this.draw();
    this.select();
    say(`cycle ${cycle}: ${steps.changes(cycle)}`);
  },
};
