/* SPDX-License-Identifier: MIT
 *
 * Stepping through one execution: buttons, slider, keys, filters, and the
 * panels that follow.
 */
const KEYS = {
  ArrowDown: "next", ArrowRight: "next", ArrowUp: "back", ArrowLeft: "back",
  Home: "first", End: "last", PageDown: "far", PageUp: "farBack", n: "cycleNext", p: "cycleBack",
};

class Viewer {
  constructor(execution, moved) {
    this.execution = execution;
    this.moved = moved;
    this.hidden = new Set();
    this.lanes = new Lanes(execution, (step) => { this.go(step); this.lanes.list.focus(); });
    this.source = new SourcePanel(execution);
    this.memory = new MemoryPanel(execution);
    this.detail = h("section", { class: "panel detail" });
    this.element = h("div", { class: "viewer" },
      this.makeBar(), this.makeFilters(),
      h("div", { class: "stage" }, this.lanes.element,
        h("div", { class: "side" }, this.detail, this.source.element, this.memory.element)));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.choose();
    this.step = execution.raw.cycle.length ? execution.raw.cycle[0].step : this.steps[0] || execution.first;
  }

  /* ---- Controls ---- */

  makeBar() {
    const button = (label, title, move) =>
      h("button", { type: "button", "aria-label": title, title, onclick: () => this[move]() }, label);
    this.slider = h("input", {
      type: "range", min: 0, step: 1, "aria-label": "Step",
      oninput: () => this.go(this.steps[Number(this.slider.value)]),
    });
    this.place = h("output", { class: "place" });
    const cycle = this.execution.raw.cycle.length > 0;
    return h("div", { class: "bar", role: "group", "aria-label": "Stepping" },
      button("|◀", "First step (Home)", "first"), button("◀", "Previous step (left arrow)", "back"),
      button("▶", "Next step (right arrow)", "next"), button("▶|", "Last step (End)", "last"),
      this.slider, this.place,
      cycle ? button("↶ cycle", "Previous step of the cycle (p)", "cycleBack") : null,
      cycle ? button("cycle ↷", "Next step of the cycle (n)", "cycleNext") : null);
  }

  makeFilters() {
    const e = this.execution;
    const check = (words, checked, change) => {
      const box = h("input", { type: "checkbox", onchange: () => change(box.checked) });
      box.checked = checked;
      return { box, label: h("label", {}, box, " ", words) };
    };
    const all = check(`all ${plural(e.last - e.first + 1, "step")}`, false, () => this.filter());
    this.all = all.box;
    const compare = check("beside SC", false, (on) => { this.setCompare(on); });
    this.compareBox = compare.box;
    this.words = h("input", {
      type: "search", "aria-label": "Filter steps by words", placeholder: "Filter steps",
      oninput: () => this.filter(),
    });
    const threads = e.threads.map((thread) => check(
      [threadBadge(thread), ` ${thread.name}`], true, (on) => {
        if (on) this.hidden.delete(thread.id); else this.hidden.add(thread.id);
        this.filter();
      }).label);
    this.count = h("span", { class: "count", role: "status" });
    return h("div", { class: "filters", role: "group", "aria-label": "Which steps" },
      all.label, e.isSC ? null : compare.label, threads.length <= 12 ? threads : null, this.words, this.count);
  }

  setCompare(on) {
    this.compareBox.checked = on;
    this.element.classList.toggle("compare", on);
    this.lanes.setCompare(on);
    this.go(this.step);
  }

  choose() {
    const e = this.execution;
    const wanted = this.words.value.trim().toLowerCase();
    const everything = this.all.checked || e.raw.shown.length === 0;
    const base = everything ? Array.from({ length: e.last - e.first + 1 }, (_, i) => e.first + i) : e.raw.shown;
    this.steps = base.filter((step) => !this.hidden.has(e.thread(step)) &&
      (!wanted || e.sentence(step).toLowerCase().includes(wanted) ||
        (e.site(step) && e.site(step).text.toLowerCase().includes(wanted))));
    this.count.textContent = `${plural(this.steps.length, "step")} shown of ${e.raw.total.toLocaleString("en")}` +
      (e.last - e.first + 1 < e.raw.total ? `; this page has ${e.first} to ${e.last}` : "");
    this.slider.max = Math.max(0, this.steps.length - 1);
    this.lanes.setSteps(this.steps);
  }

