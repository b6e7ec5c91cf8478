/* SPDX-License-Identifier: MIT
 *
 * What it all amounts to: a row for each machine, what was covered and what
 * not, and the findings, worst first.
 */
const VERDICTS = {
  property_broken: {
    yes: ["✗", "It fails", "bad"],
    no: ["✓", "It does not fail", "good"],
    unknown: ["?", "Not known: no failure so far", "open"],
  },
  sc_violation: {
    yes: ["≠", "Yes: an execution that SC does not have", "warn"],
    no: ["✓", "No: only what SC does", "good"],
    unknown: ["?", "Not known", "open"],
  },
};

function verdict(kind, answer) {
  const [sign, words, style] = VERDICTS[kind][answer];
  return h("td", { class: `verdict ${style}` }, h("span", { class: "sign", "aria-hidden": "true" }, sign), words);
}

/* How far the answer goes. */
function reach(model, machine) {
  const parts = [];
  if (model.executions !== undefined) parts.push(plural(model.executions, "execution"));
  if (machine.because) parts.push(machine.because);
  else parts.push(model.complete ? "all there are" : "not all there are");
  if (machine.stopped) parts.push(`stopped: ${machine.stopped}`);
  return parts.join("; ");
}

function machineRows() {
  const { models } = data.report;
  if (models.length)
    return models.map((model, i) => h("tr", {},
      h("th", { scope: "row" }, data.machines[i].words),
      verdict("property_broken", model.property_broken), verdict("sc_violation", model.sc_violation),
      h("td", {}, reach(model, data.machines[i]))));
  const seen = new Map();
  data.report.findings.forEach((f, i) => {
    const fails = (seen.get(data.executions[i].words) || {}).fails || f.error !== null;
    seen.set(data.executions[i].words, { fails, left: f.model === "sc" ? "no" : f.class === "sc" ? "unknown" : "yes" });
  });
  return [...seen].map(([words, { fails, left }]) => h("tr", {}, h("th", { scope: "row" }, words),
    verdict("property_broken", fails ? "yes" : "unknown"), verdict("sc_violation", left),
    h("td", {}, "from the findings that were kept")));
}

function machinesTable() {
  return h("section", {}, h("h2", {}, "Machine by machine"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Machine by machine" },
      h("table", { class: "machines" },
        h("thead", {}, h("tr", {}, ["machine", "can the program fail?", "does it leave SC?", "how far that goes"]
          .map((w) => h("th", { scope: "col" }, w)))),
        h("tbody", {}, machineRows()))));
}

/* Cycles of test: each by what became of it. */
const COUNTS = ["predicted", "confirmed", "harmful", "benign", "infeasible", "undecided"];

function countsTable() {
  const rows = data.report.models.map((m, i) => [m, data.machines[i]]).filter(([m]) => m.predicted !== undefined);
  if (!rows.length) return null;
  return h("section", {}, h("h2", {}, "Cycles"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Cycles" }, h("table", {},
      h("thead", {}, h("tr", {}, ["machine", ...COUNTS].map((w) => h("th", { scope: "col" }, w)))),
      h("tbody", {}, rows.map(([m, machine]) => h("tr", {}, h("th", { scope: "row" }, machine.words),
        COUNTS.map((c) => h("td", { class: "number" }, String(m[c])))))))));
}

function outcomesTable() {
  const rows = data.report.models.flatMap((m, i) =>
    (m.outcomes || []).map((o) => [data.machines[i].words, o.outcome, o.count]));
  if (!rows.length) return null;
  return h("section", {}, h("h2", {}, "Outcomes"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Outcomes" }, h("table", {},
      h("thead", {}, h("tr", {}, ["machine", "outcome", "executions"].map((w) => h("th", { scope: "col" }, w)))),
      h("tbody", {}, rows.map(([words, outcome, count]) => h("tr", {}, h("th", { scope: "row" }, words),
        h("td", {}, outcome), h("td", { class: "number" }, count.toLocaleString("en"))))))));
}

