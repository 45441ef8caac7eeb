// The automaton, or a design's words, with the way of the counterexample.

const automaton = {
  start() {
    this.scale = 0;
  },

  show() {
    const view = byId("automaton");
    const shown = now.case.part.automaton;
    this.picture = null;
    if (!shown) {
      const why = now.case.property.exit_code === 4 ? "There is no program to show." : "There is no picture: it would have too many parts to find anything in it.";
      view.replaceChildren(h("p", { class: "soft" }, why));
      view.firstChild.style.padding = "0 14px";
      return;
    }
    // It is parsed as XML, where text is text, and its texts were escaped when it was drawn.
    const parsed = new DOMParser().parseFromString(shown.svg, "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") return;
    this.picture = document.importNode(parsed, true);
    this.width = Number(this.picture.getAttribute("width"));
    this.height = Number(this.picture.getAttribute("height"));
    this.picture.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.picture.setAttribute("role", "img");
    const what = run.formalism === "C" ? "Control-flow automaton" : "Words of the design, and who reads them";
    this.picture.setAttribute("aria-label", `${what}: ${shown.counts}`);
    this.canvas = h("div", { class: "canvas" }, this.picture);
    const zoom = (factor) => () => this.zoom(this.scale * factor);
    view.replaceChildren(
      h("div", { class: "bar" }, h("span", { title: shown.counts }, shown.counts),
        h("button", { type: "button", "aria-label": "Smaller", click: zoom(1 / 1.25) }, "−"),
        h("button", { type: "button", "aria-label": "Larger", click: zoom(1.25) }, "+"),
        h("button", { type: "button", click: () => this.fit() }, "Fit")),
      this.canvas);
    this.parts = { node: new Map(), arrow: new Map() };
    for (const part of this.picture.querySelectorAll("[data-node],[data-arrow]")) {
      const kind = part.dataset.node !== undefined ? "node" : "arrow";
      const number = Number(part.dataset[kind]);
      this.parts[kind].set(number, [...(this.parts[kind].get(number) ?? []), part]);
    }
    shown.nodes.forEach(({ what }, i) => {
      const role = { "loop head": "loop", error: "error", entry: "entry" }[what];
      if (role) this.parts.node.get(i)?.forEach((part) => part.classList.add(role));
    });
    shown.path.forEach((arrow) => this.parts.arrow.get(arrow)?.forEach((part) => part.classList.add("on")));
    this.picture.addEventListener("click", (event) => {
      const part = event.target.closest?.("[data-node],[data-arrow]");
      if (part) this.choose(part);
    });
    this.way = once("way", now.case, (each) => this.align(each));
    this.fit();
  },

  choose(part) {
    const shown = now.case.part.automaton;
    if (part.dataset.node !== undefined) {
      const { file, line } = shown.nodes[Number(part.dataset.node)];
      if (line) selectLine(file, line);
      return;
    }
    const arrow = Number(part.dataset.arrow);
    const step = this.way.indexOf(arrow, this.way[now.step] === arrow ? now.step + 1 : 0);
    const first = step >= 0 ? step : this.way.indexOf(arrow);
    if (first >= 0) return select({ step: first });
    const lines = shown.arrows[arrow]?.[0];
    if (lines) selectLine(lines.file, lines.first);
  },

  /** The arrow of each step: both follow the same execution, in the same order. */
  align(each) {
    const shown = each.part.automaton;
    const told = each.counterexample?.steps ?? [];
    const has = (arrow, { file, line }) =>
      shown.arrows[arrow].some((lines) => lines.file === file && lines.first <= line && line <= lines.last);
    if (!shown.path.length) {
      return told.map((step) => shown.arrows.findIndex((_, arrow) => has(arrow, step)));
    }
    let at = 0;
    return told.map((step, i) => {
      // A line before the last one in the same block: the block is passed again.
      const again = i > 0 && step.file === told[i - 1].file && step.depth === told[i - 1].depth && step.line < told[i - 1].line;
      for (let next = again ? at + 1 : at; next < Math.min(shown.path.length, at + 400); next++) {
        if (has(shown.path[next], step)) return shown.path[(at = next)];
      }
      return has(shown.path[at], step) ? shown.path[at] : -1;
    });
  },

  fit() {
    const room = this.canvas.clientWidth - 8;
    this.zoom(clamp(room / this.width, 0.62, 1.1));
    this.reveal();
  },

  zoom(scale) {
    this.scale = clamp(scale, 0.15, 3);
    this.picture.setAttribute("width", this.width * this.scale);
    this.picture.setAttribute("height", this.height * this.scale);
  },

  update() {
    if (!this.picture) return;
    for (const part of this.picture.querySelectorAll(".now, .film")) part.classList.remove("now", "film");
    const shown = now.case.part.automaton;
    const arrow = this.way[now.step] ?? -1;
    const here = (spot) => spot.line === now.line && spot.file === now.file;
    if (arrow >= 0) this.parts.arrow.get(arrow)?.forEach((part) => part.classList.add("now"));
    else {
      const nodes = shown.nodes.flatMap((spot, i) => here(spot) && spot.what === "loop head" ? [i] : []);
      nodes.forEach((i) => this.parts.node.get(i)?.forEach((part) => part.classList.add("now")));
      shown.arrows.forEach((lines, i) => {
        const fits = !nodes.length && lines.some(({ file, first, last }) => file === now.file && first <= now.line && now.line <= last);
        if (fits) this.parts.arrow.get(i)?.forEach((part) => part.classList.add("now"));
      });
    }
    for (const { at } of film.trace()) {
      shown.nodes.forEach((spot, i) => {
        if (at.line && spot.line === at.line && spot.file === at.file && ["loop head", "entry"].includes(spot.what)) {
          this.parts.node.get(i)?.forEach((part) => part.classList.add("film"));
        }
      });
    }
    this.reveal();
  },

  /** The current part comes into view. */
  reveal() {
    const part = this.picture?.querySelector("g.now");
    if (!part || byId("automaton").hidden) return;
    const [box, view] = [part.getBoundingClientRect(), this.canvas.getBoundingClientRect()];
    if (box.top < view.top || box.bottom > view.bottom) this.canvas.scrollTop += box.top - view.top - view.height / 2;
    if (box.left < view.left || box.right > view.right) this.canvas.scrollLeft += box.left - view.left - view.width / 2 + box.width / 2;
  },
};
