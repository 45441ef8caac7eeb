// The run: its cases, each with what is known of lines.

const run = JSON.parse(byId("data").textContent);
const page = run.report;

/** A case is a property, or one of its checks that has an answer of its own to show. */
const cases = run.properties.flatMap((property, i) => {
  const part = page.properties[i];
  const own = { title: property.property, property, part, verdict: property.verdict, reason: property.reason,
    counterexample: property.counterexample, folds: part.folds };
  const checks = (property.checks ?? []).map((check, j) => ({ ...own, check,
    title: `${property.property}: ${check.file}:${check.line} ${check.what}`,
    verdict: check.verdict, reason: check.reason, counterexample: check.counterexample,
    folds: part.folds_of_checks?.[j] ?? [] }));
  return [own, ...checks.filter((each) => each.counterexample)];
});

/** The texts, by the names of their files. */
const sources = new Map(page.sources.map((source) => {
  const lines = source.text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return [source.file, { ...source, lines }];
}));

const key = (file, line) => `${file}\n${line}`;

/** What is to be shown now; panes read it, and `select` changes it. */
const now = { case: cases[0], step: -1, file: page.sources[0]?.file, line: 0, frame: 0 };

/** What a step does, as text: an input that goes into a variable is told once. */
function notes(step) {
  const told = [];
  step.does.forEach((note, i) => {
    const [kind, value] = Object.entries(note)[0];
    const before = step.does[i - 1]?.input;
    switch (kind) {
      case "assign":
        if (before && before.value === value.value && told.length) told.at(-1).text = `${value.object} = ${told.at(-1).text}`;
        else told.push({ kind, text: `${value.object} = ${value.value}` });
        break;
      case "input": told.push({ kind, text: `${value.from}() = ${value.value}` }); break;
      case "unset": told.push({ kind, text: `${value.object} was never set, say ${value.value}` }); break;
      case "branch": told.push({ kind, text: String(value) }); break;
      case "call": {
        const parameters = value.parameters.map(([name, given]) => `${name} = ${given}`).join(", ");
        told.push({ kind, text: `calls ${value.function}(${parameters})` });
        break;
      }
      case "return": told.push({ kind, text: `${value} returns` }); break;
      case "undefined": told.push({ kind, text: `undefined: ${value}` }); break;
      case "violation": told.push({ kind, text: `VIOLATION: ${value}` }); break;
      case "omitted": told.push({ kind, text: `${value} steps are left out` }); break;
    }
  });
  return told;
}

/** What is known of the lines of a case: `reach` is `reached` or `never`; `check` is `proved`, `violated` or `open`. */
function marksOf(each) {
  const marks = new Map();
  const at = (file, line) => {
    const id = key(file, line);
    if (!marks.has(id)) marks.set(id, { why: [] });
    return marks.get(id);
  };
  const rank = { proved: 1, open: 2, violated: 3 };
  const check = (file, line, state, why) => {
    const mark = at(file, line);
    if ((rank[mark.check] ?? 0) < rank[state]) mark.check = state;
    if (mark.why.length < 8) mark.why.push(`${state === "open" ? "not known" : state}: ${why}`);
  };
  for (const { file, first, last } of each.part.reached) {
    for (let line = first; line <= last; line++) at(file, line).reach = "reached";
  }
  for (const { file, line, what } of each.part.uncalled) {
    Object.assign(at(file, line), { reach: "never" }).why.push(`never reached: nothing calls ${what}`);
  }
  for (const property of run.properties) {
    for (const { file, line, status } of property.cover ?? []) {
      if (status === "reached") at(file, line).reach = "reached";
      if (status === "unreachable") Object.assign(at(file, line), { reach: "never" }).why.push("never reached");
    }
  }
  for (const { file, line, invariant } of each.property.invariants ?? []) {
    if (invariant === "never reached") Object.assign(at(file, line), { reach: "never" }).why.push("never reached");
  }
  for (const step of each.counterexample?.steps ?? []) at(step.file, step.line).reach = "reached";
  if (each.property.checks) {
    for (const { file, line, what, verdict, reached } of each.property.checks) {
      check(file, line, { true: "proved", false: "violated" }[verdict] ?? "open", what);
      // That a failing branch is never reached says nothing of its line.
      if (reached) at(file, line).reach = "reached";
    }
  } else {
    const state = each.verdict === "true" ? "proved" : each.verdict === "unknown" ? "open" : null;
    if (state) each.part.checks.forEach(({ file, line, what }) => check(file, line, state, what));
  }
  const last = each.counterexample?.steps?.at(-1) ?? each.property.location;
  if (each.verdict === "false" && last?.line) {
    const said = each.counterexample?.steps ? notes(last).find(({ kind }) => kind === "violation")?.text : null;
    check(last.file, last.line, "violated", said ?? each.title);
  }
  return marks;
}

const memory = new Map();
/** Computed once for each case. */
function once(what, each, compute) {
  const id = `${what} ${cases.indexOf(each)}`;
  if (!memory.has(id)) memory.set(id, compute(each));
  return memory.get(id);
}
const marks = () => once("marks", now.case, marksOf);

/** The steps of a case by their lines. */
const stepsAt = () => once("lines", now.case, (each) => {
  const found = new Map();
  (each.counterexample?.steps ?? []).forEach((step, i) => {
    const id = key(step.file, step.line);
    if (!found.has(id)) found.set(id, []);
    found.get(id).push(i);
  });
  return found;
});

/** The parts of a conjunction, if it is one in C. */
function conjuncts(text) {
  const parts = [];
  let [depth, start] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    if ("([{".includes(text[i])) depth++;
    else if (")]}".includes(text[i])) depth--;
    else if (depth === 0 && text.startsWith("||", i)) return [text];
    else if (depth === 0 && text.startsWith(" && ", i)) {
      parts.push(text.slice(start, i));
      start = i + 4;
    }
  }
  return [...parts, text.slice(start)];
}
