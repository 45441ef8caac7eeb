// The iterations of abstraction and refinement, one after the other.

const film = {
  frames: () => now.case.part.film.frames,
  visible: () => !byId("film").hidden,

  /** The predicates that the shown iteration has gained. */
  gained() {
    return this.visible() ? (this.frames()[now.frame]?.gained ?? []) : [];
  },

  /** The abstract counterexample that is shown. */
  trace() {
    return this.visible() ? (this.frames()[now.frame]?.counterexample?.steps ?? []) : [];
  },

  show() {
    const frames = this.frames();
    const view = byId("film");
    if (!frames.length) {
      const by = now.case.property.search;
      view.replaceChildren(h("h3", {}, "No iteration"), h("p", {},
        `The abstraction was not refined${by ? `: the answer was found by ${by}` : ""}. `,
        "Searches run side by side, and the first answer counts; a preset such as lbe-allsat has this loop alone."));
      return;
    }
    now.frame = clamp(now.frame, 0, frames.length - 1);
    const leftOut = now.case.part.film.left_out;
    this.slider = h("input", { type: "range", min: 0, max: frames.length - 1, value: now.frame, id: "frame",
      "aria-label": "Iteration", input: () => this.go(Number(this.slider.value)) });
    this.scene = h("div", {});
    view.replaceChildren(
      h("h3", {}, "How the abstraction was refined"),
      h("div", { class: "slider" },
        h("button", { type: "button", "aria-label": "Iteration before", click: () => this.go(now.frame - 1) }, "‹"),
        this.slider,
        h("button", { type: "button", "aria-label": "Next iteration", click: () => this.go(now.frame + 1) }, "›")),
      leftOut ? h("p", { class: "soft" }, `${plural(leftOut, "iteration")} in the middle are left out.`) : "",
      this.scene);
    this.draw();
  },

  go(frame) {
    now.frame = clamp(frame, 0, this.frames().length - 1);
    this.slider.value = now.frame;
    this.draw();
    source.show();
    source.update(false);
    automaton.update();
  },

  place(at) {
    const text = at.line ? `${at.what}, line ${at.line}` : at.what;
    return at.line ? h("button", { type: "button", class: "place", click: () => selectLine(at.file, at.line) }, text) : h("b", {}, text);
  },

  draw() {
    const frames = this.frames();
    const frame = frames[now.frame];
    const title = `Iteration ${frame.iteration}`;
    this.slider.setAttribute("aria-valuetext", `${title} of ${frames.at(-1).iteration}`);
    const trace = frame.counterexample;
    const literal = ([text, holds]) => h("li", { class: holds ? "yes" : "no", title: holds ? "holds" : "does not hold" }, holds ? text : `¬ ${text}`);
    this.scene.replaceChildren(
      h("p", {}, h("b", {}, title), h("span", { class: "soft" }, ` of ${frames.at(-1).iteration} · ${plural(frame.predicates, "predicate")} · ${plural(frame.states, "abstract state")}`)),
      h("h3", {}, "Predicates gained"),
      ...(frame.gained.length
        ? frame.gained.flatMap(({ at, predicates }) => [this.place(at), h("ul", { class: "predicates" }, predicates.map((text) => h("li", {}, text)))])
        : [h("p", { class: "soft" }, frame.iteration === 1 ? "None yet: the coarsest abstraction comes first." : "None.")]),
      h("h3", {}, "Abstract counterexample"),
      trace
        ? h("ol", { class: "trace" }, trace.steps.map(({ at, predicates }, i) =>
            h("li", { class: trace.failing_step === i ? "fails" : "" }, this.place(at),
              trace.failing_step === i ? h("span", { class: "soft" }, "  cannot be executed") : "",
              h("ul", { class: "predicates" }, predicates.length ? predicates.map(literal) : h("li", { class: "no" }, "any state")))))
        : h("p", { class: "soft" }, "None: the abstraction has no way to a violation. What it knows is the proof."),
      ...(trace ? [h("h3", {}, "Why it is spurious"),
        h("p", { class: "why" }, trace.failing_guard ? `No execution passes ${trace.failing_guard}` : "No execution follows these steps.")] : []));
  },
};
