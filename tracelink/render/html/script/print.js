// Before printing: folds are opened and the whole graph is drawn, not only what is in sight; afterwards all is as it was.

let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details.rest:not([open])")];
  opened.forEach((one) => { one.open = true; });
  graph.paint(true);
});
addEventListener("afterprint", () => {
  opened.forEach((one) => { one.open = false; });
  opened = [];
  graph.paint();
});
