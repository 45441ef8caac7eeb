// The list on the left: the steps of a counterexample with loops folded, or what a proof consists of.

const steps = {
  entries: [],
  at: 0,
  lit: 0,
  unfolded: new Set(),

  start() {
    this.list = new RowList(byId("steps"), 23, (i) => this.render(i));
    const list = byId("steps");
    list.addEventListener("click", (event) => {
      const row = event.target.closest?.(".row");
      if (row) this.choose(Number(row.dataset.entry));
    });
    list.addEventListener("dblclick", () => this.toggle());
  },

  /** The entries of the current case. */
  show() {
    const { counterexample, property, part, folds, verdict } = now.case;
    const told = counterexample?.steps;
    byId("left-title").textContent = counterexample
      ? `Counterexample${counterexample.confirmed ? "" : ", not confirmed"}`
      : verdict === "true" ? "Proof" : "What is checked";
    this.entries = [];
    if (told) {
      const starts = new Map(folds.map((fold) => [fold.start, fold]));
      for (let i = 0; i < told.length; i++) {
        const fold = starts.get(i);
        if (fold) {
          const open = this.unfolded.has(i);
          this.entries.push({ fold, open, kind: "fold", first: i });
          if (!open) {
            i += fold.count - 1;
            continue;
          }
        }
        this.entries.push({ kind: "step", step: i });
      }
    } else if (counterexample?.cycles) {
      counterexample.cycles.forEach((_, cycle) => this.entries.push({ kind: "cycle", cycle }));
    } else {
      this.proof(property, part);
    }
    this.list.reset(this.entries.length);
  },

  /** What a proof consists of: invariants, then the checks. */
  proof(property, part) {
    const heading = (text) => this.entries.push({ kind: "heading", text });
    const facts = property.invariants ?? [];
    if (facts.length) heading(run.formalism === "C" ? plural(facts.length, "loop") : "in every cycle");
    for (const fact of facts) {
      this.entries.push({ kind: "fact", file: fact.file, line: fact.line, sign: "⊢", mark: "proved",
        text: run.formalism === "C" ? `${fact.function ?? ""}  ${fact.invariant}` : fact.invariant });
    }
    const checks = property.checks ?? part.checks.map((spot) => ({ ...spot, verdict: property.verdict }));
    if (checks.length) heading(plural(checks.length, "check"));
    for (const check of checks) {
      const mark = { true: "proved", false: "violated" }[check.verdict] ?? "open";
      this.entries.push({ kind: "check", file: check.file, line: check.line, text: check.what, sign: SIGNS[mark], mark });
    }
    const busy = property.advice ?? [];
    for (const line of busy) {
      const found = /loop at (.*):(\d+) in (\S+)/.exec(line) ?? /one at (.*):(\d+) in (\S+)/.exec(line);
      if (!found) continue;
      this.entries.push({ kind: "check", file: found[1], line: Number(found[2]), text: `${found[3]}: refined again and again`, sign: "↻", mark: "open" });
    }
  },

  render(i) {
    const entry = this.entries[i];
    const base = { role: entry.kind === "heading" ? "presentation" : "option", id: `entry-${i}`, "data-entry": i,
      "aria-selected": entry.kind === "heading" ? null : i === this.at,
      "aria-posinset": i + 1, "aria-setsize": this.entries.length };
    if (entry.kind === "heading") return h("div", { ...base, class: "heading" }, entry.text);
    if (entry.kind === "step") {
      const step = now.case.counterexample.steps[entry.step];
      const told = notes(step);
      const worst = told.some(({ kind }) => kind === "violation") ? "violation" : told.some(({ kind }) => kind === "undefined") ? "undefined" : "";
      return h("div", { ...base, class: worst, title: `${step.file}:${step.line}\n${step.source}\n${told.map(({ text }) => text).join("\n")}` },
        h("span", { class: "at" }, step.line),
        h("span", { class: "what" }, "  ".repeat(Math.min(step.depth, 12)), told.map(({ text }) => text).join(", "), "  ", h("span", { class: "code" }, step.source)));
    }
    if (entry.kind === "fold") {
      const { first, last, times } = entry.fold;
      const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
      return h("div", { ...base, class: "fold", "aria-expanded": entry.open },
        h("span", { class: "at" }, entry.open ? "▾" : "▸"),
        h("span", { class: "what" }, `${plural(times, "more time")}, ${lines}`));
    }
    if (entry.kind === "cycle") {
      const last = entry.cycle === now.case.counterexample.cycles.length - 1;
      return h("div", { ...base, class: last ? "violation" : "", title: this.changes(entry.cycle) },
        h("span", { class: "at" }, entry.cycle), h("span", { class: "what" }, this.changes(entry.cycle)));
    }
    return h("div", { ...base, title: `${entry.file}:${entry.line}\n${entry.text}` },
      h("span", { class: `mark check ${entry.mark}`, "aria-label": SAYS[entry.mark] }, entry.sign),
      h("span", { class: "at" }, entry.line || ""), h("span", { class: "what" }, entry.text));
  },

  /** What a cycle of a design changes. */
  changes(cycle) {
    const { words, cycles } = now.case.counterexample;
    const told = words.flatMap(({ name }, i) =>
      cycle === 0 || cycles[cycle][i] !== cycles[cycle - 1][i] ? [`${name} = ${cycles[cycle][i]}`] : []);
    return told.length ? told.slice(0, 24).join(", ") : "nothing changes";
  },

  /** An entry is chosen by hand. */
  choose(i) {
    const entry = this.entries[i];
    if (!entry || entry.kind === "heading") return;
    this.at = i;
    if (entry.kind === "step") select({ step: entry.step });
    else if (entry.kind === "cycle") select({ cycle: entry.cycle });
    else if (entry.kind === "fold") {
      if (entry.open) select({ step: entry.first, entry: i });
      else select({ step: entry.first, entry: i });
    } else select({ file: entry.file, line: entry.line, entry: i });
  },

  /** Opens or closes a fold. */
  toggle(open) {
    const entry = this.entries[this.at];
    if (entry?.kind !== "fold" || open === entry.open) return;
    if (entry.open) this.unfolded.delete(entry.first);
    else this.unfolded.add(entry.first);
    this.show();
    this.mark();
  },

  move(by) {
    let to = clamp(this.at + by, 0, this.entries.length - 1);
    const direction = Math.sign(by) || 1;
    while (this.entries[to]?.kind === "heading" && this.entries[to + direction]) to += direction;
    this.choose(to);
  },

  /** The entry of the current step; what a fold hides is shown. */
  find() {
    const fits = (entry) => now.cycle >= 0 ? entry.cycle === now.cycle : entry.kind === "step" && entry.step === now.step;
    let found = this.entries.findIndex(fits);
    if (found < 0 && now.step >= 0) {
      const fold = now.case.folds.find(({ start, count }) => now.step >= start && now.step < start + count);
      if (fold) {
        this.unfolded.add(fold.start);
        this.show();
        found = this.entries.findIndex(fits);
      }
    }
    return found;
  },

  update(entry) {
    const found = entry ?? (now.step >= 0 || now.cycle >= 0 ? this.find() : this.at);
    if (found >= 0) this.at = found;
    this.mark();
  },

  /** Shows which entry is the current one. */
  mark() {
    this.list.redo(this.lit);
    this.list.redo((this.lit = this.at));
    if (this.entries.length) this.list.reveal(this.at);
    byId("steps").setAttribute("aria-activedescendant", `entry-${this.at}`);
  },
};

