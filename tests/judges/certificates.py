"""The sampler ulisse on tables that are small enough for the exact posterior: does the certificate hold, are means, sd and quantiles right?

The truth is by importance sampling with a density of its own (exact_model.py). Draws of a surrogate are weighted by the exact density over
the surrogate's, which gives the differences of their means with errors far below those of the means. Other draws are compared with
samples of a mixture of Gaussians that is fitted to them. Limits, beyond three Monte Carlo errors: the certificate, for means; 0.05 posterior
sd for means, 5 % for sd, 0.1 sd for quantiles.
"""

import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy
from exact_model import ExactModel, Term, shape_of
from importance import proposals
from samplers import GAMMA_PRIORS

MOST_MEAN, MOST_SD, MOST_QUANTILE = 0.05, 0.05, 0.1
ERRORS = 3
# What gradients have in common, which the certificate does not see.
BIAS_OF_MEANS = ("anchor", "bank", "solver", "products")
COLUMNS = ["case", "rows", "inputs", "parameters", "kernel", "trend", "steps", "gradients", "certificate", "bias_of_means", "worst_mean",
           "whitened_mean", "mean_error", "worst_sd", "sd_error", "worst_quantile", "quantile_error", "weights", "samples", "seconds", "holds", "right"]


@dataclass
class Case:
    name: str
    rows: int
    inputs: int
    kernel: str
    terms: list = None  # of an ExactModel; of the kernel's name on all inputs where there are none
    theta: tuple = (1, 0.3, 0.1)  # sigma, tau (or one for each input) and lambda, of a table that is simulated
    trend: str = ""
    slope: float = 0  # along the first input
    seed: int = 1
    table: tuple = ()  # file and target, of a table that is there
    gamma: bool = False

    def columns_of_trend(self):
        return {"": None, "constant": (), "linear": tuple(range(self.inputs))}[self.trend]

    def model(self, x, y):
        terms = self.terms or [Term(self.kernel.removesuffix("-ard"), list(range(self.inputs)), self.kernel.endswith("-ard"))]
        return ExactModel(x, y, terms, self.columns_of_trend(), self.gamma)


def simulated(case):
    """Drawn from the model: inputs are standard normal; terms share tau."""
    source = numpy.random.default_rng([case.seed, case.rows, case.inputs])
    x = source.normal(size=(case.rows, case.inputs))
    sigma, tau, noise = case.theta
    model = case.model(x, source.normal(size=case.rows))
    model.x = x
    k = numpy.zeros((case.rows, case.rows))
    for term in model.terms:
        taus = numpy.broadcast_to(tau, case.inputs)[term.columns]
        k += sigma * shape_of(term.shape, model.squares(term.columns, taus))
    k[numpy.diag_indices_from(k)] += noise
    return x, numpy.linalg.cholesky(k) @ source.normal(size=case.rows) + case.slope * x[:, 0]


def table_of(case):
    if not case.table:
        return simulated(case)
    path, target = case.table
    with open(path) as lines:
        names = next(csv.reader(lines))
    values = numpy.genfromtxt(path, delimiter=",", skip_header=1)
    if case.rows < len(values):
        values = values[numpy.random.default_rng(case.seed).choice(len(values), case.rows, replace=False)]
    of_target = names.index(target)
    return numpy.delete(values, of_target, axis=1), values[:, of_target]


def cases(tables):
    both = [Term("rbf", [0]), Term("rbf", [1])]
    rough = [Term("rbf", [0, 1]), Term("matern12", [2])]
    concrete = ("data/concrete.csv", "strength")
    found = [
        Case("concrete", 1030, 8, "rbf", table=concrete),
        Case("concrete, gamma priors", 1030, 8, "rbf", table=concrete, gamma=True),
        Case("concrete, 400 rows", 400, 8, "rbf", table=concrete),
        Case("concrete, 600 rows", 600, 8, "matern32", table=concrete, seed=2),
        Case("concrete, trend", 1030, 8, "matern52", table=concrete, trend="linear"),
        Case("concrete-ard", 1030, 8, "rbf-ard", table=concrete),
        Case("line", 400, 1, "rbf", theta=(1, 5, 0.01)),
        Case("noisy line", 2000, 1, "rbf", theta=(1, 0.5, 0.5)),
        Case("plane", 500, 2, "rbf", theta=(1.5, 0.5, 0.1)),
        Case("plane, long", 500, 2, "rbf", theta=(1, 0.02, 0.3)),
        Case("plane, short", 800, 2, "rbf", theta=(1, 8, 0.05)),
        Case("noise", 600, 3, "rbf", theta=(1, 0.3, 1)),
        Case("eight", 800, 8, "rbf", theta=(1, 0.05, 0.1)),
        Case("rough", 500, 2, "matern12", theta=(1, 0.5, 0.1)),
        Case("matern", 700, 2, "matern32", theta=(1, 1, 0.05)),
        Case("constant", 700, 3, "matern52", theta=(1, 0.3, 0.1), trend="constant"),
        Case("slope", 500, 3, "rbf", theta=(1, 0.5, 0.1), trend="linear", slope=3),
        Case("ard 2", 500, 2, "rbf-ard", theta=(1, (0.3, 1.5), 0.1)),
        Case("ard 3", 600, 3, "matern32-ard", theta=(1, (0.2, 0.5, 1), 0.05)),
        Case("ard 4", 700, 4, "rbf-ard", theta=(1, (0.1, 0.2, 0.4, 0.8), 0.05)),
        Case("ard 8", 900, 8, "rbf-ard", theta=(1, (0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3), 0.02)),
        Case("sum", 500, 2, "rbf(x0)+rbf(x1)", both, theta=(1, 0.5, 0.1)),
        Case("rough sum", 600, 3, "rbf(x0,x1)+matern12(x2)", rough, theta=(1, 0.5, 0.05)),
        Case("anchored", 3200, 2, "rbf", theta=(1, 0.5, 0.1)),
        Case("anchored, rough", 3200, 3, "matern32", theta=(1, 0.5, 0.2), seed=2),
        Case("anchored, ard", 3200, 3, "rbf-ard", theta=(1, (0.1, 0.3, 0.9), 0.1)),
    ]
    for table in tables:
        path, target, rows = table.rsplit(":", 2)
        with open(path) as lines:
            inputs = len(next(csv.reader(lines))) - 1
        found.append(Case(f"{Path(path).stem}, {rows} rows", int(rows), inputs, "rbf", table=(path, target)))
    return found


