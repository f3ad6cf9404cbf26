// The graph: agents, turns, calls, results, each in the column of its depth, each below the one it hangs by. Only what is in sight is drawn.

const BOX = 208, HIGH = 40, COLUMN = 250, PITCH = 50, EDGE = 16, DRAWN = 900;
const graph = { name: "graph", scale: 1, list: [], spots: new Map(), at: null };
const canvas = byId("canvas");
const FAR = new Set(["spawns", "meant_for"]);

// Depth first: the first child stands beside its parent, the others below.
graph.lay = function lay() {
  graph.list = [];
  graph.spots = new Map();
  let row = 0, deep = 0;
  const put = (one, depth, parent) => {
    const spot = { one, depth, parent, x: EDGE + depth * COLUMN, y: EDGE + row * PITCH };
    deep = Math.max(deep, depth);
    graph.list.push(spot);
    if (!one.group) graph.spots.set(one, spot);
    const kids = !one.group && isOpen(one) ? folded(one, one.kids) : [];
    kids.forEach((kid, at) => { if (at > 0) row += 1; put(kid, depth + 1, spot); });
  };
  folded(null, roots).forEach((root) => { put(root, 0, null); row += 1; });
  graph.width = EDGE * 2 + deep * COLUMN + BOX;
  graph.height = EDGE * 2 + Math.max(row - 1, 0) * PITCH + HIGH;
};

const curve = (a, b, c, d) => `M${a} ${b}C${(a + c) / 2} ${b} ${(a + c) / 2} ${d} ${c} ${d}`;
const tip = (x, y) => `M${x} ${y}l-7 -4v8z`;

function hangs(spot) {
  const from = spot.parent, one = spot.one, via = one.group ? "" : one.via;
  const [a, b, c, d] = [from.x + BOX, from.y + HIGH / 2, spot.x, spot.y + HIGH / 2];
  const back = via === "meant_for" || via === "for_call";
  return [
    svg("path", { class: `edge ${FAR.has(via) ? "far" : ""} ${via}`, d: curve(a, b, c, d) }, svg("title", {}, words(via))),
    via ? svg("path", { class: `tip ${via}`, d: back ? `M${a} ${b}l7 -4v8z` : tip(c, d) }) : null,
  ];
}

function crosses(edge) {
  const from = graph.spots.get(edge.from), to = graph.spots.get(edge.to);
  if (!from || !to || from === to.parent || to === from.parent) return [];
  const [a, b, c, d] = [from.x + BOX, from.y + HIGH / 2, to.x, to.y + HIGH / 2];
  const bow = Math.max(40, Math.abs(c - a) / 3);
  const path = `M${a} ${b}C${a + bow} ${b} ${c - bow} ${d} ${c} ${d}`;
  return [svg("path", { class: `edge cross ${edge.kind}${edge.from === selected || edge.to === selected ? " lit" : ""}`, d: path }, svg("title", {}, `${words(edge.kind)} ${edge.note}`)), svg("path", { class: `tip ${edge.kind}`, d: tip(c, d) })];
}

function box(spot) {
  const one = spot.one, at = { transform: `translate(${spot.x} ${spot.y})`, tabindex: spot === graph.at ? 0 : -1, role: "treeitem", "aria-level": spot.depth + 1 };
  if (one.group) {
    const text = summary(one.group);
    return svg("g", { ...at, class: "node many", "data-list": graph.list.indexOf(spot), "aria-label": `${text}; press Enter to unfold` },
      svg("rect", { width: BOX, height: HIGH, rx: 6 }), svg("text", { x: 12, y: 25 }, squeezed(`… ${text}`, 32)), svg("title", {}, text));
  }
  const codes = one.codes.filter((code) => code.severity !== "note").map((code) => code.code);
  const wide = isOpen(one);
  const label = `${called(one)}${one.state ? `, ${words(one.state)}` : ""}${codes.length ? `, ${codes.join(", ")}` : ""}`;
  const quiet = one.state === "completed" || one.state === "answered";
  const right = codes.length ? codes.slice(0, 2).join(" ") : quiet ? "" : squeezed(words(one.state), 13);
  const head = { tool_result: "result", turn: "turn", action: "required action" }[one.kind] ?? (one.kind === "item" ? words(one.name.replace(/_call$/, "")) : title(one));
  return svg("g", { ...at, class: `node kind-${one.kind} tone-${one.tone} worst-${one.worst}${one === selected ? " selected" : ""}`, "data-list": graph.list.indexOf(spot), "aria-label": label, "aria-selected": String(one === selected), "aria-expanded": one.kids.length ? String(wide) : null },
    svg("title", {}, `${label}${place(one) ? ` (${place(one)})` : ""}`),
    svg("rect", { width: BOX, height: HIGH, rx: 6 }), svg("rect", { class: "strip", width: 5, height: HIGH, rx: 2 }),
    svg("text", { class: "name", x: 13, y: 16 }, squeezed(head, 25 - right.length)),
    svg("text", { class: "id", x: 13, y: 31 }, squeezed(one.id, 25)),
    svg("text", { class: "state", x: BOX - 10, y: 16, "text-anchor": "end" }, right),
    one.kids.length ? svg("g", { class: "more", "data-fold": one.at }, svg("circle", { cx: BOX, cy: HIGH / 2, r: 9 }), svg("text", { x: BOX, y: HIGH / 2 + 4, "text-anchor": "middle" }, wide ? "−" : "+")) : null);
}

