// The same as rows of a table, fifty a page: what the timeline and the graph show, for those who would rather read it.

const PAGE = 50;
const table = { name: "table", page: 0 };

table.draw = function draw() {
  const pages = Math.max(Math.ceil(matching.length / PAGE), 1);
  if (selected && table.seen !== selected) {
    const at = matching.indexOf(selected);
    if (at >= 0) table.page = Math.floor(at / PAGE);
  }
  table.seen = selected;
  table.page = Math.min(Math.max(table.page, 0), pages - 1);
  const from = table.page * PAGE, part = matching.slice(from, from + PAGE);
  byId("rows").replaceChildren(...part.map((row) => el("tr", { class: row === selected ? "selected" : null },
    el("td", {}, words(row.kind)),
    el("td", {}, el("button", { type: "button", class: "plain", "data-row": row.at }, row.name ? el("b", {}, row.name, " ") : null, el("code", {}, row.id))),
    el("td", {}, row.state ? el("span", { class: `state tone-${row.tone}` }, words(row.state)) : null),
    el("td", {}, row.codes.map((one) => el("span", { class: `code sev-${one.severity}` }, one.code))),
    el("td", { class: "nowrap" }, when(row)),
    el("td", {}, el("code", { class: "place", title: place(row) }, placeInShort(row))))));
  byId("page").textContent = matching.length ? `${(from + 1).toLocaleString("en")}–${(from + part.length).toLocaleString("en")} of ${matching.length.toLocaleString("en")}` : "nothing passes the filters";
  document.querySelector('[data-page="back"]').disabled = table.page === 0;
  document.querySelector('[data-page="on"]').disabled = table.page >= pages - 1;
};
views.push(table);
