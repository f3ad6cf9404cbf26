// What is open. Timeline and graph share it: both draw rows below rows, and fold the quiet middle of a long list into one line.

const ENDS = 3, LOUD = 12, CHUNK = 50, SMALL = 60;
const open = new Set();
const unfolded = new Set();

if (rows.length <= SMALL) {
  rows.forEach((row) => open.add(row));
} else {
  for (const row of rows) if (row.kind === "agent" || row.kind === "subagent") open.add(row);
  for (const turn of told.slice(0, 8)) {
    [turn, ...above(turn), ...turn.kids].forEach((row) => open.add(row));
  }
}

const isOpen = (row) => open.has(row) || (kept !== null && row.kids.some((kid) => kept.has(kid)));

// Rows, and groups { parent, group } that stand for runs of rows.
function folded(parent, kids) {
  const all = kept ? kids.filter((kid) => kept.has(kid)) : kids;
  if (all.length <= 2 * ENDS + LOUD) return all;
  const stays = new Set([...all.slice(0, ENDS), ...all.slice(-ENDS)]);
  let loud = 0;
  for (let at = all.length - 1; at >= 0 && loud < LOUD; at -= 1) {
    if (all[at].loud) { stays.add(all[at]); loud += 1; }
  }
  for (const row of all) if (unfolded.has(row) || row === selected || told.includes(row)) stays.add(row);
  const shown = [];
  for (const row of all) {
    const last = shown[shown.length - 1];
    if (stays.has(row)) shown.push(row);
    else if (last?.group) last.group.push(row);
    else shown.push({ parent, group: [row] });
  }
  return shown.map((one) => (one.group?.length === 1 ? one.group[0] : one));
}

function summary(group) {
  const states = new Map(), kinds = new Map();
  for (const row of group) {
    kinds.set(row.kind, (kinds.get(row.kind) ?? 0) + 1);
    if (row.state) states.set(row.state, (states.get(row.state) ?? 0) + 1);
  }
  const what = [...kinds].map(([kind, count]) => plural(count, words(kind))).join(", ");
  const how = states.size === 1 ? [...states.keys()][0] : [...states].map(([state, count]) => `${count.toLocaleString("en")} ${state}`).join(", ");
  return `${what}${how ? `: ${how}` : ""}`;
}

function unfold(group) {
  group.slice(0, CHUNK).forEach((row) => unfolded.add(row));
  redraw();
  say(`${plural(Math.min(CHUNK, group.length), "row")} unfolded`);
}

function toggle(row) {
  if (open.has(row)) open.delete(row);
  else open.add(row);
  redraw();
  say(`${called(row)} ${open.has(row) ? "opened" : "closed"}`);
}

function reveal(row) {
  for (const one of above(row)) { open.add(one); unfolded.add(one); }
  unfolded.add(row);
}