def run(options, case, x, y, folder):
    names = [f"x{j}" for j in range(case.inputs)] + ["y"]
    numpy.savetxt(folder / "table.csv", numpy.column_stack([x, y]), delimiter=",", fmt="%.17g", header=",".join(names), comments="")
    more = [f"--trend={case.trend}"] if case.trend else []
    more += GAMMA_PRIORS if case.gamma else []
    command = [options.ulisse, "fit", str(folder / "table.csv"), "--target", "y", "--kernel", case.kernel, "--sampler", "ulisse", "--seed", str(case.seed),
               "--out", str(folder / "fit"), "--json", "--quiet", "--force", *more]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    # Each draw of a trend's coefficients takes a solve.
    if "certificate" in found["setup"] and not case.trend:
        again = [options.ulisse, "fit", "--resume", "--out", str(folder / "fit"), "--draws", str(options.draws), "--json", "--quiet"]
        found = json.loads(subprocess.run(again, check=True, capture_output=True, text=True).stdout)
    return found


def read_draws(folder, count):
    names = [p["name"] for p in json.loads((folder / "fit.json").read_text())["parameters"]]
    draws = []
    for path in sorted(folder.glob("chain_*.csv")):
        lines = (line for line in path.open() if not line.startswith("#"))
        draws += [[math.log(float(row[name])) for name in names] + [float(row["lp__"])] for row in csv.DictReader(lines)]
    draws = numpy.array(draws)
    assert draws.shape[1] == count + 1, "the model has other parameters"
    return draws[:, :-1], draws[:, -1]


def normalised(logs):
    weights = numpy.exp(logs - logs.max())
    return weights / weights.sum()


def figures(draws, weights):
    """Mean, sd and the 5 % and 95 % quantiles of each parameter, a row each."""
    mean = weights @ draws
    sd = numpy.sqrt(weights @ (draws - mean) ** 2)
    quantiles = []
    for level in (0.05, 0.95):
        order = numpy.argsort(draws, axis=0)
        reached = numpy.cumsum(weights[order], axis=0)
        quantiles.append([numpy.interp(level, reached[:, j], draws[order[:, j], j]) for j in range(draws.shape[1])])
    return numpy.array([mean, sd, *quantiles])


def compared(ours, truth, sd):
    """Differences of means and quantiles in sd, and of sd as a share."""
    away = (ours - truth) / sd
    return numpy.array([away[0], ours[1] / truth[1] - 1, away[2], away[3]])


def by_weights(draws, weights):
    """Differences of draws that have weights from the same draws without; of the covariance, too."""
    truth = figures(draws, weights)
    ours = figures(draws, numpy.full(len(draws), 1 / len(draws)))
    away = ours[0] - truth[0]
    covariance = numpy.cov(draws.T, aweights=weights)
    return compared(ours, truth, truth[1]), math.sqrt(away @ numpy.linalg.solve(covariance, away))


def judge_surrogate(model, draws, logs, samples, source):
    chosen = source.choice(len(draws), min(samples, len(draws)), replace=False)
    draws, logs = draws[chosen], logs[chosen]
    exact = numpy.array([model(psi) for psi in draws])
    ratios = exact - logs
    weights = normalised(ratios)
    found, whitened = by_weights(draws, weights)
    again = []
    for _ in range(50):
        picked = source.choice(len(draws), len(draws))
        again.append(by_weights(draws[picked], normalised(ratios[picked]))[0])
    return found, numpy.std(again, axis=0), whitened, 1 / (weights**2).sum(), len(draws)


