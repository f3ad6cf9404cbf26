// Wiring: what a click, a key, a scroll does. Then everything is drawn once.

const SHOWN = { auto: "as the system", light: "light", dark: "dark" };
let theme = "auto";
function setTheme(next) {
  theme = next;
  if (next === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", next);
  byId("theme").textContent = `Theme: ${next}`;
  byId("theme").setAttribute("aria-label", `Theme: ${SHOWN[next]}`);
}
byId("theme").addEventListener("click", () => setTheme({ auto: "dark", dark: "light", light: "auto" }[theme]));

document.addEventListener("click", async (event) => {
  const node = event.target.closest("[data-copy],[data-text],[data-row],[data-jump],[data-toggle],[data-group],[data-zoom],[data-size],[data-page],[data-act]");
  if (!node || node.closest("#hits")) return;
  const data = node.dataset;
  if ("copy" in data || "text" in data) {
    const before = node.textContent;
    const done = await copied("copy" in data ? byId(data.copy).textContent : data.text);
    node.textContent = done ? ("note" in data ? "Copied, not ready" : "Copied") : "Select and copy it";
    say(done ? data.note ?? "Copied" : "It could not be copied");
    setTimeout(() => { node.textContent = before; }, 1600);
  } else if ("row" in data) select(rows[Number(data.row)], node.classList.contains("jump") ? "graph" : "details");
  else if ("jump" in data) { const row = rows[Number(data.jump)]; take(row); }
  else if ("toggle" in data) toggle(rows[Number(data.toggle)]);
  else if ("group" in data) unfold(groups[Number(data.group)]);
  else if ("zoom" in data) {
    if (data.zoom === "turn" || data.zoom === "all") timeline.fit(data.zoom);
    else timeline.move(data.zoom);
    timeline.draw();
    say(`${clock(Math.round(timeline.from))} to ${clock(Math.round(timeline.to))}`);
  } else if ("size" in data) graph.resize(data.size);
  else if ("page" in data) { table.page += data.page === "on" ? 1 : -1; table.draw(); say(byId("page").textContent); }
  else if (data.act === "close") select(null);
  else if (data.act === "clear") { Object.values(chosen).forEach((set) => set.clear()); filter(null); }
});

// A link to a finding behind a fold opens the fold.
addEventListener("hashchange", () => {
  const target = /^#finding-\d+$/.test(location.hash) ? byId(location.hash.slice(1)) : null;
  const fold = target?.closest("details");
  if (fold) fold.open = true;
  if (target) { target.scrollIntoView({ block: "center" }); target.focus({ preventScroll: true }); }
});

// An open menu closes when somebody turns to another thing.
document.addEventListener("pointerdown", (event) => {
  document.querySelectorAll(".menu[open]").forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea");
  if (event.key === "/" && !typing) { event.preventDefault(); scroll(byId("explore"), "start"); search.focus({ preventScroll: true }); search.select(); }
  if (event.key === "Escape") {
    const menu = document.querySelector(".menu[open]");
    if (menu) { menu.open = false; menu.querySelector("summary").focus(); } else if (selected) select(null);
  }
});

canvas.addEventListener("keydown", graph.key);
canvas.addEventListener("focusin", (event) => {
  const spot = graph.list[Number(event.target.closest("[data-list]")?.dataset.list)];
  if (spot) graph.at = spot;
});
let pulled = null, moved = false;
canvas.addEventListener("click", (event) => {
  if (moved) return;
  const fold = event.target.closest("[data-fold]"), node = event.target.closest("[data-list]");
  if (fold) { toggle(rows[Number(fold.dataset.fold)]); return; }
  if (!node) return;
  graph.at = graph.list[Number(node.dataset.list)];
  if (graph.at.one.group) unfold(graph.at.one.group);
  else select(graph.at.one, "details");
});
canvas.addEventListener("pointerdown", (event) => {
  moved = false;
  if (event.pointerType === "mouse" && event.button === 0) pulled = { x: event.clientX + canvas.scrollLeft, y: event.clientY + canvas.scrollTop };
});
addEventListener("pointermove", (event) => {
  if (!pulled) return;
  const [x, y] = [pulled.x - event.clientX, pulled.y - event.clientY];
  if (Math.abs(x - canvas.scrollLeft) + Math.abs(y - canvas.scrollTop) > 4) moved = true;
  if (moved) canvas.scrollTo(x, y);
});
addEventListener("pointerup", () => { pulled = null; });
canvas.addEventListener("wheel", (event) => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  graph.resize(event.deltaY < 0 ? "in" : "out");
}, { passive: false });

let waiting = 0;
canvas.addEventListener("scroll", () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(() => graph.paint()); });
let width = 0;
new ResizeObserver(() => {
  if (width === canvas.clientWidth) return;
  width = canvas.clientWidth;
  graph.paint();
  timeline.draw();
}).observe(canvas);

document.documentElement.classList.add("live");
offers();
refilter();
timeline.fit((told[0]?.bar?.end ?? axis.end) - (told[0]?.bar?.begin ?? 0) < axis.end / 4 ? "turn" : "all");
redraw();
if (graph.spots.has(told[0])) graph.see(graph.spots.get(told[0]), rows.length > SMALL);
