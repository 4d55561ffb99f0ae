// Numbers come ready from #data: nothing is computed in these files but what the eye needs.

const started = performance.now();
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const contents = document.createElement("ul");
const plots = [];
const hidden = new Set();  // chains that are switched off
const state = (window.ulisseReport = { plots: 0, drawn: 0, ready: false, seconds: 0, charts: plots });

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const shown = (value, digits = 4) =>
  value === null || value === undefined ? "-" : Number(Number(value).toPrecision(digits)).toString();

function section(id, title, ...hints) {
  const part = element("section", { "aria-labelledby": `${id}-title` });
  part.append(element("h2", { id: `${id}-title` }, title));
  for (const hint of hints) part.append(element("p", { class: "hint" }, hint));
  contents.append(element("li", {}, element("a", { href: `#${id}-title` }, title)));
  main.append(part);
  return part;
}

// Colours, which follow the page's: light, dark or print

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const chainColour = (chain) => colour(`--chain-${(chain % 6) + 1}`);

function paint(chart) {
  const { options } = chart;
  options.color = colour("--ink");
  for (const scale of Object.values(options.scales)) {
    scale.ticks.color = colour("--faint");
    scale.title.color = colour("--faint");
    scale.grid.color = colour("--grid");
  }
  for (const set of chart.data.datasets) {
    const own = set.chain === undefined ? colour(set.ink || "--ink") : chainColour(set.chain);
    set.borderColor = own;
    set.backgroundColor = set.band ? own + "33" : own;
    set.hidden = set.chain !== undefined && hidden.has(set.chain);
  }
}

function repaint() {
  for (const plot of plots) {
    if (!plot.chart) continue;
    paint(plot.chart);
    plot.chart.update("none");
  }
}
