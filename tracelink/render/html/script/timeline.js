// The swimlanes: one lane an agent, a line a turn, below an open turn a line a call or wait. Positions are set in percent of the axis.

const timeline = { name: "timeline", from: 0, to: Math.max(axis.end, 1) };
const isLane = (row) => row.kind === "agent" || row.kind === "subagent";

timeline.fit = function fit(which) {
  let from = 0, to = Math.max(axis.end, 1);
  const bar = which === "turn" ? told[0]?.bar : null;
  if (bar && bar.begin !== null) {
    const end = bar.end ?? axis.end;
    const around = Math.max((end - bar.begin) * 0.08, axis.timed ? 500 : 1);
    [from, to] = [Math.max(bar.begin - around, 0), Math.min(end + around, to)];
  }
  if (to - from < 1) to = from + 1;
  [timeline.from, timeline.to] = [from, to];
};

timeline.move = function move(how) {
  const length = timeline.to - timeline.from, whole = Math.max(axis.end, 1);
  const middle = (timeline.from + timeline.to) / 2 + { back: -length / 2, on: length / 2, in: 0, out: 0 }[how];
  const next = Math.min(Math.max(length * ({ in: 0.5, out: 2 }[how] ?? 1), axis.timed ? 50 : 3), whole);
  timeline.from = Math.min(Math.max(middle - next / 2, 0), whole - next);
  timeline.to = timeline.from + next;
};

const share = (value) => ((value - timeline.from) / (timeline.to - timeline.from)) * 100;

// A piece of a bar between two values; null where it lies outside of what is shown.
function piece(begin, end, kind) {
  const left = Math.max(share(begin), -1), right = Math.min(share(end), 101);
  if (right < 0 || left > 100 || right < left) return null;
  const made = el("i", { class: kind });
  made.style.left = `${left.toFixed(3)}%`;
  made.style.width = `${(right - left).toFixed(3)}%`;
  return made;
}

function pieces(row) {
  const bar = row.bar;
  if (!bar || bar.begin === null) return [];
  const end = bar.end ?? axis.end;
  const tone = row.worst === "error" && row.kind !== "turn" ? "bad" : row.tone;
  const kind = row.kind === "turn" ? "turn" : row.kind === "item" ? "wait" : "call";
  const found = [piece(bar.begin, end, `bar ${kind} tone-${tone}${bar.end === null ? " on" : ""}`)];
  if (kind === "call" && bar.held !== null) found.push(piece(bar.held, bar.until ?? end, `bar wait tone-${tone}`));
  if (bar.posted !== null) found.push(piece(bar.posted, bar.posted, "post"));
  if (bar.end !== null && kind === "call") found.push(piece(end, end, `end tone-${tone}`));
  return found;
}

// Of many rows in one line: strips where any of them is, no more than there are pixels to see.
function strips(group) {
  const cells = new Array(200).fill(false);
  for (const { bar } of group) {
    if (!bar || bar.begin === null) continue;
    const first = Math.max(Math.floor(share(bar.begin) * 2), 0), last = Math.min(Math.ceil(share(bar.end ?? axis.end) * 2), 200);
    for (let at = first; at < Math.max(last, Math.min(first + 1, 200)); at += 1) cells[at] = true;
  }
  const found = [], step = (timeline.to - timeline.from) / 200;
  for (let at = 0, begin = -1; at <= 200; at += 1) {
    if (cells[at] && begin < 0) begin = at;
    if (!cells[at] && begin >= 0) {
      found.push(piece(timeline.from + begin * step, timeline.from + at * step, "bar many"));
      begin = -1;
    }
  }
  return found;
}

const stopped = () => (axis.stopped === null ? null : piece(axis.stopped, axis.stopped, "stop"));
const track = (kids) => el("span", { class: "track", "aria-hidden": "true" }, kids, stopped());

