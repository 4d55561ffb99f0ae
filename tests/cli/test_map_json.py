"""ulisse map --json: the result stands alone, without the command that gave it."""

import csv
import math
import statistics

import pytest


@pytest.fixture
def result(ulisse, concrete):
    return ulisse.json("map", concrete, "--target", "strength", "--features", "water,age", "--kernel", "rbf-ard",
                       "--prior", "lambda=lognormal(-2,1)", "--subset", 100, "--seed", 3, "--threads", 1)


def test_it_names_the_data(result, concrete):
    assert result["file"] == concrete
    assert len(result["fingerprint"]) == 16
    assert result["target"] == "strength" and result["features"] == ["water", "age"]
    assert (result["n"], result["d"]) == (100, 2)
    assert result["subset"] == {"rows": 100, "of": 1030, "seed": 3}


def test_it_has_the_scaling_of_the_whole_file(result, concrete):
    with open(concrete, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [float(row[name]) for row in rows] for name in ("water", "age", "strength")}
    mean = {name: statistics.mean(values) for name, values in columns.items()}
    sd = {name: statistics.stdev(values) for name, values in columns.items()}
    assert result["standardised"] is True
    assert result["scaling"]["x_mean"] == pytest.approx([mean["water"], mean["age"]])
    assert result["scaling"]["x_sd"] == pytest.approx([sd["water"], sd["age"]])
    assert result["scaling"]["y_mean"] == pytest.approx(mean["strength"])
    assert result["scaling"]["y_sd"] == pytest.approx(sd["strength"])


def test_it_names_the_model(result):
    assert result["kernel"] == "rbf-ard"
    assert result["parameters"] == ["sigma", "tau.1", "tau.2", "lambda"] == list(result["psi"])
    assert result["inputs"] == {"tau.1": "water", "tau.2": "age"}
    assert result["priors"]["lambda"] == "lognormal(-2,1)" and result["priors"]["sigma"] == "signal_sd=half-student-t(4,50)"
    assert len(result["covariance"]) == len(result["parameters"])


def test_the_posterior_is_likelihood_and_prior(result):
    assert result["log_posterior"] == pytest.approx(result["log_likelihood"] + result["log_prior"], rel=1e-12)
    psi = result["psi"]
    # Each of log(lambda) and of log((2 tau)^-1/2) is normal, the latter with a slope of 1/2 in psi; sqrt(sigma) is half of a t with 4 degrees of freedom.
    normal, signal_sd = statistics.NormalDist, math.exp(psi["sigma"] / 2)
    half_t = 2 * 3 / 8 / 50 * (1 + (signal_sd / 50) ** 2 / 4) ** -2.5
    expected = math.log(normal(-2, 1).pdf(psi["lambda"])) + math.log(half_t * signal_sd / 2)
    expected += sum(math.log(normal(0, 1.8).pdf(-(math.log(2) + psi[name]) / 2) / 2) for name in ("tau.1", "tau.2"))
    assert result["log_prior"] == pytest.approx(expected, rel=1e-9)


def test_it_names_the_program_and_how_it_went(result):
    assert result["version"].count(".") == 2 and result["threads"] == 1
    assert result["converged"] is True and result["message"] == ""


def test_all_rows_are_no_subset(ulisse, concrete):
    result = ulisse.json("map", concrete, "--target", "strength", "--features", "age", "--no-standardise",
                         "--prior", "sigma=lognormal(5,3)", "--prior", "lambda=lognormal(5,3)")
    assert result["subset"] is None and result["n"] == 1030
    assert result["standardised"] is False
    assert result["scaling"] == {"x_mean": [0], "x_sd": [1], "y_mean": 0, "y_sd": 1}
    assert result["inputs"] == {}
