// What stands behind the verdict, and how to check it again.

const KINDS = {
  execution: "An execution, step by step.",
  invariants: "Invariants that hold whenever execution comes to a loop, or in every cycle, and exclude the violation.",
  induction: "An induction over several steps.",
  exhaustion: "Every execution was followed to its end.",
  "single execution": "The program has one execution, which was run to its end.",
};

const evidence = {
  show() {
    const { property, part, verdict } = now.case;
    const told = property.evidence;
    const view = byId("evidence");
    const parts = [];
    if (told && !now.case.check) {
      parts.push(h("h3", {}, told.checked ? "Checked" : "Not confirmed"),
        h("p", {}, KINDS[told.kind] ?? told.kind, " ",
          told.checked ? `Checked again, independently of the search, by ${told.by}.` : `It was not confirmed by ${told.by}.`));
      if (property.induction !== undefined) parts.push(h("p", {}, `The induction is over ${plural(property.induction, "step")}.`));
      if (property.single_execution) parts.push(h("p", {}, `It has ${plural(property.single_execution, "statement")}.`));
      if (told.native) parts.push(h("p", {}, `Replayed natively: ${told.native}.`));
    } else if (verdict === "unknown") {
      parts.push(h("h3", {}, "No evidence"), h("p", {}, `The question is open: ${now.case.reason ?? ""}`));
    }
    if (property.expected !== undefined) parts.push(h("p", { class: "soft" }, `The task definition expects ${property.expected}.`));
    if (part.conditions.length) parts.push(...this.conditions(part.conditions));
    if (part.recheck.length) {
      parts.push(h("h3", {}, "Check it again"));
      part.recheck.forEach(({ says, command }) => parts.push(h("div", { class: "soft" }, says), copyable(command, says)));
    }
    parts.push(...this.listed("Over-approximated", property.over_approximations), ...this.listed("Warnings", property.warnings));
    parts.push(h("h3", {}, "What it took"), this.numbers(property));
    parts.push(h("h3", {}, "Files"), ...page.sources.map(({ file, sha256, partial }) => h("div", {},
      h("code", {}, file), h("div", { class: "hash" }, sha256 ? `sha256 ${sha256}` : partial ? "could not be read; put together from what is known" : ""))));
    parts.push(h("h3", {}, "Run"), copyable(page.command.join(" "), "the command of this run"),
      h("p", { class: "soft" }, `Tamis ${run.tamis}${run.data_model ? `, ${run.data_model}` : ""}, ${run.seconds.toFixed(2)} s in all`));
    view.replaceChildren(...parts);
  },

  conditions(conditions) {
    const kinds = new Map();
    conditions.forEach(({ kind, says }) => kinds.set(kind, [...(kinds.get(kind) ?? []), says]));
    return [h("h3", {}, plural(conditions.length, "condition")),
      h("p", { class: "soft" }, "Each was shown to hold, from the input alone:"),
      ...[...kinds].map(([kind, all]) => h("details", {}, h("summary", {}, `${kind} (${all.length})`), h("ul", {}, all.map((says) => h("li", {}, says)))))];
  },

  listed: (title, lines) => lines?.length ? [h("h3", {}, title), h("ul", {}, lines.map((line) => h("li", {}, line)))] : [],

  numbers(property) {
    const rows = Object.entries(property.statistics).filter(([, value]) => value);
    const shown = (name, value) => /time|work/.test(name) ? `${value.toFixed(3)} s` : name === "memory_mb" ? `${value} MB` : value;
    return h("table", {}, h("tbody", {}, property.search ? h("tr", {}, h("td", {}, "answer found by"), h("td", { class: "n" }, property.search)) : "",
      rows.map(([name, value]) => h("tr", {}, h("td", {}, name.replace("_mb", "").replaceAll("_", " ")), h("td", { class: "n" }, shown(name, value))))));
  },
};
