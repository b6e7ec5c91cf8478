/* SPDX-License-Identifier: MIT
 *
 * One finding: what happened in a sentence, its cycle, its cure, how to have it
 * again, and its execution.
 */
const CLASSES = {
  sc: { words: "fails on SC too", sign: "✗", rank: 0,
    tell: "The program fails even where nothing is reordered." },
  harmful: { words: "harmful", sign: "✗", rank: 1,
    tell: "A reordering breaks the program." },
  race: { words: "data race", sign: "✗", rank: 2,
    tell: "Two accesses that nothing orders, not both atomic: undefined behaviour in C." },
  undecided: { words: "undecided", sign: "?", rank: 3,
    tell: "An execution that SC does not have; whether it does harm is not known." },
  benign: { words: "benign", sign: "○", rank: 4,
    tell: "An execution that SC does not have, without harm." },
};

function classBadge(word) {
  const known = CLASSES[word] || { words: word, sign: "?" };
  return h("span", { class: `class ${word}` }, h("span", { "aria-hidden": "true" }, known.sign + " "), known.words);
}

/* "left_flag = 1": what the source calls it, and the value. */
function accessWords(execution, step, node) {
  if (!execution.has(step)) return node.object || "memory";
  return execution.effect(step).replace(/, .*/, "");
}

/* "(1) T1 sb.c:30 store left_flag = 1", then how it is before the next. */
function cycleList(execution) {
  const { raw, finding } = execution;
  const nodes = finding.class === "race" ? finding.race : finding.cycle;
  if (!raw.cycle.length) return null;
  return h("section", { class: "cycle" },
    h("h3", {}, finding.class === "race" ? "The two accesses" : "The cycle"),
    finding.class === "race" ? null
      : h("p", {}, "Each is before the next, and the last before the first: no order of steps has all of them."),
    h("ol", {}, raw.cycle.map((c, i) => {
      const node = nodes[i];
      return h("li", { class: c.reordered ? "reordered" : null },
        threadBadge(execution.threads[node.thread]), " ",
        h("a", { href: `#${execution.id}-${c.step}` }, `${node.access} `, h("b", {}, accessWords(execution, c.step, node))),
        h("span", { class: "where" }, ` ${node.file}:${node.line}, step ${c.step}`),
        h("span", { class: "edge" }, c.reordered ? h("strong", {}, `↯ ${c.edge}`) : `↓ ${c.edge}`));
    })));
}

function diffView(text) {
  const kind = (line) => line.startsWith("+++") || line.startsWith("---") ? "file"
    : line.startsWith("@@") ? "hunk" : line.startsWith("+") ? "added"
    : line.startsWith("-") ? "removed" : "";
  return h("pre", { class: "diff", tabindex: "0", "aria-label": "The cure as a diff" },
    text.replace(/\n$/, "").split("\n").map((line) => h("span", { class: kind(line) }, line + "\n")));
}

function cure(execution) {
  const { raw } = execution;
  if (!raw.advice.trim()) return null;
  return h("section", { class: "cure" }, h("h3", {}, "The cure"),
    h("p", { class: "words" }, raw.advice.trim()),
    raw.diff ? h("div", { class: "copyable" }, diffView(raw.diff), copyButton(raw.diff, "the diff"))
      : h("p", { class: "none" }, "No diff: the change needs somebody who knows the program."));
}

function again(execution) {
  const { replay } = execution.finding;
  return h("section", { class: "again" }, h("h3", {}, "See it again"),
    h("p", {}, execution.raw.origin),
    replay ? h("div", { class: "copyable" }, h("code", { class: "command" }, replay), copyButton(replay, "the command"))
      : h("p", { class: "none" }, "It cannot be replayed: its model has no machine, or its program is gone."));
}

/* What the same steps would do with one memory. */
function whatIf(execution, show) {
  if (execution.isSC) return null;
  const first = execution.firstDifference();
  const button = h("button", { type: "button", onclick: show }, "Show it side by side");
  return h("section", { class: "what-if" }, h("h3", {}, "What if memory were sequentially consistent?"),
    h("p", {}, first && !execution.has(first)
      ? `With the same steps on SC, step ${first}, which is not in this page, sees another value.`
      : first ? ["With the same steps on SC, ", h("a", { href: `#${execution.id}-${first}` }, `step ${first}`),
         ` sees ${execution.onSC(first).words}. From there the program might do something else.`]
      : "With the same steps on SC every load sees the same value.", " ", button));
}

class FindingView {
  constructor(number, moved) {
    const execution = executionOf(number);
    const { finding, raw } = execution;
    this.viewer = new Viewer(execution, moved);
    this.element = h("article", { class: "finding", id: execution.id, "aria-labelledby": `${execution.id}-title` },
      h("header", {}, h("p", { class: "kicker" }, `${execution.id} `, classBadge(finding.class), ` on ${raw.words}`),
        h("h2", { id: `${execution.id}-title`, tabindex: "-1" }, raw.headline),
        h("p", {}, (CLASSES[finding.class] || {}).tell),
        raw.story ? h("p", { class: "words story" }, raw.story.trim()) : null,
        finding.tests ? h("p", {}, `Shown by test ${finding.tests.join(", ")}.`) : null,
        finding.alpha_only ? h("p", {}, "Only machines that break dependent loads (Alpha) show this execution; " +
          "ARM, POWER and RISC-V do not. --deps keeps dependent loads in order.") : null),
      h("div", { class: "facts" }, h("div", {}, cycleList(execution), again(execution),
        whatIf(execution, () => { this.viewer.setCompare(true); this.viewer.lanes.list.focus(); })),
        cure(execution)),
      h("section", { class: "execution" }, h("h3", {}, "Step through it"),
        h("p", { class: "hint" }, "Time runs down; a lane is a thread. ",
          h("kbd", {}, "←"), " ", h("kbd", {}, "→"), " step, ", h("kbd", {}, "n"), " ", h("kbd", {}, "p"),
          " follow the cycle, ", h("kbd", {}, "Home"), " ", h("kbd", {}, "End"),
          execution.buffers ? ". A dotted bar is a store that waits in its buffer." : "."),
        this.viewer.element),
      raw.output ? h("details", {}, h("summary", {}, "What the program printed"),
        h("pre", { tabindex: "0" }, raw.output)) : null);
  }
}
