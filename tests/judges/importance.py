"""The posterior of a table by importance sampling from a mixture of Gaussians, with a Cholesky factor of K for each sample.

The mixture is fitted to the draws of a fit, which decides how many samples are worth something but not what they say: a mode that
the fit has too few draws of is given its share by the weights. Prints what script/judge-samplers takes as --exact-summary.
"""

import argparse
import csv
import json
import math
import sys
from pathlib import Path

import numpy
from scipy.linalg import lapack, solve_triangular
from sklearn.mixture import GaussianMixture


class Posterior:
    """The log density of log parameters, written from docs/method/model.md: rbf kernels, gamma(1,1) priors."""

    def __init__(self, x, y):
        self.x = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
        self.y = (y - y.mean()) / y.std(ddof=1)

    def __call__(self, psi):
        theta = numpy.exp(psi)
        sigma, tau, noise = theta[0], theta[1:-1], theta[-1]
        z = self.x * numpy.sqrt(tau)
        squares = (z * z).sum(axis=1)
        k = sigma * numpy.exp(-numpy.maximum(squares[:, None] + squares - 2 * z @ z.T, 0))
        k[numpy.diag_indices_from(k)] = sigma + noise
        factor, failed = lapack.dpotrf(k, lower=1, overwrite_a=1)
        if failed:
            return -math.inf
        a = solve_triangular(factor, self.y, lower=True, check_finite=False)
        likelihood = -numpy.log(numpy.diag(factor)).sum() - 0.5 * a @ a - 0.5 * len(a) * math.log(2 * math.pi)
        return likelihood + (psi - theta).sum()


def read_fit(folder):
    """Inputs, target, names of parameters, and the draws of log parameters with their log densities."""
    about = json.loads((folder / "fit.json").read_text())
    names = [p["name"] for p in about["parameters"]]
    if any(p["prior"] != "gamma(1,1)" for p in about["parameters"]):
        sys.exit("importance.py knows gamma(1,1) priors alone")
    table = list(csv.DictReader((folder / "data.csv").open()))
    data = about["data"]
    x = numpy.array([[float(row[name]) for name in data["features"]] for row in table])
    y = numpy.array([float(row[data["target"]]) for row in table])
    draws = []
    for path in sorted(folder.glob("chain_*.csv")):
        lines = [line for line in path.open() if not line.startswith("#")]
        draws += [[math.log(float(row[name])) for name in names] + [float(row["lp__"])] for row in csv.DictReader(lines) if None not in row.values()]
    draws = numpy.array(draws)
    return x, y, names, draws[:, :-1], draws[:, -1]


def proposals(draws, components, seed):
    """A mixture that is a little wider than the draws, and goes to small parts of them more often than their share says."""
    mixture = GaussianMixture(components, random_state=seed, reg_covar=1e-4).fit(draws)
    mixture.weights_ = numpy.sqrt(mixture.weights_) / numpy.sqrt(mixture.weights_).sum()
    mixture.precisions_cholesky_ /= math.sqrt(1.2)
    mixture.covariances_ *= 1.2
    return mixture


def quantile(values, weights, level):
    order = numpy.argsort(values)
    return values[order][numpy.searchsorted(numpy.cumsum(weights[order]), level)]


def effective(values, weights):
    """As many independent draws would give the mean's error."""
    mean = weights @ values
    return weights @ (values - mean) ** 2 / (weights**2 @ (values - mean) ** 2)


def summary_of(values, weights):
    mean = weights @ values
    q5, q95 = (quantile(values, weights, level) for level in (0.05, 0.95))
    tails = [effective((values < q).astype(float), weights) for q in (q5, q95)]
    return {
        "mean": mean,
        "sd": math.sqrt(weights @ (values - mean) ** 2),
        "q5": q5,
        "q95": q95,
        "ess_bulk": effective(values, weights),
        "ess_tail": min(tails),
    }


def weigh(fit, samples, components, seed):
    """Names of parameters, samples of their logarithms, and weights that make them the posterior's."""
    x, y, names, draws, densities = read_fit(fit)
    posterior = Posterior(x, y)
    # Those of stochastic gradients have none.
    if densities[0] != 0 and abs(posterior(draws[0]) - densities[0]) > 1e-6:
        sys.exit(f"densities differ: {posterior(draws[0])} here, {densities[0]} in the fit")
    source = numpy.random.default_rng(seed)
    some = draws[source.choice(len(draws), min(len(draws), 20_000), replace=False)]
    mixture = proposals(some, components, seed)
    samples, _ = mixture.sample(samples)
    logs = numpy.empty(len(samples))
    for i, psi in enumerate(samples):
        logs[i] = posterior(psi)
        if sys.stderr.isatty() and i % 100 == 0:
            print(f"\r{i} of {len(samples)}", end="", file=sys.stderr)
    logs -= mixture.score_samples(samples)
    weights = numpy.exp(logs - logs.max())
    return names, samples, weights / weights.sum()


def summary(names, samples, weights):
    return {
        "samples": len(samples),
        "effective": 1 / (weights**2).sum(),
        "largest_weight": weights.max(),
        "log_parameters": {name: summary_of(samples[:, j], weights) for j, name in enumerate(names)},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fit", type=Path, help="a folder of ulisse fit, kernel rbf or rbf-ard")
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--components", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--above", help="NAME=VALUE: also the share of the posterior where the log parameter is above it")
    options = parser.parse_args()
    names, samples, weights = weigh(options.fit, options.samples, options.components, options.seed)
    result = summary(names, samples, weights)
    if options.above:
        name, value = options.above.split("=")
        there = (samples[:, names.index(name)] > float(value)).astype(float)
        share = weights @ there
        result["share_above"] = {"share": share, "error": math.sqrt(weights**2 @ (there - share) ** 2)}
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
