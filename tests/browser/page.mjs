// SPDX-License-Identifier: MIT
//
// What a reader does with a page, done by Playwright.  Each test is a sentence
// about the page; one that fails says what it saw.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const long = process.env.FENCER_LONG; // everything, at every size
const [work, modules, option] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const profile = mkdtempSync(join(tmpdir(), "fencer-browser-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM,
  headless: true,
  viewport: { width: 1120, height: 640 },
  colorScheme: "light",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const page = browser.pages()[0] || await browser.newPage();
const messages = [];
page.on("console", (m) => messages.push(`${m.type()}: ${m.text()}`));
page.on("pageerror", (e) => messages.push(`error: ${e.message}`));
page.on("dialog", (d) => { messages.push(`dialog: ${d.message()}`); d.dismiss(); });
page.on("request", (r) => { if (!r.url().startsWith("file://")) messages.push(`request: ${r.url()}`); });

// A number makes it another page: else only its hash would change.
let opened = 0;
const open = (name, hash = "") => page.goto(`file://${join(work, name)}.html?${++opened}${hash}`);
// The page that is open already, if a test before has not changed it.
const stay = async (name, step) => {
  if (!page.url().includes(`/${name}.html`)) return open(name, step ? `#f1-${step}` : "");
  if (!step) return null;
  await page.evaluate((to) => { location.hash = `#f1-${to}`; }, step);
  return page.waitForFunction((to) => document.querySelector(`.row.now[data-step="${to}"]`), step);
};
const current = () => page.locator(".row.now").first().getAttribute("data-step").then(Number);
const press = async (key) => { await page.keyboard.press(key); return current(); };
const rowCount = () => page.locator(".row").count();
const text = (selector) => page.locator(selector).first().innerText();

// Scrolls through all steps in twelve frames; the most rows that the document has.
async function scrollThrough() {
  const list = document.querySelector(".steps");
  let rows = 0;
  for (let i = 0; i < 12; i++) {
    list.scrollTop = i * list.scrollHeight / 12;
    await new Promise(requestAnimationFrame);
    rows = Math.max(rows, list.querySelectorAll(".row").length);
  }
  return rows;
}

async function checkAxe(where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.map((v) => `${where}: ${v.id}: ${v.nodes.map((n) => n.html).slice(0, 2)}`), []);
}

// The runtime says what each load saw; the page says what memory and buffers
// held.  Both must agree, step by step.  And SC once more, in a few lines: up
// to the first load that sees another value.
async function checkMemory(name) {
  const { wrong, found } = await page.evaluate(() => {
    const value = (words, mark) => mark.exec(words)[1];
    const saw = (e, step) => value(e.effect(step).replace(/^[^:=]*?\) /, "x "), /(?: is |: )(\S+?)(?:,| ->)/);
    const each = (e, visit) => {
      for (let step = e.first; step <= e.last; step++) if (e.cell(step) >= 0) visit(step, e.cell(step), e.kind(step));
    };
    const compareMemory = (raw, number) => {
      const e = executionOf(number), list = [];
      each(e, (step, id, kind) => {
        if (!raw.machine || !["load", "read-modify-write"].includes(kind) || e.marks(step) & STALE) return;
        const own = e.waiting(step, e.thread(step)).filter((w) => e.cell(w.step) === id).at(-1);
        const before = e.holds(e.cells[id], step - 1, false);
        const holds = own ? own.words.split(" = ").pop() : before && before.text;
        if (saw(e, step) !== holds) list.push(`${e.id}-${step}: ${e.effect(step)}, but memory holds ${holds}`);
      });
      return list;
    };
    const compareSC = (raw, number) => {
      const e = executionOf(number), memory = new Map();
      let first = null;
      each(e, (step, id, kind) => {
        const words = e.effect(step).replace(/^[^:=]*?\) /, "x ");
        if (first || kind === "commit") return;
        if (kind === "store") { memory.set(id, value(words, / = (\S+?)(?:,|$)/)); return; }
        if (memory.has(id) && memory.get(id) !== saw(e, step))
          first = { own: [step, memory.get(id)], page: [e.firstDifference(), (e.onSC(step) || {}).words] };
        if (kind === "read-modify-write") memory.set(id, value(words, / -> (\S+?)(?:,|$)/));
      });
      return first || { own: [0], page: [e.firstDifference()] };
    };
    return { wrong: data.executions.flatMap(compareMemory), found: data.executions.map(compareSC) };
  });
  assert.deepEqual(wrong.slice(0, 5), [], name);
  for (const { own, page: told } of found) assert.deepEqual(told, own, name);
  assert.ok(found.some(({ own }) => own[0] > 0), `${name}: nothing differs`);
}

