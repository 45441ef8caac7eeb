// One selection for all panes, and the keys.

/** Selects a step, a cycle, or a line; `entry` is the row of the list on the left that was chosen, if one was. */
function select({ step, cycle, file, line, entry }) {
  const told = now.case.counterexample;
  const before = now.file;
  if (step !== undefined) {
    Object.assign(now, { step, cycle: -1, file: told.steps[step].file, line: told.steps[step].line });
  } else if (cycle !== undefined) {
    Object.assign(now, { cycle, step: -1 });
  } else {
    Object.assign(now, { file, line });
    if (told?.steps) now.step = -1;
  }
  if (!sources.has(now.file) || now.line === 0) now.file = before;
  if (cycle !== undefined) showCentre("waves");
  else if (now.file !== before) openFile(now.file);
  else showCentre(step !== undefined || !told?.cycles ? "source" : centre);
  values.update();
  steps.update(entry);
  source.update(true);
  automaton.update();
  waves.update();
  if (step !== undefined) {
    const told_here = notes(told.steps[step]).map(({ text }) => text).join(", ");
    say(`step ${step + 1} of ${told.steps.length}, line ${now.line}: ${told_here}`);
  }
}

/** Selects a line: the next step there, if there is one. */
function selectLine(file, line) {
  const there = stepsAt().get(key(file, line));
  if (there) select({ step: there.find((step) => step > now.step) ?? there[0] });
  else {
    const entry = steps.entries.findIndex((each) => each.file === file && each.line === line);
    const selected = { file, line, entry: entry >= 0 ? entry : undefined };
    if (now.case.counterexample?.cycles) showCentre("source");
    select(selected);
  }
}

let centre = "source";
function showCentre(which) {
  centre = which;
  byId("source").hidden = which !== "source";
  byId("waves").hidden = which !== "waves";
  byId("legend").hidden = which !== "source";
  const id = which === "waves" ? "waves" : now.file;
  [...byId("files").children].forEach((tab, i) => {
    const chosen = fileTabs[i]?.key === id;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
  });
}

let fileTabs = [];
function openFile(file) {
  now.file = file;
  showCentre("source");
  source.show();
}

/** The tabs in the centre: the waveform, and the files that something is said about. */
function showFiles() {
  const shortest = (file) => {
    const parts = file.split("/");
    const same = page.sources.filter((other) => other.file.endsWith(`/${parts.at(-1)}`) || other.file === parts.at(-1));
    return same.length > 1 ? parts.slice(-2).join("/") : parts.at(-1);
  };
  fileTabs = page.sources.map(({ file }, i) => ({ id: `file-${i}`, key: file, text: shortest(file), title: file, panel: "source" }));
  if (now.case.counterexample?.cycles) fileTabs.unshift({ id: "waves", key: "waves", text: "Waveform", panel: "waves" });
  tabs(byId("files"), fileTabs, (id) => {
    const chosen = fileTabs.find((tab) => tab.id === id);
    if (chosen.key === "waves") showCentre("waves");
    else {
      if (chosen.key !== now.file) now.line = 0;
      openFile(chosen.key);
      source.update(true);
    }
  });
}

/** What stopped an unknown and what to try, and what a proof leaves to doubt. */
function showNotices() {
  const { property, verdict, reason } = now.case;
  const shown = [];
  if (verdict === "false") {
    const told = now.case.counterexample;
    const at = told?.steps?.at(-1) ?? property.location;
    const what = told?.steps && notes(at).find(({ kind }) => kind === "violation")?.text.replace("VIOLATION: ", "");
    const text = told?.cycles
      ? `${property.property} in cycle ${told.cycles.length - 1}${told.loop_start !== undefined ? `, after which cycle ${told.loop_start} comes again` : ""}`
      : what ?? now.case.title;
    const where = at?.line ? h("button", { type: "button", class: "place", click: () => selectLine(at.file, at.line) }, `line ${at.line}`) : null;
    shown.push(h("div", { class: "notice bad", role: "note" }, h("b", {}, "Violated"), h("div", {}, text, where ? ", " : "", where)));
  }
  if (verdict === "unknown") {
    const advice = property.advice ?? [];
    const isTry = (line) => /^(try|give)\b/.test(line);
    shown.push(h("div", { class: "notice", role: "note" }, h("b", {}, property.exit_code === 5 ? "A bug in Tamis" : "Unknown"),
      h("ul", {}, h("li", {}, reason ?? ""), advice.map((line) => h("li", { class: isTry(line) ? "try" : "" }, line)))));
  }
  const warnings = [...(property.warnings ?? []), ...(property.over_approximations ?? []).map((what) => `over-approximated: ${what}`)];
  const own = verdict === "unknown" ? warnings : [...warnings, ...(property.advice ?? [])];
  if (own.length) {
    shown.push(h("div", { class: "notice", role: "note" }, h("b", {}, "Note"), h("ul", {}, own.slice(0, 20).map((line) => h("li", {}, line)))));
  }
  if (property.expected !== undefined && verdict !== "unknown" && property.expected !== (verdict === "true")) {
    shown.push(h("div", { class: "notice bad", role: "alert" }, h("b", {}, "Unexpected"), `The task definition expects ${property.expected}.`));
  }
  byId("notices").replaceChildren(...shown);
}

