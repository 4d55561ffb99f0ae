"""Which priors are good ones to begin with: candidates on tables whose truth is known.

Each table is drawn from the model: inputs of standard deviation 1, a length scale between 0.05 and 20, noise between 1 % and 100 % of the
function's standard deviation over the table, rbf or Matern, 50 to 2,000 rows (--full; else up to 150). All candidates fit the same tables. Reported: how often
90 % intervals of the noise, of the length scale and of what a table says best, signal over length scale, hold the truth; scores of held-out rows; and
draws of the sampler for an independent one.
"""

import argparse
import concurrent.futures
import json
import subprocess
import tempfile
from pathlib import Path

import numpy
from scipy import spatial

# Of standardised tables.
NOISE = "noise_sd=lognormal(-2,1.5)"
WALL = "noise_sd=inverse-gamma(0.75,0.025)"  # the same 90 %, and hardly anything below a thousandth
CANDIDATES = {
    "gamma(1,1) on each": ["sigma=gamma(1,1)", "tau=gamma(1,1)", "lambda=gamma(1,1)"],
    "wide lognormal variances": ["sigma=lognormal(0,2)", "tau=lognormal(0,2)", "lambda=lognormal(-3,2)"],
    "half-normal sd": ["signal_sd=half-normal(3)", "lengthscale=lognormal(0,1.5)", "noise_sd=half-normal(1)"],
    "half-t sd": ["signal_sd=half-student-t(4,2)", "lengthscale=lognormal(0,1.5)", "noise_sd=half-normal(1)"],
    "half-t signal, inverse-gamma length": ["signal_sd=half-student-t(4,2)", "lengthscale=inverse-gamma(0.5,0.1)", NOISE],
    "lognormal": ["signal_sd=lognormal(0.5,1)", "lengthscale=lognormal(0,1.5)", NOISE],
    "wide lognormal, lognormal noise": ["signal_sd=lognormal(0.5,1.2)", "lengthscale=lognormal(0,1.8)", NOISE],
    "wide half-t signal, the default": ["signal_sd=half-student-t(4,50)", "lengthscale=lognormal(0,1.8)", WALL],
    "wide lognormal, noise with a wall": ["signal_sd=lognormal(0.5,1.2)", "lengthscale=lognormal(0,1.8)", WALL],
    "wider lognormal, noise with a wall": ["signal_sd=lognormal(0.5,1.5)", "lengthscale=lognormal(0,2.2)", WALL],
    "inverse-gamma length, noise with a wall": ["signal_sd=lognormal(0.5,1.2)", "lengthscale=inverse-gamma(0.5,0.1)", WALL],
    "half-t signal, wide length": ["signal_sd=half-student-t(4,2)", "lengthscale=lognormal(0,1.8)", NOISE],
    "lognormal signal, inverse-gamma length": ["signal_sd=lognormal(0.5,1.2)", "lengthscale=inverse-gamma(0.5,0.1)", NOISE],
}
BANDS = {"0.05 to 0.37": (0.05, 0.37), "0.37 to 2.7": (0.37, 2.7), "2.7 to 20": (2.7, 20)}
HELD_OUT = 200
JITTER = 1e-9  # of the function's variance, for its Cholesky factor


def correlation(shape, distance):
    if shape == "rbf":
        return numpy.exp(-(distance**2) / 2)
    scaled = numpy.sqrt(3) * distance
    return (1 + scaled) * numpy.exp(-scaled)


def draw_table(seed, sizes):
    """Columns, and what is true of them on the scale of the table."""
    source = numpy.random.default_rng(seed)
    rows, inputs, shape = int(source.choice(sizes)), int(source.choice([1, 2, 8])), str(source.choice(["rbf", "matern32"]))
    length, noise = (float(numpy.exp(source.uniform(*numpy.log(ends)))) for ends in ((0.05, 20), (0.01, 1)))
    x = source.normal(size=(rows + HELD_OUT, inputs))
    x = (x - x[:rows].mean(axis=0)) / x[:rows].std(axis=0, ddof=1)  # so that fits do not rescale them
    k = correlation(shape, spatial.distance.cdist(x, x) / length)
    function = numpy.linalg.cholesky(k + JITTER * numpy.eye(len(x))) @ source.normal(size=len(x))
    spread = function[:rows].std()
    y = (function - function[:rows].mean()) / spread + noise * source.normal(size=len(x))
    return {"x": x, "y": y, "rows": rows, "inputs": inputs, "shape": shape,
            "truth": {"noise_sd": noise, "lengthscale": length, "signal_sd": 1 / spread}}


def write(path, x, y):
    names = [f"x{j}" for j in range(x.shape[1])] + ["y"]
    numpy.savetxt(path, numpy.column_stack([x, y]), delimiter=",", fmt="%.15g", header=",".join(names), comments="")


