"""What a fit says in the units of the table: further columns of chain files, the summary, and the parts of predictions."""

import csv
import json
import math
import random

import numpy as np
import pytest

from conftest import MH, SGLD, ULISSE, Ulisse, gamma_priors

LONGER = ["--sampler", "mh", "--warmup", "100"]

SLOPE, LEVEL = 0.8, 40.0
TREND = ["--trend", "linear", "--kernel", "matern32", "--seed", "5"]


def write_slope(path, rows=120):
    """A slope in lat, a wiggle in lon, noise of 0.3; lat from 40 to 50, lon from 0 to 30."""
    source = random.Random(4)
    lines = ["lat,lon,y"]
    for _ in range(rows):
        lat, lon = source.uniform(40, 50), source.uniform(0, 30)
        lines.append(f"{lat},{lon},{LEVEL + SLOPE * lat + math.sin(lon / 4) + source.gauss(0, 0.3)}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def slope(tmp_path_factory):
    """A table with a slope, and a fit of it."""
    place = tmp_path_factory.mktemp("slope")
    table = write_slope(place / "table.csv")
    Ulisse().output("fit", table, "--target", "y", *LONGER, *gamma_priors(), "--draws", 300, *TREND, "--out", place / "fit", "--quiet")
    return table, place / "fit"


def chain(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    names = lines[0].split(",")
    values = np.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])
    return {name: values[:, j] for j, name in enumerate(names)}


