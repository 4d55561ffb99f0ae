"""ulisse bench sample from outside."""

import pytest

from conftest import gamma_priors


def bench(ulisse, table, *options):
    return ulisse.json("bench", "sample", table, "--target", "y", "--quiet", "--draws", "60", *options)


def test_samplers_are_compared_by_seconds_for_an_independent_sample(ulisse, larger_table):
    found = bench(ulisse, larger_table, *gamma_priors(), "--samplers", "mh,ulisse:no-surrogate,sgld:paper", "--chains", "2", "--time-limit", "5s")
    assert (found["n"], found["d"], found["chains"]) == (320, 2, 2)
    assert list(found["samplers"]) == ["mh", "ulisse:no-surrogate", "sgld:paper"]
    mh = found["samplers"]["mh"]
    assert mh["status"] == "complete" and mh["draws"] == 60 and mh["warmup"] > 30
    expected = mh["seconds_sampling"] / mh["smallest_ess_bulk"]
    assert mh["seconds_per_independent_sample"] == pytest.approx(expected)
    assert min(s["times_the_fastest"] or 9 for s in found["samplers"].values()) == 1
    assert found["samplers"]["ulisse:no-surrogate"]["products_per_iteration"] > 1
    assert mh["products_per_iteration"] is None


def test_where_solves_are_cut_can_be_said(ulisse, larger_table):
    found = bench(ulisse, larger_table, *gamma_priors(), "--samplers", "ulisse:no-surrogate,ulisse:no-surrogate:q=1e-6", "--chains", "2")["samplers"]
    assert list(found) == ["ulisse:no-surrogate", "ulisse:no-surrogate:q=1e-6"]
    assert found["ulisse:no-surrogate:q=1e-6"]["products_per_iteration"] > found["ulisse:no-surrogate"]["products_per_iteration"]


def test_warm_up_can_be_shorter(ulisse, signal_table):
    found = bench(ulisse, signal_table, "--samplers", "mh,ulisse", "--warmup", "30")["samplers"]
    assert [s["warmup"] for s in found.values()] == [30, 30]


def test_out_of_time_is_shown(ulisse, signal_table):
    found = bench(ulisse, signal_table, "--samplers", "sgld:paper", "--time-limit", "0.01s")
    paper = found["samplers"]["sgld:paper"]
    assert paper["status"] == "interrupted" and paper["seconds_per_independent_sample"] is None


def test_the_table_says_what_it_shows(ulisse, signal_table):
    text = ulisse.output("bench", "sample", signal_table, "--target", "y", "--samplers", "mh", "--draws", "60", "--quiet")
    assert "n = 60, d = 2" in text and "s/indep." in text


@pytest.mark.parametrize("samplers, says", [("gibbs", "gibbs"), ("mh:fast", "fast"), (",", "--sampler"), ("sgld:q=soon", "soon"), ("sgld:q=-1", "positive"), ("mh:q=1", "--early-stop is for the sampler ulisse or sgld, not for mh")])
def test_an_unknown_sampler_is_refused(ulisse, signal_table, samplers, says):
    assert says in ulisse.refusal("bench", "sample", signal_table, "--target", "y", "--samplers", samplers)


def test_a_time_limit_that_is_none_is_refused(ulisse, signal_table):
    assert "--time-limit" in ulisse.refusal("bench", "sample", signal_table, "--target", "y", "--time-limit", "soon")