// ---- The tests ----

const tests = {
  async "the page has the object that --json writes"() {
    for (const name of long ? ["sb", "mp"] : ["mp"]) {
      await open(name);
      const report = await page.evaluate(() => data.report);
      assert.deepEqual(report, JSON.parse(readFileSync(join(work, `${name}.json`), "utf8")));
    }
  },

  async "each machine has a row of plain words"() {
    await open("sb");
    assert.match(await text("h1"), /Found: assertion failed: left_saw == 1/);
    const rows = await page.locator(".machines tbody tr").allInnerTexts();
    assert.equal(rows.length, 4);
    assert.match(rows[0], /SC.*does not fail/s);
    assert.match(rows[1], /x86 \(TSO\).*It fails.*an execution that SC does not have/s);
    await open("fenced");
    assert.match(await text("h1"), /Nothing found: verified for .*: no execution fails/);
    assert.match(await text("#findings"), /No findings/);
  },

  async "keys step, and follow the cycle"() {
    await open("sb");
    const { shown, cycle } = await page.evaluate(() => data.executions[0]);
    await page.locator(".steps").focus();
    assert.equal(await current(), cycle[0].step);
    assert.equal(await press("Home"), shown[0]);
    assert.equal(await press("ArrowRight"), shown[1]);
    assert.equal(await press("ArrowDown"), shown[2]);
    assert.equal(await press("ArrowLeft"), shown[1]);
    assert.equal(await press("ArrowUp"), shown[0]);
    assert.equal(await press("ArrowUp"), shown[0]);
    assert.equal(await press("End"), shown.at(-1));
    for (const c of [...cycle, cycle[0]]) assert.equal(await press("n"), c.step);
    assert.equal(await press("p"), cycle.at(-1).step);
    assert.equal(await page.locator(".steps").getAttribute("aria-activedescendant"), `f1-${cycle.at(-1).step}-row`);
  },

  async "the slider and the buttons step"() {
    await stay("sb");
    const { shown } = await page.evaluate(() => data.executions[0]);
    await page.locator("input[type=range]").fill("3");
    assert.equal(await current(), shown[3]);
    await page.getByLabel("Next step (right arrow)").click();
    assert.equal(await current(), shown[4]);
    await page.getByLabel("First step (Home)").click();
    assert.equal(await current(), shown[0]);
    await page.locator(".row").nth(2).click();
    assert.equal(await current(), shown[2]);
  },

  async "the cycle is drawn, its swapped pair marked by a word"() {
    await stay("sb", 4);
    const { cycle } = await page.evaluate(() => data.executions[0]);
    const swapped = cycle.filter((c) => c.reordered).length;
    assert.ok(swapped > 0);
    assert.equal(await page.locator(".arrows path.swapped").count(), swapped);
    assert.equal(await page.locator(".arrows path.edge").count(), cycle.length - swapped);
    assert.equal(await page.locator(".arrows .label text").first().textContent(), "swapped");
  },

  async "buffers, memory and the source follow"() {
    await stay("sb", 4);
    assert.match(await text(".buffers"), /left_flag = 1/);
    const memory = async () => (await page.locator(".memory tbody tr").allInnerTexts())
      .find((row) => row.startsWith("left_flag")).split(/\s+/);
    assert.deepEqual((await memory()).slice(0, 4), ["left_flag", "0", "T1:", "1"]);
    assert.match(await text(".code .line.now"), /30\s*left_flag = 1;/);
    const commit = await page.evaluate(() => executionOf(0).column("until", 4));
    await stay("sb", commit);
    assert.equal((await memory())[1], "1");
    assert.doesNotMatch(await text(".buffers"), /left_flag = 1/);
  },

  async "the diff and the command can be copied"() {
    await stay("sb");
    await page.getByLabel("Copy the diff").click();
    await page.waitForFunction(() => [...document.querySelectorAll(".copy")].some((b) => b.textContent === "Copied"));
    assert.match(await text(".diff"), /\+ +atomic_thread_fence\(memory_order_seq_cst\);/);
    assert.match(await text(".command"), /fencer replay .fencer\/finding-1.json/);
  },

  async "SC stands beside the machine"() {
    await stay("sb");
    await page.locator(".what-if button").click();
    assert.ok(await page.locator(".cell.differs").count() >= 1);
    assert.match(await text(".lane-heads"), /on SC/);
    assert.match(await text(".memory thead"), /memory on SC/);
  },

  async "a link leads to a step, also to one that is not shown"() {
    await open("sb", "#f1-7");
    assert.equal(await current(), 7);
    await page.locator(".cycle a").nth(2).click();
    const third = (await page.evaluate(() => data.executions[0].cycle[2].step));
    await page.waitForFunction((step) => document.querySelector(`.row.now[data-step="${step}"]`), third);
    const hidden = await page.evaluate(() => [...Array(20).keys()].map((i) => i + 1)
      .find((i) => !data.executions[0].shown.includes(i)));
    await page.evaluate((step) => { location.hash = `#f1-${step}`; }, hidden);
    await page.waitForFunction((step) => document.querySelector(`.row.now[data-step="${step}"]`), hidden);
    await page.locator(".steps").focus();
    const next = await press("ArrowRight");
    await page.waitForFunction((step) => location.hash === `#f1-${step}`, next);
    await open("sb", "#f9-1");
    assert.ok(await current());
    await open("sb", "#%22%3Cb%3E");
    assert.ok(await current());
  },

  async "memory holds what loads saw, and on SC what one memory gives"() {
    for (const name of ["sb", "mp", "queue"]) {
      await open(name);
      await checkMemory(name);
    }
  },

  async "steps are filtered by words, thread and importance"() {
    await open("sb");
    const before = await rowCount();
    await page.getByLabel("Filter steps by words").fill("right_flag");
    assert.ok(await rowCount() < before && await rowCount() > 0);
    await page.getByLabel("Filter steps by words").fill("no such words");
    assert.equal(await rowCount(), 0);
    await page.getByLabel("Filter steps by words").fill("");
    await page.getByRole("checkbox", { name: "T1 left" }).uncheck();
    assert.equal(await page.locator(".dot.t1").count(), 0);
    await page.locator(".cycle a").first().click();
    // A link brings its thread back; hashchange comes after the click.
    await page.waitForFunction(() => document.querySelector(".dot.t1"));
    await page.getByLabel(/all \d+ steps/).check();
    assert.match(await text(".viewer .count"), /21 steps shown of 21/);
  },

  async "findings are sorted, filtered and chosen"() {
    await open("report");
    const items = page.locator(".finding-list li:visible");
    const all = await items.count();
    assert.ok(all >= 3);
    await page.getByLabel("Filter findings by words").fill("queue.c");
    const some = await items.count();
    assert.ok(some >= 1 && some < all);
    assert.match(await text("#findings section .count"), new RegExp(`^${some} of ${all}`));
    const link = items.first().locator("a");
    const id = (await link.getAttribute("href")).slice(1);
    await link.click();
    await page.waitForSelector(`article#${id}`);
    assert.equal(await link.getAttribute("aria-current"), "true");
    assert.equal(await page.locator("article.finding").count(), 1);
  },

  async "hostile words stay words"() {
    await open("hostile");
    assert.equal(await page.locator("script").count(), 2);
    assert.equal(await page.locator("img, iframe, b b").count(), 0);
    assert.match(await text("h1"), /<\/script><img src=x onerror=alert\(1\)>/);
    assert.match(await page.title(), /h"'<b>.c: fencer verify/);
    const refused = await page.evaluate(() => {
      try { document.body.innerHTML = "<img>"; return false; } catch { return true; }
    });
    assert.ok(refused, "the policy lets text become markup");
    messages.splice(0, messages.length, ...messages.filter((m) => !/TrustedHTML/.test(m)));
  },

  async "it prints as a document"() {
    await open("sb");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".viewer").isVisible(), false);
    assert.ok(await page.locator("#text pre").isVisible());
    assert.match(await text("#text pre"), /left_flag = 1, buffered/);
    await page.emulateMedia({ media: "screen" });
  },

  async "nothing is wider than a phone"() {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const name of long ? ["sb", "queue", "hostile", "report"] : ["queue", "report"]) {
      await open(name);
      const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= room, `${name}: ${wide} of ${room}`);
    }
    if (long) await checkAxe("phone");
    await page.setViewportSize({ width: 1120, height: 640 });
  },

  async "axe finds nothing, in the dark and beside SC"() {
    await open("sb", "#f1-10");
    if (long) await checkAxe("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator(".what-if button").click();
    await page.locator("#text summary").click();
    await checkAxe("dark, beside SC");
    await page.emulateMedia({ colorScheme: "light" });
    for (const name of long ? ["mp", "report", "fenced", "queue"] : []) {
      await open(name);
      await checkAxe(name);
    }
  },

  // CPU seconds of the page's own thread, since others use this machine as well.
  async "ten thousand steps open within a second and scroll"() {
    await open("long");
    await checkMemory("long");
    const cdp = await browser.newCDPSession(page);
    await cdp.send("Performance.enable");
    const busy = async () => (await cdp.send("Performance.getMetrics")).metrics
      .find((m) => m.name === "ThreadTime").value;
    const start = await busy();
    await page.reload();
    await page.waitForSelector(".row.now");
    const opening = await busy() - start;
    await page.getByLabel(/all [\d,]+ steps/).check();
    const { total } = await page.evaluate(() => data.executions[0]);
    assert.ok(total >= 10000);
    assert.ok(opening < 1, `it took ${opening} s`);
    // The least of three: what else the machine does is no fault of the page.
    let most = 0, frame = Infinity;
    for (let round = 0; round < 3; round++) {
      const scrolling = await busy();
      most = Math.max(most, await page.evaluate(scrollThrough));
      frame = Math.min(frame, (await busy() - scrolling) / 12);
    }
    assert.ok(most < 60, `${most} rows are in the document`);
    assert.ok(frame < 0.016, `a frame took ${frame} s`);
    await page.locator(".steps").focus();
    assert.equal(await press("End"), total);
    const before = await busy();
    for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowLeft");
    const each = (await busy() - before) / 6;
    assert.ok(each < 0.05, `a step took ${each} s`);
    console.log(`  10,000 steps: opens in ${opening.toFixed(2)} s, a frame ${(1000 * frame).toFixed(1)} ms, ` +
      `a step ${(1000 * each).toFixed(1)} ms`);
  },
};