def run(options, *arguments):
    command = [options.ulisse, *map(str, arguments), "--json", "--quiet", "--threads", "1"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def draws_of(folder):
    chains = []
    for path in sorted(folder.glob("chain_*.csv")):
        rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
        names, body = rows[0].split(","), [row.split(",") for row in rows[1:]]
        chains.append(numpy.array([[float(row[names.index(name)]) for name in ("sigma", "tau", "lambda")] for row in body]))
    return dict(zip(("sigma", "tau", "lambda"), numpy.concatenate(chains).T))


def quantities(theta, shape, y_sd):
    """In the table's units, as its truth."""
    length = (2 * theta["tau"] if shape == "rbf" else theta["tau"]) ** -0.5
    signal = y_sd * theta["sigma"] ** 0.5
    return {"noise_sd": y_sd * theta["lambda"] ** 0.5, "lengthscale": length, "slope": signal / length ** (1 if shape == "rbf" else 1.5)}


def judge(options, candidate, table, folder):
    """One candidate on one table."""
    rows, shape = table["rows"], table["shape"]
    x, y = table["x"], table["y"]
    write(folder / "table.csv", x[:rows], y[:rows])
    write(folder / "new.csv", x[rows:], y[rows:])
    priors = [f"--prior={prior}" for prior in CANDIDATES[candidate]]
    summary = run(options, "fit", folder / "table.csv", "--target", "y", "--kernel", shape, "--sampler", options.sampler, *priors, "--warmup", 200,
                  "--draws", options.draws, "--out", folder / "fit", "--force")
    scores = run(options, "predict", folder / "fit", folder / "new.csv", "--draws", 60, "--out", folder / "predictions.csv")["scores"]
    truth = dict(table["truth"], slope=table["truth"]["signal_sd"] / table["truth"]["lengthscale"] ** (1 if shape == "rbf" else 1.5))
    held = {}
    for name, draws in quantities(draws_of(folder / "fit"), shape, y[:rows].std(ddof=1)).items():
        low, high = numpy.quantile(draws, [0.05, 0.95])
        held[name] = bool(low <= truth[name] <= high)
    # Where chains have not moved neither is a number.
    parameters = summary["parameters"].values()
    effective = min(min(p["ess_bulk"] or 1, p["ess_tail"] or 1) for p in parameters)
    return {"held": held, "scores": scores, "draws_for_one": summary["chains"] * summary["draws"] / max(effective, 1),
            "converged": all(p["rhat"] is not None and p["rhat"] < 1.05 for p in parameters)}


def judge_table(options, seed):
    table = draw_table(seed, options.sizes)
    with tempfile.TemporaryDirectory(prefix="judge-priors") as name:
        results = {candidate: judge(options, candidate, table, Path(name)) for candidate in CANDIDATES}
    about = {key: table[key] for key in ("rows", "inputs", "shape", "truth")}
    return {"seed": seed, **about, "results": results}


def percent(values):
    return f"{100 * numpy.mean(values):.0f}" if len(values) else "-"


def lines_of(tables):
    """The comparison as a table in Markdown."""
    bands = [f"length scale held, {band}" for band in BANDS]
    yield "| priors | noise held | signal/length held | " + " | ".join(bands) + " | predictions held | NLPD | CRPS | RMSE | draws for one | R-hat < 1.05 |"
    yield "| --- |" + " ---: |" * (8 + len(BANDS))
    first = next(iter(CANDIDATES))
    for candidate in CANDIDATES:
        of = [t["results"][candidate] for t in tables]
        row = [candidate, percent([r["held"]["noise_sd"] for r in of]), percent([r["held"]["slope"] for r in of])]
        for low, high in BANDS.values():
            row.append(percent([r["held"]["lengthscale"] for t, r in zip(tables, of) if low <= t["truth"]["lengthscale"] < high]))
        row.append(percent([r["scores"]["coverage"] for r in of]))
        row.append(f"{numpy.mean([r['scores']['nlpd'] - t['results'][first]['scores']['nlpd'] for t, r in zip(tables, of)]):+.4f}")
        for score in ("crps", "rmse"):
            ratios = [numpy.log(r["scores"][score] / t["results"][first]["scores"][score]) for t, r in zip(tables, of)]
            row.append(f"{100 * (numpy.exp(numpy.mean(ratios)) - 1):+.1f} %")
        row += [f"{numpy.exp(numpy.mean(numpy.log([r['draws_for_one'] for r in of]))):.1f}", percent([r["converged"] for r in of])]
        yield "| " + " | ".join(row) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ulisse", default="build/ulisse")
    parser.add_argument("--sampler", default="mh")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--draws", type=int, default=400, help="of each of 4 chains")
    parser.add_argument("--full", action="store_true", help="500 and 2,000 rows, too: hours")
    parser.add_argument("--jobs", type=int, default=1, help="tables at a time")
    parser.add_argument("--only", action="append", help="a candidate, such as 'lognormal'; may be repeated")
    parser.add_argument("--out", help="a file for what came of each table, a line of JSON each")
    options = parser.parse_args()
    for name in [name for name in CANDIDATES if options.only and name not in options.only]:
        del CANDIDATES[name]
    options.sizes = [50, 150, 500, 2000] if options.full else [50, 150]
    if options.out:
        Path(options.out).unlink(missing_ok=True)
    tables = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for table in pool.map(lambda seed: judge_table(options, seed), range(1, options.tables + 1)):
            tables.append(table)
            if options.out:
                with open(options.out, "a", encoding="utf-8") as file:
                    file.write(json.dumps(table) + "\n")
    print(f"{len(tables)} tables; right are 90 for everything held; NLPD less that of the first line, CRPS and RMSE against it\n")
    print("\n".join(lines_of(tables)))


if __name__ == "__main__":
    main()
