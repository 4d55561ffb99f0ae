// The part on predictions.

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
