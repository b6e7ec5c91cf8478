/* SPDX-License-Identifier: MIT
 *
 * The source beside the steps: the current line, and where each other thread
 * is.  Of a long file only the lines around the current one are in the page.
 */
const LINES_WHOLE = 500, LINES_AROUND = 120;

const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern " +
  "float for goto if inline int long register restrict return short signed sizeof static struct " +
  "switch typedef union unsigned void volatile while _Atomic _Bool bool _Alignas _Noreturn " +
  "_Static_assert _Thread_local").split(" "));

const TOKENS = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(^\s*#\s*\w+)|([A-Za-z_]\w*)/g;

/* A line in coloured pieces.  `open`: it begins inside a comment. */
function coloured(line, open) {
  const out = [];
  let at = 0;
  if (open) {
    const end = line.indexOf("*/");
    at = end < 0 ? line.length : end + 2;
    out.push(h("span", { class: "c" }, line.slice(0, at)));
  }
  TOKENS.lastIndex = at;
  for (let m = TOKENS.exec(line); m; m = TOKENS.exec(line)) {
    const kind = m[1] ? "c" : m[2] ? "l" : m[3] || KEYWORDS.has(m[4]) ? "k" : "";
    if (!kind) continue;
    if (m.index > at) out.push(line.slice(at, m.index));
    out.push(h("span", { class: kind }, m[0]));
    at = m.index + m[0].length;
  }
  if (at < line.length) out.push(line.slice(at));
  return out;
}

/* Is a comment open after that line? */
function opensComment(line, open) {
  let rest = open ? line : line.replace(/"(?:[^"\\]|\\.)*"/g, "").replace(/\/\/.*/, "");
  for (;;) {
    const mark = rest.indexOf(open ? "*/" : "/*");
    if (mark < 0) return open;
    rest = rest.slice(mark + 2);
    open = !open;
  }
}

class SourcePanel {
  constructor(execution) {
    this.execution = execution;
    this.body = h("div", { class: "code", tabindex: "0", role: "region", "aria-label": "Source" });
    this.title = h("h4", {}, "Source");
    this.element = h("section", { class: "panel source" }, this.title, this.body);
    this.rows = new Map();
    this.drawn = "";
  }

  /* Makes the lines that may be seen. */
  draw(number, line) {
    const file = data.files[number];
    const whole = file.lines.length <= LINES_WHOLE;
    const page = whole ? 0 : Math.floor(line / LINES_AROUND);
    const key = `${number}:${page}`;
    if (key === this.drawn) return;
    this.drawn = key;
    this.rows.clear();
    const low = whole ? file.first : Math.max(file.first, (page - 1) * LINES_AROUND);
    const high = whole ? Infinity : (page + 2) * LINES_AROUND;
    const rows = [];
    let open = false;
    file.lines.forEach((text, i) => {
      const n = file.first + i;
      const inside = open;
      open = opensComment(text, open);
      if (n < low || n > high) return;
      const mark = h("span", { class: "at" });
      const row = h("div", { class: "line" }, mark, h("span", { class: "no" }, String(n)),
        h("code", {}, coloured(text, inside), text === "" ? " " : null));
      this.rows.set(n, { row, mark });
      rows.push(row);
    });
    if (!rows.length) rows.push(h("p", { class: "none" }, "The source is not in this page."));
    this.title.textContent = file.name;
    replace(this.body, rows);
  }

  show(step) {
    const site = this.execution.site(step) ||
      this.execution.site(this.execution.latestOf(this.execution.thread(step), step) || step);
    if (!site) return;
    this.draw(site.file, site.line);
    for (const { row, mark } of this.rows.values()) {
      if (mark.firstChild) mark.replaceChildren();
      row.classList.remove("now");
      row.removeAttribute("aria-current");
    }
    this.markThreads(step, site.file);
    const now = this.rows.get(site.line);
    if (!now) return;
    now.row.classList.add("now");
    now.row.setAttribute("aria-current", "step");
    this.reveal(now.row);
  }

  markThreads(step, file) {
    for (const thread of this.execution.threads) {
      const at = this.execution.latestOf(thread.id, step);
      const site = at ? this.execution.site(at) : null;
      const row = site && site.file === file ? this.rows.get(site.line) : null;
      if (row) row.mark.append(threadBadge(thread, thread.id === this.execution.thread(step)));
    }
  }

  reveal(row) {
    const top = row.offsetTop;
    const height = this.body.clientHeight;
    if (top < this.body.scrollTop + 24 || top > this.body.scrollTop + height - 48)
      this.body.scrollTop = Math.max(0, top - height / 3);
  }
}

function threadBadge(thread, now) {
  return h("span", { class: `badge t${thread.id % 8}${now ? " now" : ""}` }, thread.label);
}
