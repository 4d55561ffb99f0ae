// Zoom along x: by dragging, or from the keyboard

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
