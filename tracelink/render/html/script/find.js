// Search by the id or name of a node, and the filters.

const search = byId("search"), hits = byId("hits");
const HITS = 20;
let active = -1;
const haystack = rows.map((row) => `${row.id}\n${row.name}\n${row.also}\n${row.event}`.toLowerCase());

// Whole ids first, then those that begin so, then those that hold it; loud ones before quiet ones.
function found(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const rank = (row) => {
    const id = row.id.toLowerCase();
    return (id === wanted ? 0 : id.startsWith(wanted) ? 2 : 4) + (row.loud ? 0 : 1);
  };
  const passed = rows.filter((row) => haystack[row.at].includes(wanted));
  return passed.map((row) => [rank(row), row]).sort((a, b) => a[0] - b[0] || a[1].at - b[1].at).map((one) => one[1]);
}

function offer() {
  const all = found(search.value), some = all.slice(0, HITS);
  active = some.length ? 0 : -1;
  hits.replaceChildren(...some.map((row, at) => el("li", { id: `hit-${at}`, role: "option", "data-row": row.at, "aria-selected": String(at === active) },
    el("span", { class: "dim" }, words(row.kind), " "), row.name ? el("b", {}, row.name, " ") : null, el("code", {}, row.id), row.state ? el("span", { class: `state tone-${row.tone}` }, words(row.state)) : null)),
  ...(all.length > HITS ? [el("li", { class: "dim", role: "presentation" }, `and ${plural(all.length - HITS, "more")}`.replace("mores", "more"))] : []),
  ...(search.value.trim() && !all.length ? [el("li", { class: "dim", role: "presentation" }, "nothing drawn here has that id or name; tracelink why knows all ids of the recording")] : []));
  const shown = search.value.trim() !== "";
  hits.hidden = !shown;
  search.setAttribute("aria-expanded", String(shown));
  point();
  if (shown) say(all.length ? `${plural(all.length, "match").replace("matchs", "matches")}` : "nothing found");
}

function point() {
  hits.querySelectorAll("[role=option]").forEach((one, at) => one.setAttribute("aria-selected", String(at === active)));
  if (active >= 0) {
    search.setAttribute("aria-activedescendant", `hit-${active}`);
    byId(`hit-${active}`)?.scrollIntoView({ block: "nearest" });
  } else search.removeAttribute("aria-activedescendant");
}

function shut() {
  hits.hidden = true;
  search.setAttribute("aria-expanded", "false");
}

function take(row) {
  shut();
  if (kept && !kept.has(row)) { Object.values(chosen).forEach((set) => set.clear()); refilter(); offers(); }
  select(row, "graph");
}

search.addEventListener("input", offer);
search.addEventListener("keydown", (event) => {
  const count = hits.querySelectorAll("[role=option]").length;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (hits.hidden) offer();
    else if (count) { active = (active + (event.key === "ArrowDown" ? 1 : count - 1)) % count; point(); }
  } else if (event.key === "Escape") {
    event.stopPropagation();
    shut();
  }
});
byId("tools").addEventListener("submit", (event) => {
  event.preventDefault();
  const row = found(search.value)[Math.max(active, 0)];
  if (row) take(row);
});
hits.addEventListener("click", (event) => {
  const hit = event.target.closest("[data-row]");
  if (hit) take(rows[Number(hit.dataset.row)]);
});
search.addEventListener("blur", () => setTimeout(() => { if (!byId("tools").contains(document.activeElement)) shut(); }, 150));

// One menu a sort; numbers say how many rows have it.
function offers() {
  byId("filters").replaceChildren(...Object.entries(sorts).map(([sort, of]) => {
    const counts = new Map();
    for (const row of rows) for (const one of of(row)) counts.set(one, (counts.get(one) ?? 0) + 1);
    const boxes = [...counts].sort((a, b) => (sort === "code" ? (a[0] < b[0] ? -1 : 1) : b[1] - a[1])).slice(0, 60).map(([value, count]) => {
      const box = el("input", { type: "checkbox", name: sort, value });
      box.checked = chosen[sort].has(value);
      return el("label", {}, box, el("span", {}, words(value)), el("span", { class: "dim" }, count.toLocaleString("en")));
    });
    const set = chosen[sort];
    return el("details", { class: set.size ? "menu on" : "menu", "data-sort": sort },
      el("summary", {}, sort[0].toUpperCase() + sort.slice(1), set.size ? `: ${[...set].map(words).join(", ")}` : ""),
      el("fieldset", {}, el("legend", { class: "unseen" }, `Show only this ${sort}`), boxes.length ? boxes : el("span", { class: "dim" }, "none")));
  }), el("button", { type: "button", class: "quiet", "data-act": "clear", disabled: !filtering() }, "Clear"));
}

byId("filters").addEventListener("change", (event) => {
  const { name, value, checked } = event.target;
  if (!chosen[name]) return;
  if (checked) chosen[name].add(value);
  else chosen[name].delete(value);
  filter([name, value]);
});

function filter(held) {
  refilter();
  offers();
  redraw();
  const passed = chosen.code.size ? chosen.code : null;
  document.querySelectorAll(".finding").forEach((one) => { one.hidden = passed !== null && !passed.has(one.dataset.code); });
  say(filtering() ? `${plural(matching.length, "row")} of ${rows.length.toLocaleString("en")} pass the filters` : "filters cleared");
  if (!held) return;
  const menu = byId("filters").querySelector(`[data-sort="${held[0]}"]`);
  menu.open = true;
  [...menu.querySelectorAll("input")].find((box) => box.value === held[1])?.focus();
}
