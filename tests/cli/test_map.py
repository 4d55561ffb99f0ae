"""ulisse map: the mode of the posterior on the concrete data."""

import gzip
import math

import pytest

from conftest import gamma_priors

# Newton's method on the same log density written down separately in NumPy.
PSI = {"sigma": 1.84482, "tau": -2.52828, "lambda": -2.70450}
LOG_POSTERIOR = -445.3185


def map_json(ulisse, path, *options):
    return ulisse.json("map", path, "--target", "strength", *options)


def test_mode_of_concrete(ulisse, concrete):
    result = map_json(ulisse, concrete, *gamma_priors())
    assert {"theta", "psi", "log_posterior", "covariance"} <= result.keys()
    assert list(result["theta"]) == list(result["psi"]) == ["sigma", "tau", "lambda"]
    for name, value in PSI.items():
        assert result["psi"][name] == pytest.approx(value, abs=1e-3)
        assert result["theta"][name] == pytest.approx(math.exp(result["psi"][name]))
    assert result["log_posterior"] == pytest.approx(LOG_POSTERIOR, abs=1e-3)
    assert result["n"] == 1030
    assert result["converged"]


def test_covariance_is_symmetric_with_a_positive_diagonal(ulisse, concrete):
    covariance = map_json(ulisse, concrete, "--subset", 200)["covariance"]
    assert len(covariance) == 3
    for i in range(3):
        assert covariance[i][i] > 0
        for j in range(3):
            assert covariance[i][j] == pytest.approx(covariance[j][i], rel=1e-9)


def test_table_for_people(ulisse, concrete):
    lines = ulisse.output("map", concrete, "--target", "strength", "--subset", 200).splitlines()
    assert lines[0].endswith("200 of 1030 rows, seed 1, 8 inputs")
    assert [line.split()[0] for line in lines[3:6]] == ["sigma", "tau", "lambda"]


def test_a_subset_larger_than_the_table_is_all_of_it(ulisse, concrete):
    text = ulisse.output("map", concrete, "--target", "strength", "--subset", 5000, "--features", "age")
    assert text.splitlines()[0].endswith("all 1030 rows (--subset 5000 is more), 1 input")


def test_the_table_names_the_input_of_each_tau(ulisse, concrete):
    options = ("--subset", 200, "--kernel", "rbf-ard", "--features", "water,age")
    lines = ulisse.output("map", concrete, "--target", "strength", *options).splitlines()
    assert lines[2].split()[:3] == ["parameter", "input", "theta"]
    assert [line.split()[:2] for line in lines[4:6]] == [["tau.1", "water"], ["tau.2", "age"]]


def test_no_negative_zero(ulisse, concrete):
    # The mode of lambda is 1 when nothing else may explain the target.
    text = ulisse.output("map", concrete, "--target", "strength", "--prior", "tau=half-normal(1e-9)", *gamma_priors("tau"))
    assert "-0.0000" not in text


def test_ceres_is_silent(ulisse, concrete):
    # It warned on standard error about its BFGS updates here; output() refuses that.
    ulisse.output("map", concrete, "--target", "strength", "--prior", "tau=half-normal(1e-9)", *gamma_priors("tau"))


def test_threads_do_not_change_a_single_bit(ulisse, concrete):
    one, two = (map_json(ulisse, concrete, "--threads", t) for t in (1, 2))
    assert one["psi"] == two["psi"]
    assert one["log_posterior"] == two["log_posterior"]
    assert one["covariance"] == two["covariance"]


def test_subset_and_seed(ulisse, concrete):
    first = map_json(ulisse, concrete, "--subset", 200)
    assert first["n"] == 200
    assert first["psi"] == map_json(ulisse, concrete, "--subset", 200, "--seed", 1)["psi"]
    assert first["psi"] != map_json(ulisse, concrete, "--subset", 200, "--seed", 2)["psi"]


