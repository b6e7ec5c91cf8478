/* SPDX-License-Identifier: MIT
 *
 * Elements, made one by one.  No text ever becomes markup: the page's policy
 * forbids it, and nothing here tries.
 */
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== false));
}

function plural(n, one, many) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many || one + "s"}`;
}

/* Where the clipboard is not given to pages from a file, the old way works. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { class: "offscreen", "aria-hidden": "true", readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function copyButton(text, what) {
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    const done = await copyText(text);
    button.focus();
    button.textContent = done ? "Copied" : "Select and copy by hand";
    announce(done ? `Copied ${what}` : "Could not copy");
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
}

const live = h("p", { class: "offscreen", "aria-live": "polite", id: "live" });
function announce(text) { live.textContent = text; }