function line(row, depth) {
  const known = row.bar && row.bar.begin !== null;
  const label = el("span", { class: "label" },
    el("b", {}, row.kind === "turn" ? "turn" : row.kind === "tool_result" ? "result" : row.kind === "item" ? words(row.name.replace(/_call$/, "")) : title(row)),
    el("code", {}, row.id),
    row.state && row.state !== "completed" && row.state !== "answered" ? el("span", { class: `state tone-${row.tone}` }, words(row.state)) : null,
    row.codes.filter((one) => one.severity !== "note").map((one) => el("span", { class: `code sev-${one.severity}` }, one.code)));
  const open_ = isOpen(row), kids = row.kind === "turn" && row.kids.some((kid) => kid.bar);
  return el("li", { class: `line depth-${depth}${row === selected ? " selected" : ""}` },
    kids ? el("button", { type: "button", class: "fold", "data-toggle": row.at, "aria-expanded": String(open_), "aria-label": `Parts of ${called(row)}` }, open_ ? "▾" : "▸") : el("span", { class: "fold" }),
    el("button", { type: "button", class: "row", "data-row": row.at, "aria-label": `${called(row)}: ${words(row.state)}; ${when(row)}`, "aria-pressed": String(row === selected) },
      label, known ? track(pieces(row)) : el("span", { class: "track untimed" }, "time not recorded", stopped())));
}

let groups = [];
function bundle(one, depth) {
  groups.push(one.group);
  return el("li", { class: `line depth-${depth}` }, el("span", { class: "fold" }),
    el("button", { type: "button", class: "row many", "data-group": groups.length - 1 }, el("span", { class: "label" }, `… ${summary(one.group)}`), track(strips(one.group))));
}

function lane(agent) {
  const list = el("ul", {});
  const turns = agent.kids.filter((kid) => kid.kind === "turn");
  for (const turn of folded(agent, turns)) {
    if (turn.group) { list.append(bundle(turn, 0)); continue; }
    list.append(line(turn, 0));
    if (!isOpen(turn)) continue;
    const parts = [...turn.kids, ...turn.kids.flatMap((kid) => kid.kids.filter((one) => one.kind === "tool_result"))].filter((kid) => kid.bar).sort((a, b) => (a.bar.begin ?? Infinity) - (b.bar.begin ?? Infinity) || a.at - b.at);
    for (const part of folded(turn, parts)) list.append(part.group ? bundle(part, 1) : line(part, 1));
  }
  return el("section", { class: "lane", "aria-label": `${words(agent.kind)} ${agent.name} ${agent.id}` },
    el("h3", {}, el("button", { type: "button", class: "plain", "data-row": agent.at }, words(agent.kind), " ", agent.name ? el("b", {}, agent.name) : "", " ", el("code", {}, agent.id))), list);
}

function ruler() {
  const marks = [], count = Math.max(2, Math.min(6, Math.floor(byId("lanes").clientWidth / 170)));
  for (let at = 0; at <= count; at += 1) {
    const value = timeline.from + ((timeline.to - timeline.from) * at) / count;
    const mark = el("span", {}, clock(axis.timed ? value : Math.round(value), timeline.to - timeline.from < 20000));
    mark.style.left = `${(at / count) * 100}%`;
    marks.push(mark);
  }
  return el("div", { class: "ruler", "aria-hidden": "true" }, el("div", { class: "marks" }, marks));
}

const LANES = 24;
timeline.draw = function draw() {
  groups = [];
  const held = document.activeElement, home = byId("lanes"), top = home.scrollTop;
  const mark = home.contains(held) ? ["data-row", "data-toggle"].map((name) => held.hasAttribute(name) && `[${name}="${held.getAttribute(name)}"]`).find(Boolean) : null;
  let lanes = rows.filter((row) => isLane(row) && row.kids.some((kid) => kid.kind === "turn") && (!kept || kept.has(row)));
  const all = lanes.length;
  if (all > LANES) {
    const wanted = new Set(lanes.filter((row) => row.kids.some((kid) => told.includes(kid) || kid.loud || kid === selected)).slice(0, LANES));
    lanes = lanes.filter((row, at) => wanted.has(row) || at < LANES - wanted.size);
  }
  home.replaceChildren(ruler(), ...lanes.map(lane),
    ...(lanes.length < all ? [el("p", { class: "dim" }, `and ${plural(all - lanes.length, "more agent")}: find one by its id, or filter`)] : []),
    ...(all ? [] : [el("p", { class: "dim" }, kept ? "Nothing here passes the filters." : "Nothing to draw: no turn and no call is in the recording.")]));
  if (axis.stopped !== null) home.querySelectorAll(".stop").forEach((one) => { one.title = "progress stopped here"; });
  const line_ = timeline.seen === selected ? null : home.querySelector(".line.selected");
  timeline.seen = selected;
  if (line_) home.scrollTop = line_.offsetTop - home.offsetTop - home.clientHeight / 2;
  else home.scrollTop = top;
  if (mark) home.querySelector(`button${mark}`)?.focus({ preventScroll: true });
};
views.push(timeline);
