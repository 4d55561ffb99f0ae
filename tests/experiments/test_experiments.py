"""Every experiment in its quick version: tables that can be read, figures that have something in them."""

import csv
import pathlib
import subprocess
import xml.etree.ElementTree

import pytest

EXPERIMENTS = pathlib.Path(__file__).resolve().parents[2] / "experiments"
NAMES = ["condition-numbers", "fast-products", "nested-pcg", "early-stop", "gradients", "concrete-mcmc", "census", "preconditioners", "truncation"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    out = tmp_path_factory.mktemp("experiments")
    ended = subprocess.run([EXPERIMENTS / "all", "--quick", "--out", out], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return out


def table(path):
    lines = path.read_text().splitlines()
    header = dict(line[2:].split(" = ", 1) for line in lines if line.startswith("#"))
    return header, list(csv.DictReader(line for line in lines if not line.startswith("#")))


def test_no_experiment_is_left_out():
    programs = {path.name for path in EXPERIMENTS.iterdir() if path.suffix == "" and path.is_file()}
    assert programs == {*NAMES, "all"}


@pytest.mark.parametrize("name", NAMES)
def test_table_and_figure(results, name):
    header, rows = table(results / f"{name}.csv")
    assert header["experiment"] == name and header["quick"] == "1" and header["seed"] == "1"
    assert len(header["data_sha256"]) == 16
    assert len(rows) > 5
    figure = xml.etree.ElementTree.parse(results / f"{name}.svg")
    assert len(list(figure.iter("{http://www.w3.org/2000/svg}path"))) > 10


def test_trees_and_double_precision_solve_alike(results):
    _, rows = table(results / "fast-products.csv")
    for row in rows:
        if row["products"] != "float":
            assert row["stop"] == "converged" and float(row["error"]) < 1e-4
    assert {row["products"] for row in rows} == {"double", "float", "kdtree", "anchors"}


def test_early_stops_save_iterations_and_cost_noise(results):
    _, rows = table(results / "early-stop.csv")
    for exact in (row for row in rows if row["solver"] == "CG"):
        same = [row for row in rows if row["condition_number"] == exact["condition_number"] and row["weights"] == "beta = 1"]
        assert all(float(row["iterations"]) < float(exact["iterations"]) for row in same)
        by_q = {row["q"]: float(row["average_sd"]) for row in same}
        assert 0 < by_q["0.1"] < by_q["1"]


def test_census_shows_the_iterations_of_warm_up(results):
    header, rows = table(results / "census.csv")
    assert header["sgld_iterations"] == "200" and header["sgld_draws"] == "100"
    assert max(int(row["draws"]) for row in rows if row["sampler"] == "sgld, paper") == 200


def test_preconditioners_save_iterations(results):
    _, rows = table(results / "preconditioners.csv")
    hardest = max(float(row["condition_number"]) for row in rows)
    at_it = {row["preconditioner"]: int(row["iterations"]) for row in rows if float(row["condition_number"]) == hardest}
    assert at_it["rank 50"] < at_it["rank 20"] < at_it["none"]


def test_what_an_experiment_needs_is_said():
    ended = subprocess.run([EXPERIMENTS / "census"], capture_output=True, text=True, check=False)
    assert ended.returncode != 0 and "--data" in ended.stderr


def test_priors_of_the_condition_numbers_are_those_of_the_papers_figure(results):
    _, rows = table(results / "condition-numbers.csv")
    assert {row["prior"] for row in rows} == {"Gamma(0.5, 0.01)", "Gamma(1, 0.01)", "Gamma(1, 0.1)", "Gamma(1, 1)"}


def test_sgld_stands_beside_the_papers_figure(results):
    header, rows = table(results / "concrete-mcmc-match.csv")
    assert header["sgld_from_iteration"] == "100"
    assert {row["sampler"] for row in rows} == {"mh", "sgld, paper", "ulisse"}
    sigma = next(row for row in rows if row["sampler"] == "mh" and row["parameter"] == "sigma")
    assert float(sigma["mean_off_in_sd"]) == pytest.approx((float(sigma["mean"]) - 2.38) / 0.33, abs=1e-3)