function showCase(each) {
  Object.assign(now, { case: each, step: -1, cycle: -1, line: 0, frame: 0 });
  const badge = byId("verdict");
  badge.className = `badge ${each.verdict}`;
  badge.textContent = { true: "✓ proved", false: `✕ ${each.check ? "violated" : run.properties.length > 1 ? "violated" : run.verdict}`, unknown: "? unknown" }[each.verdict];
  badge.title = each.reason ?? "";
  const { statistics, search } = each.property;
  const facts = [`${(statistics.total_time ?? run.seconds).toFixed(2)} s`, statistics.memory_mb ? `${statistics.memory_mb} MB` : null,
    search ? `found by ${search}` : null, `Tamis ${run.tamis}`];
  byId("facts").textContent = facts.filter(Boolean).join(" · ");
  showNotices();
  const told = each.counterexample;
  const first = told?.steps?.at(-1) ?? each.property.location ?? each.property.invariants?.[0] ?? each.part.checks[0];
  if (first && sources.has(first.file)) now.file = first.file;
  steps.unfolded.clear();
  steps.at = 0;
  showFiles();
  steps.show();
  evidence.show();
  now.frame = Math.max(0, each.part.film.frames.length - 1);
  film.show();
  source.show();
  automaton.show();
  waves.show();
  values.update();
  showCentre(told?.cycles ? "waves" : "source");
  if (told?.steps?.length) select({ step: told.steps.length - 1 });
  else if (told?.cycles) select({ cycle: told.cycles.length - 1 });
  else {
    const entry = steps.entries.findIndex(({ kind }) => kind !== "heading");
    if (entry >= 0) steps.choose(entry);
    else source.update(false);
  }
}

const HELP = [["↓ ↑, j k", "the next step, the step before"], ["PgDn PgUp", "ten steps"], ["Home End", "the first step, the last one"],
  ["→ ←, Enter", "open or close folded rounds of a loop"], [". ,", "the next time, the last time that this line is executed"],
  ["v", "to the violation"], ["1 2 3", "automaton, iterations, evidence"], ["[ ]", "the iteration before, the next one"],
  ["s l", "to the source, to the list"], ["?", "these keys"]];

function help() {
  const dialog = byId("help");
  dialog.replaceChildren(h("h2", { id: "help-title" }, "Keys"),
    h("table", {}, h("tbody", {}, HELP.map(([keys, what]) => h("tr", {}, h("td", {}, h("kbd", {}, keys)), h("td", {}, what))))),
    h("p", {}, h("button", { type: "button", click: () => dialog.close() }, "Close")));
  dialog.showModal();
}

let view;
function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const on = event.target;
  const typing = on.matches("select, textarea") || (on.matches("input") && /^(Arrow|Home|End|Page)/.test(event.key));
  if (typing) return;
  // Other panes scroll by these keys.
  const scrolls = on.closest("#source, #waves, .view, #values") && /^(Arrow|Page|Home|End| )/.test(event.key);
  if (scrolls || (on.closest("button, summary") && /^(Enter| )$/.test(event.key))) return;
  const count = now.case.counterexample?.steps?.length ?? 0;
  const same = (direction) => {
    const there = stepsAt().get(key(now.file, now.line)) ?? [];
    const to = direction > 0 ? there.find((step) => step > now.step) : there.findLast((step) => step < now.step);
    if (to !== undefined) select({ step: to });
  };
  const actions = {
    ArrowDown: () => steps.move(1), j: () => steps.move(1), ArrowUp: () => steps.move(-1), k: () => steps.move(-1),
    PageDown: () => steps.move(10), PageUp: () => steps.move(-10),
    Home: () => steps.move(-steps.entries.length), End: () => steps.move(steps.entries.length),
    ArrowRight: () => steps.toggle(true), ArrowLeft: () => steps.toggle(false), Enter: () => steps.toggle(), " ": () => steps.toggle(),
    ".": () => same(1), ",": () => same(-1),
    v: () => count ? select({ step: count - 1 }) : now.case.counterexample && select({ cycle: now.case.counterexample.cycles.length - 1 }),
    1: () => view("automaton"), 2: () => view("film"), 3: () => view("evidence"),
    "[": () => { view("film"); film.slider && film.go(now.frame - 1); }, "]": () => { view("film"); film.slider && film.go(now.frame + 1); },
    s: () => byId(centre).focus(), l: () => byId("steps").focus(), "?": help,
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function start() {
  const main = run.files[0] ?? "";
  byId("name").textContent = run.files.length > 1 ? `${main} and ${run.files.length - 1} more` : main;
  byId("name").title = run.files.join("\n");
  document.title = `${run.verdict} · ${main.split("/").at(-1)} · Tamis`;
  source.start();
  steps.start();
  automaton.start();
  waves.start();
  view = tabs(byId("views"), [["automaton", run.formalism === "C" ? "Automaton" : "Words"], ["film", "Iterations"], ["evidence", "Evidence"]]
    .map(([id, text]) => ({ id, text, panel: id })), (id) => {
    for (const each of ["automaton", "film", "evidence"]) byId(each).hidden = each !== id;
    source.show();
    source.update(false);
    automaton.update();
  });
  view("automaton");
  const choice = byId("case");
  choice.replaceChildren(...cases.map(({ title, verdict }, i) => h("option", { value: i }, `${SIGNS[{ true: "proved", false: "violated" }[verdict] ?? "open"]} ${title}`)));
  choice.addEventListener("change", () => showCase(cases[choice.value]));
  byId("which").hidden = cases.length < 2;
  byId("keys").addEventListener("click", help);
  document.addEventListener("keydown", keys);
  // The worst comes first.
  const worst = ["false", "unknown", "true"].map((verdict) => cases.findIndex((each) => each.verdict === verdict)).find((i) => i >= 0) ?? 0;
  const shown = cases[worst].check || cases[worst].counterexample ? worst : cases.findIndex((each) => each.verdict === cases[worst].verdict && each.counterexample);
  choice.value = shown >= 0 ? shown : worst;
  showCase(cases[choice.value]);
  byId("steps").focus({ preventScroll: true });
}
start();
