// SPDX-License-Identifier: MIT
//
//   viewer.cjs LOG...     shows each log in the viewer, and looks for its results
//
// The viewer is a page for a browser.  jsdom is one without a screen: enough to
// have the page built, and to read what is on it.
const { readFileSync } = require("node:fs");
const { JSDOM } = require("jsdom");

const dom = new JSDOM("<!doctype html><body></body>",
    { url: "http://localhost/", pretendToBeVisual: true });
const { window } = dom;
class Observer {
    observe() {}
    unobserve() {}
    disconnect() {}
}
window.IntersectionObserver = window.ResizeObserver = Observer;
window.matchMedia = () =>
    ({ matches: false, addListener() {}, removeListener() {} });
for (const name of ["document", "navigator", "HTMLElement", "Element", "Node",
    "getComputedStyle", "requestAnimationFrame", "cancelAnimationFrame",
    "MutationObserver", "IntersectionObserver", "ResizeObserver", "Event",
    "MouseEvent", "KeyboardEvent", "CustomEvent", "DOMParser", "localStorage",
    "location"])
    Object.defineProperty(globalThis, name,
        { value: window[name], configurable: true, writable: true });
globalThis.window = globalThis.self = window;

const React = require("react");
const ReactDOM = require("react-dom");
const { Viewer } = require("@microsoft/sarif-web-component");
const plain = (text) => text.replace(/\s+/g, " ").trim();
let bad = 0;
const say = (text) => {
    console.log(text);
    bad = 1;
};
process.on("uncaughtException", (e) => say(`the viewer fails: ${e.stack}`));
console.error = (...words) => say(`the viewer complains: ${words[0]}`);

function look(path, log, page) {
    const shown = plain(page.textContent);

    if (!shown) say(`${path}: an empty page`);
    for (const run of log.runs) {
        if (run.results.length && !shown.includes(run.tool.driver.name))
            say(`${path}: no tool`);
        for (const result of run.results) {
            const first = plain(result.message.text.split("\n")[0]);
            const file = result.locations[0].physicalLocation.artifactLocation
                .uri.split("/").pop();

            if (!shown.includes(first)) say(`${path}: not shown: ${first}`);
            if (!shown.includes(decodeURIComponent(file)))
                say(`${path}: no file ${file}`);
        }
    }
}

// The page is ready when it changes no more.
async function show(path) {
    const log = JSON.parse(readFileSync(path, "utf8"));
    const page = document.createElement("div");
    let before, now = "";

    document.body.append(page);
    ReactDOM.render(React.createElement(Viewer, { logs: [log] }), page);
    for (let i = 0; i < 50 && (now !== before || !now); i++) {
        before = now;
        await new Promise((done) => setTimeout(done, 200));
        now = page.textContent;
    }
    look(path, log, page);
    ReactDOM.unmountComponentAtNode(page);
    page.remove();
}

(async () => {
    for (const path of process.argv.slice(2))
        await show(path).catch((e) => say(`${path}: ${e.stack}`));
    process.exit(bad);
})();