  filter() {
    this.choose();
    if (this.steps.length) this.go(this.steps[Math.min(this.lanes.position(this.step), this.steps.length - 1)]);
  }

  /* ---- Moves ---- */

  at() { return Math.min(this.lanes.position(this.step), this.steps.length - 1); }
  move(by) {
    if (this.steps.length) this.go(this.steps[Math.max(0, Math.min(this.steps.length - 1, this.at() + by))]);
  }
  next() { this.move(1); }
  back() { this.move(-1); }
  far() { this.move(10); }
  farBack() { this.move(-10); }
  first() { this.move(-Infinity); }
  last() { this.move(Infinity); }

  /* In the order of the cycle; the step after the last is the first. */
  cycleStep(by) {
    const steps = this.execution.raw.cycle.map((c) => c.step).filter((c) => this.execution.has(c));
    if (!steps.length) return;
    const here = steps.indexOf(this.step);
    const to = here < 0 ? (by > 0 ? 0 : steps.length - 1) : (here + by + steps.length) % steps.length;
    this.reveal(steps[to]);
  }
  cycleNext() { this.cycleStep(1); }
  cycleBack() { this.cycleStep(-1); }

  /* Also if a filter hides it. */
  reveal(step) {
    if (!this.execution.has(step)) return;
    if (this.lanes.exactly(step) < 0) {
      this.words.value = "";
      this.hidden.clear();
      for (const box of this.element.querySelectorAll(".filters input[type=checkbox]"))
        if (box !== this.all && box !== this.compareBox) box.checked = true;
      if (!this.execution.raw.shown.includes(step)) this.all.checked = true;
      this.choose();
    }
    this.go(step);
  }

  key(event) {
    const move = KEYS[event.key];
    const typing = event.target.matches("input, textarea, select");
    const inPanel = event.target.closest(".code, .scroll");
    if (!move || typing || (inPanel && !move.startsWith("cycle")) ||
        event.altKey || event.ctrlKey || event.metaKey)
      return;
    event.preventDefault();
    this[move]();
  }

  go(step) {
    if (step === undefined || !this.execution.has(step)) return;
    this.step = step;
    this.show();
    this.moved(step);
  }

  /* ---- What follows ---- */

  show() {
    const e = this.execution, step = this.step;
    this.slider.value = this.at();
    this.slider.setAttribute("aria-valuetext", e.sentence(step));
    this.place.textContent = `Step ${step} of ${e.raw.total}`;
    this.lanes.show(step);
    this.source.show(step);
    this.memory.show(step, this.compareBox.checked);
    this.showDetail();
    announce(e.sentence(step));
  }

  showDetail() {
    const e = this.execution, step = this.step;
    const site = e.site(step), from = e.from(step), other = e.onSC(step);
    const thread = e.threads[e.thread(step)];
    const order = e.cell(step) >= 0 && !e.isCommit(step) ? `, ${e.order(step)}` : "";
    const row = (name, ...words) => [h("dt", {}, name), h("dd", {}, words)];
    replace(this.detail,
      h("h4", {}, `Step ${step}: `, threadBadge(thread, true), ` ${thread.name}, ${e.kind(step)}${order}`),
      h("p", { class: e.isFailure(step) ? "effect failure" : "effect" }, cycleMark(e, step), e.effect(step)),
      h("dl", {},
        site ? row("where", `${data.files[site.file].name}:${site.line}:${site.column}`,
          site.function ? ` in ${site.function}` : "") : null,
        from ? row(e.isCommit(step) ? "issued at" : "read from",
          h("a", { href: `#${e.id}-${from}` }, `step ${from}`), ` (T${e.thread(from)})`) : null,
        this.fate(step) ? row("then", this.fate(step)) : null,
        other ? row("on SC", other.strays
          ? "this step might not come: it depends on what differs before"
          : [h("b", {}, `≠ ${other.words}`), ", so the program might go on differently"]) : null));
  }

  /* Of a store that waits. */
  fate(step) {
    const until = this.execution.column("until", step);
    if (!until) return null;
    return this.execution.has(until)
      ? ["reaches memory at ", h("a", { href: `#${this.execution.id}-${until}` }, `step ${until}`)]
      : until > this.execution.raw.total ? "never reaches memory here" : `reaches memory at step ${until}`;
  }
}
