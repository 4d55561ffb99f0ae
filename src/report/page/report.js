"use strict";
// Draws the report: numbers come ready from #data, nothing is computed here but what the eye needs.
(() => {
  const started = performance.now();
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const contents = document.createElement("ul");
  const plots = [];
  const hidden = new Set();  // chains that are switched off
  const state = (window.ulisseReport = { plots: 0, drawn: 0, ready: false, seconds: 0, charts: plots });

  // ---- Elements

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

  // ---- Colours, which follow the page's: light, dark or print

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

  // ---- Zoom along x: by dragging, or from the keyboard

  function zoomTo(plot, low, high) {
    const { min, max } = plot.whole;
    if (!(high > low)) return;
    const scale = plot.chart.options.scales.x;
    scale.min = Math.max(min, low);
    scale.max = Math.min(max, high);
    const whole = scale.min === min && scale.max === max;
    plot.figure.classList.toggle("zoomed", !whole);
    plot.chart.update("none");
  }

  const unzoom = (plot) => zoomTo(plot, plot.whole.min, plot.whole.max);

  function onKey(plot, event) {
    const { min, max } = plot.chart.scales.x;
    const width = max - min;
    const moves = {
      "+": () => zoomTo(plot, min + width / 4, max - width / 4),
      "-": () => zoomTo(plot, min - width / 2, max + width / 2),
      "0": () => unzoom(plot),
      ArrowLeft: () => min > plot.whole.min && zoomTo(plot, Math.max(plot.whole.min, min - width / 4), Math.max(plot.whole.min, min - width / 4) + width),
      ArrowRight: () => max < plot.whole.max && zoomTo(plot, Math.min(plot.whole.max, max + width / 4) - width, Math.min(plot.whole.max, max + width / 4)),
    };
    if (!(event.key in moves)) return;
    moves[event.key]();
    event.preventDefault();
  }

  const dragging = {
    id: "dragging",
    afterDraw(chart) {
      const drag = chart.drag;
      if (!drag) return;
      const { top, height } = chart.chartArea;
      chart.ctx.save();
      chart.ctx.fillStyle = colour("--link") + "33";
      chart.ctx.fillRect(Math.min(drag.from, drag.to), top, Math.abs(drag.to - drag.from), height);
      chart.ctx.restore();
    },
  };

  // Vertical lines behind the points of a data set that has intervals.
  const intervals = {
    id: "intervals",
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea, scales } = chart;
      for (const set of chart.data.datasets) {
        if (!set.intervals) continue;
        ctx.save();
        ctx.beginPath();
        ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
        ctx.clip();
        ctx.beginPath();
        ctx.strokeStyle = colour("--chain-6");
        ctx.lineWidth = 0.8;
        set.data.forEach((point, i) => {
          const x = scales.x.getPixelForValue(point.x);
          ctx.moveTo(x, scales.y.getPixelForValue(set.intervals[i][0]));
          ctx.lineTo(x, scales.y.getPixelForValue(set.intervals[i][1]));
        });
        ctx.stroke();
        ctx.restore();
      }
    },
  };

  function addZoom(plot, canvas) {
    const at = (event) => event.clientX - canvas.getBoundingClientRect().left;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" || event.button !== 0) return;
      plot.chart.drag = { from: at(event), to: at(event) };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!plot.chart.drag) return;
      plot.chart.drag.to = at(event);
      plot.chart.draw();
    });
    canvas.addEventListener("pointerup", () => {
      const drag = plot.chart.drag;
      plot.chart.drag = null;
      if (!drag) return;
      const x = plot.chart.scales.x;
      const ends = [x.getValueForPixel(drag.from), x.getValueForPixel(drag.to)].sort((a, b) => a - b);
      if (Math.abs(drag.to - drag.from) > 6) zoomTo(plot, ends[0], ends[1]);
      else plot.chart.draw();
    });
    canvas.addEventListener("dblclick", () => unzoom(plot));
    canvas.addEventListener("keydown", (event) => onKey(plot, event));
  }

  // ---- Plots: made now, drawn one after the other as the browser finds time

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

  // ---- Parts of the report

  function verdict() {
    const part = section("verdict", data.verdict.headline);
    part.classList.add("verdict", data.verdict.level);
    contents.lastChild.firstChild.textContent = "Verdict";
    const list = part.appendChild(element("ul"));
    for (const reason of data.verdict.reasons) list.append(element("li", {}, reason));
    if (data.warnings.length === 0) return;
    part.append(element("p", {}, element("strong", {}, "What to look at")));
    const warnings = part.appendChild(element("ul"));
    for (const warning of data.warnings) warnings.append(element("li", {}, warning));
  }

  function about() {
    const part = section("about", "What was fitted");
    const body = element("tbody");
    for (const [name, text] of data.about) body.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, text)));
    part.append(element("table", { class: "about" }, body));
  }

  function summaryTable(title, rows) {
    const names = [title, "mean", "sd", "mcse", "5 %", "50 %", "95 %", "ess bulk", "ess tail", "R-hat"];
    const body = element("tbody");
    for (const [name, row] of Object.entries(rows)) {
      const of = [row.input, row.term].filter(Boolean).join(" in ");
      const line = element("tr", {}, element("th", { scope: "row" }, of ? `${name} (${of})` : name));
      const mark = "mcse_of_draws" in row ? "*" : "";
      for (const key of ["mean", "sd", "mcse", "q5", "q50", "q95"]) line.append(element("td", {}, shown(row[key]) + (key === "mcse" ? mark : "")));
      const fixed = row.sd === 0; // such as a parameter that was not sampled
      const few = (value) => (!fixed && (value === null || value < 100 * data.chains) ? { class: "bad" } : {});
      line.append(element("td", few(row.ess_bulk), row.ess_bulk === null ? "-" : row.ess_bulk.toFixed(0)));
      line.append(element("td", few(row.ess_tail), row.ess_tail === null ? "-" : row.ess_tail.toFixed(0)));
      line.append(element("td", !fixed && (row.rhat === null || row.rhat > 1.01) ? { class: "bad" } : {}, row.rhat === null ? "-" : row.rhat.toFixed(4)));
      body.append(line);
    }
    const head = element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
    return element("div", { class: "scroll" }, element("table", {}, head, body));
  }

  function summary() {
    const part = section("summary", "Summary", "Of all chains together. R-hat should be below 1.01; ess is the number of independent draws that would tell as much.");
    const { quantities, natural } = data.summary;
    if (Object.keys(quantities).length) part.append(summaryTable("in the table's units", quantities));
    part.append(summaryTable("parameter, on its own scale", natural));
    if ([quantities, natural].some((rows) => Object.values(rows).some((row) => "mcse_of_draws" in row))) {
      part.append(element("p", {}, "* Mean and sd by control variates, whose errors are smaller than those of the draws alone; quantiles are of the draws."));
    }
  }

  function chainSwitches() {
    const box = element("fieldset", { class: "sticky" }, element("legend", {}, "Chains shown"));
    for (let chain = 0; chain < data.chains; ++chain) {
      const input = element("input", { type: "checkbox", id: `chain-${chain}` });
      input.checked = true;
      input.addEventListener("change", () => {
        if (input.checked) hidden.delete(chain);
        else hidden.add(chain);
        repaint();
      });
      const swatch = element("span", { class: "swatch", style: `background: var(--chain-${(chain % 6) + 1})` });
      box.append(element("label", { for: `chain-${chain}` }, input, swatch, `chain ${chain + 1}`));
    }
    main.append(box);
  }

  const label = (item) => `${item.dataset.name}, draw ${item.parsed.x + 1}: ${shown(item.parsed.y)} (${natural(item.parsed.y)} itself)`;

  function traces() {
    const thinned = data.shown.length < data.draws ? ` One in ${Math.round(data.draws / data.shown.length)} is shown.` : "";
    const part = plotsOf(section("trace", "Trace", `The draws in their order, as logarithms. Chains should look alike and stay where they are.${thinned}`));
    for (const p of data.parameters) {
      addPlot(part, `log ${p.name}`, `Trace of ${data.chains} chains.`, "draw", `log ${p.name}`,
        () => everyChain((chain) => ({ data: pairs(data.shown, p.draws[chain]), borderWidth: 0.8 })), { long: true, label, x: { min: 0, max: data.draws - 1 } });
    }
  }

  function running() {
    const part = plotsOf(section("running", "Running mean", "Mean of each chain so far, and two standard deviations to both sides of it (thin). Lines should become level, at the same height."));
    for (const p of data.parameters) {
      const edge = (chain, sign) => p.running.mean[chain].map((mean, i) => (p.running.sd[chain][i] === null ? null : mean + sign * 2 * p.running.sd[chain][i]));
      addPlot(part, `log ${p.name}`, "Running mean with two running standard deviations.", "draw", `log ${p.name}`,
        () => everyChain((chain) => ({ data: pairs(p.running.at, p.running.mean[chain]), borderWidth: 1.8 }))
          .concat(everyChain((chain) => ({ data: pairs(p.running.at, edge(chain, -1)), borderWidth: 0.7 })))
          .concat(everyChain((chain) => ({ data: pairs(p.running.at, edge(chain, 1)), borderWidth: 0.7 }))),
        { label, x: { min: 0, max: data.draws - 1 } });
    }
  }

  function convergence() {
    if (data.parameters.every((p) => p.convergence.at.length === 0)) return;
    const part = plotsOf(section("convergence", "R-hat over iterations", "Of the draws up to there: rank-normalised R-hat, and the potential scale reduction factor of their second half with its 97.5 % limit. All should come down to 1 and stay."));
    for (const p of data.parameters) {
      const c = p.convergence;
      const line = (name, values, ink, dash) => ({ name, label: name, ink, borderDash: dash, data: pairs(c.at, values) });
      addPlot(part, p.name, "R-hat over iterations.", "draws of each chain", "factor",
        () => [line("R-hat", c.rhat, "--chain-1", []), line("PSRF", c.psrf, "--chain-2", []), line("its 97.5 % limit", c.upper, "--chain-2", [4, 3]),
          { name: "limit", ink: "--faint", borderDash: [2, 4], data: c.at.length ? [{ x: c.at[0], y: 1.01 }, { x: c.at[c.at.length - 1], y: 1.01 }] : [] }],
        { legend: true });
    }
  }

  function densities() {
    const part = plotsOf(section("density", "Marginal densities and priors", "Of the logarithm of each parameter. Where the posterior looks like the prior, the data say little about the parameter."));
    for (const p of data.parameters) {
      const d = p.density;
      addPlot(part, `log ${p.name}`, `Posterior density, and the prior ${p.prior}.`, `log ${p.name}`, "density",
        () => [{ name: "all chains", label: "posterior", ink: "--ink", data: pairs(d.x, d.all), borderWidth: 2 },
          { name: `prior ${p.prior}`, label: `prior ${p.prior}`, ink: "--faint", borderDash: [5, 4], data: pairs(d.x, d.prior) }]
          .concat(everyChain((chain) => ({ data: pairs(d.x, d.chains[chain]), borderWidth: 0.9 }))),
        { legend: true, y: { min: 0 }, label: (item) => `${item.dataset.name} at ${shown(item.parsed.x)} (${natural(item.parsed.x)} itself): ${shown(item.parsed.y, 3)}` });
    }
  }

  function pairPlot(parent, first, second) {
    const [a, b] = [data.parameters[first], data.parameters[second]];
    const step = Math.ceil(data.shown.length / 1000);
    const thin = (values) => values.filter((_, i) => i % step === 0);
    return addPlot(parent, `${b.name} against ${a.name}`, `Correlation of the logarithms ${shown(data.correlations[first][second], 2)}.`, `log ${a.name}`, `log ${b.name}`,
      () => everyChain((chain) => ({ data: pairs(thin(a.draws[chain]), thin(b.draws[chain])), pointRadius: 1.3 })),
      { type: "scatter", square: true, label: (item) => `${item.dataset.name}: ${a.name} ${natural(item.parsed.x)}, ${b.name} ${natural(item.parsed.y)}` });
  }

  function correlationTable(part) {
    const head = element("tr", {}, element("th", { scope: "col" }, "correlation"), ...data.parameters.map((p) => element("th", { scope: "col" }, p.name)));
    const body = element("tbody");
    data.parameters.forEach((p, i) => body.append(element("tr", {}, element("th", { scope: "row" }, p.name),
      ...data.correlations[i].map((value) => element("td", {}, value === null ? "-" : value.toFixed(2))))));
    part.append(element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), body)));
  }

  function pairsPlots() {
    const count = data.parameters.length;
    if (count < 2) return;
    const part = section("pairs", "Pairs", "Logarithms of two parameters, and their correlations.");
    const all = plotsOf(part);
    if (count <= 4) {
      for (let a = 0; a < count; ++a) for (let b = a + 1; b < count; ++b) pairPlot(all, a, b);
    } else {
      choosePair(part, all);
    }
    correlationTable(part);
  }

  // With many parameters, two are chosen: at first those with the largest correlation.
  function choosePair(part, place) {
    const choice = [0, 1];
    let largest = -1;
    data.correlations.forEach((row, a) => row.forEach((value, b) => {
      if (a < b && Math.abs(value) > largest) { largest = Math.abs(value); choice[0] = a; choice[1] = b; }
    }));
    let plot = null;
    const show = () => {
      const drawn = plot && plot.chart;
      if (plot) {
        if (drawn) { plot.chart.destroy(); state.drawn -= 1; }
        plots.splice(plots.indexOf(plot), 1);
        plot.figure.remove();
      }
      plot = pairPlot(place, choice[0], choice[1]);
      if (drawn) plot.draw();
    };
    const box = element("p");
    ["across", "up"].forEach((direction, which) => {
      const select = element("select", { id: `pair-${which}` });
      data.parameters.forEach((p, i) => select.append(new Option(p.name, i, false, i === choice[which])));
      select.addEventListener("change", () => { choice[which] = Number(select.value); show(); });
      box.append(element("label", { for: `pair-${which}` }, `${direction} `), select, " ");
    });
    part.insertBefore(box, place);
    show();
  }

  function autocorrelations() {
    const part = plotsOf(section("autocorrelation", "Autocorrelation", "How much a draw still says about one so many draws later. The sooner it is zero, the more the draws are worth."));
    for (const p of data.parameters) {
      addPlot(part, `log ${p.name}`, "Autocorrelation of each chain.", "lag", "autocorrelation",
        () => everyChain((chain) => ({ data: p.autocorrelation[chain].map((y, x) => ({ x, y })).filter((point) => point.y !== null) })), { y: { max: 1 } });
    }
  }

  function samplerPart() {
    const { histories, products, name, warmup } = data.sampler;
    if (histories.length === 0 && !products) return;
    const part = plotsOf(section("sampler", `The sampler: ${name}`, histories.length ? "Steps, and the variance of the gradients' noise over that of the noise injected, from the start of warm-up; then the cost." : "Its cost."));
    if (histories.length) {
      const lines = (key) => () => everyChain((chain) => ({ data: pairs(histories[chain].iterations, histories[chain][key]) }));
      addPlot(part, "step size", `Step size of each chain; draws are kept after iteration ${warmup}.`, "iteration", "step", lines("steps"), { y: { beginAtZero: true } });
      addPlot(part, "noise ratio", "Variance of the gradients' noise over that of the noise injected.", "iteration", "noise ratio", lines("noise_ratios"), { y: { beginAtZero: true } });
    }
    if (products) {
      const what = histories.length ? "products" : "gradients";
      addPlot(part, `${what} an iteration`, `Mean number of ${what} an iteration.`, "draw", what,
        () => everyChain((chain) => ({ data: pairs(products.at, products.mean[chain]) })), { y: { beginAtZero: true } });
    }
  }

  const least = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);

  function predictionWords(p) {
    const words = [p.points === 1 ? "1 point." : `${p.points} points.`];
    if (p.mean.length < p.points) words.push(`One in ${Math.round(p.points / p.mean.length)} is shown.`);
    if (!p.of_this_fit) words.push("The file does not say which fit it is of.");
    if (p.observed !== null) {
      words.push(`Root mean squared error ${shown(p.rmse)}.`);
      if (p.levels.length) words.push(p.levels.map((level, i) => `${shown(100 * p.share_below[i], 3)} % of the observations lie below the ${shown(100 * level, 3)} % quantile`).join("; ") + ".");
    }
    return words.join(" ");
  }

  // The mean of each point with its interval: over the only input, or over the rows.
  function predictionsAlong(part, p, interval, name) {
    const across = p.input ? p.input.values : p.row, along = p.input ? p.input.name : "row";
    const seen = p.input && p.observed !== null ? [{ name: "observed", label: "observed", ink: "--ink", pointRadius: 1.5, data: pairs(across, p.observed) }] : [];
    const heights = interval.flat().concat(seen.length ? p.observed : []);
    addPlot(part, p.input ? `predictions along ${along}` : "predictions by row", `Predictive mean and interval, ${name}, of each point.`, along, "predicted",
      () => [{ name: "mean", label: `mean; lines ${name}`, ink: "--chain-1", pointRadius: 2, intervals: interval, data: pairs(across, p.mean) }, ...seen],
      { type: "scatter", square: true, legend: true, y: { suggestedMin: least(heights), suggestedMax: most(heights) }, ...(p.input && p.input.dates ? overDates : {}) });
  }

  // An axis of days since 1970 that reads as dates.
  const overDates = {
    x: { ticks: { maxRotation: 45, callback(days) { return date(days, this.max - this.min); } } },
    label: (item) => `${item.dataset.name}: ${shown(item.parsed.y)} at ${date(item.parsed.x)}`,
  };

  function predictedAgainstObserved(part, p, interval, name) {
    const ends = [least(p.observed), most(p.observed)], edges = interval.flat();
    addPlot(part, "predicted against observed", `Predictive mean and interval, ${name}, of each point.`, "observed", "predicted",
      () => [{ name: "mean", label: `mean; lines ${name}`, ink: "--chain-1", pointRadius: 2, intervals: interval, data: pairs(p.observed, p.mean) },
        { name: "equal", label: "equal", ink: "--faint", showLine: true, borderDash: [4, 4], data: ends.map((x) => ({ x, y: x })) }],
      { type: "scatter", square: true, legend: true, y: { suggestedMin: least(edges), suggestedMax: most(edges) } });
  }

  function predictions() {
    const p = data.predictions;
    const part = plotsOf(section("predictions", "Predictions", predictionWords(p)));
    const interval = p.low ? p.mean.map((_, i) => [p.low[i], p.high[i]]) : p.mean.map((mean, i) => [mean - 2 * p.sd[i], mean + 2 * p.sd[i]]);
    const name = p.low ? `from the ${shown(100 * p.levels[0], 3)} % to the ${shown(100 * p.levels[p.levels.length - 1], 3)} % quantile` : "two standard deviations to both sides";
    if (p.input || p.observed === null) predictionsAlong(part, p, interval, name);
    if (p.observed === null) return;
    predictedAgainstObserved(part, p, interval, name);
    const error = p.observed.map((observed, i) => (observed - p.mean[i]) / p.sd[i]);
    addPlot(part, "standardised errors", "Observed minus mean, over the predictive standard deviation.", "predicted mean", "error / sd",
      () => [{ name: "error", ink: "--chain-1", pointRadius: 2, data: pairs(p.mean, error) }], { type: "scatter", square: true });
    if (!p.below) return;
    const n = p.points;
    const level = p.below.map((_, i) => (i + 0.5) / p.below.length);
    const band = (sign) => Array.from({ length: 101 }, (_, i) => ({ x: i / 100, y: Math.min(1, Math.max(0, i / 100 + (sign * 1.96 * Math.sqrt((i / 100) * (1 - i / 100))) / Math.sqrt(n))) }));
    addPlot(part, "calibration", "Share of observations below each predictive probability; on the diagonal when predictions are calibrated.", "predictive probability", "share of observations below",
      () => [{ name: "observed", label: "observed", ink: "--chain-1", borderWidth: 2, data: pairs(p.below, level) },
        { name: "calibrated", label: "calibrated", ink: "--faint", borderDash: [4, 4], data: [{ x: 0, y: 0 }, { x: 1, y: 1 }] },
        { name: "band", label: "95 % of calibrated ones, at each point", ink: "--faint", borderWidth: 0.7, data: band(1) }, { name: "band", ink: "--faint", borderWidth: 0.7, data: band(-1) }],
      { square: true, legend: true, x: { min: 0, max: 1 }, y: { min: 0, max: 1 } });
  }

  // ---- The whole

  document.title = `${data.title} - ulisse report`;
  document.getElementById("title").textContent = data.title;
  document.getElementById("contents").append(contents);
  verdict();
  about();
  if (data.parameters.length) {
    summary();
    if (data.predictions) predictions();
    chainSwitches();
    traces();
    running();
    convergence();
    densities();
    pairsPlots();
    autocorrelations();
    samplerPart();
  }
  state.plots = plots.length;

  let next = 0;
  function drawNext() {
    const until = performance.now() + 50;
    while (next < plots.length && performance.now() < until) plots[next++].draw();
    if (next < plots.length) {
      setTimeout(drawNext);
      return;
    }
    state.seconds = (performance.now() - started) / 1000;
    state.ready = true;
    document.documentElement.dataset.ready = "yes";
  }
  drawNext();

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  matchMedia("print").addEventListener("change", repaint);
  window.addEventListener("beforeprint", () => plots.forEach((plot) => plot.chart && plot.chart.resize()));
})();
