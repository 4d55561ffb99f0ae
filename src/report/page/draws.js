// Parts of the report that are of the draws.

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
