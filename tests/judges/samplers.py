"""The sampler ulisse against nuts, on the exact likelihood: mean, sd and quantiles of each log parameter.

Limits: means within 0.1 posterior standard deviations, standard deviations within 10 %, 5 % and 95 % quantiles within
0.15 standard deviations, each with three Monte Carlo errors of both runs on top.
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path


def cholesky(a):
    n = len(a)
    for j in range(n):
        row = a[j]
        for k in range(j):
            row[k] = (row[k] - sum(x * y for x, y in zip(a[k][:k], row[:k]))) / a[k][k]
        row[j] = math.sqrt(row[j] - sum(x * x for x in row[:j]))
    return a


def simulated(path, n, d, sigma, tau, noise, seed):
    """A table drawn from the model itself."""
    source = random.Random(seed)
    x = [[source.gauss(0, 1) for _ in range(d)] for _ in range(n)]

    def k(i, j):
        return sigma * math.exp(-tau * sum((p - q) ** 2 for p, q in zip(x[i], x[j]))) + (noise if i == j else 0)

    factor = cholesky([[k(i, j) for j in range(i + 1)] for i in range(n)])
    z = [source.gauss(0, 1) for _ in range(n)]
    y = [sum(p * q for p, q in zip(row, z)) for row in factor]
    lines = [",".join([f"x{j}" for j in range(d)] + ["y"])]
    lines += [",".join(f"{v:.12g}" for v in [*row, value]) for row, value in zip(x, y)]
    path.write_text("\n".join(lines) + "\n")


def fit(ulisse, table, target, options, out):
    command = [ulisse, "fit", str(table), "--target", target, "--out", str(out), "--json", "--quiet", "--force", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def compare(name, seed, nuts, ours):
    """Rows of a Markdown table, and whether all is within the limits."""
    good = True
    for parameter, truth in nuts["log_parameters"].items():
        seen = ours["log_parameters"][parameter]
        sd = truth["sd"]
        error = math.sqrt(1 / truth["ess_bulk"] + 1 / seen["ess_bulk"])
        tail = 2 * math.sqrt(1 / truth["ess_tail"] + 1 / seen["ess_tail"])
        differences = {
            "mean": ((seen["mean"] - truth["mean"]) / sd, 0.1 + 3 * error),
            "sd": (seen["sd"] / sd - 1, 0.1 + 3 * error / math.sqrt(2)),
            "q5": ((seen["q5"] - truth["q5"]) / sd, 0.15 + 3 * tail),
            "q95": ((seen["q95"] - truth["q95"]) / sd, 0.15 + 3 * tail),
        }
        within = all(abs(value) < limit for value, limit in differences.values())
        good = good and within
        cells = " | ".join(f"{value:+.3f}" for value, _ in differences.values())
        print(f"| {name} | {seed} | log {parameter} | {cells} | {error:.3f} | {'yes' if within else '**no**'} |", flush=True)
    for warning in ours["warnings"]:
        print(f"\nwarning of ulisse, {name}, seed {seed}: {warning}\n")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ulisse", default="build/ulisse")
    parser.add_argument("--draws", type=int, default=2000, help="of each of ulisse's 4 chains; nuts takes half")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--case", action="append", help="concrete, concrete-ard, simulated; or FILE:TARGET")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="judge-samplers"))
    print("| data | seed | parameter | mean | sd | 5 % | 95 % | error | within |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |")
    good = True
    for case in options.case or ["concrete", "simulated", "concrete-ard"]:
        table, target, more = Path("data/concrete.csv"), "strength", []
        if case == "simulated":
            table, target = folder / "simulated.csv", "y"
            simulated(table, 500, 2, sigma=1.5, tau=0.5, noise=0.1, seed=1)
        elif case == "concrete-ard":
            more = ["--kernel", "rbf-ard"]
        elif case != "concrete":
            table, target = Path(case.rpartition(":")[0]), case.rpartition(":")[2]
        name = case if case in ("concrete", "concrete-ard", "simulated") else table.stem
        nuts = fit(options.ulisse, table, target, [*more, "--sampler", "nuts", "--draws", str(options.draws // 2)], folder / "nuts")
        for seed in range(1, options.seeds + 1):
            arguments = [*more, "--sampler", "ulisse", "--draws", str(options.draws), "--seed", str(seed)]
            good = compare(name, seed, nuts, fit(options.ulisse, table, target, arguments, folder / "ours")) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
