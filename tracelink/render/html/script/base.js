// Making elements. Text only ever goes in as text: there is no innerHTML here, and the page's policy forbids it.

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const say = (text) => { byId("said").textContent = text; };
const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const words = (kind) => kind.replaceAll("_", " ");

function fill(node, attributes, kids) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const kid of kids.flat(2)) {
    if (kid !== null && kid !== undefined && kid !== "") node.append(kid);
  }
  return node;
}

// In place of what was there; what is null is left out.
const put = (node, ...kids) => { node.replaceChildren(); return fill(node, null, kids.flat(2)); };
const el = (tag, attributes, ...kids) => fill(document.createElement(tag), attributes, kids);
const svg = (tag, attributes, ...kids) => fill(document.createElementNS(SVG, tag), attributes, kids);

// So many columns of a text, with its middle left out: the end of an id tells it from its neighbours.
function squeezed(text, width) {
  const chars = Array.from(text);
  if (chars.length <= width) return text;
  const tail = Math.floor((width - 1) / 2);
  return chars.slice(0, width - 1 - tail).join("") + "…" + chars.slice(chars.length - tail).join("");
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = el("textarea", { class: "unseen", "aria-hidden": "true" });
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
}

const scroll = (node, block = "nearest") => node.scrollIntoView({ block, inline: "nearest" });
