"""Predictions of held-out Concrete rows over random 90/10 splits, beside scikit-learn's GaussianProcessRegressor.

scikit-learn maximises the likelihood of the same model (ConstantKernel * RBF + WhiteKernel, inputs and target standardised, two restarts).
Prints a Markdown table of root mean squared error and mean negative log predictive density, mean and standard error over splits.
"""

import argparse
import csv
import json
import math
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel


def read(path, target):
    with open(path) as file:
        rows = list(csv.reader(file))
    values = np.array(rows[1:], dtype=float)
    at = rows[0].index(target)
    return rows[0], values, at


def write(path, header, values):
    lines = [",".join(header), *(",".join(map(repr, map(float, row))) for row in values)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def ours(options, folder, header, train, new, target, seed):
    fit = [options.ulisse, "fit", write(folder / "train.csv", header, train), "--target", target, "--sampler", "mh", "--draws", str(options.draws),
           "--seed", str(seed), "--out", str(folder / "fit"), "--force", "--quiet"]
    subprocess.run(fit, check=True, capture_output=True)
    predict = [options.ulisse, "predict", str(folder / "fit"), write(folder / "new.csv", header, new), "--out", str(folder / "predictions.csv"),
               "--json", "--quiet"]
    found = json.loads(subprocess.run(predict, check=True, capture_output=True, text=True).stdout)
    return found["scores"], found["scores_at_the_mode"]


def sklearn_scores(train, new, at, seed):
    mean, sd = train.mean(axis=0), train.std(axis=0, ddof=1)
    scaled = [(part - mean) / sd for part in (train, new)]
    (x, y), (x_new, y_new) = [(np.delete(part, at, axis=1), part[:, at]) for part in scaled]
    kernel = ConstantKernel(1.0, (1e-3, 1e4)) * RBF(1.0, (1e-2, 1e3)) + WhiteKernel(0.1, (1e-6, 1e1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GaussianProcessRegressor(kernel, n_restarts_optimizer=2, random_state=seed).fit(x, y)
    predicted, spread = model.predict(x_new, return_std=True)
    error = (y_new - predicted) * sd[at]
    spread = spread * sd[at]
    nlpd = 0.5 * np.log(2 * np.pi * spread**2) + 0.5 * (error / spread) ** 2
    return {"rmse": math.sqrt((error**2).mean()), "nlpd": nlpd.mean()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ulisse", default="build/ulisse")
    parser.add_argument("--data", default="data/concrete.csv")
    parser.add_argument("--target", default="strength")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--draws", type=int, default=250, help="of each of 4 chains")
    options = parser.parse_args()
    header, values, at = read(options.data, options.target)
    folder = Path(tempfile.mkdtemp(prefix="splits"))
    results = {"ulisse, averaged over the posterior": [], "ulisse, with the mode alone": [], "scikit-learn": []}
    for seed in range(options.splits):
        order = np.random.default_rng(seed).permutation(len(values))
        cut = len(values) - len(values) // 10
        train, new = values[order[:cut]], values[order[cut:]]
        averaged, mode = ours(options, folder, header, train, new, options.target, seed + 1)
        for name, scores in zip(results, [averaged, mode, sklearn_scores(train, new, at, seed)]):
            results[name].append((scores["rmse"], scores["nlpd"]))
    print("| predictor | RMSE | its error | NLPD | its error |\n| --- | ---: | ---: | ---: | ---: |")
    for name, scores in results.items():
        scores = np.array(scores)
        mean, error = scores.mean(axis=0), scores.std(axis=0, ddof=1) / math.sqrt(len(scores))
        print(f"| {name} | {mean[0]:.3f} | {error[0]:.3f} | {mean[1]:.4f} | {error[1]:.4f} |")
    first, last = (np.array(results[name]) for name in ("ulisse, averaged over the posterior", "scikit-learn"))
    gain = last - first
    print(f"\nscikit-learn minus ulisse, split by split: RMSE {gain[:, 0].mean():+.4f} (error {gain[:, 0].std(ddof=1) / math.sqrt(len(gain)):.4f}), "
          f"NLPD {gain[:, 1].mean():+.5f} (error {gain[:, 1].std(ddof=1) / math.sqrt(len(gain)):.5f})")


if __name__ == "__main__":
    main()
