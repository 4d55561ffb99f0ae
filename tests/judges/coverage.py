"""Known truth: intervals of the sampler ulisse on tables drawn from the model, parameters drawn from their priors.

Over many tables the 90 % intervals must cover the truth nine times in ten: the number covered, of each parameter, must lie where
a binomial's would but once in a thousand (for each). One table of --large rows or more must give its parameters back within four
posterior standard deviations.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from simulate import simulate

# Means and standard deviations of log(theta): the priors of the fits, too.
PRIORS = {"sigma": (0.0, 0.5), "tau": (-1.5, 0.5), "lambda": (-2.0, 0.5)}


def fit(options, table, seed, out):
    priors = [f"--prior={name}=lognormal({mean},{sd})" for name, (mean, sd) in PRIORS.items()]
    command = [options.ulisse, "fit", str(table), "--target", "y", "--sampler", options.sampler, "--no-standardise", *priors,
               "--draws", str(options.draws), "--seed", str(seed), "--out", str(out), "--force", "--json", "--quiet"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def binomial_limits(count, p, rate):
    """The least and the largest number of successes that are not too rare: tails of rate/2 each."""
    weights = [math.comb(count, i) * p**i * (1 - p) ** (count - i) for i in range(count + 1)]
    low = next(i for i in range(count + 1) if sum(weights[: i + 1]) > rate / 2)
    high = next(i for i in range(count, -1, -1) if sum(weights[i:]) > rate / 2)
    return low, high


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ulisse", default="build/ulisse")
    parser.add_argument("--sampler", default="ulisse")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--inputs", type=int, default=3)
    parser.add_argument("--draws", type=int, default=250, help="of each of 4 chains")
    parser.add_argument("--large", type=int, nargs="*", default=[10000, 20000], help="rows of tables of which one is enough")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="judge-coverage"))
    names = list(PRIORS)
    covered, good = {name: 0 for name in names}, True

    def one(seed, rows):
        source = numpy.random.default_rng([seed, rows])
        truth = {name: mean + sd * source.normal() for name, (mean, sd) in PRIORS.items()}
        table = folder / "table.csv"
        simulate(table, rows, options.inputs, [math.exp(v) for v in truth.values()], seed)
        summary = fit(options, table, seed, folder / "fit")
        print(f"n = {rows}, table {seed}, {summary['seconds_per_independent_sample']:.3g} s a sample:", end="")
        for name in names:
            seen = summary["log_parameters"][name]
            print(f"  {name} {(truth[name] - seen['mean']) / seen['sd']:+.2f}", end="")
        print("".join(f"\n  warning: {w}" for w in summary["warnings"]), flush=True)
        return truth, summary

    print("true values of log(theta), in posterior standard deviations from their means")
    for seed in range(1, options.tables + 1):
        truth, summary = one(seed, options.rows)
        for name in names:
            seen = summary["log_parameters"][name]
            covered[name] += seen["q5"] <= truth[name] <= seen["q95"]
    if options.tables:
        low, high = binomial_limits(options.tables, 0.9, 1e-3)
        print(f"\n90 % intervals that cover the truth, of {options.tables} tables of {options.rows} rows; right is {low} to {high}:")
        for name, count in covered.items():
            print(f"  {name} {count}")
            good = good and low <= count <= high
    for rows in options.large:
        truth, summary = one(1, rows)
        for name in names:
            seen = summary["log_parameters"][name]
            good = good and abs(truth[name] - seen["mean"]) < 4 * seen["sd"]
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
