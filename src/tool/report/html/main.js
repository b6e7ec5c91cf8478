/* SPDX-License-Identifier: MIT
 *
 * The page as a whole.  #f1 is a finding, #f1-12 its step 12.
 */
const HEADS = {
  0: ["✓", "Nothing found", "good"], 1: ["✗", "Found", "bad"], 3: ["?", "Not finished", "open"],
};

function header() {
  const [sign, words, style] = HEADS[data.exit] || HEADS[3];
  const { fencer, command, program } = data.report;
  const theme = h("button", { type: "button", class: "theme", onclick: () => {
    const dark = getComputedStyle(document.body).getPropertyValue("--dark").trim() === "1";
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  } }, "Light or dark");
  return h("header", { class: `top ${style}` },
    h("p", { class: "kicker" }, h("b", {}, "Fencer"), ` ${fencer}: ${command}${command === "report" ? "" : " " + program}`, theme),
    h("h1", {}, h("span", { class: "sign", "aria-hidden": "true" }, sign),
      h("span", {}, `${words}: ${data.heading.trim()}`)));
}

class Page {
  constructor(root) {
    this.findings = new FindingList();
    this.place = h("div", { id: "finding" });
    this.views = new Map();
    replace(root, header(), machinesTable(), testsTable(),
      h("div", { id: "findings", tabindex: "-1" }, this.findings.element, this.place), coverage(), countsTable(), outcomesTable(), live);
    addEventListener("hashchange", () => this.follow(true));
    addEventListener("beforeprint", () => { document.getElementById("text").open = true; });
    this.follow(false);
  }

  /* Goes where the address says; else to the worst finding. */
  follow(asked) {
    const match = /^#f(\d+)(?:-(\d+))?$/.exec(location.hash);
    const worst = this.findings.items.length ? this.findings.items[0].number : -1;
    const number = match && Number(match[1]) <= data.executions.length && Number(match[1]) > 0
      ? Number(match[1]) - 1 : worst;
    if (number < 0 || (asked && !match)) return;
    const view = this.show(number);
    if (match && match[2]) {
      view.viewer.reveal(Number(match[2]));
      view.viewer.element.scrollIntoView({ block: "nearest" });
      view.viewer.lanes.list.focus({ preventScroll: true });
    } else if (match) {
      view.element.scrollIntoView();
      view.element.querySelector("h2").focus({ preventScroll: true });
    }
  }

  show(number) {
    if (this.number === number) return this.views.get(number);
    this.number = number;
    if (!this.views.has(number))
      this.views.set(number, new FindingView(number, (step) => this.moved(step)));
    const view = this.views.get(number);
    replace(this.place, view.element);
    this.findings.mark(number);
    view.viewer.show();
    return view;
  }

  /* The address follows, but not faster than a browser likes. */
  moved(step) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      history.replaceState(null, "", `#f${this.number + 1}-${step}`);
    }, 200);
  }
}

new Page(document.getElementById("app"));