/* Of check: tests against models. */
function testsTable() {
  const { tests, models } = data.report;
  if (!tests) return null;
  const names = [...new Set(tests.map((t) => t.test))];
  const cell = (name, model) => {
    const t = tests.find((x) => x.test === name && x.model === model);
    const answer = t ? t.property_broken : "unknown";
    const [sign, , style] = VERDICTS.property_broken[answer];
    return h("td", { class: `verdict ${style}` }, h("span", { class: "sign", "aria-hidden": "true" }, sign),
      { yes: "fail", no: "pass", unknown: "unknown" }[answer]);
  };
  return h("section", {}, h("h2", {}, "Tests"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tests" }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "test"),
        models.map((m, i) => h("th", { scope: "col" }, data.machines[i].words)))),
      h("tbody", {}, names.map((name) => {
        const t = tests.find((x) => x.test === name);
        return h("tr", {}, h("th", { scope: "row" }, name, t.notation && t.notation !== name ? ` ${t.notation}` : ""),
          models.map((m) => cell(name, m.model)));
      })))), fenceSet());
}

function fenceSet() {
  const list = (title, fences) => fences && fences.length
    ? [h("h3", {}, title), h("ul", {}, fences.map((f) => h("li", {}, `${f.kind} fence before ${f.file}:${f.line}`)))]
    : null;
  return [list("Fences that these tests need", data.report.fence_set),
    list("Fences in the source that these tests do not need", data.report.fences_not_needed)];
}

function coverage() {
  const { limits, awaits, models } = data.report;
  const complete = models.length > 0 && models.every((m) => m.complete);
  return h("section", { class: "coverage" }, h("h2", {}, "Covered, and not covered"),
    h("p", {}, complete ? "Every execution on every machine above was looked at."
      : models.length ? "Not every execution was looked at: a machine whose row does not say “all” may still fail."
      : "What the run covered is in its own report; this page has the findings that it kept."),
    awaits && awaits.length ? h("p", {}, "Loops that wait for another thread: ",
      awaits.map((a) => `${a.file}:${a.line}`).join(", "), ".") : null,
    limits.length ? [h("h3", {}, "Not covered"), h("ul", { class: "limits" }, limits.map((l) => h("li", {}, l)))]
      : models.length ? h("p", {}, "Nothing else was left out.") : null);
}

/* The list of findings, with filters. */
class FindingList {
  constructor() {
    const { findings } = data.report;
    this.items = findings.map((f, number) => ({ f, number, raw: data.executions[number] }))
      .sort((a, b) => CLASSES[a.f.class].rank - CLASSES[b.f.class].rank || a.number - b.number);
    this.off = new Set();
    this.words = h("input", {
      type: "search", "aria-label": "Filter findings by words", placeholder: "Filter findings",
      oninput: () => this.filter(),
    });
    this.count = h("span", { class: "count", role: "status" });
    this.list = h("ul", { class: "finding-list" }, this.items.map((item) => {
      item.link = h("a", { href: `#${item.f.id}` }, h("span", { class: "id" }, item.f.id), classBadge(item.f.class),
        h("span", { class: "headline" }, item.raw.headline));
      item.row = h("li", {}, item.link);
      return item.row;
    }));
    this.element = h("section", {},
      h("h2", {}, findings.length ? plural(findings.length, "finding") : "No findings"),
      this.makeFilters(), this.list);
    if (findings.length <= 1) this.element.hidden = findings.length === 1;
    if (!findings.length) replace(this.element, this.element.firstChild);
    this.filter();
  }

  makeFilters() {
    const present = [...new Set(this.items.map((i) => i.f.class))];
    return h("div", { class: "filters", role: "group", "aria-label": "Which findings" },
      present.length > 1 ? present.map((word) => {
        const box = h("input", { type: "checkbox", checked: true, onchange: () => {
          if (box.checked) this.off.delete(word); else this.off.add(word);
          this.filter();
        } });
        return h("label", {}, box, " ", classBadge(word));
      }) : null, this.words, this.count);
  }

  filter() {
    const wanted = this.words.value.trim().toLowerCase();
    let shown = 0;
    for (const { f, raw, row } of this.items) {
      row.hidden = this.off.has(f.class) ||
        !`${f.id} ${raw.headline} ${raw.words} ${raw.story}`.toLowerCase().includes(wanted);
      if (!row.hidden) shown++;
    }
    this.count.textContent = `${shown} of ${plural(this.items.length, "finding")}`;
  }

  mark(number) {
    for (const item of this.items) {
      if (item.number === number) item.link.setAttribute("aria-current", "true");
      else item.link.removeAttribute("aria-current");
    }
  }
}
