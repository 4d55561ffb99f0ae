// Plots: made now, drawn one after the other as the browser finds time

function addPlot(parent, title, description, x, y, datasets, more = {}) {
  const canvas = element("canvas", { role: "img", tabindex: "0", "aria-label": `${title}. ${description}` });
  const reset = element("button", { type: "button" }, "whole range");
  const figure = element("figure", more.square ? { class: "square" } : {},
    element("figcaption", {}, element("span", {}, title), reset), element("div", { class: "canvas" }, canvas));
  parent.append(figure);
  const plot = { figure, title, chart: null, whole: null, draw: null };
  plot.draw = () => {
    const axis = (text, own) => ({
      type: "linear", title: { display: true, text }, grid: {}, ticks: { maxRotation: 0 }, ...own,
    });
    plot.chart = new Chart(canvas, {
      type: more.type || "line",
      data: { datasets: datasets() },
      plugins: [dragging, intervals],
      options: {
        animation: false, maintainAspectRatio: false, // Without parsing Chart.js takes points for sorted by x, and scattered ones are not.
        parsing: more.type === "scatter", normalized: more.type !== "scatter",
        interaction: { mode: "nearest", axis: more.type === "scatter" ? "xy" : "x", intersect: false },
        elements: { point: { radius: 0, hitRadius: 4 }, line: { borderWidth: 1.2 } },
        scales: { x: axis(x, more.x), y: axis(y, more.y) },
        plugins: {
          legend: { display: Boolean(more.legend), labels: { boxHeight: 1, boxWidth: 24, filter: (item) => Boolean(item.text) }, onClick: () => {} },
          decimation: { enabled: Boolean(more.long), algorithm: "min-max" },
          tooltip: { callbacks: { label: more.label || ((item) => `${item.dataset.name}: ${shown(item.parsed.y)} at ${shown(item.parsed.x)}`), title: () => "" } },
        },
      },
    });
    paint(plot.chart);
    plot.chart.update("none");
    plot.whole = { min: plot.chart.scales.x.min, max: plot.chart.scales.x.max };
    addZoom(plot, canvas);
    reset.addEventListener("click", () => unzoom(plot));
    state.drawn += 1;
  };
  plots.push(plot);
  return plot;
}

const pairs = (x, y) => {
  const out = [];
  for (let i = 0; i < x.length; ++i) if (y[i] !== null && x[i] !== null) out.push({ x: x[i], y: y[i] });
  return out;
};
const everyChain = (make) => Array.from({ length: data.chains }, (_, chain) => ({ chain, name: `chain ${chain + 1}`, ...make(chain) }));
const plotsOf = (part) => part.appendChild(element("div", { class: "plots" }));
// Of days since 1970: with the time of day where an axis is that short.
const date = (days, length = Infinity) => new Date(days * 864e5).toISOString().replace("T", " ").slice(0, length < 8 ? 16 : 10);
const natural = (value) => shown(Math.exp(value));
