"""ulisse map: the mode of the posterior on the concrete data."""

import gzip
import math

import pytest

# Newton's method on the same log density written down separately in NumPy.
PSI = {"sigma": 1.84482, "tau": -2.52828, "lambda": -2.70450}
LOG_POSTERIOR = -445.3185


def map_json(ulisse, path, *options):
    return ulisse.json("map", path, "--target", "strength", *options)


def test_mode_of_concrete(ulisse, concrete):
    result = map_json(ulisse, concrete)
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
    assert "200 rows, 8 inputs" in lines[0]
    assert [line.split()[0] for line in lines[3:6]] == ["sigma", "tau", "lambda"]


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
    result = map_json(ulisse, concrete, "--subset", 200, "--kernel", kernel)
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
    assert scaled["psi"] != map_json(ulisse, concrete, "--subset", 200, "--no-standardise")["psi"]
