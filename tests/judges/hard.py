"""The sampler ulisse on hard tables of more rows than those of which it computes the exact density, against importance sampling.

Hardly any noise, a linear signal (K is nearly of low rank), inputs that come three times each, and none that matters. A fit must
agree with the exact posterior as in samplers.py, or warn.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from importance import summary, weigh
from samplers import compare, fit


def hardly_any_noise(source, n):
    x = source.normal(size=(n, 2))
    return x, numpy.sin(x[:, 0]) + numpy.cos(x[:, 1]) + 1e-4 * source.normal(size=n)


def huge_length_scale(source, n):
    x = source.normal(size=(n, 3))
    return x, x @ [1, 2, -1] + 0.2 * source.normal(size=n)


def duplicate_inputs(source, n):
    x = numpy.repeat(source.normal(size=(n // 3 + 1, 2)), 3, axis=0)[:n]
    return x, numpy.sin(2 * x[:, 0]) + 0.5 * x[:, 1] + 0.3 * source.normal(size=n)


def noise_alone(source, n):
    return source.normal(size=(n, 2)), source.normal(size=n)


def doubts(finding):
    """Whether draws are said not to be used, or another sampler is advised."""
    never = {"chains_disagree", "diagnostics_unknown", "mode_missed", "noise_in_tails", "steep_tails"}
    return finding["code"] in never or any(remedy["option"] == "sampler" for remedy in finding["remedies"])


def main():
    cases = [hardly_any_noise, huge_length_scale, duplicate_inputs, noise_alone]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ulisse", default="build/ulisse")
    parser.add_argument("--case", action="append", choices=[case.__name__ for case in cases], help="default all of them")
    parser.add_argument("--rows", type=int, default=3100)
    parser.add_argument("--draws", type=int, default=1000, help="of each of 4 chains")
    parser.add_argument("--samples", type=int, default=600, help="for importance sampling, each with a Cholesky factor of K")
    options = parser.parse_args()
    good = True
    print("| table | sampler | seed | parameter | mean | sd | 5 % | 95 % | error | within |")
    print("| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for case in cases:
        if options.case and case.__name__ not in options.case:
            continue
        folder = Path(tempfile.mkdtemp(prefix="judge-hard"))
        x, y = case(numpy.random.default_rng(1), options.rows)
        header = ",".join([f"x{j}" for j in range(x.shape[1])] + ["y"])
        numpy.savetxt(folder / "table.csv", numpy.column_stack([x, y]), delimiter=",", header=header, comments="")
        try:
            ours = fit(options.ulisse, folder / "table.csv", "y", ["--sampler", "ulisse", "--draws", str(options.draws)], folder / "fit")
        except subprocess.CalledProcessError as refused:
            print(f"\n{case.__name__}: {refused.stderr.strip()}\n", flush=True)
            continue
        truth = summary(*weigh(folder / "fit", options.samples, 3, 1))
        print(f"\n{case.__name__}: importance sampling, {truth['samples']} samples worth {truth['effective']:.0f}\n")
        agrees = compare(case.__name__, "ulisse", 1, truth["log_parameters"], ours)
        good = good and (agrees or any(doubts(finding) for finding in ours["findings"]))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
