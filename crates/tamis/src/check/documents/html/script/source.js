// The source in the centre: lines with their marks, invariants beside loops, values at the current step.

const SIGNS = { reached: "●", never: "○", proved: "✓", violated: "✕", open: "?" };
const SAYS = { reached: "reached", never: "never reached", proved: "proved", violated: "violated", open: "not known" };

/** More conjuncts of one invariant are folded. */
const MOST_FACTS = 8;
/** So far back the values of a line are still shown, in steps. */
const RECENT = 300;

const source = {
  rows: [],
  rowOfLine: new Map(),
  open: new Set(),

  start() {
    this.list = new RowList(byId("source"), 20, (i) => this.render(this.rows[i]));
    byId("source").addEventListener("click", (event) => {
      const line = Number(event.target.closest?.(".row")?.dataset.line);
      if (line && !getSelection().toString()) selectLine(now.file, line);
    });
    this.legend();
  },

  /** The rows of the current file: its lines, with annotations before those that have some. */
  show() {
    const text = sources.get(now.file);
    this.rows = [];
    this.rowOfLine = new Map();
    this.values = new Map();
    const facts = this.factsByLine();
    let longest = 0;
    for (let line = 1; line <= (text?.lines.length ?? 0); line++) {
      for (const fact of facts.get(line) ?? []) this.rows.push(fact);
      this.rowOfLine.set(line, this.rows.length);
      this.rows.push({ line });
      longest = Math.max(longest, text.lines[line - 1].length);
    }
    this.list.reset(this.rows.length, Math.min(longest, 400) + 20);
  },

  factsByLine() {
    const facts = new Map();
    const text = sources.get(now.file);
    const add = (line, row) => facts.set(line, [...(facts.get(line) ?? []), row]);
    if (run.formalism !== "C") return facts;
    for (const { file, line, invariant, function: name } of now.case.property.invariants ?? []) {
      if (file !== now.file) continue;
      const indent = (text?.lines[line - 1] ?? "").match(/^\s*/)[0];
      const parts = invariant.length <= 80 ? [invariant] : conjuncts(invariant);
      const id = `${file}:${line}:${name}`;
      const shown = this.open.has(id) ? parts.length : Math.min(parts.length, MOST_FACTS);
      parts.slice(0, shown).forEach((part, i) => {
        const text = i === 0 ? part : `&& ${part}`;
        add(line, { fact: text, indent, never: invariant === "never reached", of: line });
      });
      if (shown < parts.length) add(line, { fact: `… ${parts.length - shown} more`, indent, of: line, opens: id });
    }
    for (const { at, predicates } of film.gained()) {
      if (at.file === now.file && at.line) {
        const indent = (text?.lines[at.line - 1] ?? "").match(/^\s*/)[0];
        predicates.slice(0, MOST_FACTS).forEach((predicate) =>
          add(at.line, { fact: predicate, indent, of: at.line, predicate: true }));
      }
    }
    return facts;
  },

  render(row) {
    const gutter = (number, mark) => h("span", { class: "gutter" },
      h("span", { class: "number" }, number),
      h("span", { class: `check ${mark?.check ?? ""}`, title: mark?.why.join("\n"), "aria-hidden": "true" }, SIGNS[mark?.check] ?? ""),
      h("span", { class: `reach ${mark?.reach ?? ""}`, title: SAYS[mark?.reach], "aria-hidden": "true" }, SIGNS[mark?.reach] ?? ""));
    if (row.fact !== undefined) {
      const kind = `fact ${row.never ? "never" : ""} ${row.predicate ? "predicate" : ""}`;
      const fact = row.opens
        ? h("button", { type: "button", class: kind, click: () => (this.open.add(row.opens), this.show(), this.values_now()) }, row.fact)
        : h("span", { class: kind, title: row.predicate ? "a predicate that this iteration has gained" : "holds whenever execution is at this loop" }, row.fact);
      return h("div", { class: "annotation" }, gutter(row.predicate ? "+" : "⊢"), row.indent, fact);
    }
    const { line } = row;
    const mark = marks().get(key(now.file, line));
    const state = [mark?.check, mark?.reach].filter(Boolean).map((each) => SAYS[each]).join(", ");
    const classes = [mark?.check === "violated" && "violated", mark?.reach === "never" && "never",
      line === now.line && (now.step >= 0 || now.cycle >= 0 ? "now" : "marked now")].filter(Boolean).join(" ");
    const values = this.values.get(line) ?? [];
    return h("div", { class: classes, "data-line": line, "aria-current": line === now.line ? "step" : null },
      gutter(line, mark),
      state ? h("span", { class: "unseen" }, `(${state}) `) : null,
      h("span", { class: "code" }, coloured(sources.get(now.file), line)),
      values.map(({ kind, text }) => h("span", { class: `value ${kind}` }, text)));
  },

  /** The values that the lines of the current call have got, as far as they are recent. */
  valuesByLine() {
    const values = new Map();
    const steps = now.case.counterexample?.steps;
    if (!steps || now.step < 0) return values;
    const here = steps[now.step];
    for (let i = now.step; i >= Math.max(0, now.step - RECENT); i--) {
      const step = steps[i];
      if (step.depth < here.depth) break;
      if (step.depth > here.depth || step.file !== now.file || values.has(step.line)) continue;
      const told = notes(step);
      // In the way of the past, only values: where it went one sees.
      values.set(step.line, i === now.step ? told : told.filter(({ kind }) => kind !== "branch" && kind !== "return"));
    }
    return values;
  },

  /** The rows whose values or whose selection change are made anew. */
  values_now() {
    const before = this.values;
    this.values = this.valuesByLine();
    for (const line of new Set([...before.keys(), ...this.values.keys(), this.marked, now.line])) {
      const row = this.rowOfLine.get(line);
      if (row !== undefined) this.list.redo(row);
    }
    this.marked = now.line;
  },

  update(reveal) {
    this.values_now();
    const row = this.rowOfLine.get(now.line);
    if (row !== undefined && reveal) this.list.reveal(row);
  },

  legend() {
    const entry = (kind, column, text) =>
      h("li", {}, h("span", { class: `${column} ${kind}`, "aria-hidden": "true" }, SIGNS[kind]), text);
    byId("legend").replaceChildren(entry("reached", "reach", "reached"), entry("never", "reach", "never reached"),
      entry("proved", "check", "proved"), entry("violated", "check", "violated"), entry("open", "check", "not known"));
  },
};
