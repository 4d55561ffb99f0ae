"""Forecasts and maps of tables that come with R, beside scikit-learn and gstat, as Markdown tables."""

import argparse
import csv
import json
import math
import subprocess
import warnings
from pathlib import Path

import numpy as np

ULISSE = str(Path(__file__).resolve().parents[2] / "build" / "ulisse")
HERE = Path(__file__).resolve().parent
Z90 = 1.6448536269514722


def read(path):
    with open(path) as file:
        return {name: np.array(values, dtype=float) for name, *values in zip(*csv.reader(file))}


def write(path, columns):
    rows = [",".join(map(repr, map(float, row))) for row in zip(*columns.values())]
    path.write_text("\n".join([",".join(columns), *rows]) + "\n")
    return path


def rows_of(columns, which):
    return {name: values[which] for name, values in columns.items()}


def gaussian_scores(y, mean, sd):
    """Of Gaussian predictions, as ulisse predict scores mixtures."""
    z = (y - mean) / sd
    below = np.array([0.5 * (1 + math.erf(v / math.sqrt(2))) for v in z])
    density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return {"rmse": math.sqrt(((y - mean) ** 2).mean()), "nlpd": (0.5 * np.log(2 * np.pi * sd**2) + z * z / 2).mean(),
            "crps": (sd * (z * (2 * below - 1) + 2 * density - 1 / math.sqrt(math.pi))).mean(), "coverage": (abs(z) <= Z90).mean()}


def ours(folder, train, new, target, options):
    """The scores of the mixture over draws, and what the summary says."""
    run = lambda *arguments: subprocess.run([ULISSE, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    run("fit", write(folder / "train.csv", train), "--target", target, "--out", folder / "fit", "--force", "--quiet", *options)
    predicted = json.loads(run("predict", folder / "fit", write(folder / "new.csv", new), "--out", folder / "predictions.csv", "--json", "--quiet"))
    return predicted["scores"], json.loads(run("summary", folder / "fit", "--json"))


def show(title, rows):
    print(f"\n{title}\n\n| | RMSE | NLPD | CRPS | within the 90 % interval |\n| --- | ---: | ---: | ---: | ---: |")
    for name, s in rows:
        print(f"| {name} | {s['rmse']:.3f} | {s['nlpd']:.3f} | {s['crps']:.3f} | {100 * s['coverage']:.0f} % |")


# What one knows of such a series: a rise over decades, a season that hardly changes, and weather of months to a few years.
CO2 = ["--trend", "year", "--kernel", "rbf(year) + periodic(year,1)*rbf(year) + matern32(year)", "--prior-units", "data",
       "--prior", "lengthscale.1=lognormal(4,0.5)", "--prior", "signal_sd.1=lognormal(3.5,1)",
       "--prior", "lengthscale.2.rbf_year=lognormal(4,1)", "--prior", "signal_sd.2=lognormal(1,1)",
       "--prior", "lengthscale.3=lognormal(0,1)", "--prior", "signal_sd.3=lognormal(-0.5,1)",
       "--sampler", "nuts", "--draws", "150"]


def sklearn_co2(train, new):
    """The example of its handbook: maximum likelihood of a sum of four kernels."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ExpSineSquared, RationalQuadratic, WhiteKernel

    kernel = (50.0**2 * RBF(50.0) + 2.0**2 * RBF(100.0) * ExpSineSquared(1.0, 1.0, periodicity_bounds="fixed")
              + 0.5**2 * RationalQuadratic(length_scale=1.0, alpha=1.0) + 0.1**2 * RBF(0.1) + WhiteKernel(0.1**2, (1e-5, 1e5)))
    mean = train["co2"].mean()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GaussianProcessRegressor(kernel, normalize_y=False).fit(train["year"][:, None], train["co2"] - mean)
    predicted, sd = model.predict(new["year"][:, None], return_std=True)
    return gaussian_scores(new["co2"], predicted + mean, sd)


def judge_co2(folder):
    table = read(folder / "co2.csv")
    later = table["year"] >= 1986 - 1e-6
    train, new = rows_of(table, ~later), rows_of(table, later)
    scores, summary = ours(folder, train, new, "co2", CO2)
    show(f"CO2, {len(train['co2'])} months to 1985, forecast of {len(new['co2'])} to 1997, ppm",
         [("ulisse", scores), ("scikit-learn, maximum likelihood", sklearn_co2(train, new))])
    print("\nwarnings:", *summary["warnings"] or ["none"])


def pooled(folds):
    rows = np.array([n for n, _ in folds], dtype=float)
    mean = lambda key, power=1: (rows * np.array([s[key] ** power for _, s in folds])).sum() / rows.sum()
    return {"rmse": math.sqrt(mean("rmse", 2)), **{key: mean(key) for key in ("nlpd", "crps", "coverage")}}


def judge_meuse(folder):
    table = read(folder / "meuse.csv")
    fold, inputs = table.pop("fold"), table
    folds = []
    for number in np.unique(fold):
        held_out = fold == number
        scores, _ = ours(folder, rows_of(inputs, ~held_out), rows_of(inputs, held_out), "logzinc",
                         ["--trend", "sqrtdist", "--kernel", "matern12-ard(x,y)", "--sampler", "nuts", "--draws", "200"])
        folds.append((held_out.sum(), scores))
    subprocess.run(["Rscript", "--vanilla", str(HERE / "kriging.R"), str(folder / "meuse.csv"), str(folder / "kriged.csv")], check=True)
    kriged = read(folder / "kriged.csv")
    show(f"Meuse, log zinc in {len(fold)} places, ten-fold",
         [("ulisse", pooled(folds)), ("gstat, universal kriging", gaussian_scores(table["logzinc"], kriged["mean"], np.sqrt(kriged["variance"])))])


def judge_satellite(folder, data):
    train, new = read(data / "satellite_train.csv"), read(data / "satellite_test.csv")
    scores, summary = ours(folder, train, new, "temperature", ["--trend", "constant", "--kernel", "matern12-ard(lon,lat)"])
    show(f"Satellite, {len(train['lon'])} rows, {len(new['lon'])} held out, degrees", [("ulisse", scores)])
    print("\nwarnings:", *summary["warnings"] or ["none"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--satellite", type=Path)
    options = parser.parse_args()
    judge_co2(options.folder)
    judge_meuse(options.folder)
    if options.satellite:
        judge_satellite(options.folder, options.satellite)


if __name__ == "__main__":
    main()