def columns(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return lines[0].split(",")


def test_chain_files_have_them_behind_the_parameters(slope):
    _, fit = slope
    assert columns(fit / "chain_1.csv")[7:] == ["sigma", "tau", "lambda", "signal_sd", "noise_sd", "lengthscale.1", "lengthscale.2",
                                                "trend.intercept", "trend.lat", "trend.lon"]
    scaling = json.loads((fit / "fit.json").read_text())["scaling"]
    draws = chain(fit / "chain_2.csv")
    assert draws["signal_sd"] == pytest.approx(scaling["y_sd"] * np.sqrt(draws["sigma"]))
    assert draws["noise_sd"] == pytest.approx(scaling["y_sd"] * np.sqrt(draws["lambda"]))
    for j in (0, 1):
        assert draws[f"lengthscale.{j + 1}"] == pytest.approx(scaling["x_sd"][j] / np.sqrt(draws["tau"]))


def test_the_slope_that_made_the_table_is_found(ulisse, slope):
    _, fit = slope
    found = ulisse.json("summary", fit)
    quantities = found["quantities"]
    assert list(found)[:3] == ["fitted", "quantities", "parameters"]
    assert quantities["trend.lat"]["q5"] < SLOPE < quantities["trend.lat"]["q95"]
    assert quantities["trend.lat"]["sd"] < 0.2
    assert quantities["trend.lat"]["input"] == "lat" and quantities["lengthscale.2"]["input"] == "lon"
    assert quantities["noise_sd"]["q5"] < 0.3 < quantities["noise_sd"]["q95"]
    text = ulisse.output("summary", fit)
    assert text.index("in the table's units") < text.index("trend.lat") < text.index("\nparameter ")


def least_squares(table, fit):
    """Mean and covariance of the coefficients, in the table's units, for each draw of psi: the textbook's formulas."""
    about = json.loads((fit / "fit.json").read_text())
    rows = list(csv.DictReader(table.open()))
    x = np.array([[float(row["lat"]), float(row["lon"])] for row in rows])
    y = np.array([float(row["y"]) for row in rows])
    s = {key: np.array(value) for key, value in about["scaling"].items()}
    z, v = (x - s["x_mean"]) / s["x_sd"], (y - s["y_mean"]) / s["y_sd"]
    h = np.column_stack([np.ones(len(z)), z])
    squared = ((z[:, None, :] - z[None, :, :]) ** 2).sum(axis=2)
    # To the table's units: y = y_mean + y_sd (b_0 + sum b_k (x_k - x_mean_k) / x_sd_k)
    to_units = s["y_sd"] * np.diag([1, *(1 / s["x_sd"])])
    to_units[0, 1:] = -s["y_sd"] * s["x_mean"] / s["x_sd"]
    means, covariances = [], []
    for number in range(1, 5):
        draws = chain(fit / f"chain_{number}.csv")
        for sigma, tau, noise in zip(draws["sigma"], draws["tau"], draws["lambda"]):
            a = np.sqrt(3 * tau * squared)
            k = sigma * (1 + a) * np.exp(-a) + noise * np.eye(len(z))
            solved = np.linalg.solve(k, np.column_stack([h, v]))
            covariance = np.linalg.inv(h.T @ solved[:, :3] + np.eye(3) / 100)
            mean = covariance @ (h.T @ solved[:, 3])
            means.append(to_units @ mean + [s["y_mean"], 0, 0])
            covariances.append(to_units @ covariance @ to_units.T)
    return np.array(means), np.array(covariances)


# 1,200 draws, each from its own normal: z-scores beyond 4.5 once in 10^5.
def test_coefficients_are_drawn_from_what_least_squares_says_of_each_draw(slope):
    table, fit = slope
    means, covariances = least_squares(table, fit)
    for j, name in enumerate(["trend.intercept", "trend.lat", "trend.lon"]):
        drawn = np.concatenate([chain(fit / f"chain_{number}.csv")[name] for number in range(1, 5)])
        scores = (drawn - means[:, j]) / np.sqrt(covariances[:, j, j])
        count = len(scores)
        assert abs(scores.mean()) < 4.5 / math.sqrt(count)
        assert abs((scores**2).mean() - 1) < 4.5 * math.sqrt(2 / count)
        whole = math.sqrt(covariances[:, j, j].mean() + means[:, j].var())
        assert drawn.mean() == pytest.approx(means[:, j].mean(), abs=4.5 * whole / math.sqrt(count))
        assert drawn.std() == pytest.approx(whole, rel=0.1)


def test_they_are_the_same_on_any_number_of_threads_and_resumed(ulisse, slope, tmp_path):
    table, fit = slope
    common = ["fit", table, "--target", "y", *LONGER, *gamma_priors(), *TREND, "--quiet"]
    ulisse.output(*common, "--draws", 300, "--threads", 1, "--out", tmp_path / "one")
    ulisse.output(*common, "--draws", 37, "--out", tmp_path / "resumed")
    ulisse.output(*common, "--draws", 300, "--resume", "--out", tmp_path / "resumed")
    for number in range(1, 5):
        whole = chain(fit / f"chain_{number}.csv")
        for other in ("one", "resumed"):
            again = chain(tmp_path / other / f"chain_{number}.csv")
            assert all((whole[name] == again[name]).all() for name in whole), (other, number)


@pytest.mark.parametrize("sampler", [SGLD, ULISSE], ids=["sgld", "langevin"])
def test_samplers_without_the_exact_density_have_them_too(ulisse, tmp_path, sampler):
    table = write_slope(tmp_path / "table.csv")
    common = ["fit", table, "--target", "y", *sampler, *TREND, "--quiet"]
    ulisse.output(*common, "--out", tmp_path / "fit")
    found = ulisse.json("summary", tmp_path / "fit")["quantities"]["trend.lat"]
    assert found["q5"] - found["sd"] < SLOPE < found["q95"] + found["sd"]
    ulisse.output(*common, "--threads", 1, "--out", tmp_path / "one")
    assert (chain(tmp_path / "fit" / "chain_1.csv")["trend.lat"] == chain(tmp_path / "one" / "chain_1.csv")["trend.lat"]).all()


def without_quantities(path):
    """The file as an older version wrote it."""
    lines = path.read_text().splitlines()
    names = columns(path)
    count = names.index("signal_sd")
    path.write_text("".join((line if line.startswith("#") else ",".join(line.split(",")[:count])) + "\n" for line in lines))


def test_files_without_them_are_read_and_gone_on_with(ulisse, signal_table, tmp_path):
    common = ["fit", signal_table, "--target", "y", *MH, "--quiet", "--out", tmp_path / "fit"]
    ulisse.output(*common)
    before = ulisse.json("summary", tmp_path / "fit")["quantities"]
    files = sorted((tmp_path / "fit").glob("chain_*.csv"))
    for file in files:
        without_quantities(file)
    after = ulisse.json("summary", tmp_path / "fit")["quantities"]
    assert list(after) == list(before) == ["signal_sd", "noise_sd", "lengthscale.1", "lengthscale.2"]
    for name in before:
        assert after[name]["mean"] == pytest.approx(before[name]["mean"], rel=1e-12)
    ulisse.output("report", tmp_path / "fit", "--out", tmp_path / "r.html")


def test_other_columns_are_refused_by_resume(ulisse, slope, tmp_path):
    table, _ = slope
    common = ["fit", table, "--target", "y", *LONGER, *TREND, "--quiet", "--out", tmp_path / "fit"]
    ulisse.output(*common, "--draws", 200)
    file = tmp_path / "fit" / "chain_1.csv"
    file.write_text(file.read_text().replace("trend.lat", "trend.lax"))
    assert "has other columns than the parameters of the fit" in ulisse.refusal(*common, "--resume", "--draws", 250)


def test_fixed_parameters_have_them(ulisse, signal_table, tmp_path):
    ulisse.output("fit", signal_table, "--target", "y", *MH, "--fix", "lambda=0.05", "--fix", "tau=0.5", "--quiet", "--out", tmp_path / "fit")
    quantities = ulisse.json("summary", tmp_path / "fit")["quantities"]
    scaling = json.loads((tmp_path / "fit" / "fit.json").read_text())["scaling"]
    assert quantities["noise_sd"]["mean"] == pytest.approx(scaling["y_sd"] * math.sqrt(0.05))
    assert quantities["noise_sd"]["sd"] == pytest.approx(0, abs=1e-12) and quantities["noise_sd"]["rhat"] is None
    assert quantities["lengthscale.1"]["q50"] == pytest.approx(scaling["x_sd"][0])
    line = next(line for line in ulisse.output("summary", tmp_path / "fit").splitlines() if line.startswith("noise_sd"))
    assert line.split()[-3:] == ["-", "-", "-"]


@pytest.mark.parametrize("options", [[], ["--trend", "a"]])
def test_a_model_without_noise_has_them(ulisse, signal_table, tmp_path, options):
    ulisse.output("fit", signal_table, "--target", "y", *MH, "--kernel", "matern12", "--fix", "lambda=0", *options, "--quiet", "--out", tmp_path / "fit")
    quantities = ulisse.json("summary", tmp_path / "fit")["quantities"]
    assert quantities["noise_sd"]["q95"] == 0
    assert all(q["sd"] > 0 and math.isfinite(q["rhat"]) for name, q in quantities.items() if name != "noise_sd")
    assert ("trend.a" in quantities) == bool(options)


SUM = ["--kernel", "matern32(a) + rbf(b)"]


def test_the_summary_says_which_term_a_parameter_belongs_to(ulisse, signal_table, tmp_path):
    ulisse.output("fit", signal_table, "--target", "y", *MH, *SUM, "--quiet", "--out", tmp_path / "fit")
    found = ulisse.json("summary", tmp_path / "fit")
    assert found["parameters"]["tau.2"]["term"] == "rbf(b)"
    assert found["quantities"]["signal_sd.1"]["term"] == "matern32(a)" and "term" not in found["quantities"]["signal_sd"]
    lines = ulisse.output("summary", tmp_path / "fit").splitlines()
    assert any(line.startswith("lengthscale.2.b") and line.endswith("b in rbf(b)") for line in lines)
    assert any(line.startswith("sigma.1") and line.endswith("matern32(a)") for line in lines)


def table_of(path):
    with open(path) as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "fit"}