let failed = 0;
page.setDefaultTimeout(20000);
for (const [name, test] of Object.entries(tests)) {
  if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
  messages.length = 0;
  try {
    await test();
    assert.deepEqual(messages, [], "messages of the browser");
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.message}\n${error.stack.split("\n").find((l) => l.includes("page.mjs"))}`);
  }
}

// ---- Pictures for the documentation ----

if (option === "--pictures") {
  const folder = join(process.env.SOURCE, "docs/pictures");
  mkdirSync(folder, { recursive: true });
  const take = async (name, { width, height, dark, hash, prepare, top }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
    await open("sb", hash);
    if (prepare) await prepare();
    await page.evaluate((selector) => {
      const element = document.querySelector(selector);
      scrollTo(0, element ? element.getBoundingClientRect().top + scrollY - 8 : 0);
      document.activeElement.blur();
    }, top || "nothing");
    await page.mouse.move(0, 0);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  await take("report-steps", { width: 1360, height: 800, hash: "#f1-10", top: ".execution" });
  await take("report-beside-sc", { width: 1360, height: 800, hash: "#f1-10", top: ".execution", dark: true,
    prepare: () => page.locator(".what-if button").click() });
  await take("report-phone", { width: 390, height: 844, hash: "#f1-10", top: ".viewer" });
}

await browser.close();
rmSync(profile, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
