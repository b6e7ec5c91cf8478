/* SPDX-License-Identifier: MIT
 *
 * The data of the page, as it lies in the file, and an execution that can be
 * asked what was where at a step.  Steps have the numbers of `fencer trace
 * dump`: the first is 1.
 */
const data = JSON.parse(document.getElementById("data").textContent);

const FORWARDED = 1, STALE = 2, BUFFERED = 4;

/* The last pair [step, value] of a flat list at or before a step. */
function lastBefore(flat, step) {
  let low = 0, high = flat.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (flat[2 * middle] <= step) low = middle + 1;
    else high = middle;
  }
  return low ? { step: flat[2 * low - 2], value: flat[2 * low - 1] } : null;
}

class Execution {
  constructor(number) {
    const raw = data.executions[number];
    this.raw = raw;
    this.finding = data.report.findings[number];
    this.id = this.finding.id;
    this.isSC = this.finding.model === "sc";
    this.buffers = raw.machine && !this.isSC;
    this.first = raw.first + 1;
    this.last = raw.first + raw.steps.thread.length;
    this.threads = raw.threads.map((name, i) => ({ id: i, name, label: `T${i}` }));
    this.placeInCycle = new Map();
    raw.cycle.forEach((c, i) => this.placeInCycle.set(c.step, i + 1));
    this.differs = new Map();
    for (let i = 0; i < raw.what_if.differs.length; i += 2)
      this.differs.set(raw.what_if.differs[i], raw.what_if.differs[i + 1]);
    this.stores = this.findStores();
    this.describeCells();
  }

  has(step) { return step >= this.first && step <= this.last; }
  column(name, step) { return this.raw.steps[name][step - this.first]; }
  text(id) { return this.raw.strings[id]; }
  thread(step) { return this.column("thread", step); }
  kind(step) { return data.kinds[this.column("nature", step) >> 6]; }
  order(step) { return data.orders[(this.column("nature", step) >> 3) & 7]; }
  marks(step) { return this.column("nature", step) & 7; }
  effect(step) { return this.text(this.column("text", step)); }
  from(step) { return this.column("from", step); }
  cell(step) { return this.column("cell", step) - 1; }
  isCommit(step) { return this.kind(step) === "commit"; }
  isFailure(step) { return this.kind(step) === "failure"; }

  /* File, line and the rest of where it is in the source; null: nowhere. */
  site(step) {
    const [file, line, column, name, text] = this.raw.sites[this.column("site", step)];
    if (!line) return null;
    return { file, line, column, function: this.text(name), text: this.text(text) };
  }

  /* The number in the cycle; the commit of a store has it, too. */
  cycleNumber(step) {
    const own = this.isCommit(step) ? this.from(step) : step;
    return this.placeInCycle.get(own) || 0;
  }

  /* On SC: null where the step does the same. */
  onSC(step) {
    const strays = this.raw.what_if.strays[this.thread(step)];
    if (this.differs.has(step)) {
      const text = this.text(this.differs.get(step));
      return { same: false, words: text === "" ? "not known" : text };
    }
    if (strays && step >= strays) return { strays: true };
    return null;
  }

  /* It may be before the steps of the page. */
  firstDifference() { return this.raw.what_if.first; }

  /* Every store that waited: when it came into the buffer and when it left. */
  findStores() {
    const list = this.raw.waiting.map(([step, thread, text, until]) => ({
      step, thread, until, words: this.text(text).replace(/, buffered.*/, ""),
    }));
    for (let step = this.first; step <= this.last; step++) {
      const until = this.column("until", step);
      if (until)
        list.push({
          step, thread: this.thread(step), until,
          words: this.effect(step).replace(/, buffered.*/, ""),
        });
    }
    return list;
  }

  /* Oldest first. */
  waiting(step, thread) {
    return this.stores.filter(
      (s) => s.thread === thread && s.step <= step && s.until > step);
  }

  /* Which cells are of the cycle, and which have several threads. */
  describeCells() {
    this.cells = this.raw.cells.map(([place, size, held, heldSC], id) => ({
      id, place: this.text(place), size, held, heldSC, threads: new Set(), cycle: false,
    }));
    for (let step = this.first; step <= this.last; step++) {
      const cell = this.cells[this.cell(step)];
      if (!cell) continue;
      cell.threads.add(this.thread(step));
      if (this.cycleNumber(step)) cell.cycle = true;
    }
  }

  holds(cell, step, sc) {
    const found = lastBefore(sc ? cell.heldSC : cell.held, step);
    if (!found || found.value === 0) return null;
    return { text: this.text(found.value), changed: found.step === step };
  }

  /* The last step of a thread at or before that one; 0: none. */
  latestOf(thread, step) {
    for (let at = step; at >= this.first && at > step - 5000; at--)
      if (this.thread(at) === thread && !this.isCommit(at) && this.site(at)) return at;
    return 0;
  }

  /* What a screen reader says. */
  sentence(step) {
    const thread = this.threads[this.thread(step)];
    const site = this.site(step);
    const number = this.cycleNumber(step);
    return `Step ${step}, ${thread.label} ${thread.name}` +
      (site ? `, line ${site.line}` : "") + `: ${this.effect(step)}` +
      (number ? `; ${number} of the cycle` : "");
  }
}

const executions = new Map();
function executionOf(number) {
  if (!executions.has(number)) executions.set(number, new Execution(number));
  return executions.get(number);
}