/** What variables hold at the current step, call by call. */
const values = {
  update() {
    const told = now.case.counterexample?.steps;
    byId("state").hidden = !told;
    if (!told) return;
    // A call's own variables go with it; globals stay.
    const globals = new Map();
    const isGlobal = (name) => now.case.part.globals.includes(/^[\w$]+/.exec(name)?.[0]);
    const calls = [new Map()];
    const last = Math.max(now.step, 0);
    for (let i = 0; i <= last; i++) {
      const step = told[i];
      calls.length = Math.min(calls.length, step.depth + 1);
      while (calls.length <= step.depth) calls.push(new Map());
      for (const note of step.does) {
        const set = note.assign ?? note.unset;
        if (set) (isGlobal(set.object) ? globals : calls[step.depth]).set(set.object, { value: set.value, fresh: i === last });
        if (note.call) calls[step.depth + 1] = new Map([...note.call.parameters.map(([name, value]) => [name, { value, fresh: i === last }])]);
      }
    }
    const shown = [globals, ...calls].map((held) => [...held].map(([name, { value, fresh }]) =>
      h("div", { class: fresh ? "new" : "" }, h("span", { class: "name" }, name), "= ", value))).reverse();
    const many = shown.filter((rows) => rows.length).length > 1;
    const title = (i) => (i === shown.length - 1 ? "globals" : i === 0 ? "this call" : `${plural(i, "call")} up`);
    byId("values").replaceChildren(...shown.flatMap((rows, i) =>
      rows.length ? [many ? h("h3", {}, title(i)) : null, ...rows].filter(Boolean) : []));
  },
};
