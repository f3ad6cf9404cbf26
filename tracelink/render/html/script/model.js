// The data of the page as linked rows, what is selected, and what the filters let through.

const raw = JSON.parse(byId("data").textContent);
const axis = raw.axis;

const rows = raw.rows.map((row, at) => ({
  at, kind: raw.kinds[row[0]], id: row[1], name: row[2], state: raw.states[row[3]], tone: raw.tones[row[3]], up: null,
  via: row[5] < 0 ? "" : raw.links[row[5]], source: row[6] < 0 ? "" : raw.sources[row[6]], line: row[7], event: row[8],
  loud: row[9] === 1, text: row[10], note: row[11], also: row[12], kids: [], links: [], codes: [], worst: "", bar: null,
}));
raw.rows.forEach((row, at) => {
  if (row[4] < 0) return;
  rows[at].up = rows[row[4]];
  rows[row[4]].kids.push(rows[at]);
});
const roots = rows.filter((row) => row.up === null);
const edges = raw.edges.map(([from, to, kind, note]) => ({ from: rows[from], to: rows[to], kind: raw.links[kind], note }));
for (const edge of edges) {
  edge.from.links.push(edge);
  if (edge.to !== edge.from) edge.to.links.push(edge);
}
for (const [code, severity, named, number] of raw.codes) {
  for (const at of named) {
    rows[at].codes.push({ code, severity, number });
    if (rows[at].worst !== "error" && severity !== "note") rows[at].worst = severity;
  }
}
for (const [at, begin, end, held, until, posted, server] of raw.bars) {
  rows[at].bar = { begin, end, held, until, posted, server: server === 1 };
}
const told = raw.told.map((at) => rows[at]);

function above(row) {
  const path = [];
  for (let at = row.up; at !== null; at = at.up) path.unshift(at);
  return path;
}
const agentOf = (row) => above(row).findLast((one) => one.kind === "agent" || one.kind === "subagent") ?? null;
const place = (row) => (row.source ? `${row.source}:${row.line}` : "");
const placeInShort = (row) => place(row).replace(/^.*[/\\]/, "");
const title = (row) => row.name || words(row.kind);
const called = (row) => (row.kind === "tool_result" ? `result for ${row.id}` : `${words(row.kind)} ${row.name ? `${row.name} ` : ""}${row.id}`);

// Times are milliseconds from the first moment; where only the order is known, positions.
function clock(value, fine = true) {
  if (value === null) return "";
  if (!axis.timed) return `#${value + 1}`;
  const when = new Date(axis.begin * 1000 + value);
  if (Number.isNaN(when.getTime())) return `${(value / 1000).toFixed(1)} s`;
  return when.toISOString().slice(11, fine ? 21 : 19);
}
function lasting(value) {
  const seconds = value / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
function when(row) {
  const bar = row.bar;
  if (!bar) return "";
  if (bar.begin === null) return "time not recorded";
  if (bar.end === null) return `${clock(bar.begin)} on, not ended`;
  if (bar.end === bar.begin) return clock(bar.begin) + (bar.server ? " (server's clock)" : "");
  if (!axis.timed) return `${clock(bar.begin)} to ${clock(bar.end)}`;
  return `${clock(bar.begin)}, ${lasting(bar.end - bar.begin)}${bar.server ? " (server's clock)" : ""}`;
}

// Filters: of each sort none chosen means all.
const sorts = { state: (row) => [row.state || "(none)"], kind: (row) => [words(row.kind)], code: (row) => row.codes.map((one) => one.code) };
const chosen = { state: new Set(), kind: new Set(), code: new Set() };
const filtering = () => Object.values(chosen).some((set) => set.size > 0);
const passes = (row) => Object.entries(sorts).every(([sort, of]) => !chosen[sort].size || of(row).some((one) => chosen[sort].has(one)));
let matching = rows;
let kept = null; // what passes, and all above it; null: everything

function refilter() {
  matching = filtering() ? rows.filter(passes) : rows;
  kept = filtering() ? new Set(matching) : null;
  if (kept) for (const row of matching) for (const one of above(row)) kept.add(one);
}

// Selection. Views register; each shows what is selected in its own way.
let selected = null;
const views = [];
const redraw = () => views.forEach((view) => view.draw());

// focus: "graph" puts the focus on the row's node, "details" on the panel, anything else leaves it where it is.
function select(row, focus = "") {
  selected = row;
  if (row) reveal(row);
  redraw();
  showDetails(row, focus === "details");
  if (row && focus === "graph") views.find((view) => view.name === "graph").focus(row);
}
