// The whole, from its parts.

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
