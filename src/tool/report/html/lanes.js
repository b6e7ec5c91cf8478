/* SPDX-License-Identifier: MIT
 *
 * The steps as rows, a lane for each thread, with the cycle drawn over them.
 * Only rows that can be seen are in the document, so that ten thousand steps
 * scroll as ten do.  Where lanes would be too narrow they become tracks, and
 * what happened stands beside them.
 */
const ROW = 46, OVERSCAN = 6, STEP_WIDTH = 46, LANE_LEAST = 160, LANE_LEAST_BESIDE = 230, TRACK = 22;

class Lanes {
  constructor(execution, choose) {
    this.execution = execution;
    this.choose = choose;
    this.steps = [];
    this.rows = new Map();
    this.compare = false;
    this.current = execution.first;
    this.head = h("div", { class: "lane-heads", "aria-hidden": "true" });
    this.svg = s("svg", { class: "arrows", "aria-hidden": "true", focusable: "false" });
    this.spacer = h("div", { class: "spacer", role: "none" }, this.svg);
    this.list = h("div", {
      class: "steps", role: "listbox", tabindex: "0", id: `${execution.id}-steps`,
      "aria-label": `Steps of ${execution.id}. Arrow keys step, n and p follow the cycle.`,
    }, this.spacer);
    this.element = h("div", { class: "lanes" }, this.head, this.list);
    this.list.addEventListener("scroll", () => this.schedule(), { passive: true });
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.choose(Number(row.dataset.step));
    });
    new ResizeObserver(() => this.layOut()).observe(this.list);
  }

  setSteps(steps) {
    this.steps = steps;
    const shown = new Set(steps.map((step) => this.execution.thread(step)));
    this.lanes = this.execution.threads.filter((t) => shown.has(t.id));
    this.laneOf = new Map(this.lanes.map((t, i) => [t.id, i]));
    this.waits = this.lanes.flatMap((t) => this.waitsOf(t.id));
    this.layOut();
  }

  /* Rows between which a thread's buffer holds something.  Bars of stores that
   * wait side by side are one. */
  waitsOf(thread) {
    const bars = [];
    for (const store of this.execution.stores) {
      if (store.thread !== thread || store.until <= store.step + 1) continue;
      const from = this.position(store.step), to = this.position(store.until);
      const last = bars.at(-1);
      if (to <= from) continue;
      if (last && from <= last.to) last.to = Math.max(last.to, to);
      else bars.push({ thread, from, to });
    }
    return bars;
  }

  setCompare(compare) {
    this.compare = compare;
    this.layOut();
  }

  /* ---- Where everything is ---- */

  layOut() {
    const width = this.list.clientWidth;
    if (!width || !this.lanes) return;
    this.width = width;
    const groups = this.compare ? 2 : 1;
    const room = width - STEP_WIDTH;
    const lane = Math.floor(room / (Math.max(1, this.lanes.length) * groups));
    this.tracks = lane < (this.compare ? LANE_LEAST_BESIDE : LANE_LEAST);
    this.track = Math.min(TRACK, 140 / this.lanes.length);
    this.lane = this.tracks ? this.track : Math.min(lane, 420);
    const tracks = this.tracks ? this.track * this.lanes.length + 8 : 0;
    this.column = this.tracks ? Math.floor((room - tracks) / groups) : this.lane;
    this.tracksWidth = tracks;
    this.spacer.style.height = `${this.steps.length * ROW}px`;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.drawHeads();
    this.render();
  }

  threadX(thread) {
    return STEP_WIDTH + this.laneOf.get(thread) * this.lane + (this.tracks ? this.track / 2 : 15);
  }

  laneX(step) { return this.threadX(this.execution.thread(step)); }

  cellX(step, group) {
    if (this.tracks) return STEP_WIDTH + this.tracksWidth + group * this.column;
    return STEP_WIDTH + 28 + (this.laneOf.get(this.execution.thread(step)) +
      group * this.lanes.length) * this.lane;
  }

  /* The row of a step, or of the first one after it. */
  position(step) {
    let low = 0, high = this.steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.steps[middle] < step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  exactly(step) {
    const at = this.position(step);
    return this.steps[at] === step ? at : -1;
  }

  drawHeads() {
    const heads = [h("span", { class: "head-step" }, "step")];
    const groups = this.compare ? [this.execution.raw.words, "the same steps on SC"] : [""];
    groups.forEach((words, group) => {
      if (this.tracks) {
        const label = h("span", { class: "head" }, words || "threads, and what they do");
        label.style.left = `${STEP_WIDTH + this.tracksWidth + group * this.column}px`;
        heads.push(label);
      }
      this.lanes.forEach((thread, i) => {
        if (this.tracks && group) return;
        const label = h("span", { class: "head" }, threadBadge(thread), " ",
          this.tracks ? null : [h("b", {}, thread.name), words ? h("i", {}, group ? "on SC" : words) : null]);
        label.style.left = `${STEP_WIDTH + (i + group * this.lanes.length) * this.lane + (this.tracks ? -1 : 4)}px`;
        label.style.maxWidth = `${this.tracks ? this.track + 4 : this.lane - 8}px`;
        if (this.tracks) label.classList.add("narrow");
        heads.push(label);
      });
    });
    replace(this.head, heads);
  }

  /* ---- Rows ---- */

  schedule() {
    if (this.waitingForFrame) return;
    this.waitingForFrame = true;
    requestAnimationFrame(() => { this.waitingForFrame = false; this.render(); });
  }

  render() {
    if (!this.lane) return; /* it is not in the document yet */
    const top = this.list.scrollTop, height = this.list.clientHeight;
    const low = Math.max(0, Math.floor(top / ROW) - OVERSCAN);
    const high = Math.min(this.steps.length, Math.ceil((top + height) / ROW) + OVERSCAN);
    for (const [index, row] of this.rows)
      if (index < low || index >= high) { row.remove(); this.rows.delete(index); }
    for (let index = low; index < high; index++)
      if (!this.rows.has(index)) {
        const row = this.makeRow(index);
        this.rows.set(index, row);
        this.spacer.append(row);
      }
    this.mark();
    this.drawArrows(low, high);
  }

  makeRow(index) {
    const step = this.steps[index];
    const e = this.execution;
    const cells = [this.cell(step, 0, false)];
    if (this.compare) cells.push(this.cell(step, 1, true));
    const row = h("div", {
      class: "row" + (e.isFailure(step) ? " failure" : "") + (e.isCommit(step) ? " commit" : ""),
      role: "option", id: `${e.id}-${step}-row`, "data-step": step,
      "aria-selected": "false", "aria-posinset": index + 1, "aria-setsize": this.steps.length,
      "aria-label": e.sentence(step) + (this.compare ? "; " + scWords(e, step) : ""),
    }, h("span", { class: "step-number" }, String(step)), cells);
    row.style.transform = `translateY(${index * ROW}px)`;
    return row;
  }

  cell(step, group, sc) {
    const e = this.execution;
    const site = e.site(step);
    const other = sc ? e.onSC(step) : null;
    const cell = h("span", { class: "cell" + (other ? other.strays ? " strays" : " differs" : "") },
      h("span", { class: "line" },
        this.tracks && !sc ? threadBadge(e.threads[e.thread(step)]) : null,
        site && !e.isCommit(step) ? [h("b", {}, `${site.line} `), site.text || site.function] : e.kind(step)),
      h("span", { class: "effect" }, sc ? scWords(e, step) : [cycleMark(e, step), briefly(e.effect(step))]));
    cell.style.left = `${this.cellX(step, group)}px`;
    cell.style.width = `${this.column - (this.tracks ? 8 : 34)}px`;
    return cell;
  }

  mark() {
    for (const [index, row] of this.rows) {
      const now = this.steps[index] === this.current;
      row.classList.toggle("now", now);
      row.setAttribute("aria-selected", String(now));
      if (now) this.list.setAttribute("aria-activedescendant", row.id);
    }
  }

  show(step) {
    this.current = step;
    if (!this.lane) this.layOut();
    const at = this.position(step) * ROW;
    const height = this.list.clientHeight;
    if (at < this.list.scrollTop + ROW / 2 || at > this.list.scrollTop + height - 2 * ROW)
      this.list.scrollTop = Math.max(0, at - height / 2 + ROW);
    this.render();
  }

  /* ---- Arrows ---- */

  drawArrows(low, high) {
    const top = low * ROW, height = Math.max(0, (high - low) * ROW);
    this.svg.style.transform = `translateY(${top}px)`;
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", height);
    this.y = (index) => index * ROW + ROW / 2 - top;
    const shapes = [arrowHeads(this.execution.id)];
    this.drawWaits(shapes, low, high);
    this.drawSource(shapes);
    this.drawCycle(shapes);
    for (let index = low; index < high; index++) shapes.push(this.dot(index));
    this.svg.replaceChildren(...shapes);
  }

  dot(index) {
    const step = this.steps[index];
    const kind = this.execution.isCommit(step) ? "commit" : this.execution.isFailure(step) ? "failure" : "";
    return s("circle", {
      cx: this.laneX(step), cy: this.y(index), r: step === this.current ? 6 : 4,
      class: `dot t${this.execution.thread(step) % 8} ${kind}${step === this.current ? " now" : ""}`,
    });
  }

  /* From a store's issue to when it reaches memory. */
  drawWaits(shapes, low, high) {
    for (const { thread, from, to } of this.waits) {
      if (to < low || from > high) continue;
      const x = this.threadX(thread);
      shapes.push(s("line", {
        class: "wait", x1: x, x2: x,
        y1: this.y(Math.max(from, low - 1)) + 6, y2: this.y(Math.min(to, high + 1)) - 7,
      }));
    }
  }

  /* Where the current step's value came from. */
  drawSource(shapes) {
    const from = this.execution.has(this.current) ? this.execution.from(this.current) : 0;
    const a = from ? this.exactly(from) : -1, b = this.exactly(this.current);
    if (a < 0 || b < 0 || this.execution.isCommit(this.current)) return;
    shapes.push(s("path", {
      class: "reads", d: this.path(from, a, this.current, b),
      "marker-end": `url(#${this.execution.id}-reads)`,
    }));
  }

  drawCycle(shapes) {
    const cycle = this.execution.raw.cycle;
    cycle.forEach((from, i) => {
      const to = cycle[(i + 1) % cycle.length];
      const a = this.exactly(from.step), b = this.exactly(to.step);
      if (a < 0 || b < 0) return;
      const kind = from.reordered ? "swapped" : "edge";
      shapes.push(s("path", {
        class: kind, d: this.path(from.step, a, to.step, b),
        "marker-end": `url(#${this.execution.id}-${kind})`,
      }));
      if (from.reordered) shapes.push(this.label(from, a, b));
    });
  }

  path(from, a, to, b) {
    const x1 = this.laneX(from), x2 = this.laneX(to), y1 = this.y(a), y2 = this.y(b);
    if (x1 === x2) {
      const bow = this.tracks ? 9 : 12;
      return `M${x1},${y1}C${x1 - bow},${y1 + (y2 - y1) / 4} ${x1 - bow},${y2 - (y2 - y1) / 4} ${x2},${y2}`;
    }
    return this.around(x1, y1, x2, y2);
  }

  /* From lane to lane down the gutter and between rows, where no text is. */
  around(x1, y1, x2, y2) {
    const side = this.tracks ? Math.min(8, this.track / 2 - 1) : 10;
    const down = y2 > y1 ? 1 : -1;
    const gutter = x1 + side, entry = x2 - side, between = y2 - down * (ROW / 2 - 1);
    const turn = x2 > x1 ? 1 : -1, r = 6;
    const last = `Q${entry},${y2} ${x2},${y2}`;
    if (Math.abs(y2 - y1) < ROW) return `M${x1},${y1}L${x2},${y2}`;
    return `M${x1},${y1}Q${gutter},${y1} ${gutter},${y1 + down * 2 * r}` +
      `V${between - down * r}Q${gutter},${between} ${gutter + turn * r},${between}` +
      `H${entry - turn * r}Q${entry},${between} ${entry},${between + down * r}` +
      `V${y2 - down * r}${last}`;
  }

  label(from, a, b) {
    const words = this.tracks ? "↯" : from.edge.split(", ").pop();
    const width = this.tracks ? 14 : 60;
    const x = this.tracks ? this.laneX(from.step) - 16 : Math.max(2, this.laneX(from.step) - 70);
    const y = (this.y(a) + this.y(b)) / 2;
    return s("g", { class: "label" },
      s("rect", { x, y: y - 8, width, height: 16, rx: 8 }),
      s("text", { x: x + width / 2, y: y + 4, "text-anchor": "middle" }, words));
  }
}

function arrowHeads(id) {
  return s("defs", {}, ["edge", "swapped", "reads"].map((kind) =>
    s("marker", {
      id: `${id}-${kind}`, viewBox: "0 0 10 10", refX: "16", refY: "5", markerWidth: "7",
      markerHeight: "7", orient: "auto", markerUnits: "userSpaceOnUse",
    }, s("path", { d: "M0,0L10,5L0,10z", class: `head-${kind}` }))));
}

/* Without what the bars and panels show. */
function briefly(effect) {
  return effect.replace(/ \((\d+ waiting|issued at step \d+)\)$/, "");
}

function cycleMark(execution, step) {
  const number = execution.cycleNumber(step);
  return number ? h("span", { class: "cycle-number" }, `(${number})`) : null;
}

/* What a step does on SC. */
function scWords(execution, step) {
  const other = execution.onSC(step);
  if (execution.isCommit(step)) return "nothing: it was there at once";
  if (!other) return execution.effect(step).replace(/, buffered.*/, "");
  if (other.strays) return "might not come: it depends on what differs";
  return `sees ${other.words} on SC`;
}