graph.draw = function draw() {
  graph.lay();
  const spot = graph.at && (graph.at.one.group ? null : graph.spots.get(graph.at.one));
  graph.at = spot ?? graph.spots.get(selected) ?? graph.spots.get(told[0]) ?? graph.list[0] ?? null;
  graph.paint();
};

// whole: for paper, which does not scroll; as much as is drawn at all.
graph.paint = function paint(whole = false) {
  const held = canvas.contains(document.activeElement);
  const top = canvas.scrollTop / graph.scale - 200, bottom = (canvas.scrollTop + canvas.clientHeight) / graph.scale + 200;
  const inSight = (y) => whole || (y >= top && y <= bottom);
  let seen = graph.list.filter((spot) => inSight(spot.y) || spot === graph.at);
  const cut = seen.length > DRAWN;
  if (cut) seen = seen.slice(0, DRAWN);
  const near = new Set(seen);
  const lines = graph.list.filter((spot) => spot.parent && (near.has(spot) || near.has(spot.parent) || (spot.parent.y < top && spot.y > bottom))).slice(0, DRAWN * 2);
  const across = edges.filter((edge) => near.has(graph.spots.get(edge.from)) || near.has(graph.spots.get(edge.to))).slice(0, DRAWN);
  const high = whole && cut ? Math.max(...seen.map((spot) => spot.y)) + HIGH + EDGE : graph.height;
  const picture = svg("svg", { role: "tree", "aria-label": "Graph of agents, turns, calls and results", width: graph.width * graph.scale, height: high * graph.scale, viewBox: `0 0 ${graph.width} ${high}` },
    svg("g", { "aria-hidden": "true" }, lines.flatMap(hangs), across.flatMap(crosses)), seen.map(box));
  canvas.replaceChildren(graph.list.length ? picture : el("p", { class: "dim" }, "Nothing here passes the filters."));
  if (held) canvas.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
};

graph.see = function see(spot, middle = false) {
  const s = graph.scale, [x, y] = [spot.x * s, spot.y * s];
  if (middle || y < canvas.scrollTop + 8 || y + HIGH * s > canvas.scrollTop + canvas.clientHeight - 8) canvas.scrollTop = y - canvas.clientHeight / 2 + HIGH;
  if (middle || x < canvas.scrollLeft || x + BOX * s > canvas.scrollLeft + canvas.clientWidth) canvas.scrollLeft = x - Math.max((canvas.clientWidth - BOX * s) / 2, 16);
  graph.paint();
};

graph.focus = function focus(row) {
  const spot = graph.spots.get(row);
  if (!spot) return;
  graph.at = spot;
  graph.see(spot, true);
  scroll(byId("graph"), "start");
  canvas.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
};

graph.go = function go(spot) {
  if (!spot) return;
  graph.at = spot;
  graph.see(spot);
  canvas.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
};

graph.resize = function resize(how) {
  const spot = graph.spots.get(selected) ?? graph.at;
  if (how === "told" && told[0]) { reveal(told[0]); open.add(told[0]); graph.draw(); graph.see(graph.spots.get(told[0]), true); return; }
  graph.scale = how === "fit" ? Math.min(Math.max((canvas.clientWidth - 4) / graph.width, 0.25), 1.5) : Math.min(Math.max(graph.scale * (how === "in" ? 1.25 : 0.8), 0.25), 2.5);
  if (spot) graph.see(spot, true); else graph.paint();
};

graph.key = function key(event) {
  const at = graph.list.indexOf(graph.at), one = graph.at?.one;
  if (!one) return;
  const first = graph.list.find((spot) => spot.parent === graph.at);
  const acts = {
    ArrowDown: () => graph.go(graph.list[at + 1]),
    ArrowUp: () => graph.go(graph.list[at - 1]),
    Home: () => graph.go(graph.list[0]),
    End: () => graph.go(graph.list[graph.list.length - 1]),
    ArrowRight: () => { if (one.group) unfold(one.group); else if (one.kids.length && !isOpen(one)) toggle(one); else graph.go(first); },
    ArrowLeft: () => { if (!one.group && open.has(one) && one.kids.length) toggle(one); else graph.go(graph.at.parent); },
    Enter: () => (one.group ? unfold(one.group) : select(one, "details")),
    " ": () => (one.group ? unfold(one.group) : select(one)),
    "+": () => graph.resize("in"),
    "-": () => graph.resize("out"),
    0: () => graph.resize("fit"),
  };
  if (event.ctrlKey || event.metaKey || event.altKey || !acts[event.key]) return;
  event.preventDefault();
  acts[event.key]();
};
views.push(graph);
