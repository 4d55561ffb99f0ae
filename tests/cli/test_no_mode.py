"""A search that found no mode says so: in the heading, in the JSON, on standard error and by the exit code."""

import json
import math
import random

import pytest

from conftest import MH, gamma_priors


@pytest.fixture
def scaled_table(table):
    """Sixty rows with a target of the given size."""

    def write(size):
        rows = [(math.sin(7 * i), math.cos(3 * i * i)) for i in range(60)]
        lines = "".join(f"{a},{b},{size * (a + a * b)!r}\n" for a, b in rows)
        return table("a,b,y\n" + lines)

    return write


def failed(ulisse, path, *options):
    result = ulisse.run("map", path, "--target", "y", "--no-standardise", "--quiet", *gamma_priors(), *options)
    assert result.returncode == 1
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("ulisse: no mode was found: ")
    return result.stdout, sentence


@pytest.mark.parametrize("size", [1e12, 1e-200])
def test_values_that_are_far_from_the_priors(ulisse, scaled_table, size):
    text, sentence = failed(ulisse, scaled_table(size))
    assert text.startswith("NOT a mode")
    assert "Mode of the posterior" not in text
    for words in ("--no-standardise", "--prior", "--subset"):
        assert words in sentence
    assert max(len(word) for word in text.split()) < 25  # 1e22 was once written out


def test_the_json_says_so_too(ulisse, scaled_table):
    text, sentence = failed(ulisse, scaled_table(1e12), "--json")
    result = json.loads(text)
    assert result["converged"] is False
    assert sentence == "ulisse: no mode was found: " + result["message"]


def test_a_constant_target_teaches_nothing(ulisse, table):
    rows = "".join(f"{math.sin(7 * i)},5\n" for i in range(40))
    _, sentence = failed(ulisse, table("a,y\n" + rows))
    assert "the target is 5 in every row" in sentence


def test_no_density_at_all_is_refused_with_what_to_do(ulisse, scaled_table):
    sentence = ulisse.refusal("map", scaled_table(1e200), "--target", "y", "--no-standardise")
    assert "leave out --no-standardise" in sentence


def test_noise_that_is_fixed_is_not_told_to_have_a_prior(ulisse, table):
    rows = "".join(f"{i // 2},{i % 7 + i / 99!r}\n" for i in range(40))  # each input twice
    sentence = ulisse.refusal("map", table("a,y\n" + rows), "--target", "y", "--fix", "lambda=0")
    assert "lambda is fixed at 0, which is too little" in sentence and "--fix 'lambda=1e-6'" in sentence and "a prior that keeps" not in sentence


def test_the_same_values_standardised_have_a_mode(ulisse, scaled_table):
    assert ulisse.json("map", scaled_table(1e12), "--target", "y", "--kernel", "matern32")["converged"]


def test_a_table_too_large_for_memory_suggests_a_subset(ulisse, table):
    rows = "".join(f"{i},{i % 97 / 7:.3f}\n" for i in range(200_000))  # 320 GB
    sentence = ulisse.refusal("map", table("a,y\n" + rows), "--target", "y")
    assert "200000 rows" in sentence and "GB" in sentence and "--subset" in sentence


def test_a_search_that_rounding_ended_at_the_mode_found_it(ulisse, table, tmp_path):
    """map said "NOT a mode" where mh said nothing: noise this small leaves the search no digits."""
    source = random.Random(4)
    rows = [(a, math.sin(a) + source.gauss(0, 3e-7)) for a in (source.uniform(0, 10) for _ in range(80))]
    path = table("a,y\n" + "".join(f"{a},{y!r}\n" for a, y in rows))
    found = ulisse.run("map", path, "--target", "y", "--kernel", "matern52", "--quiet", "--json", *gamma_priors())
    assert found.returncode == 0
    result = json.loads(found.stdout)
    assert result["converged"] is True and 0.001 < result["distance"] < 0.1
    assert "rounding ended the search" in found.stderr
    out = tmp_path / "fit"
    text = ulisse.output("fit", path, "--target", "y", "--kernel", "matern52", *MH, *gamma_priors(), "--out", out, "--quiet")
    mode = json.loads((out / "fit.json").read_text())["mode"]
    assert mode["distance"] == pytest.approx(result["distance"])
    assert "search for the mode" not in text
