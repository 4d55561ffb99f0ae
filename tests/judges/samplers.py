"""A sampler against nuts or mh, on the exact likelihood: mean, sd and quantiles of each log parameter; nuts on Concrete against importance sampling.

Limits: means within 0.1 posterior standard deviations, standard deviations within 10 %, 5 % and 95 % quantiles within
0.15 standard deviations. "yes" is within them; "allowed" is within them with three Monte Carlo errors of both runs on top.
"""

import argparse
import itertools
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from simulate import simulate


# What the numbers below, importance.py and gp.stan have.
GAMMA_PRIORS = [f"--prior={name}=gamma(1,1)" for name in ("sigma", "tau", "lambda")]


def fit(ulisse, table, target, options, out):
    command = [ulisse, "fit", str(table), "--target", target, "--out", str(out), "--json", "--quiet", "--force", *GAMMA_PRIORS, *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


# Importance sampling from a Gaussian at the mode, with Cholesky; done elsewhere.
CONCRETE = {
    "sigma": {"mean": 1.834, "sd": 0.240, "ess_bulk": 2559},
    "tau": {"mean": -2.518, "sd": 0.134, "ess_bulk": 2559},
    "lambda": {"mean": -2.706, "sd": 0.0628, "ess_bulk": 2559},
}


def differences(truth, seen):
    """What is compared, as a triple of difference, limit, and three Monte Carlo errors."""
    sd = truth["sd"]
    error = math.sqrt(1 / truth["ess_bulk"] + 1 / seen["ess_bulk"])
    yield (seen["mean"] - truth["mean"]) / sd, 0.1, 3 * error
    yield seen["sd"] / sd - 1, 0.1, 3 * error / math.sqrt(2)
    if "ess_tail" in truth:
        tail = 2 * math.sqrt(1 / truth["ess_tail"] + 1 / seen["ess_tail"])
        yield (seen["q5"] - truth["q5"]) / sd, 0.15, 3 * tail
        yield (seen["q95"] - truth["q95"]) / sd, 0.15, 3 * tail


def compare(name, sampler, seed, truth, fit):
    """Rows of a Markdown table, and whether all is within the limits."""
    good = True
    for parameter, exact in truth.items():
        seen = fit["log_parameters"][parameter]
        found = list(differences(exact, seen))
        within = all(abs(value) < limit for value, limit, _ in found)
        allowed = all(abs(value) < limit + error for value, limit, error in found)
        good = good and allowed
        cells = [f"{value:+.3f}" for value, *_ in found] + [""] * (4 - len(found))
        error = math.sqrt(1 / exact["ess_bulk"] + 1 / seen["ess_bulk"])
        verdict = "yes" if within else "allowed" if allowed else "**no**"
        print(f"| {name} | {sampler} | {seed} | log {parameter} | {' | '.join(cells)} | {error:.3f} | {verdict} |", flush=True)
    for warning in fit["warnings"]:
        print(f"\nwarning of {sampler}, {name}, seed {seed}: {warning}\n")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ulisse", default="build/ulisse")
    parser.add_argument("--sampler", action="append", help="that is compared: ulisse, or with its own number of draws sgld:5000")
    parser.add_argument("--exact", default="nuts", help="nuts or mh")
    parser.add_argument("--draws", type=int, default=2000, help="of each of 4 chains, where a sampler has no number of its own")
    parser.add_argument("--exact-draws", type=int, default=1000)
    parser.add_argument("--exact-summary", help="what fit --json printed for an exact sampler before, with one --case")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--case", action="append", help="concrete, concrete-ard, simulated; or FILE:TARGET")
    parser.add_argument("--kernel", default="rbf", help="of all cases but concrete-ard")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="judge-samplers"))
    print("| data | sampler | seed | parameter | mean | sd | 5 % | 95 % | error | within |")
    print("| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |")
    good = True
    for case in options.case or ["concrete", "simulated", "concrete-ard"]:
        table, target, more = Path("data/concrete.csv"), "strength", ["--kernel", options.kernel]
        if case == "simulated":
            table, target = folder / "simulated.csv", "y"
            simulate(table, 500, 2, (1.5, 0.5, 0.1), seed=1)
        elif case == "concrete-ard":
            more = ["--kernel", "rbf-ard"]
        elif case != "concrete":
            table, target = Path(case.rpartition(":")[0]), case.rpartition(":")[2]
        name = case if case in ("concrete", "concrete-ard", "simulated") else table.stem
        arguments = [*more, "--sampler", options.exact, "--draws", str(options.exact_draws)]
        if options.exact_summary:
            exact = json.loads(Path(options.exact_summary).read_text())
        else:
            exact = fit(options.ulisse, table, target, arguments, folder / "exact")
        truth = exact["log_parameters"]
        if case == "concrete":
            good = compare("concrete, importance sampling", options.exact, 1, CONCRETE, exact) and good
        for sampler, seed in itertools.product(options.sampler or ["ulisse"], range(1, options.seeds + 1)):
            sampler, _, draws = sampler.partition(":")
            arguments = [*more, "--sampler", sampler, "--draws", draws or str(options.draws), "--seed", str(seed)]
            ours = fit(options.ulisse, table, target, arguments, folder / "ours")
            good = compare(name, sampler, seed, truth, ours) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
