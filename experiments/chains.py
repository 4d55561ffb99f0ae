"""Running statistics of chains, for the experiments that sample."""

import json
import subprocess

from common import PROGRAM, by, np, pyplot, ulisse


def log_draws(folder):
    """Logarithms of the draws by parameter, each (chains, draws)."""
    return {name: np.log(values) for name, values in ulisse._core.load_fit(str(folder)).draws().items()}


def log_iterations(folder):
    """The same with the iterations of warm-up before them, of a fit that saved these."""
    parts = {}
    for path in sorted(folder.glob("warmup_*.csv"), key=lambda path: int(path.stem.split("_")[1])):
        rows = [line.split(",") for line in path.read_text().splitlines() if not line.startswith("#")]
        for column, name in enumerate(rows[0]):
            if not name.endswith("__"):
                parts.setdefault(name, []).append(np.log([float(row[column]) for row in rows[1:]]))
    draws = log_draws(folder)
    return {name: np.hstack([np.array(before), draws.get(name, np.empty((len(before), 0)))]) for name, before in parts.items()}


def summary(folder):
    return json.loads(subprocess.run([PROGRAM, "summary", folder, "--json"], check=True, capture_output=True, text=True).stdout)


def psrf(draws):
    """Gelman and Rubin's potential scale reduction factor of (chains, draws), of the second half: its median and 97.5 % limit."""
    if len(draws) < 2 or draws.shape[1] < 8:
        return float("nan"), float("nan")
    return ulisse._core.psrf(np.asfortranarray(draws.T), 0.95, True)


def running(name, logarithms, points=100):
    """Mean and sd of the first chain and PSRF of all of them, after more and more draws: a row for each parameter and point."""
    rows = []
    for parameter, draws in logarithms.items():
        count = draws.shape[1]
        for end in np.unique(np.linspace(min(20, count), count, points).astype(int)):
            first = draws[0, :end]
            median, upper = psrf(draws[:, :end])
            rows.append({"sampler": name, "parameter": parameter, "draws": int(end), "mean": float(first.mean()),
                         "sd": float(first.std(ddof=1)) if end > 1 else 0.0, "psrf": median, "psrf_97.5": upper})
    return rows


def cost(name, folder):
    """What an independent sample takes: of the worst parameter, warm-up not counted."""
    found = summary(folder)
    ess = min(p["ess_bulk"] or 0.0 for p in found["parameters"].values()) if found["draws"] > 0 else 0.0
    seconds, draws = found["seconds_sampling"], found["draws"] * found["chains"]
    iterations, whole = found["chains"] * found["warmup"] + draws, found["seconds_warmup"] + seconds
    return {"sampler": name, "chains": found["chains"], "draws": found["draws"], "seconds_sampling": float(seconds), "ess": float(ess),
            "ess_share": float(ess / draws) if draws else 0.0, "seconds_an_independent_sample": float(seconds / ess) if ess > 0 else float("inf"),
            "iterations_a_day": float(86400 * iterations / whole) if whole > 0 else 0.0}


def against_figure(name, logarithms, figure):
    """Means and sd of all chains and of the first, and PSRF, beside the mean and sd that a figure of the paper shows."""
    rows = []
    for parameter, (mean, sd) in figure.items():
        draws = logarithms[parameter]
        median, upper = psrf(draws)
        rows.append({"sampler": name, "parameter": parameter, "draws": draws.shape[1], "paper_mean": mean, "paper_sd": sd,
                     "mean": float(draws.mean()), "sd": float(draws.std(ddof=1)), "mean_off_in_sd": float((draws.mean() - mean) / sd),
                     "sd_ratio": float(draws.std(ddof=1) / sd), "first_chain_mean": float(draws[0].mean()),
                     "first_chain_sd": float(draws[0].std(ddof=1)), "psrf": median, "psrf_97.5": upper})
    return rows


def draw_running(rows, traces, colours, figure=None):
    """A row for each parameter: running mean and +-2 sd with a trace on the left, PSRF on the right; dashed, what `figure` says."""
    shown = figure or {}
    parameters = list(by(rows, "parameter"))
    page, axes = pyplot.subplots(len(parameters), 2, figsize=(8, 2.4 * len(parameters)), squeeze=False)
    for (left, right), parameter in zip(axes, parameters):
        if parameter in traces:
            left.plot(np.arange(1, len(traces[parameter]) + 1), traces[parameter], color="0.8", linewidth=0.4)
        for name, group in by([r for r in rows if r["parameter"] == parameter], "sampler").items():
            at = np.array([r["draws"] for r in group])
            mean, sd = (np.array([r[key] for r in group]) for key in ("mean", "sd"))
            left.plot(at, mean, color=colours[name], label=name)
            for side in (-2, 2):
                left.plot(at, mean + side * sd, color=colours[name], linewidth=0.7)
            if np.isfinite([r["psrf"] for r in group]).any():
                right.plot(at, [r["psrf"] for r in group], color=colours[name], label=f"{name}, median")
                right.plot(at, [r["psrf_97.5"] for r in group], color=colours[name], linestyle=":", label="97.5 %")
        if parameter in shown:
            mean, sd = shown[parameter]
            for level in (mean - 2 * sd, mean, mean + 2 * sd):
                left.axhline(level, color="tab:green", linestyle="--", linewidth=0.7, label="the paper's figure" if level == mean else None)
        left.set(ylabel=f"log {parameter}", xlabel="draws")
        right.set(ylabel="PSRF", xlabel="draws", ylim=(0.98, 1.5))
    axes[0][0].legend()
    if axes[0][1].lines:
        axes[0][1].legend()
    return page