@pytest.mark.parametrize("method", ["exact", "float", "iterative"])
def test_components_add_up_to_the_function(ulisse, signal_table, tmp_path, method):
    ulisse.output("fit", signal_table, "--target", "y", *MH, *SUM, "--trend", "a", "--quiet", "--out", tmp_path / "fit")
    out = tmp_path / "p.csv"
    common = ["predict", tmp_path / "fit", signal_table, "--latent", "--draws", 20, "--method", method]
    text = ulisse.output(*common, "--components", "--out", out)
    assert "term.1     matern32(a)" in text and "trend      the trend" in text
    found = table_of(out)
    total = found["trend.mean"] + found["term.1.mean"] + found["term.2.mean"]
    assert total == pytest.approx(found["mean"], abs=1e-6 if method == "iterative" else 1e-9)
    assert all((found[f"{part}.sd"] > 0).all() for part in ("trend", "term.1", "term.2"))
    ulisse.output(*common, "--out", tmp_path / "without.csv")
    without = table_of(tmp_path / "without.csv")
    assert not any(name.startswith(("term", "trend")) for name in without)
    assert without["mean"] == pytest.approx(found["mean"], rel=1e-9)


def test_a_model_of_one_component_says_so(ulisse, signal_table, tmp_path):
    ulisse.output("fit", signal_table, "--target", "y", *MH, "--quiet", "--out", tmp_path / "fit")
    common = ["predict", tmp_path / "fit", signal_table, "--latent", "--components", "--out", tmp_path / "p.csv", "--force"]
    assert "The model has one component only: the function itself." in ulisse.output(*common)
    found = table_of(tmp_path / "p.csv")
    level = json.loads((tmp_path / "fit" / "fit.json").read_text())["scaling"]["y_mean"]
    assert found["trend.mean"] == pytest.approx(level) and (found["trend.sd"] < 1e-12).all()
    assert found["term.1.mean"] + level == pytest.approx(found["mean"]) and found["term.1.sd"] == pytest.approx(found["sd"])
    assert ulisse.json(*common)["components"] == {"trend": "constant: there is no trend", "term.1": "rbf"}


# Far out the kernel says nothing, and the trend with its uncertainty is all there is.
def test_predictions_far_from_the_data_follow_the_trend(ulisse, slope, table):
    _, fit = slope
    new = table("lat,lon\n1000,15\n")
    out = fit.parent / "far.csv"
    ulisse.output("predict", fit, new, "--latent", "--draws", 1200, "--components", "--out", out)
    found = table_of(out)
    draws = [chain(fit / f"chain_{number}.csv") for number in range(1, 5)]
    line = np.concatenate([d["trend.intercept"] + 1000 * d["trend.lat"] + 15 * d["trend.lon"] for d in draws])
    assert found["trend.mean"][0] == pytest.approx(line.mean(), abs=5 * line.std() / math.sqrt(len(line)))
    assert found["trend.sd"][0] == pytest.approx(line.std(), rel=0.1)
    assert found["mean"][0] == pytest.approx(found["trend.mean"][0], rel=1e-3)
    signal = np.concatenate([d["signal_sd"] for d in draws])
    assert found["sd"][0] ** 2 == pytest.approx(found["trend.sd"][0] ** 2 + (signal**2).mean(), rel=0.05)
