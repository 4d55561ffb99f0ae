"""ulisse bench solve: conjugate gradients on the concrete data at its mode."""

import pytest

THETA = "6.327,0.0798,0.0669"


def solve(concrete, *options, theta=THETA):
    return ("bench", "solve", concrete, "--target", "strength", "--theta", theta, "--quiet", *options)


def test_each_preconditioner_converges(ulisse, concrete):
    result = ulisse.json(*solve(concrete, "--rank", 50, "--rhs", 3, "--tolerance", 1e-6))
    assert (result["n"], result["d"], result["rhs"]) == (1030, 8, 3)
    assert [s["preconditioner"] for s in result["solves"]] == ["none", "greedy", "random"]
    for s in result["solves"]:
        assert s["stop"] == "converged"
        assert 0 < s["residual"] < 1e-6
        assert s["products"] >= s["iterations"] > 0
        assert len(s["columns"]) == 3
    plain, greedy, random = result["solves"]
    assert greedy["rank"] == random["rank"] == 50
    assert greedy["iterations"] < plain["iterations"]
    assert random["iterations"] < plain["iterations"]


@pytest.mark.parametrize("backend", ["dense", "dense-float", "cached"])
def test_each_backend_converges(ulisse, concrete, backend):
    options = ("--backends", backend, "--preconditioners", "random", "--tolerance", 1e-6)
    (s,) = ulisse.json(*solve(concrete, *options))["solves"]
    assert s["backend"] == backend
    assert s["stop"] == "converged" and s["residual"] < 1e-6


def test_nested_preconditioner_counts_its_inner_products(ulisse, concrete):
    options = ("--preconditioners", "nested", "--rhs", 1, "--tolerance", 1e-4, "--inner-tolerance", 1e-6)
    (s,) = ulisse.json(*solve(concrete, *options))["solves"]
    assert s["stop"] == "converged"
    assert s["inner_products"] > s["products"]


def test_what_does_not_converge_says_so(ulisse, concrete):
    options = ("--preconditioners", "none", "--max-iterations", 5)
    (s,) = ulisse.json(*solve(concrete, *options))["solves"]
    assert s["stop"] != "converged" and s["iterations"] == 5


def test_table_for_people(ulisse, concrete):
    text = ulisse.output(*solve(concrete, "--rhs", 1, "--rank", 50))
    assert "n = 1030, d = 8" in text
    assert text.count("converged") == 3


def test_spaces_in_theta(ulisse, concrete):
    options = ("--preconditioners", "random", "--rhs", 1, "--tolerance", 1e-3)
    (s,) = ulisse.json(*solve(concrete, *options, theta="1, 1, .1"))["solves"]
    assert s["stop"] == "converged"


def test_a_converged_residual_is_not_printed_above_the_limit(ulisse, concrete):
    options = ("--rhs", 3, "--backends", "dense,dense-float", "--tolerance", 1e-8)
    for line in ulisse.output(*solve(concrete, *options)).splitlines():
        if line.endswith("converged"):
            assert float(line.split()[-2]) <= 1e-8


def test_right_hand_sides_that_do_not_fit_into_memory(ulisse, concrete):
    assert "of memory" in ulisse.refusal(*solve(concrete, "--rhs", 999999999))


@pytest.mark.parametrize(
    "theta, words",
    [("1,1", "2 values"), ("1,1,1,1", "4 values"), ("1,x,1", "'x'"), ("1,,1", "''"), ("1,0,1", "positive"),
     ("1,-2,1", "positive"), ("1,inf,1", "finite")])
def test_bad_theta(ulisse, concrete, theta, words):
    sentence = ulisse.refusal(*solve(concrete, theta=theta))
    assert "--theta" in sentence and words in sentence


@pytest.mark.parametrize(
    "option, value",
    [("--rank", "-1"), ("--rank", "x"), ("--rhs", "0"), ("--tolerance", "0"), ("--tolerance", "x"), ("--delta", "-1"),
     ("--inner-tolerance", "0"), ("--max-iterations", "-1"), ("--repeats", "0")])
def test_numbers_out_of_range(ulisse, concrete, option, value):
    assert option in ulisse.usage_error(*solve(concrete, option, value))


def test_unknown_names_list_what_there_is(ulisse, concrete):
    sentence = ulisse.refusal(*solve(concrete, "--backends", "sparse"))
    assert "'sparse'" in sentence and "dense-float" in sentence
    sentence = ulisse.refusal(*solve(concrete, "--preconditioners", "magic"))
    assert "'magic'" in sentence and "greedy" in sentence
