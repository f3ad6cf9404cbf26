// The panel: what is known of the selected row, where it stands in the recording, and what it is tied to.

const panel = byId("details");
let opener = null;

const term = (name, ...said) => el("div", {}, el("dt", {}, name), el("dd", {}, said));
const link = (row, text) => el("button", { type: "button", class: "plain", "data-jump": row.at }, text ?? called(row));

const TEXTS = { function_call: "Arguments", tool_result: "Output", turn: "Error", item: "Text" };

function ties(row) {
  const found = row.up ? [term("below", link(row.up), el("span", { class: "dim" }, ` ${words(row.via)}`))] : [];
  for (const edge of row.links.slice(0, 30)) {
    const other = edge.from === row ? edge.to : edge.from;
    found.push(term(edge.from === row ? words(edge.kind) : `${words(edge.kind)} (from)`, link(other), edge.note ? el("span", { class: "dim" }, ` ${edge.note}`) : null));
  }
  for (const kid of row.kids.slice(0, 12)) found.push(term(words(kid.via || "holds"), link(kid), kid.state ? el("span", { class: `state tone-${kid.tone}` }, words(kid.state)) : null));
  if (row.kids.length > 12) found.push(term("", `and ${plural(row.kids.length - 12, "more part")}`));
  return found;
}

function showDetails(row, focus) {
  document.body.classList.toggle("with-details", row !== null);
  panel.hidden = row === null;
  if (row === null) {
    panel.replaceChildren();
    opener?.isConnected ? opener.focus({ preventScroll: true }) : canvas.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
    opener = null;
    return;
  }
  if (focus && !panel.contains(document.activeElement)) opener = document.activeElement;
  const agent = agentOf(row);
  put(panel,
    el("div", { class: "head" },
      el("h2", { id: "details-title", tabindex: -1 }, el("span", { class: "label" }, words(row.kind)), el("b", {}, row.name || ""), el("code", { class: "id" }, row.id)),
      el("button", { type: "button", class: "quiet", "data-act": "close", "aria-label": "Close details" }, "×")),
    el("p", { class: "chips" }, row.state ? el("span", { class: `chip tone-${row.tone}` }, words(row.state)) : null,
      row.codes.map((one) => (one.number < 0 ? el("span", { class: `code sev-${one.severity}` }, one.code) : el("a", { class: `code sev-${one.severity}`, href: `#finding-${one.number}` }, one.code))),
      el("button", { type: "button", class: "copy", "data-text": row.id }, "Copy id")),
    row.note ? el("p", { class: row.worst === "error" ? "note" : "dim" }, row.note) : null,
    el("dl", { class: "facts" },
      place(row) ? term("Where", el("code", { class: "place" }, place(row)), row.event ? el("code", { class: "event" }, row.event) : null) : term("Where", "not in the recording itself"),
      when(row) ? term("When", when(row)) : null,
      agent ? term("Agent", link(agent)) : null,
      row.also ? term("Also", el("code", {}, row.also)) : null),
    row.text ? el("h3", { class: "label" }, TEXTS[row.kind] ?? "Text") : null,
    row.text ? el("pre", { tabindex: 0, "aria-label": TEXTS[row.kind] ?? "Text" }, row.text) : null,
    el("h3", { class: "label" }, "Tied to"),
    el("dl", { class: "facts ties" }, ties(row)));
  panel.scrollTop = 0;
  say(`Details: ${called(row)}${row.state ? `, ${words(row.state)}` : ""}${place(row) ? `, at ${place(row)}` : ""}`);
  if (focus) byId("details-title").focus({ preventScroll: true });
}
