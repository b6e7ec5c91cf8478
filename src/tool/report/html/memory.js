/* SPDX-License-Identifier: MIT
 *
 * Store buffers and memory at a step; beside them SC's memory, if that is
 * asked for.
 */
const CELLS_SHOWN = 40;

class MemoryPanel {
  constructor(execution) {
    this.execution = execution;
    this.filter = h("input", {
      type: "search", "aria-label": "Filter memory by name", placeholder: "Filter by name",
      oninput: () => this.show(this.step, this.compare),
    });
    this.private = h("input", {
      type: "checkbox", onchange: () => this.show(this.step, this.compare),
    });
    this.table = h("table", {});
    this.note = h("p", { class: "none" });
    this.buffers = h("dl", { class: "buffers" });
    this.element = h("section", { class: "panel memory" },
      execution.buffers ? [h("h4", {}, "Store buffers, oldest first"), this.buffers] : null,
      h("h4", {}, "Memory"),
      h("div", { class: "tools" }, this.filter,
        h("label", {}, this.private, " also what one thread alone uses")),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Memory" }, this.table),
      this.note);
  }

  /* Of the cycle first, then in the order of memory. */
  chosen() {
    const wanted = this.filter.value.trim().toLowerCase();
    return this.execution.cells.filter((c) => wanted
      ? c.place.toLowerCase().includes(wanted)
      : c.cycle || c.threads.size > 1 || this.private.checked)
      .sort((a, b) => b.cycle - a.cycle || a.id - b.id);
  }

  showBuffers(step) {
    replace(this.buffers, this.execution.threads.map((thread) => {
      const waiting = this.execution.waiting(step, thread.id);
      return h("div", { class: waiting.length ? "" : "empty" },
        h("dt", {}, threadBadge(thread, thread.id === this.execution.thread(step))),
        h("dd", {}, waiting.length
          ? waiting.map((w) => h("span", { class: w.step === step ? "entry new" : "entry" }, w.words,
              h("small", {}, ` since ${w.step}`)))
          : "empty"));
    }));
  }

  /* "T1: 1": stores to it that wait. */
  waitingFor(cell, step) {
    return this.execution.stores
      .filter((w) => w.step <= step && w.until > step && this.execution.has(w.step) &&
        this.execution.cell(w.step) === cell.id)
      .map((w) => `T${w.thread}: ${w.words.split(" = ").pop()}`).join(", ");
  }

  row(cell, step) {
    const value = (held) => held
      ? h("td", { class: held.changed ? "value new" : "value" }, held.text,
          held.changed ? h("small", {}, " now") : null)
      : h("td", { class: "value none" }, "not known");
    const machine = this.execution.raw.machine;
    return h("tr", { class: cell.cycle ? "cycle" : null },
      h("th", { scope: "row" }, cell.place),
      machine ? value(this.execution.holds(cell, step, false)) : null,
      this.execution.buffers ? h("td", { class: "value" }, this.waitingFor(cell, step) || "–") : null,
      this.compare || !machine ? value(this.execution.holds(cell, step, true)) : null);
  }

  show(step, compare) {
    this.step = step;
    this.compare = compare;
    const { raw } = this.execution;
    const chosen = this.chosen();
    if (this.execution.buffers) this.showBuffers(step);
    const heads = raw.machine ? ["place", "memory"] : ["place"];
    if (this.execution.buffers) heads.push("waiting");
    if (compare || !raw.machine) heads.push("memory on SC");
    replace(this.table,
      h("thead", {}, h("tr", {}, heads.map((w) => h("th", { scope: "col" }, w)))),
      h("tbody", {}, chosen.slice(0, CELLS_SHOWN).map((c) => this.row(c, step))));
    this.note.textContent = [
      chosen.length > CELLS_SHOWN
        ? `${plural(chosen.length - CELLS_SHOWN, "more place")}: filter to see them.` : "",
      raw.machine ? "" : `${raw.words} is axioms here, without a machine whose memory changes: each load says what it read.`,
    ].join(" ").trim();
    this.note.hidden = !this.note.textContent;
  }
}