def judge_draws(model, draws, found, samples, names, source):
    some = draws[source.choice(len(draws), min(len(draws), 20_000), replace=False)]
    mixture = proposals(some, 3, 1)
    places, _ = mixture.sample(samples)
    weights = normalised(numpy.array([model(psi) for psi in places]) - mixture.score_samples(places))
    truth = figures(places, weights)
    ours = figures(draws, numpy.full(len(draws), 1 / len(draws)))
    effective = 1 / (weights**2).sum()
    away = ours[0] - truth[0]
    ess = numpy.array([found["log_parameters"][name]["ess_bulk"] for name in names])
    tails = numpy.array([found["log_parameters"][name]["ess_tail"] for name in names])
    error = numpy.sqrt(1 / ess + 1 / effective)
    of_tails = 2 * numpy.sqrt(1 / tails + 1 / effective)
    errors = numpy.array([error, error / math.sqrt(2), of_tails, of_tails])
    covariance = numpy.cov(places.T, aweights=weights)
    return compared(ours, truth, truth[1]), errors, math.sqrt(away @ numpy.linalg.solve(covariance, away)), effective, samples


def steps_of(setup):
    if "certificate" in setup:
        return "surrogate"
    if setup["exact"]:
        return "corrected" if setup["proposal_acceptance"] > 0 else "exact"
    return "langevin"


def row_of(options, case):
    source = numpy.random.default_rng(case.seed)
    x, y = table_of(case)
    model = case.model(x, y)
    with tempfile.TemporaryDirectory(prefix="judge-certificates") as name:
        start = time.time()
        fit = run(options, case, x, y, Path(name))
        seconds = time.time() - start
        names = list(fit["log_parameters"])
        draws, logs = read_draws(Path(name) / "fit", sum(1 + term.taus for term in model.terms) + 1)
    setup, steps = fit["setup"], steps_of(fit["setup"])
    samples = options.samples if case.rows <= 1200 else max(60, options.samples // 4)
    if steps == "surrogate":
        found, errors, whitened, effective, samples = judge_surrogate(model, draws, logs, samples, source)
    else:
        found, errors, whitened, effective, samples = judge_draws(model, draws, fit, 4 * samples, names, source)
    worst = numpy.abs(found)
    limits = numpy.array([MOST_MEAN, MOST_SD, MOST_QUANTILE, MOST_QUANTILE])[:, None]
    certificate = setup["certificate"]["limit"] if steps == "surrogate" else None
    bias = fit.get("bias") or {}
    of_means = math.hypot(*(bias.get(key) or 0 for key in BIAS_OF_MEANS))
    holds = None if certificate is None else bool((worst[0] <= math.hypot(certificate, of_means) + ERRORS * errors[0]).all())
    place = worst[0].argmax(), worst[1].argmax(), numpy.unravel_index(worst[2:].argmax(), worst[2:].shape)
    quantile = place[2][0] + 2, place[2][1]
    return [case.name, case.rows, case.inputs, draws.shape[1], case.kernel, case.trend, steps, setup["surrogate_gradients"], certificate, of_means,
            worst[0].max(), whitened, errors[0][place[0]], worst[1].max(), errors[1][place[1]], worst[2:].max(), errors[quantile],
            effective, samples, seconds, holds, bool((worst <= limits + ERRORS * errors).all())]


def shown(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ulisse", default="build/ulisse")
    parser.add_argument("--quick", action="store_true", help="three small tables alone")
    parser.add_argument("--table", action="append", default=[], metavar="FILE:TARGET:ROWS", help="another table, or rows of it drawn at random")
    parser.add_argument("--case", action="append", help="by name; default all")
    parser.add_argument("--samples", type=int, default=400, help="exact densities for a case; a quarter beyond 1,200 rows, four times where no surrogate is certified")
    parser.add_argument("--draws", type=int, default=5000, help="of each of 4 chains, from a surrogate")
    parser.add_argument("--out", help="a CSV file for the results, which is added to where it is there")
    options = parser.parse_args()
    chosen = [case for case in cases(options.table) if not options.case or case.name in options.case]
    if options.quick:
        chosen = [case for case in chosen if case.name in ("line", "plane", "ard 2")]
    rows = []
    print("| " + " | ".join(COLUMNS) + " |\n|" + " --- |" * len(COLUMNS), flush=True)
    for case in chosen:
        rows.append(row_of(options, case))
        print("| " + " | ".join(shown(value) for value in rows[-1]) + " |", flush=True)
        if options.out:
            with open(options.out, "a", newline="") as file:
                writer = csv.writer(file)
                if file.tell() == 0:
                    writer.writerow(COLUMNS)
                writer.writerow([shown(value) for value in rows[-1]])
    certified = [row for row in rows if row[COLUMNS.index("holds")] is not None]
    held = sum(row[COLUMNS.index("holds")] for row in certified)
    right = sum(row[COLUMNS.index("right")] for row in rows)
    print(f"\n{held} of {len(certified)} certificates hold; {right} of {len(rows)} fits are within the limits")
    sys.exit(0 if held >= 0.95 * len(certified) and right == len(rows) else 1)


if __name__ == "__main__":
    main()