@pytest.mark.parametrize("shape", ["rbf", "matern12", "matern32", "matern52"])
@pytest.mark.parametrize("ard", [False, True])
def test_every_kernel(ulisse, concrete, shape, ard):
    kernel = shape + ("-ard" if ard else "")
    # Two pairs of these rows are equal in the target too. Without noise such a pair is infinitely likely,
    # and with the default prior the posterior of a rough kernel has a flat ridge out there.
    prior = "lambda=gamma(3,1)"
    result = map_json(ulisse, concrete, "--subset", 200, "--kernel", kernel, "--prior", prior)
    taus = [f"tau.{k}" for k in range(1, 9)] if ard else ["tau"]
    assert list(result["theta"]) == ["sigma", *taus, "lambda"]
    assert result["kernel"] == kernel
    assert result["converged"]
    assert result["largest_gradient"] < 1e-2


def test_unknown_kernel_lists_the_kernels(ulisse, concrete):
    sentence = ulisse.refusal("map", concrete, "--target", "strength", "--kernel", "matern42")
    assert "'matern42'" in sentence and "matern52-ard" in sentence


@pytest.mark.parametrize(
    "prior", ["tau=gamma(9,9)", "tau=lognormal(0,0.1)", "lambda=inverse-gamma(50,50)", "sigma=half-normal(0.5)"]
)
def test_priors_move_the_mode(ulisse, concrete, prior):
    plain = map_json(ulisse, concrete, "--subset", 200)
    moved = map_json(ulisse, concrete, "--subset", 200, "--prior", prior)
    name = prior.split("=")[0]
    assert abs(moved["psi"][name] - plain["psi"][name]) > 0.05


def test_several_priors_and_then_the_file(ulisse, concrete):
    result = ulisse.json(
        "map", "--prior", "tau=gamma(2,2)", "--prior", "lambda=gamma(1,2)", concrete,
        "--target", "strength", "--subset", 200)
    assert result["psi"] != map_json(ulisse, concrete, "--subset", 200)["psi"]


def test_priors_of_an_input_by_its_name(ulisse, concrete):
    options = ("--subset", 100, "--kernel", "rbf-ard", "--features", "water,age")
    by_name, by_place = (
        map_json(ulisse, concrete, *options, "--prior", prior)
        for prior in ("tau.age = gamma(2, 3)", "tau.2=gamma(2,3)"))
    assert by_name["psi"] == by_place["psi"]
    assert by_name["priors"] == {"sigma": "signal_sd=half-student-t(4,50)", "tau.1": "lengthscale=lognormal(0,1.8)",
                                 "tau.2": "gamma(2,3)", "lambda": "noise_sd=inverse-gamma(0.75,0.025)"}


@pytest.mark.parametrize(
    "prior, word",
    [("mu=gamma(1,1)", "'mu'"), ("tau=gama(1,1)", "'gama(1,1)'"), ("tau", "'tau'"), ("tau=gamma(1)", "gamma(1)"),
     ("tau=gamma(-1,1)", "gamma(-1,1)"), ("tau.2=gamma(1,1)", "'tau.2'")])
def test_bad_priors_are_named(ulisse, concrete, prior, word):
    assert word in ulisse.refusal("map", concrete, "--target", "strength", "--prior", prior)


def test_gzip_gives_the_same(ulisse, concrete, table):
    with open(concrete, "rb") as file:
        compressed = table(gzip.compress(file.read()), "concrete.csv.gz")
    plain, zipped = (map_json(ulisse, path, "--subset", 200) for path in (concrete, compressed))
    assert plain["psi"] == zipped["psi"]


def test_features_choose_columns(ulisse, concrete):
    result = map_json(ulisse, concrete, "--subset", 200, "--features", "water,age", "--kernel", "rbf-ard")
    assert list(result["theta"]) == ["sigma", "tau.1", "tau.2", "lambda"]


def test_values_as_they_are(ulisse, concrete):
    scaled = map_json(ulisse, concrete, "--subset", 200)
    plain = map_json(ulisse, concrete, "--subset", 200, "--no-standardise")
    assert scaled["psi"] != plain["psi"]
    assert plain["psi"] == map_json(ulisse, concrete, "--subset", 200, "--no-standardize")["psi"]
